"""The forms of what monsters do, and what forbids it (section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.githack.actions.gm_actions import edge
from rulesets.githack.stat_blocks.models import ABILITIES, STANCES, UNNAMED, Mode
from rulesets.githack.stats import stats
from tracker.core.fight.cache import per_object
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

SAVES = (
    Field("save_ability", "choice", "save with", "usual", tuple(Option(word) for word in ("usual", "ask", *ABILITIES))),
    edge("save_edge", "Advantage on saves"),
)
SPOTTED = Field("spotted", "flag", "spots the hidden")
HOW_MET = (
    Field("defence", "choice", "defend with", "usual", tuple(Option(word) for word in ("usual", *ABILITIES))),
    edge(label="Advantage on defence"),
    *SAVES,
    Field("undefended", "flag", "no defence", note="the stuck, paralysed and incapacitated have none anyway"),
    SPOTTED,
)
"""How the targets of an attack defend and save."""


def attack_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    attacks, hosts = stats.monster(state, who).attacks, stats.hosts(state, who)
    modes = tuple([Option(mode.name, _mode_label(mode), refusal=_empty(state, who, mode)) for mode in attacks])
    most = None if stats.rules(state).monster_targets == "many" and not hosts else 1
    usual: Value = tuple(host for host in hosts if stats.here(state, host))[:1]
    people = _people(state, action)
    return (
        Field("targets", "combatants", default=usual, required=True, minimum=1, maximum=most, options=people),
        Field("mode", "choice", default=attacks[0].name if attacks else None, required=True, options=modes),
        *HOW_MET,
    )


@per_object
def _mode_label(mode: Mode) -> str:
    return f"{'' if mode.name == UNNAMED else mode.name} {' '.join(str(part.dice) for part in mode.parts)}".strip()


def special_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    own = [special for special in stats.specials(state, who) if special.when == "instead_of_attack"]
    options = tuple(
        Option(special.name, _special_label(state, who, special.name), refusal=_spent(state, who, special.name))
        for special in own
    )
    usual = own[0].name if own else None
    chosen = next((special for special in own if special.name == action.get("special", usual or "")), None)
    area = chosen is not None and chosen.area
    most, people = None if area else 1, _people(state, action, area)
    return (
        Field("special", "choice", default=usual, required=True, options=options),
        Field("targets", "combatants", required=True, minimum=1, maximum=most, options=people),
        *SAVES,
        SPOTTED,
    )


def other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (fields.choice("what", ("move", "flee", "talk")), Field("text", "text"))


def _people(state: State, action: Action, area: bool = False) -> tuple[Option, ...]:
    hosts = stats.hosts(state, str(action.by))
    return tuple(_target(state, one, hosts, action, area) for one in _by_attention(state) if stats.in_fight(one))


def _by_attention(state: State) -> tuple[Combatant, ...]:
    """Return the PCs in the order in which monsters turn to them (GH-202).

    Engage, wait, avoid. Without stances it is roster order.
    """
    if not stats.rules(state).stances:
        return stats.pcs(state)
    held = {combatant.id: STANCES.get(stats.stance(state, combatant.id)) for combatant in stats.pcs(state)}

    def priority(combatant: Combatant) -> int:
        stance = held[combatant.id]
        return 4 if stance is None else stance.priority

    return tuple(sorted(stats.pcs(state), key=priority))


def _target(state: State, combatant: Combatant, hosts: Sequence[Id], action: Action, area: bool) -> Option:
    refusal = None
    if hosts and combatant.id not in hosts:
        names = " and ".join(
            state.name(host) if stats.here(state, host) else f"{state.name(host)}, who is dead (end the effect)"
            for host in hosts
        )
        refusal = Refusal("stuck", f"{state.name(str(action.by))} sticks to {names}", "GH-073")
    elif stats.friends(state, str(action.by), combatant.id):
        refusal = stats.own_side(state, combatant.id)
    elif combatant.has("hidden") and not area and action.get("spotted") is not True:
        refusal = Refusal("hidden", f"{combatant.name} is hidden", "GH-A32")
    return Option(combatant.id, combatant.name, refusal=refusal)


def _special_label(state: State, who: Id, name: str) -> str:
    special = next(special for special in stats.specials(state, who) if special.name == name)
    left = stats.uses_left(state, who, special)
    return name if left is None else f"{name}, {left} left"


def _empty(state: State, who: Id, mode: Mode) -> Refusal | None:
    """Refuse a mode without dice whose special is used up (GH-069)."""
    if mode.parts or not mode.specials or any(stats.uses_left(state, who, special) != 0 for special in mode.specials):
        return None
    return Refusal("no_uses", f"{mode.specials[0].name} is used up in this combat", "GH-069")


def _spent(state: State, who: Id, name: str) -> Refusal | None:
    special = next(special for special in stats.specials(state, who) if special.name == name)
    if special.dice is None and special.review and not special.effect:
        return Refusal("no_dice", f"{name} has no dice yet: edit the stat block", "GH-311")
    if stats.uses_left(state, who, special) == 0:
        return Refusal("no_uses", f"{name} is used up in this combat", "GH-069")
    return None


def untimely(state: State, deed: ActionType, action: Action) -> Refusal | None:
    combatant, slot = state[str(action.by)], state.clock.current
    if state.clock.over:
        return stats.over(state)
    if not stats.acts(combatant):
        why = stats.blocked(combatant) or combatant.status
        return Refusal("unable", f"{combatant.name} is {why}", "GH-017" if combatant.status != "up" else "GH-A18")
    if slot is None or slot.phase != "monsters" or combatant.id not in slot.members:
        return Refusal("wrong_phase", "monsters act between the fast and the slow PCs", "GH-015")
    if not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} has no action left this round", "GH-A22")
    return None


def no_attack(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    if stats.monster(state, who).attacks:
        return None
    return Refusal("no_attack", f"{state.name(who)} has no attack", "GH-026", forcible=False)


def no_special(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    if any(special.when == "instead_of_attack" for special in stats.specials(state, who)):
        return None
    text = f"{state.name(who)} has nothing to use instead of an attack"
    return Refusal("no_special", text, "GH-060", forcible=False)
