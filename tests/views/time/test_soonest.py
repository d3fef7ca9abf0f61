"""The first few of a long calendar are those the whole calendar begins with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.support.shares import tries
from tests.views.toy import RULESET, fight
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse
from tracker.views.time.calendar import calendar

EDGES = st.sampled_from(("turn_start", "turn_end", "round_start", "round_end", "phase_end"))
ANCHORS = st.sampled_from(("who:ava", "who:wolf", "side:party", "*"))
ENDS = st.one_of(
    st.builds(At, EDGES, ANCHORS, count=st.integers(1, 6)),
    st.builds(OnUse, st.sampled_from(("attack", "save")), st.integers(1, 3)),
)


@tries(300)
@given(
    st.lists(st.tuples(st.sampled_from(("ava", "wolf", "brin")), st.lists(ENDS, max_size=3)), max_size=40),
    st.integers(1, 7),
)
def test_the_first_few_are_the_first_of_all(effects: list[tuple[str, list[At | OnUse]]], most: int) -> None:
    """However many effects there are, asking for a few gives the same few."""
    made = [Effect(f"hex {number}", who, 100 + number, until=tuple(ends)) for number, (who, ends) in enumerate(effects)]
    plain = fight()
    people = tuple(
        replace(one, effects=tuple(effect for effect in made if effect.bearer == one.id)) for one in plain.combatants
    )
    state = replace(plain, combatants=people)

    assert calendar(RULESET, state, most) == calendar(RULESET, state)[:most]
