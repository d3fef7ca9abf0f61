"""Ends of effects: the beginning of a side's next phase, and the same in words.

SW-023 to SW-026, SW-R05, SW-R06.
"""

from __future__ import annotations

from rulesets.sword_world.numbers import stats
from rulesets.sword_world.numbers.effects import ROUNDS
from tracker.core.fight.state import State
from tracker.core.game.durations import until_words
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, Until, side_anchor
from tracker.core.terms.moments.offered import Moment


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
