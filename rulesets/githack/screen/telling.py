"""The words in which a fight is told."""

from __future__ import annotations

from rulesets.githack.stats.checks import tally
from tracker.core.game.telling import ActionWords, EffectWords, Marks, StatusWords, Telling
from tracker.core.terms.values import Value


def _count(value: Value) -> tuple[int, ...]:
    """Count the ticks, wounds and deep wounds of a Harm track."""
    return tally(value) if isinstance(value, str) else (0, 0, 0)


TELLING = Telling(
    action_words=(
        ActionWords("attack", "attack", great="land a great blow on", over="reach for"),
        ActionWords("strike", "attack"),
        ActionWords("special", "attack", hits="catch", tries="turn on", misses="spare", over="bring {means} down on"),
        ActionWords("stance", does="take up the stance of {stance}"),
        ActionWords("stabilise", "rescue", does="tend {whom}", misses="try in vain to save"),
        ActionWords("pull_off", does="pull free of {monster}", fails="try in vain to pull free of {monster}"),
        ActionWords("device", does="work a device"),
        ActionWords("other", does="do something else"),
    ),
    status_words=(
        StatusWords("slain", "dead", by="slay", alone="fall"),
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("incapacitated", "down", by="bring {whom} down", alone="go down"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("gone", "gone", by="drive {whom} off", alone="flee"),
    ),
    effect_words=(
        EffectWords("stuck", "be stuck fast"),
        EffectWords("paralysed", "be paralysed"),
    ),
    great=("great success",),
    proper=("weapon",),
    marks=Marks("harm", _count, (("tick", "ticks"), ("wound", "wounds"), ("deep wound", "deep wounds"))),
    low_dice=(20,),
)
