"""The words in which a fight is told."""

from __future__ import annotations

from typing import Any

from tracker.core.game.telling import ActionWords, EffectWords, StatusWords, Telling

_BLOW: dict[str, Any] = {"hits": "strike|hit|catch", "grazes": "graze", "tries": "go for"}

TELLING = Telling(
    action_words=(
        ActionWords("melee_attack", "attack", **_BLOW),
        ActionWords("ranged_attack", "attack", hits="hit|strike", tries="aim at", grazes="graze"),
        ActionWords("snap_attack", "attack", **_BLOW),
        ActionWords("free_attack", "attack", **_BLOW),
        ActionWords("charge", "attack", **{**_BLOW, "tries": "charge"}),
        ActionWords("swarm_join", "silent"),
        ActionWords("swarm_strike", "attack", **_BLOW),
        ActionWords("execution", "attack", **{**_BLOW, "tries": "stand over"}),
        ActionWords("shove", "act", does="shove {whom}", fails="try in vain to shove {whom}"),
        ActionWords("grapple", "act", does="grapple with {whom}", fails="try in vain to grapple with {whom}"),
        ActionWords("escape_grapple", "act", does="struggle free", fails="struggle in vain to get free"),
        ActionWords("move_grappled", "act", does="drag {whom} along"),
        ActionWords("total_defense", "guard", does="do nothing but parry", turned="parry", vain="parry in vain"),
        ActionWords("use", "power", does="call on {means}"),
        ActionWords("use:Slip Aside", "power", does="slip aside", turned="slip aside", vain="slip aside too late"),
        ActionWords("use:Veteran's Luck", "power", does="trust to a veteran's luck"),
        ActionWords("use:Bind the Blade", "power", does="bind the blade", turned="bind the blade"),
        ActionWords("stabilise", "rescue", does="stop the bleeding of {whom}", misses="try in vain to save"),
        ActionWords("run", "move", does="run"),
        ActionWords("fighting_withdrawal", "move", does="fall back"),
        ActionWords("reload", does="reload the {means}"),
        ActionWords("stand_up", does="get up"),
        ActionWords("go_prone", does="drop to the ground"),
        ActionWords("hold", does="wait for an opening"),
        ActionWords("use_skill", does="use a skill"),
        ActionWords("screen", does="stand before {whom}"),
        ActionWords("trigger_held", "silent"),
        ActionWords("end_turn", "silent"),
        ActionWords("other", does="do something else"),
    ),
    status_words=(
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("mortal", "down", by="wound {whom} mortally", alone="go down dying"),
        StatusWords("incapacitated", "down", by="knock {whom} out", alone="pass out"),
        StatusWords("stable", "saved", by="save", alone="hold on to life"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("gone", "gone", by="drive {whom} off", alone="get away"),
    ),
    effect_words=(
        EffectWords("surprised", "be caught unaware"),
        EffectWords("broken", "lose heart", flees=True),
    ),
    graze=("Shock",),
)
