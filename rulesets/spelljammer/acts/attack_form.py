"""The form of an attack that is due: target, weapon and the options of T-3."""

from __future__ import annotations

from typing import Literal, cast

from rulesets.spelljammer.blocks.facts import Blow
from rulesets.spelljammer.blocks.tables import LIGHTING, MOVEMENT
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.numbers.chance import Options, usual_movement
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, Field, Option, Refusal

__all__ = ["attack_fields", "options_of"]

MORE = "more"


def attack_fields(state: State, action: Action, blow: Blow | None) -> tuple[Field, ...]:
    """Return the fields of an attack, pre-filled with what was declared."""
    who = str(action.by)
    block = stats.block(state, who)
    aimed = blow.target if blow is not None and blow.target in state and not stats.down(state[blow.target]) else None
    target = str(action.get("target") or aimed or "")
    weapons = tuple(Option(weapon.name, f"{weapon.name} SC {weapon.sc}") for weapon in block.weapons)
    others = tuple(Option(combatant.id, combatant.name) for combatant in stats.others(state, who))
    moving = f"empty: {usual_movement(state, target)}" if target in state else ""
    casts = target in state and stats.casting(state[target]) is not None
    dodge = Refusal("casting", "nobody dodges while casting", "SJ-178", field="target_movement") if casts else None
    movements = tuple(Option(name, refusal=dodge if name == "dodging" else None) for name in MOVEMENT)
    return (
        Field("target", "combatant", default=aimed, options=others, note="empty: a new one is asked for"),
        Field(
            "weapon", "choice", default=blow.weapon if blow else block.weapons[0].name, required=True, options=weapons
        ),
        Field("modifier", "number", default=0),
        Field("cover", "choice", default="none", options=(Option("none"), Option("soft"), Option("hard"))),
        Field(
            "surprise", "choice", default="none", options=(Option("none"), Option("in_combat"), Option("out_of_combat"))
        ),
        Field(
            "unseen",
            "choice",
            default="none",
            options=(Option("none"), Option("target"), Option("attacker"), Option("both")),
        ),
        Field("target_movement", "choice", options=movements, note=moving),
        Field("instead", "text", "other act instead"),
        Field("offhand", "flag", "off hand", blow.offhand if blow else False, page=MORE),
        Field(
            "lighting",
            "choice",
            default=stats.setup(state).lighting,
            options=tuple(Option(name) for name in LIGHTING),
            page=MORE,
        ),
        Field(
            "attackers", "number", "attackers of the target", minimum=1, maximum=99, note="empty: as counted", page=MORE
        ),
        Field("friends", "number", "friends in the melee", minimum=0, maximum=99, note="empty: as engaged", page=MORE),
        Field("opponents", "number", "foes in the melee", minimum=0, maximum=99, note="empty: as engaged", page=MORE),
    )


def options_of(action: Action) -> Options:
    """Return what the form says beyond weapon and target."""
    modifier = action.get("modifier")
    return Options(
        surprise=cast(Literal["none", "in_combat", "out_of_combat"], str(action.get("surprise"))),
        lighting=str(action.get("lighting") or ""),
        unseen=cast(Literal["none", "target", "attacker", "both"], str(action.get("unseen"))),
        cover=cast(Literal["none", "soft", "hard"], str(action.get("cover"))),
        target_movement=str(action.get("target_movement") or ""),
        attackers=_count(action, "attackers"),
        friends=_count(action, "friends"),
        opponents=_count(action, "opponents"),
        modifier=int(modifier) if isinstance(modifier, int | float) else 0,
        offhand=action.get("offhand") is True,
    )


def _count(action: Action, name: str) -> int:
    value = action.get(name)
    return int(value) if isinstance(value, int | float) else -1
