"""The form of an attack that is due: target, weapon and the options of T-3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from msgspec.structs import replace

from rulesets.spelljammer.stat_blocks.facts import DeclaredAttack
from rulesets.spelljammer.stat_blocks.models import Creature
from rulesets.spelljammer.stat_blocks.tables import LIGHTING, MOVEMENT
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.chance import Options, usual_movement
from tracker.core.fight.cache import per_object
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step import fields
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

MORE = "more"


COVERS = {"none": "none", "soft": "soft cover", "hard": "hard cover"}
SURPRISES = {"none": "none", "in_combat": "surprise in combat", "out_of_combat": "surprise out of combat"}
UNSEEN = {"none": "none", "target": "target unseen", "attacker": "attacker unseen", "both": "both unseen"}


def _words(*words: str) -> tuple[Option, ...]:
    return tuple(Option(word) for word in words)


def _named(labels: Mapping[str, str]) -> tuple[Option, ...]:
    return tuple(Option(key, label) for key, label in labels.items())


MOVEMENTS = tuple(Option(name, f"target {name.replace('_', ' ')}") for name in MOVEMENT)
NO_DODGE = tuple(
    replace(option, refusal=Refusal("casting", "nobody dodges while casting", "SJ-178", field="target_movement"))
    if option.key == "dodging"
    else option
    for option in MOVEMENTS
)
SITUATION = (
    Field("modifier", "number", default=0),
    Field("cover", "choice", default="none", options=_named(COVERS)),
    Field("surprise", "choice", default="none", options=_named(SURPRISES)),
    Field("unseen", "choice", default="none", options=_named(UNSEEN)),
)
INSTEAD = Field("instead", "text", "other act instead")
LIGHT = Field("lighting", "choice", options=_words(*LIGHTING), page=MORE)
COUNTS = (
    Field("attackers", "number", "attackers of the target", minimum=1, maximum=99, note="empty: as counted", page=MORE),
    Field("friends", "number", "friends in the melee", minimum=0, maximum=99, note="empty: as engaged", page=MORE),
    Field("opponents", "number", "foes in the melee", minimum=0, maximum=99, note="empty: as engaged", page=MORE),
)
"""Fields that are the same in every form."""


@per_object
def _armed(block: Creature) -> tuple[Option, ...]:
    return tuple(Option(weapon.name, f"{weapon.name} SC {weapon.sc}") for weapon in block.weapons)


def attack_fields(state: State, action: Action, blow: DeclaredAttack | None) -> tuple[Field, ...]:
    """Return the fields of an attack, pre-filled with what was declared."""
    who = str(action.by)
    block = stats.block(state, who)
    aimed = None if blow is None else still_aimed(state, who, blow)
    target = str(action.get("target") or aimed or "")
    moving = f"empty: {usual_movement(state, target)}" if target in state else ""
    casts = target in state and stats.casting(state[target]) is not None
    return (
        Field(
            "target",
            "combatant",
            default=aimed,
            options=stats.targets(state, who),
            note="empty: a new one is asked for",
        ),
        Field(
            "weapon",
            "choice",
            default=blow.weapon if blow else block.weapons[0].name,
            required=True,
            options=_armed(block),
        ),
        *SITUATION,
        Field("target_movement", "choice", options=NO_DODGE if casts else MOVEMENTS, note=moving),
        INSTEAD,
        Field("offhand", "flag", "off hand", blow.offhand if blow else False, page=MORE),
        replace(LIGHT, default=stats.setup(state).lighting),
        *COUNTS,
    )


def still_aimed(state: State, who: Id, blow: DeclaredAttack) -> Id | None:
    """Return the declared target, if it is still one (SJ-004, SJ-005).

    None: it has fallen, left, become a friend or withdrawn from the blow since.
    """
    target = state.get(blow.target)
    if target is None or target.id == who or target.status not in ("up", "down"):
        return None
    if stats.weapon(state, who, blow.weapon).kind == "melee" and stats.out_of_reach(state, who, blow.target):
        return None
    return blow.target if blow.meant or not stats.unlikely(state, who, blow.target) else None


def options_of(action: Action) -> Options:
    """Return what the form says beyond weapon and target."""
    given = dict(action.fields)
    return Options(
        surprise=cast('Literal["none", "in_combat", "out_of_combat"]', given["surprise"]),
        lighting=str(given["lighting"] or ""),
        unseen=cast('Literal["none", "target", "attacker", "both"]', given["unseen"]),
        cover=cast('Literal["none", "soft", "hard"]', given["cover"]),
        target_movement=str(given["target_movement"] or ""),
        attackers=fields.whole(given["attackers"], -1),
        friends=fields.whole(given["friends"], -1),
        opponents=fields.whole(given["opponents"], -1),
        modifier=fields.whole(given["modifier"]),
        offhand=given["offhand"] is True,
    )
