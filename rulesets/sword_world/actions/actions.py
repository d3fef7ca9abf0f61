"""Every action of Sword World: the turn's, the procedure's and the game master's (6.1, 6.2)."""

from __future__ import annotations

from functools import partial

from rulesets.sword_world.actions import movement, procedure_forms, referee, turns
from rulesets.sword_world.actions.attack import attack, attack_form
from rulesets.sword_world.actions.spells.cast import cast
from rulesets.sword_world.actions.spells.forms import cast_form
from rulesets.sword_world.actions.turns import begin, begun
from rulesets.sword_world.order import initiative, opening, rounds, surprise
from rulesets.sword_world.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.kit.actions import ActionTable


def _not_ending(state: State, action: Action) -> Refusal | None:
    """Refuse to end a turn that is not open, even by force."""
    refusal = turns.not_open(state, action)
    return None if refusal is None else Refusal(refusal.reason, refusal.text, refusal.rule, forcible=False)


def _end_phase_form(state: State, action: Action) -> ActionSpec:
    """Return the end of a phase: after the second one the round is over (SW-020, SW-022)."""
    rule = "SW-022" if state.clock.phase == "following" else "SW-020"
    fields, refusal = procedure_forms.pass_fields(state, action), procedure_forms.turns_left(state, action)
    return ActionSpec("end_phase", "End the phase", action.by, "", rule, fields, refusal, "procedure")


_brawl = partial(ActionType, group="brawl")
_free = partial(ActionType, cost="free", group="free")
_turn = partial(ActionType, when="any", group="turn")
_step = partial(ActionType, group="procedure")
_own = partial(ActionType, group="game master")

