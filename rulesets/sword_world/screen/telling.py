"""The words in which a fight is told."""

from __future__ import annotations

from tracker.core.game.telling import ActionWords, CheckWords, EffectWords, StatusWords, Telling

TELLING = Telling(
    action_words=(
        ActionWords("attack", "attack", hits="hit|strike|catch", great="land a telling blow on", tries="go for"),
        ActionWords(
            "cast",
            "attack",
            hits="catch",
            great="strike {whom} hard",
            tries="turn to",
            misses="cast {means} on {whom} in vain",
            over="cast {means} on",
            does="cast {means}",
            fails="fail to cast {means}",
        ),
        ActionWords("declare_brawl", "silent"),
        ActionWords("join_brawl", "silent"),
        ActionWords("end_turn", "silent"),
        ActionWords("start_turn", "silent"),
        ActionWords("change_weapon", does="change weapons"),
        ActionWords("leave_brawl", "move", does="try to leave the brawl"),
        ActionWords("move", "move", does="move"),
        ActionWords("stand_up", does="get up"),
        ActionWords("other_action", does="do something else"),
    ),
    status_words=(
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("unconscious", "down", by="fell|strike {whom} down", alone="go down"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("fled", "gone", by="drive {whom} off", alone="flee"),
        StatusWords("surrendered", "gone", by="make {whom} give up", alone="surrender"),
    ),
    effect_words=(EffectWords("surprised", "be caught unaware"),),
    check_words=(CheckWords("Death Check", "success", "hold on to life"),),
)
