"""What a state remembers of itself stays true, and what is said of one state is remembered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.states import boundary, effect, fighter, opened
from tests.support.shares import tries
from tests.views.toy import fight
from tracker.core.fight.cache import differing, per_state
from tracker.core.fight.events import (
    CombatantJoined,
    CombatantLeft,
    EffectAdded,
    EffectChanged,
    EffectEnded,
    Entry,
    Event,
    FactSet,
    PoolChanged,
)
from tracker.core.fight.fold import fold, fold_all
from tracker.core.fight.state import State
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.moments import At

WHO = st.sampled_from(("ada", "bo", "gog", "hob"))


BEARER = st.sampled_from(("ada", "bo", "gog", "hob", "zone:1", "fight"))


END = st.builds(
    At,
    st.sampled_from(("turn_start", "round_end", "phase_end")),
    st.sampled_from(("any", "who:ada", "side:party")),
    st.integers(1, 3),
)


EDGE = st.builds(
    boundary,
    st.sampled_from(("turn_start", "round_end", "phase_end", "round_start")),
    WHO,
    sides=st.sampled_from(((), ("party",))),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Draw events that fit one after the other."""
    state, events = opened(), list[Event]()
    for _ in range(draw(st.integers(1, 25))):
        event = draw(_next(state))
        try:
            state = fold(state, event)
        except CorruptJournal:
            continue
        events.append(event)
    return events


def _next(state: State) -> st.SearchStrategy[Event]:
    here = [combatant.id for combatant in state.combatants]
    kinds: list[st.SearchStrategy[Event]] = [
        EDGE,
        st.builds(lambda bearer, end: EffectAdded(effect(state.serial + 1, bearer, end)), BEARER, END),
        st.builds(
            lambda bearer, parent: EffectAdded(effect(state.serial + 1, bearer, parent=parent)),
            BEARER,
            st.integers(1, 4),
        ),
        st.builds(
            lambda owner, value: FactSet(owner, "aim", state.fact(owner, "aim"), value),
            BEARER,
            st.sampled_from((None, 1, 2)),
        ),
    ]
    if here:
        kinds.append(st.sampled_from(here).map(lambda who: CombatantLeft(state[who])))
        kinds.append(
            st.builds(
                lambda who, now: PoolChanged(who, "hp", state[who].hp, now), st.sampled_from(here), st.integers(0, 6)
            )
        )
    if missing := [who for who in ("ada", "bo", "gog", "hob") if who not in here]:
        kinds.append(st.sampled_from(missing).map(lambda who: CombatantJoined(fighter(who, effects=()))))
    if held := state.all_effects:
        kinds.append(st.sampled_from(held).map(lambda gone: EffectEnded(gone, "gone")))
        kinds.append(
            st.builds(lambda was, end: EffectChanged(was, replace(was, until=(end,))), st.sampled_from(held), END)
        )
        kinds.append(
            st.builds(
                lambda was, parent: EffectChanged(was, replace(was, parent=parent)),
                st.sampled_from(held),
                st.sampled_from((None, 1, 2)),
            )
        )
    return st.one_of(kinds)


def memos(state: State) -> tuple[object, ...]:
    return (state.places, state.known, state.waiting, state.children)


def fresh(state: State) -> State:
    """Return an equal state without memos."""
    return replace(state)


@tries(40)
@given(histories())
def test_memos_are_never_stale(events: list[Event]) -> None:
    """Whatever happens, the indexes handed on say what freshly built ones say."""
    state = opened()
    for event in events:
        before = memos(state)  # asked for before every event, so that they are handed on
        state = fold(state, event)
        assert memos(state) == memos(fresh(state)), before


@tries(40)
@given(histories())
def test_nothing_is_due_that_does_not_hold(events: list[Event]) -> None:
    """What is due is exactly what has used up an end."""
    state = fold_all(opened(), [Entry(event) for event in events])

    assert sorted(state.due) == sorted((held.bearer, held.id) for held in state.all_effects if held.due)


def test_the_same_is_asked_once_of_one_state() -> None:
    """A second question about the same state is answered from memory.

    Another question is not, and an equal but other state is asked anew.
    """
    asked: list[tuple[State, str]] = []

    @per_state
    def hp(state: State, who: str) -> int:
        """Return the points of a combatant."""
        asked.append((state, who))
        return state[who].hp

    first = fight()
    other = replace(first)
    assert [hp(first, "ava"), hp(first, "ava"), hp(first, "wolf"), hp(other, "ava"), hp(first, "ava")] == [
        9,
        9,
        22,
        9,
        9,
    ]
    assert [(state is first, who) for state, who in asked] == [
        (True, "ava"),
        (True, "wolf"),
        (False, "ava"),
        (True, "ava"),
    ]
    assert hp.__doc__ == "Return the points of a combatant."


def test_only_other_objects_differ() -> None:
    """The same object does not differ, an equal one does."""
    first = fight().combatants
    other = (first[0], replace(first[1]), *first[2:])

    assert differing(first, first) == []
    assert differing(first, other) == [1]
    assert differing((), ()) == []
