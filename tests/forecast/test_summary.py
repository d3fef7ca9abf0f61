"""What many fights say together, how sure it is, and encounters with other numbers."""

from __future__ import annotations

import pickle

import pytest
from msgspec.structs import replace

from tests.forecast.test_playout import GAMES, alley, alley_encounter, encounter
from tests.support.example_ruleset import RULESET as KNIVES
from tests.support.example_ruleset import Blade
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup, Wave
from tracker.core.terms.errors import TrackerError
from tracker.forecast.playout import Played, opened
from tracker.forecast.simulation import Scenario, Simulator, fight
from tracker.forecast.summary import CombatantResult, CombatantSummary, End, close_enough, end_of, outlook, wilson
from tracker.forecast.variants import CountRange, read_count_range, variants, without

HIT = sum(chance for total, chance in Dice.of(2, 6).chances() if total >= 7)


def found(key: str) -> Ruleset:
    return KNIVES if key == "knives" else GAMES[key]


def duel() -> Encounter:
    """Return a fight of two alike, in which the first hit decides."""
    whole = alley_encounter()
    blade = Blade(name="Blade", hp=1)
    sides = tuple(
        replace(side, members=tuple(replace(one, block=blade, count=Dice((), 1)) for one in side.members[:1]))
        for side in whole.sides
    )
    return replace(whole, sides=sides, waves=(), reminders=())


def test_states_travel_as_bytes() -> None:
    """A state with dice survives pickling."""
    state = alley()

    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(Dice.parse("2d6+1d4+3"))) == Dice.parse("2d6+1d4+3")


def test_intervals_are_wilsons() -> None:
    """Given a share of fights, the interval is Wilson's."""
    low, high = wilson(8, 10)

    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)
    assert wilson(0, 0) == (0.0, 1.0)
    assert not close_enough(9, 10)
    assert not close_enough(100, 200)
    assert close_enough(200, 400)
    assert close_enough(40, 40)


def test_ends_are_counted() -> None:
    """Failed fights are counted apart, undecided ones are no victory."""
    fates = (
        CombatantResult("ada", "Ada", True, "up", True, 3, 6),
        CombatantResult("bo", "Bo", True, "down", False, 0, 8),
    )
    won = End(("Party",), won=True, rounds=3, points=0.5, fates=fates)

    seen = outlook([won, replace(won, rounds=5), End(undecided="no end", rounds=60), End(failed="ValueError: no")])

    assert (seen.fights, seen.won, seen.undecided, seen.failed, seen.reason) == (3, 2, 1, 1, "no end")
    assert seen.left == (("Party", 2),)
    assert seen.people == (
        CombatantSummary("ada", "Ada", own=True, fights=2, falls=0, statuses=(("up", 2),), left=3, full=6),
        CombatantSummary("bo", "Bo", own=True, fights=2, falls=2, statuses=(("down", 2),), left=0, full=8, new_falls=2),
    )
    assert seen.rounds == (5, 3, 60)


def test_those_who_have_left_do_not_fall() -> None:
    """A combatant that flees does not fall, one that left before is not counted, one that was down is no new loss."""
    state = alley()
    ada, tom, thug = state.combatants[0].id, state.combatants[1].id, state.combatants[2].id
    begun = _with(_with(state, tom, "gone"), ada, "down")
    ended = _with(begun, thug, "gone")

    end = end_of(KNIVES, Played(ended, ("party",), 3), begun)
    seen = outlook([end])

    fates = {fate.id: fate for fate in end.fates}
    assert tom not in fates
    assert (fates[thug].gone, fates[thug].falls) == (True, False)
    assert (fates[ada].falls, fates[ada].down_before) == (True, True)
    assert [one.falls for one in seen.people if one.id in (ada, thug)] == [1, 0]
    assert (seen.falls, seen.deaths) == (0, 0)


def _with(state: State, who: str, status: str) -> State:
    combatants = tuple(replace(one, status=status) if one.id == who else one for one in state.combatants)
    return replace(state, combatants=combatants)


def test_a_loss_of_the_players_is_counted_by_fights() -> None:
    """Two characters that fall in one fight count as one fight with a fall."""
    bo = CombatantResult("bo", "Bo", True, "dead", False, dead=True)
    thug = CombatantResult("thug", "Thug", False, "down", False)
    both = End(("Thugs",), fates=(replace(bo, id="ada", dead=False), bo, thug))

    seen = outlook([both, End(("Party",), won=True, fates=(replace(bo, acts=True, dead=False), thug))])

    assert (seen.fights, seen.falls, seen.deaths) == (2, 1, 1)


def test_a_broken_ruleset_costs_one_fight() -> None:
    """Given a ruleset that raises, the fight is reported as failed."""

    def raising(state: State, who: str, tactics: str) -> None:
        raise ValueError("no such weapon")

    end = fight(replace(KNIVES, policy=raising), Scenario("knives", alley()), 1)

    assert end.failed.startswith("ValueError: no such weapon (test_summary.py:")


