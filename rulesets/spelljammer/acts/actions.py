"""Every action of the percentile game: declarations, the acts that are due, and the GM's (section 6)."""

from __future__ import annotations

from functools import partial

from rulesets.spelljammer.acts import by_hand, due
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.order import declare, schedule
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action, Field, Refusal
from tracker.kit import refusals
from tracker.kit.deeds import Deed, Deeds

__all__ = ["DEEDS", "policy"]


def _untimely(state: State, deed: Deed, action: Action) -> Refusal | None:
    """Return why a deed cannot be done now; `when` is the kind of act it resolves, or `declaration`, or `any`."""
    if deed.when == "declaration":
        return None
    if state.clock.over:
        return refusals.fight_over(state)
    return None if deed.when == "any" else due.not_current(state, str(action.by), deed.when)


def _other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("text", "text", "in words"),)


def _casts(state: State, who: Id) -> bool:
    return bool(stats.block(state, who).spells)


_act = partial(Deed, group="act")
_gm = partial(Deed, group="game master")

DEEDS = Deeds(
    (
        Deed("declare", "Declare", when="declaration", perform=declare.declare, form=declare.form),
        Deed("cast", "Cast a spell", when="declaration", perform=declare.declare, form=declare.form, whose=_casts),
        _act(
            "attack",
            "Attack",
            "SJ-032",
            when="attack",
            perform=due.resolving("attack", due.attack),
            fields=due.due_fields,
        ),
        _act("begin_spell", "Begin the spell", "SJ-062", when="spell", perform=due.resolving("spell", due.spell)),
        _act(
            "other_act",
            "Other act",
            "SJ-004",
            when="other",
            perform=due.resolving("other", due.other_act),
            fields=_other_fields,
        ),
        _act(
            "force_move",
            "Drive back",
            "SJ-122",
            when="any",
            perform=by_hand.force_move,
            fields=by_hand.force_move_fields,
            refusal=by_hand.no_drive,
        ),
    ),
    gm=(
        _gm(
            "declare_defaults",
            "Accept the defaults of a side",
            "SJ-001",
            perform=declare.declare_defaults,
            fields=by_hand.side_fields,
            refusal=by_hand.too_late,
        ),
        _gm(
            "close_declarations",
            "Roll initiative",
            "SJ-002",
            perform=schedule.close_declarations,
            refusal=by_hand.undeclared,
        ),
        _gm(
            "resolve_ties",
            "All acts of this segment",
            "SJ-A02",
            perform=due.resolve_ties,
            refusal=by_hand.not_tied,
        ),
        _gm(
            "forced_move",
            "Somebody is moved by force",
            "SJ-021",
            perform=by_hand.forced_move,
            fields=by_hand.forced_fields,
            refusal=by_hand.nobody_still,
        ),
        _gm(
            "engage",
            "In melee",
            "SJ-128",
            perform=by_hand.engage_pair,
            fields=by_hand.pair_fields,
            refusal=by_hand.one_combatant,
        ),
        _gm("disengage", "Out of melee", "SJ-129", perform=by_hand.disengage, fields=by_hand.disengage_fields),
        _gm(
            "free_attack",
            "Free attack",
            "SJ-128",
            perform=by_hand.free_attack,
            fields=by_hand.free_attack_fields,
            refusal=lambda state, action: refusals.fight_over(state) or by_hand.one_combatant(state, action),
        ),
        _gm(
            "ambush",
            "Ambush in this round",
            "SJ-055",
            perform=by_hand.ambush,
            fields=by_hand.ambush_fields,
            refusal=by_hand.no_ambush,
        ),
        _gm(
            "move",
            "Put an act on another segment",
            "SJ-004",
            perform=by_hand.move,
            fields=by_hand.move_fields,
            refusal=by_hand.no_act,
        ),
        _gm("next", "Next", "SJ-001", perform=by_hand.walk, form=by_hand.next_form),
    ),
    unable=lambda state, who: None,
    untimely=_untimely,
    shown=lambda spec: True,
)
"""What can be done: a new action is a row here."""


def policy(state: State, who: Id) -> Action:
    """Choose plainly: declare the default, resolve the act that is due."""
    if any(combatant.id == who for combatant in declare.undeclared(state)) and state.clock.phase == "declare":
        return Action("declare", who)
    return schedule.advance(state) or Action("next")
