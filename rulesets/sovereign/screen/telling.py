"""The words in which a fight is told."""

from __future__ import annotations

from typing import Any

from tracker.core.game.telling import ActionWords, EffectWords, StatusWords, Telling

_BLOW: dict[str, Any] = {"hits": "strike|hit|catch", "grazes": "graze", "tries": "go for"}

TELLING = Telling(
    action_words=(
        ActionWords("attack_melee", "attack", **_BLOW),
        ActionWords("attack_ranged", "attack", hits="hit|strike", tries="aim at", grazes="graze"),
        ActionWords("snap_attack", "attack", **_BLOW),
        ActionWords("aoo", "attack", **_BLOW),
        ActionWords("charge", "attack", **{**_BLOW, "tries": "charge"}),
        ActionWords("execute_melee", "attack", **{**_BLOW, "tries": "stand over"}),
        ActionWords("execute_ranged", "attack", **{**_BLOW, "tries": "take careful aim at"}),
        ActionWords("swarm_join", "silent"),
        ActionWords("swarm_resolve", "attack", **_BLOW),
        ActionWords("veterans_luck", "power", does="trust to a veteran's luck", turned="trust to a veteran's luck"),
        ActionWords("total_defense", "guard", does="do nothing but parry", turned="parry", vain="parry in vain"),
        ActionWords("stabilise", "rescue", does="stop the bleeding of {whom}", misses="try in vain to save"),
        ActionWords("run", "move", does="run"),
        ActionWords("disengage", "move", does="fall back"),
        ActionWords("stand_up", does="get up"),
        ActionWords("go_prone", does="drop to the ground"),
        ActionWords("shove", does="shove {whom}", fails="try in vain to shove {whom}"),
        ActionWords("grapple", does="grapple with {whom}", fails="try in vain to grapple with {whom}"),
        ActionWords("escape_grapple", does="struggle free", fails="struggle in vain to get free"),
        ActionWords("drag", does="drag {whom} along"),
        ActionWords("screen", does="stand before {whom}"),
        ActionWords("hold", does="wait for an opening"),
        ActionWords("use_held", "silent"),
        ActionWords("use_skill", does="use a skill"),
        ActionWords("other", does="do something else"),
    ),
    status_words=(
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("mortal", "down", by="wound {whom} mortally", alone="go down dying"),
        StatusWords("down", "down", by="knock {whom} out", alone="pass out"),
        StatusWords("stable", "saved", by="save", alone="hold on to life"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("gone", "gone", by="drive {whom} off", alone="get away"),
    ),
    effect_words=(
        EffectWords("surprised", "be caught unaware"),
        EffectWords("retreating", "lose heart", flees=True),
    ),
    graze=("Shock",),
)