def test_the_same_beginning_gives_the_same_fights() -> None:
    """Given an encounter, fights are counted by seed, as many as are asked for."""
    beginning = Scenario("githack", encounter("githack", "jelly_cistern"))
    with Simulator(found, 0) as workers:
        one = workers.fights(beginning, 4, exactly=True)
        other = workers.fights(beginning, 4, exactly=True)

    assert one == other
    assert len(one) == 4


def exact() -> float:
    """Return the chance of who joined first, who acts first on equal dice too."""
    rolls = Dice.of(2, 6).chances()
    first = sum(one * other for total, one in rolls for theirs, other in rolls if total >= theirs)
    begins = HIT / (1 - (1 - HIT) ** 2)
    return first * begins + (1 - first) * (1 - begins)


def test_a_duel_comes_out_as_counted() -> None:
    """Given a duel that is counted exactly, the forecast's interval holds the answer."""
    ends = [fight(KNIVES, Scenario("knives", duel()), seed) for seed in range(60)]
    low, high = wilson(sum(end.won for end in ends), len(ends))

    assert all(not end.undecided and not end.failed for end in ends)
    assert low <= exact() <= high


@pytest.mark.long
def test_intervals_hold_what_they_promise() -> None:
    """Of 100 forecasts of a duel at least 93 hold the exact answer."""
    held, many = 0, []
    with Simulator(found, 0) as workers:
        for root in range(100):
            seen = outlook(workers.fights(Scenario("knives", duel(), root=f"{root}"), 2_000))
            low, high = seen.interval
            held += low <= exact() <= high
            many.append(seen.fights)

    assert 300 < min(many) <= max(many) < 400
    assert held >= 93


@pytest.mark.long
def test_workers_play_the_same_fights() -> None:
    """Given worker processes, the fights are those of one process, in the same order."""
    beginning = Scenario("githack", opened(GAMES["githack"], encounter("githack", "jelly_cistern"), 1))
    with Simulator(found, 2) as workers, Simulator(found, 0) as alone:
        assert workers.fights(beginning, 40, exactly=True) == alone.fights(beginning, 40, exactly=True)


GOBLIN = Member(Blade(name="Goblin"), "Goblin", "monster", Dice((), 4), ref="goblin")
OGRE = Member(Blade(name="Ogre"), "Ogre", "monster", ref="ogre", id="boss")
PARTY = SideSetup("party", "Party", "players", (Member(Blade(name="Ada"), "Ada", "pc"),))
FOES = SideSetup("foes", "Foes", "gm", (GOBLIN, OGRE, replace(GOBLIN, name="Late goblin")))
FORD = Encounter("knives", "Ford", (PARTY, FOES), waves=(Wave("Foes", (OGRE,), "round 2"),))


def counts(encounter: Encounter) -> list[tuple[str, int]]:
    return [(one.name, one.count.maximum) for one in encounter.sides[1].members]


def test_a_sweep_has_the_encounter_with_each_number() -> None:
    """Several members of one name count together."""
    found = dict(variants(FORD, CountRange("goblin", 0, 2)))

    assert counts(found[0]) == [("Ogre", 1)]
    assert counts(found[2]) == [("Goblin", 2), ("Ogre", 1)]


def test_what_only_a_wave_has_is_swept_there() -> None:
    """The sides stay as they are."""
    only = replace(FORD, sides=(PARTY, replace(FOES, members=(GOBLIN,))))

    (_, found) = next(variants(only, CountRange("BOSS", 3, 3)))

    assert counts(found) == [("Goblin", 4)]
    assert [one.count.maximum for one in found.waves[0].members] == [3]


def test_a_member_can_be_left_out_with_its_waves() -> None:
    assert counts(without(FORD, "Ogre")) == [("Goblin", 4), ("Late goblin", 4)]
    assert without(FORD, "ogre").waves[0].members == ()
    with pytest.raises(TrackerError, match=r'there is no "troll" in this encounter \(Ada, goblin, ogre\)'):
        without(FORD, "troll")


@pytest.mark.parametrize(
    ("text", "sweep"),
    [
        ("goblin=6..12", CountRange("goblin", 6, 12)),
        (" Hedge Robber = 3 .. 5 ", CountRange("Hedge Robber", 3, 5)),
        ("goblin=8", CountRange("goblin", 8, 8)),
    ],
)
def test_a_sweep_is_read_as_people_write_it(text: str, sweep: CountRange) -> None:
    assert read_count_range(text) == sweep


@pytest.mark.parametrize("text", ["", "goblin", "=3", "goblin=5..2", "goblin=1..999", "goblin=a..b"])
def test_what_is_no_sweep_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"write NAME=N\.\.M, such as goblin=6\.\.12, up to 50"):
        read_count_range(text)
