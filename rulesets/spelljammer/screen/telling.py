"""The words in which a fight is told."""

from __future__ import annotations

from tracker.core.game.telling import ActionWords, CheckWords, EffectWords, StatusWords, Telling

_LOST = ("interrupted", "forced to move", "stunned", "down")
_SPELL_ENDS = (("goes off", "finish {spell}[ on {whom}]"), *((why, "lose {spell}") for why in _LOST))

TELLING = Telling(
    action_words=(
        ActionWords("attack", "attack", hits="hit", great="land a terrible blow on", does="do something else"),
        ActionWords("free_attack", "attack", hits="hit", great="land a terrible blow on", tries="go for"),
        ActionWords("declare", "silent"),
        ActionWords("begin_spell", "silent"),
        ActionWords("force_move", does="drive {whom} back"),
        ActionWords("other_act", does="do something else"),
        ActionWords("cast", does="cast {means}"),
    ),
    status_words=(
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("down", "down", by="bring {whom} down", alone="go down"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("gone", "gone", by="drive {whom} off", alone="get away"),
    ),
    effect_words=(
        EffectWords("stunned", "be stunned"),
        EffectWords("fallen", "be knocked off balance"),
        EffectWords("casting", "begin to cast {spell}[ on {whom}]", ends=_SPELL_ENDS),
    ),
    check_words=(
        CheckWords("", "goes off", "finish {what}[ on {whom}]"),
        CheckWords("", "fails", "fail to finish {what}"),
        CheckWords("ambush", "1x", "see the ambush coming"),
        *(CheckWords("ambush", level, "be caught in an ambush") for level in ("3x", "4x", "5x")),
    ),
    great=("critical", "grievous"),
    low_dice=(100,),
)
