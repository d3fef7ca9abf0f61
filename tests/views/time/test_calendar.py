"""The calendar foretells what the clock then does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.support.shares import tries
from tests.views.toy import RULESET, SCREENED, combatant, fight
from tracker.core.fight.events import BoundaryCrossed, EffectEnded, OrderSet
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import Side, State
from tracker.core.run import Done, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, Edge, OnUse
from tracker.views.time.calendar import calendar
from tracker.views.time.upcoming import UpcomingEdges

WHO = ("ava", "brin", "orc")
SIDES = ("party", "orcs")


def lines(state: State) -> list[tuple[str, str]]:
    return [(due.moment, due.line) for due in calendar(RULESET, state)]


def test_soonest_first_with_the_exact_round() -> None:
    """Ends of effects, waves and reminders are in the order of their moments."""
    # when the calendar of the second round is made
    found = lines(fight())

    # then each stands at its moment, and what has none is left out
    assert found == [
        ("end of round 2", "charging ends (Wolf)"),
        ("start of round 3", "wave: worgs (Goblins)"),
        ("start of Ava's turn, round 3", "screened by Brin ends (Ava)"),
        ("start of round 4", "the ford rises"),
    ]


def test_counts_become_rounds() -> None:
    """The third start of a turn is said as the round in which it falls."""
    # given an effect that three more of Goblin 1's turns end
    effect = replace(SCREENED, until=(At("turn_start", "who:goblin-1", 3),))
    state = fight(
        combatants=(replace(fight().combatants[0], effects=(effect,)), *fight().combatants[3:]), waves=(), reminders=()
    )

    # when the calendar is made in round 2, before the goblins' slot; then the first of them is in this round
    assert lines(state) == [("start of Goblin 1's turn, round 4", "screened by Brin ends (Ava)")]


def test_whichever_comes_first_is_said_first() -> None:
    """An effect with two ends is at the place of the sooner one; a use has no moment."""
    # given effects that end on use, at the fight's end, and on use or at the round's end
    shield = Effect("shield", "ava", 1, until=(OnUse("attack"), At("round_end")))
    blessing = Effect("blessing", "fight", 2, until=(At("combat_end"),), secret=True)
    aim = Effect("aim", "ava", 3, until=(OnUse("attack", 2),))
    people = fight().combatants
    state = fight(
        combatants=(replace(people[0], effects=(shield, aim)), *people[2:]), effects=(blessing,), waves=(), reminders=()
    )

    assert lines(state) == [
        ("end of round 2 or next attack", "shield ends (Ava)"),
        ("2 more attacks", "aim ends (Ava)"),
        ("end of the fight", "blessing ends"),
    ]


def test_passed_moments_are_left_out() -> None:
    """A wave or reminder whose round has begun is not announced."""
    state = fight(clock=replace(fight().clock, round=4), combatants=())

    assert lines(state) == []


def test_most_are_the_soonest() -> None:
    """Asked for two, the calendar gives the first two of all."""
    state = fight()

    assert calendar(RULESET, state, 2) == calendar(RULESET, state)[:2]


def test_what_is_kept_for_the_rules_alone_is_no_line() -> None:
    """An effect that only the full log tells of ends without being announced."""
    people = fight().combatants
    hurt = Effect("hurt", "ava", 9, until=(At("round_start"),), quiet=True)
    state = fight(combatants=(replace(people[0], effects=(*people[0].effects, hurt)), *people[1:]))

    assert lines(state) == lines(fight())
    assert calendar(RULESET, state, 9) == calendar(RULESET, state)


# -- against the clock itself ------------------------------------------------------------------------------------------

PLANS = st.lists(
    st.tuples(
        st.sampled_from(("a", "b", "c")),
        st.sampled_from((None, 3, 2)),
        st.lists(st.sampled_from(WHO), max_size=3, unique=True).map(tuple),
        st.sampled_from((*SIDES, None)),
        st.booleans(),
        st.sampled_from(("shared", "shared", "opened", "none")),
        st.sampled_from(("round", "round", "round", "between")),
    ),
    min_size=1,
    max_size=6,
)
EDGES: tuple[Edge, ...] = (
    "turn_start",
    "turn_end",
    "segment_start",
    "segment_end",
    "phase_start",
    "phase_end",
    "round_start",
    "round_end",
)


@st.composite
def ends(draw: st.DrawFn) -> At:
    edge = draw(st.sampled_from(EDGES))
    anchors = [*(f"who:{who}" for who in WHO), *(f"side:{side}" for side in SIDES), "any"]
    anchor = "any" if edge.startswith("round") else draw(st.sampled_from(anchors))
    # Anybody's phases are those of one kind: whether there is an empty phase at the end of a round depends on who still
    # waits for it then.
    phase = ("a" if anchor == "any" else draw(st.sampled_from((None, "a")))) if edge.startswith("phase") else None
    segment = draw(st.sampled_from((None, 2))) if edge.startswith("segment") else None
    return At(edge, anchor, draw(st.integers(1, 5)), phase, segment)


def slots_of(plan: list[tuple[object, ...]], number: int) -> tuple[Slot, ...]:
    slots = []
    for place, (phase, segment, members, side, stop, turns, stage) in enumerate(plan):
        who = members[:1] if turns == "opened" else members  # type: ignore[index]  # a tuple of ids
        slot = Slot(f"r{number}/{place}", f"slot {place}", phase, segment, who, side, stop)
        slots.append(replace(slot, turns=turns, stage=stage))
    return (*slots, Slot(f"r{number}/last", "last", "z"))


@tries(150)
@given(PLANS, st.lists(st.lists(ends(), min_size=1, max_size=2).map(tuple), min_size=1, max_size=6), st.integers(0, 6))
def test_the_clock_ends_what_the_calendar_says_when_it_says(
    plan: list[tuple[object, ...]], untils: list[tuple[At, ...]], stops: int
) -> None:
    """On an unchanging schedule, effects end in the order and rounds foretold."""

    # given a fight some stops into its schedule, with effects that wait for all kinds of edges
    def open_round(ctx: Ctx) -> None:
        ctx.emit(OrderSet(ctx.state.clock.slots, slots_of(plan, ctx.state.clock.round)))

    ruleset = replace(RULESET, open_round=open_round, form=lambda state, action: None, skip=lambda state, slot: None)
    people = tuple(combatant(who, who, who[0], "orcs" if who == "orc" else "party", 5, 5) for who in WHO)
    sides = (Side("party", "Party", "players"), Side("orcs", "Orcs", "gm"))
    state = State("toy", "t", clock=Clock(), sides=sides, combatants=people)
    for _ in range(stops + 1):
        state = advanced(ruleset, state).state
    effects = tuple(Effect(f"e{place}", "fight", place, until=until) for place, until in enumerate(untils, start=1))
    state = replace(state, effects=effects, serial=len(effects))
    schedule = UpcomingEdges(state)
    foretold = {effect.id: min(map(schedule.place, effect.until)) for effect in effects}
    order = [int(due.key.partition("#")[2]) for due in calendar(ruleset, state)]

    # when it is played on for a while
    number, ended, passed = state.clock.round, [], [state]
    for _ in range(60):
        done = advanced(ruleset, state)
        state = done.state
        passed.append(state)
        for entry in done.entries:
            if isinstance(entry.event, BoundaryCrossed):
                number = entry.event.boundary.round
            elif isinstance(entry.event, EffectEnded):
                ended.append((entry.event.was.id, number))

    # then every end that has come was foretold for that round, and in that order; those that have not come were
    # foretold for later or never
    assert [key for key, _ in ended] == order[: len(ended)]
    assert [(key, foretold[key][0]) for key, _ in ended] == ended
    assert all(
        foretold[key][0] > state.clock.round or foretold[key][0] == state.clock.round for key in order[len(ended) :]
    )

    # and however one looks through what has passed, what was kept on the way changes nothing
    for seen in (*passed, *reversed(passed), *passed[::3]):
        assert calendar(ruleset, seen) == calendar(replace(ruleset), seen)


def advanced(ruleset: object, state: State) -> Done:
    outcome = run(ruleset, state, Step("advance"))  # type: ignore[arg-type]  # the ruleset of the test
    assert isinstance(outcome, Done)
    return outcome


ANY_EDGE = st.sampled_from(("turn_start", "turn_end", "round_start", "round_end", "phase_end"))
ANCHORS = st.sampled_from(("who:ava", "who:wolf", "side:party", "*"))
ENDS = st.one_of(
    st.builds(At, ANY_EDGE, ANCHORS, count=st.integers(1, 6)),
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