ACTIONS = ActionTable(
    (
        _turn("start_turn", "Start the turn", "SW-065", perform=movement.start_turn, refusal=turns.not_startable),
        ActionType("attack", "Attack", perform=attack, form=attack_form),
        ActionType("cast", "Cast a spell", perform=cast, form=cast_form),
        ActionType(
            "move",
            "Move",
            "SW-039",
            "move",
            perform=movement.move,
            fields=movement.move_fields,
            refusal=movement.no_move,
            group="move",
        ),
        _brawl(
            "declare_brawl",
            "Start a brawl",
            "SW-067",
            "free",
            perform=movement.declare_brawl,
            fields=movement.declare_fields,
            refusal=movement.no_declaring,
        ),
        _brawl(
            "join_brawl",
            "Join a brawl",
            "SW-076",
            "free",
            perform=movement.join_brawl,
            fields=movement.join_fields,
            refusal=movement.no_brawl_to_join,
        ),
        _brawl(
            "leave_brawl",
            "Declare leaving the brawl",
            "SW-095",
            "standard",
            perform=movement.leave_brawl,
            refusal=movement.not_leaving,
        ),
        _free("stand_up", "Stand up", "SW-060", perform=movement.stand_up, refusal=turns.not_prone),
        _free(
            "change_weapon",
            "Change weapons",
            "SW-062",
            perform=movement.change_weapon,
            fields=turns.change_fields,
            refusal=turns.no_change,
        ),
        ActionType(
            "other_action",
            "Do something else",
            "SW-052",
            "standard",
            perform=referee.other_action,
            fields=turns.other_fields,
            refusal=turns.no_other,
            group="standard",
        ),
        _turn("end_turn", "End the turn", "SW-037", perform=movement.end_turn, refusal=_not_ending),
    ),
    gm=(
        _step(
            "start_combat",
            "Start the combat",
            "SW-001",
            perform=opening.start_combat,
            fields=procedure_forms.start_fields,
            refusal=procedure_forms.not_in("setup"),
        ),
        _step(
            "surprise_attempt",
            "Attempt a surprise attack",
            "SW-168",
            perform=surprise.surprise_attempt,
            fields=procedure_forms.surprise_fields,
            refusal=procedure_forms.no_surprise,
        ),
        _step(
            "monster_knowledge",
            "Monster Knowledge check",
            "SW-009",
            perform=opening.monster_knowledge,
            fields=procedure_forms.knowledge_fields,
            refusal=procedure_forms.no_knowledge,
        ),
        _step(
            "all_knowledge",
            "All Monster Knowledge checks",
            "SW-009",
            perform=opening.all_knowledge,
            fields=procedure_forms.all_knowledge_fields,
            refusal=procedure_forms.no_knowledge,
        ),
        _step(
            "end_knowledge",
            "No more Monster Knowledge",
            "SW-009",
            perform=opening.end_knowledge,
            refusal=procedure_forms.not_in("knowledge"),
        ),
        _step(
            "roll_initiative",
            "Roll Initiative",
            "SW-011",
            perform=initiative.roll_initiative,
            fields=procedure_forms.roll_fields,
            refusal=procedure_forms.not_in("initiative"),
        ),
        _step("end_phase", "End the phase", perform=rounds.pass_on, form=_end_phase_form),
        _step(
            "collect_spoils",
            "Collect the spoils",
            "SW-034",
            perform=referee.collect_spoils,
            fields=procedure_forms.spoils_fields,
            refusal=procedure_forms.no_spoils,
        ),
        _own("damage", "Damage", "SW-118", perform=referee.damage, fields=referee.damage_fields),
        _own("heal", "Heal", "SW-R42", perform=referee.heal, fields=referee.heal_fields),
        _own("fall", "Fall", "SW-177", perform=referee.fall, fields=referee.fall_fields),
        _own("check", "Check", "SW-050", perform=referee.check, fields=referee.check_fields),
        _own(
            "death_check",
            "Death Check",
            "SW-160",
            perform=referee.death_check,
            fields=referee.death_check_fields,
            refusal=referee.nobody_due,
        ),
        _own(
            "set_zone",
            "Make or change a brawl",
            "SW-078",
            perform=referee.set_zone,
            fields=referee.zone_fields,
            refusal=referee.crowded,
        ),
        _own(
            "end_zone",
            "End a brawl",
            "SW-072",
            perform=referee.end_zone,
            fields=referee.end_zone_fields,
            refusal=referee.no_brawl,
        ),
        _own(
            "move_participant",
            "Put into or out of a brawl",
            "SW-080",
            perform=referee.move_participant,
            fields=referee.participant_fields,
            refusal=referee.no_brawl,
        ),
        _own(
            "fuse_zones",
            "Fuse two brawls",
            "SW-092",
            perform=referee.fuse_zones,
            fields=referee.fuse_fields,
            refusal=referee.no_fusing,
        ),
        _own("status", "Change the status", "SW-029", perform=referee.status, fields=referee.status_fields),
        _own(
            "end_fight",
            "End the fight",
            "SW-029",
            perform=rounds.end_fight,
            fields=procedure_forms.end_fight_fields,
            refusal=procedure_forms.no_fight,
        ),
    ),
    unable=lambda state, who: None,
    untimely=turns.untimely,
    pay=begin,
    shown=lambda spec: True,
)
"""What can be done: a new action is a row here."""


def form(state: State, action: Action) -> ActionSpec | None:
    return ACTIONS.form(_judged(state, action), action)


def _judged(state: State, action: Action) -> State:
    deed = next((kind for kind in ACTIONS.types if kind.key == action.key), None)
    return state if deed is None or deed.when == "any" or action.by is None else begun(state, action.by)


def actions(state: State, who: Id | None) -> tuple[ActionSpec, ...]:
    """Return everything on offer, legal and refused.

    Steps of the procedure are listed at their moment alone, the start of a turn only while it is not open, and last.
    """
    if who is None:
        return tuple(spec for spec in ACTIONS.actions(state, who) if _belongs(state, spec))
    found = ACTIONS.actions(begun(state, who), who)
    now = tuple((form(state, Action(spec.key, who)) or spec) if spec.group == "turn" else spec for spec in found)
    return tuple(sorted((spec for spec in now if _belongs(state, spec)), key=lambda spec: spec.key == "start_turn"))


def _belongs(state: State, spec: ActionSpec) -> bool:
    if spec.by is not None:
        return spec.key != "start_turn" or not stats.turn_of(state, spec.by)
    return spec.group != "procedure" or spec.refusal is None or spec.refusal.forcible
