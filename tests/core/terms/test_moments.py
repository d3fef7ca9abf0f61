"""One grammar of moments for all who print and read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.states import after, boundary, effect, fighter, opened, scheduled
from tests.support import individual, sides
from tests.support.common import encounter, member
from tests.support.shares import tries
from tests.support.tables import for_each
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import Side, State
from tracker.core.game import durations
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.encounter import TimedNote, Wave
from tracker.core.terms.moments import ANY, At, Moment, NamedRound, OnUse, Until, named_round, side_anchor, who_anchor
from tracker.testing.table import Table

USES = ("attack", "melee_attack", "turns")
PHASES = ("fast", "monsters", "after_combat")
GAME = replace(
    individual.RULESET,
    moments=(
        *durations.MOMENTS,
        *(Moment(f"next {use}", (OnUse(use),)) for use in USES),
        *(Moment(f"{{n}} {phase.replace('_', ' ')} phases", (At("phase_start", phase=phase),)) for phase in PHASES),
    ),
)
NAMES = ("Wolf", "Goblin 2", "Boss", "Dead or Alive", "B", "the Beast", "Next", "Bo's own")


def named_state(state: State) -> State:
    """Return a fight whose names are hard to tell from words."""
    people = tuple(replace(fighter(f"c{place}"), name=name) for place, name in enumerate(NAMES))
    return replace(
        state, combatants=people, sides=(Side("party", "Party", "players"), Side("goblins", "Goblins", "gm"))
    )


AMBUSH = after(opened(), OrderSet((), (Slot("r0/setup", "Set-up", stage="opening"), Slot("r0/goblins", "Goblins"))))
STATES = tuple(map(named_state, (scheduled(), after(scheduled(), boundary("round_end")), AMBUSH, opened())))
COUNTS = st.integers(1, 30)
OWNERS = st.sampled_from(
    (*(who_anchor(f"c{place}") for place in range(len(NAMES))), side_anchor("party"), side_anchor("goblins"))
)
ENDS: st.SearchStrategy[Until] = st.one_of(
    st.builds(At, st.sampled_from(("round_start", "round_end")), count=COUNTS),
    st.builds(At, st.sampled_from(("turn_start", "turn_end", "phase_start", "phase_end")), OWNERS, COUNTS),
    st.builds(At, st.sampled_from(("phase_start", "phase_end")), st.just(ANY), COUNTS, st.sampled_from(PHASES)),
    st.builds(
        At, st.sampled_from(("segment_start", "segment_end")), st.just(ANY), COUNTS, st.none(), st.integers(-5, 14)
    ),
    st.builds(At, st.sampled_from(("segment_start", "segment_end")), OWNERS, COUNTS, segment=st.integers(-5, 14)),
    st.builds(OnUse, st.sampled_from(USES), COUNTS),
    st.just(At("combat_end")),
)


@tries(300)
@given(st.lists(ENDS, max_size=3), st.sampled_from(STATES))
def test_what_is_printed_in_full_is_read_back(ends: list[Until], state: State) -> None:
    """The printed ends of an effect are parsed to the same ends."""
    until = tuple(ends)
    words = durations.until_words(state, replace(effect(1, "c0"), until=until))

    assert durations.read(words, GAME, state) == until


@tries(300)
@given(st.lists(ENDS, min_size=1, max_size=3), st.sampled_from(STATES))
def test_what_a_column_shows_is_read_back(ends: list[Until], state: State) -> None:
    """Short words of an end are parsed to an end with the same words."""
    held = replace(effect(1, "c0"), until=tuple(ends))
    words = durations.short_until(state, held)

    read = durations.read(words, GAME, state)

    own = tuple(
        replace(end, anchor=who_anchor("c0")) if isinstance(end, At) and end.anchor == "bearer" else end for end in read
    )
    assert durations.short_until(state, replace(held, until=own)) == words


@given(st.integers(0, 999_999), st.sampled_from(("start", "end")))
def test_a_named_round_is_read_back(number: int, edge: str) -> None:
    """In full and as encounters write it."""
    named = NamedRound(number, "end" if edge == "end" else "start")

    assert (named_round(named.words), named_round(named.short)) == (named, named)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    """Any typed text gives ends or an error with one line for people."""
    read: tuple[Until, ...] | str
    try:
        read = durations.read(text, GAME, STATES[0])
    except ValueError as error:
        read = str(error)

    assert isinstance(read, tuple) or read


WORDS = [
    ("round 3", NamedRound(3)),
    ("start of round 3", NamedRound(3)),
    ("  Start  of ROUND 3 ", NamedRound(3)),
    ("the beginning of round 3", NamedRound(3)),
    ("end of round 2", NamedRound(2, "end")),
    ("until the end of round 2", NamedRound(2, "end")),
    ("at the end of the round 2", NamedRound(2, "end")),
    ("rounds 3", None),
    ("end of round", None),
    ("round three", None),
]


@pytest.mark.parametrize(("words", "named"), WORDS)
def test_everybody_reads_the_same_words(words: str, named: NamedRound | None, tmp_path: Path) -> None:
    """Waves, reminders and durations agree on what names a round."""
    fight = replace(
        encounter(sides.RULESET.key),
        waves=(Wave("goblins", (member("Late"),), words),),
        reminders=(TimedNote("now", words),),
    )
    table = Table(sides.RULESET, fight)
    came: list[tuple[int, bool]] = []
    owing: list[int] = []
    while table.state.clock.round < 4:
        table.next()
        came.append((table.state.clock.round, "late" in table.state))
        owing += [table.state.clock.round] if open_reminders(table.ruleset, table.state) else []

    first = next((number for number, there in came if there), None)
    assert (first, sorted(set(owing))) == ((3, [3]) if named is not None else (None, []))
    assert named_round(words) == named
    if named is not None:
        edge = "round_start" if named.edge == "start" else "round_end"
        count = named.number - (1 if edge == "round_start" else 0)
        assert durations.read(words, GAME, scheduled()) == (At(edge, count=count),)


@for_each(
    ("named", "clock", "ahead", "reached"),
    [
        (NamedRound(2), (1, True), True, False),
        (NamedRound(2), (1, False), True, False),
        (NamedRound(2), (2, True), False, True),
        (NamedRound(2), (2, False), False, None),
        (NamedRound(2, "end"), (2, True), True, False),
        (NamedRound(2, "end"), (2, False), False, True),
        (NamedRound(2, "end"), (3, True), False, True),
        (NamedRound(2, "end"), (3, False), False, None),
    ],
)
def test_where_a_clock_is(named: NamedRound, clock: tuple[int, bool], ahead: bool, reached: bool | None) -> None:
    """A moment is ahead, reached or past."""
    assert (named.ahead(*clock), named.reached(*clock)) == (ahead, reached)
