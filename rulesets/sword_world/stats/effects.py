"""The effects of Sword World with their ends, and the ends on offer."""

from __future__ import annotations

from rulesets.sword_world.stat_blocks.shorthand import FULL_MOVE_EVASION, STANDING_UP, SURPRISE_PENALTY
from rulesets.sword_world.stats import stats
from tracker.core.fight.state import State
from tracker.core.game.durations import until_words
from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At, Moment, Until, side_anchor

NEXT_TURN = (At("turn_start", "bearer"),)


def _exposed(value: int) -> tuple[Modifier, ...]:
    """Return the Evasion lost by full movement, and by leaving a brawl."""
    return (Modifier("evasion", FULL_MOVE_EVASION),)


PRONE = NamedEffect("prone", "prone", (At("combat_end"),), "SW-060")
STOOD_UP = NamedEffect(
    "stood_up",
    "stood up",
    (At("turn_end", "bearer"),),
    "SW-061",
    modifiers=lambda value: (Modifier("fortitude", STANDING_UP), Modifier("willpower", STANDING_UP)),
)
FULL_MOVE = NamedEffect("full_move", "full movement", NEXT_TURN, "SW-042", modifiers=_exposed)
LEAVING = NamedEffect("leaving", "leaving the brawl", NEXT_TURN, "SW-096", modifiers=_exposed)
FEAT_USED = NamedEffect("feat_used", "feat used", NEXT_TURN, "SW-R50")
SURPRISED = NamedEffect(
    "surprised",
    "surprised",
    (At("phase_start", "bearer_side"),),
    "SW-173",
    modifiers=lambda value: (Modifier("all_checks", SURPRISE_PENALTY),),
)

EFFECTS = (
    NamedEffect("prone", until=PRONE.until, rule=PRONE.rule),
    SURPRISED,
    NamedEffect("full movement", until=NEXT_TURN, rule=FULL_MOVE.rule, modifiers=_exposed),
)
"""Those the game master can give by name; the others come with an action alone."""

ROUNDS = "{n} rounds"
MOMENTS = (
    Moment("until removed", ()),
    Moment(ROUNDS, (At("phase_start", "bearer_side"),)),
    Moment("start of the bearer's side's next phase", (At("phase_start", "bearer_side"),)),
    Moment("start of the source's side's next phase", (At("phase_start", "source_side"),)),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("end of the bearer's turn", (At("turn_end", "bearer"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)
"""The ends the duration picker offers; a round is counted by phases of the affected side."""


def rounds_until(state: State, rounds: int, anchor: str = "") -> tuple[At, ...]:
    """Return the end of an effect of so many rounds.

    By default the affected side's phases count, else those of the phase it is cast in.
    """
    anchor = anchor or stats.rules(state).duration_anchor
    slot = state.clock.current
    if anchor == "casting_phase" and slot is not None and slot.turns == "opened":
        whose = slot.side or next((state[who].side for who in slot.members), None)
        if whose is not None:
            return (At("phase_start", side_anchor(whose), rounds),)
    return (At("phase_start", "bearer_side", rounds),)


def meant(state: State, moment: Moment) -> tuple[Until, ...]:
    """Return the end that words of the duration picker stand for now (SW-R05).

    Rounds are counted as for a spell that is cast at this moment.
    """
    return rounds_until(state, 1) if moment.words == ROUNDS else moment.until


def end_words(state: State, effect: Effect) -> str:
    """Say when an effect ends: "until the beginning of the following phase, round 2"."""
    end = next((end for end in effect.until if isinstance(end, At)), None)
    if end is None or end.edge != "phase_start" or not end.anchor.startswith("side:"):
        return f"until {until_words(state, effect)}" if effect.until else until_words(state, effect)
    side = end.anchor.partition(":")[2]
    phase = stats.phase_of(state, stats.camp(state, side)) if any(one.id == side for one in state.sides) else ""
    clock = state.clock
    begun = any(slot.phase == phase and slot.id in clock.begun for slot in clock.slots) if phase else False
    still = clock.in_round and not begun
    number = clock.round + end.count - (1 if still else 0)
    return (
        f"until the beginning of the {phase} phase, round {number}"
        if phase
        else f"until the beginning of {state.name(side)}'s phase, round {number}"
    )
