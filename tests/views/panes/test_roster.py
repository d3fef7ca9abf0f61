"""What the combatants pane lists where there is little room, and marks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.views.toy import CHARGING, CLOCK, RULESET, changed, combatant, fight
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry as Happened
from tracker.core.fight.slots import Clock, Id
from tracker.core.fight.state import Combatant, Pool, State
from tracker.core.game.schema import Column
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Wave
from tracker.core.terms.moments import At
from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets.registry import find
from tracker.testing.table import Table
from tracker.views.log.lines import ICONS, Icon, gravest_icons
from tracker.views.panes.columns import Wanted, layout, wanted
from tracker.views.panes.roster import (
    FOLD,
    EqualCombatants,
    Since,
    combatant_row,
    combatant_rows,
    fold_row,
    listing,
    places_of,
    roster_content,
)
from tracker.views.time.turn_marks import active_of
from tracker.views.words.moments import worded

ENCOUNTERS = Path(__file__).resolve().parents[3] / "encounters"


def goblin(number: int, label: str, now: int = 7, status: str = "up", *effects: Effect) -> Combatant:
    return combatant(f"goblin-{number}", f"Goblin {number}", label, "goblins", now, 7, 1, 1, status, *effects)


def horde() -> State:
    """Ten goblins: one wounded, one acting, one fled, one charging."""
    people = [goblin(number, letter) for number, letter in enumerate("abcdefg", start=1)]
    more = (goblin(8, "h", 3), goblin(9, "i", 7, "fled"), goblin(10, "j", 7, "up", CHARGING))
    return fight(combatants=(*people, *more), clock=replace(CLOCK, slots=(), at=None, acting="goblin-3"))


def listed(
    state: State, room: int, opened: frozenset[str] = frozenset(), signs: Mapping[Id, Icon] = {}
) -> list[tuple[str, ...]]:
    return [
        entry.who if entry.kind == "one" else (entry.kind, *entry.who)
        for entry in listing(RULESET, state, room, active="goblin-3", opened=opened, signs=signs)
    ]


def test_all_have_a_row_where_there_is_room() -> None:
    """Only combatants that are out of the fight are below the fold."""
    found = listed(horde(), 10)

    assert found == [*[(f"goblin-{number}",) for number in (1, 2, 3, 4, 5, 6, 7, 8, 10)], ("fold", "goblin-9")]


def test_equals_share_a_row_where_there_is_none() -> None:
    """A combatant that acts, is wounded or has an effect has its own row; a group opens and closes."""
    together = ("alike", "goblin-1", "goblin-2", "goblin-4", "goblin-5", "goblin-6", "goblin-7")
    alone = [("goblin-3",), ("goblin-8",), ("goblin-10",), ("fold", "goblin-9")]

    assert listed(horde(), 9) == [together, *alone]
    assert listed(horde(), 9, frozenset({"goblin-4"}))[:6] == [(who,) for who in together[1:]]
    assert listed(horde(), 9, frozenset({FOLD}))[-2:] == [("fold", "goblin-9"), ("goblin-9",)]


def test_who_has_just_been_struck_or_has_fallen_keeps_a_row() -> None:
    """A combatant with a new event leaves the row of its equals; a fallen one is below the fold after the next step."""
    found = listed(horde(), 5, signs={"goblin-1": "miss", "goblin-9": "left"})

    assert found[:2] == [("goblin-1",), ("alike", *(f"goblin-{number}" for number in (2, 4, 5, 6, 7)))]
    assert ("goblin-9",) in found
    assert not any("fold" in row for row in found)


def test_the_row_of_several_and_the_fold_name_all_labels() -> None:
    """Combatants without their own row can still be typed."""
    state = horde()
    entries = listing(RULESET, state, 5, active="goblin-3")
    plan = layout(RULESET, 90, Wanted(12))
    stands = roster_content(RULESET, state, entries[0].who[0], plan, alike=entries[0].who[1:])

    row = combatant_row(RULESET, state, "goblin-1", 90, stands, Wanted(12))
    assert " ".join(row.text.split()) == "•a Goblin ×6 ──────── 7/7 12 1 MV also b d e f g"
    assert fold_row(RULESET, state, entries[-1], 40).text == "▸ → 1 fled  i"
    assert fold_row(RULESET, state, replace(entries[-1], open=True), 40).text == "▾ → 1 fled"
    assert places_of(entries)["goblin-7"] == 0


def test_the_row_of_several_is_silent_where_they_differ() -> None:
    """A cell that differs between the combatants of a row is empty."""
    state = replace(horde(), facts=(("pair:ava|goblin-4", "met", True),))
    met = Column("met", "Met", 3, lambda state, who: "yes" if state.known.get((f"pair:ava|{who}", "met")) else "no")
    size = Column("size", "Size", 4, lambda state, who: str(len(state[who].facts)), own=True)
    plan = layout(replace(RULESET, columns=(met, size)), 90, Wanted(12))

    def said(state: State, *alike: Id) -> tuple[str, ...]:
        return roster_content(RULESET, state, "goblin-1", plan, alike=alike).cells

    assert said(state, "goblin-2", "goblin-5") == ("no", "0")
    assert said(state, "goblin-2", "goblin-4") == ("", "0")
    assert said(changed(state, "goblin-2", facts=(("known", True),)), "goblin-2", "goblin-5") == ("no", "")


def test_what_equals_were_like_is_asked_again_only_of_those_who_changed() -> None:
    """The rows are the same with and without the cache."""
    cache, state = EqualCombatants(), horde()
    for clock in (state.clock, replace(state.clock, acted=("goblin-5",)), replace(state.clock, acting="goblin-6")):
        for who in ("goblin-2", "goblin-4"):
            state = replace(changed(state, who, budget=(("main", 0),)), clock=clock)
            assert listing(RULESET, state, 5, cache=cache) == listing(RULESET, state, 5)


FIGHTS = ("githack/dragon", "sovereign/first_fight", "spelljammer/deck_ambush", "sword_world/two_brawls")


@pytest.mark.parametrize("name", [*FIGHTS, "worlds_without_number/first_fight"])
def test_a_column_of_ones_own_asks_for_nobody_else(name: str) -> None:
    """Its cells do not depend on other combatants or on the clock."""
    prepared = load_encounter(ENCOUNTERS / f"{name}.yaml", find).encounter
    assert prepared is not None
    table = Table(find(prepared.ruleset), prepared)
    table.until(lambda state: state.clock.round > 0)
    state, own = table.state, [column for column in table.ruleset.columns if column.own]

    assert own
    assert len(state.combatants) > 3
    for one in state.combatants:
        alone = replace(state, combatants=(one,), clock=Clock(), facts=(), effects=(), gone=())
        assert [column.cell(alone, one.id) for column in own] == [column.cell(state, one.id) for column in own]


@pytest.mark.parametrize(
    ("now", "cell", "styles"),
    [(7, "──────── 7/7", []), (4, "█████▓▓▓▾4/7", ["worse", "worse"]), (0, "▓▓▓▓▓▓▓▓▾0/7", ["worse", "worse"])],
)
def test_what_was_lost_is_marked(now: int, cell: str, styles: list[str]) -> None:
    """The cells of the bar that have just gone differ, and so does the number."""
    before, after = fight(combatants=(goblin(1, "a"),)), fight(combatants=(goblin(1, "a", now),))
    stands = roster_content(RULESET, after, "goblin-1", layout(RULESET, 90, Wanted(10)), since=Since(before))

    row = combatant_row(RULESET, after, "goblin-1", 90, stands, Wanted(10))

    assert cell.replace(" ", "") in row.text.replace(" ", "")
    assert [span.style for span in row.spans if span.style in ("worse", "better", "fresh")] == styles


def test_what_was_won_and_what_is_new_is_marked() -> None:
    """Healing, another number and a fresh effect each have their sign."""
    before = fight(combatants=(goblin(1, "a", 2),))
    after = fight(combatants=(goblin(1, "a", 6, "up", replace(CHARGING, bearer="goblin-1")),))
    stands = roster_content(
        RULESET, after, "goblin-1", layout(RULESET, 90, Wanted(10)), since=Since(before, {"goblin-1": "hit"})
    )

    row = combatant_row(RULESET, after, "goblin-1", 90, stands, Wanted(10))

    assert "██▓▓▓▓▓░  ▴6/7  ▾10" in row.text
    assert "•charging −2 AC" in row.text
    assert row.text[2] == ICONS["hit"]


def test_ends_of_effects_are_not_cut() -> None:
    """Names give way, then short ends come, then only how many more there are."""
    ends = (At("round_end", count=3),)
    one, two = Effect("blessed with holy might", "goblin-1", 1, until=ends), Effect("slow", "goblin-1", 2, until=ends)

    def shown(width: int, *effects: Effect) -> str:
        state = fight(combatants=(goblin(1, "a", 7, "up", *effects),))
        return combatant_row(RULESET, state, "goblin-1", width).text.partition("7/7")[2].split("  ")[-1].strip()

    assert worded(fight(), one).text == "blessed with holy might → end of round 4"
    assert shown(46, one) == "blessed wit… → r4"
    assert shown(80, one, two) == "blessed with ho… → r4, +1"
    assert shown(100, one, two) == "blessed with holy might → r4, slow → r4"


@pytest.mark.parametrize(
    ("width", "many", "said"),
    [
        (100, 2, []),
        (90, 2, ["blessed with holy might → r4,", "slow → end of round 4"]),
        (80, 1, ["blessed with holy might →", "end of round 4"]),
    ],
)
def test_effects_without_room_have_two_lines(width: int, many: int, said: list[str]) -> None:
    """Below each other; none are needed if one line says all, with short ends too."""
    ends = (At("round_end", count=3),)
    one, two = Effect("blessed with holy might", "goblin-1", 1, until=ends), Effect("slow", "goblin-1", 2, until=ends)
    state = fight(combatants=(goblin(1, "a", 7, "up", *(one, two)[:many]),))

    _, *lines = combatant_rows(RULESET, state, "goblin-1", width)
    assert [line.text.split("  ")[-1].strip() for line in lines] == said
    assert {line.key for line in lines} <= {"goblin-1"}


def test_who_acts_is_who_the_cursor_is_on() -> None:
    """So it is in a turn that several share; elsewhere it is whose turn is open, else the first."""
    state = fight(clock=replace(CLOCK, acting=None, acted=("ava",)))

    assert active_of(RULESET, state, "brin") == "brin"
    assert active_of(RULESET, state, "ava") == "wolf"
    assert active_of(RULESET, state, "goblin-1") == "wolf"
    assert active_of(RULESET, replace(state, clock=replace(state.clock, at=None)), "brin") is None


def test_what_befell_whom() -> None:
    """The gravest event counts: a combatant that falls is not only hit; newcomers count after the opening."""
    state = changed(fight(), "goblin-2", status="fled", pools=(Pool("hp", 0, 7),))
    events = (
        ev.Checked("attack", "wolf", 19, "hit", "goblin-1", against=12),
        ev.Checked("attack", "wolf", 3, "miss", "goblin-3", against=12),
        ev.Checked("attack", "wolf", 20, "hit", "goblin-2", against=12),
        ev.StatusChanged("goblin-2", "up", "fled"),
        ev.Checked("Morale", "brin", 9, "breaks", against=7),
        ev.WaveArrived(Wave("goblins", (), "round 3", "worgs")),
        ev.CombatantJoined(state["ava"]),
    )
    entries = [Happened(event) for event in events]

    assert gravest_icons(RULESET, state, entries) == {
        "goblin-1": "hit",
        "goblin-3": "miss",
        "goblin-2": "dead",
        "brin": "broken",
        "ava": "wave",
    }
    assert gravest_icons(RULESET, state, [Happened(ev.FightOpened("toy", 1, "t", None, None, ())), entries[-1]]) == {}


def test_long_words_take_the_room_that_stands_empty() -> None:
    """As soon as some are long, and as far as effects do not need it."""
    said = {"goblin-1": "long words"}
    long = Column("says", "Says", 12, lambda state, who: said.get(who, ""), most=30)
    ruleset, state = replace(RULESET, columns=(long,)), fight(combatants=(goblin(1, "a"), goblin(2, "b")))
    usual = wanted(ruleset, state, 10)

    def width(state: State) -> int:
        return layout(ruleset, 90, usual.stretched(ruleset, state)).places[0].width

    assert width(state) == 12
    said["goblin-1"] = "words longer than usual"
    assert width(state) == 30
    charged = replace(state, combatants=(*state.combatants, goblin(10, "j", 7, "up", CHARGING)))
    assert layout(ruleset, 69, usual.stretched(ruleset, state)).places[0].width == 30
    assert layout(ruleset, 69, usual.stretched(ruleset, charged)).places[0].width < 30


def test_long_words_without_a_column_stand_with_the_effects() -> None:
    """The narrowest screen shows them too."""
    long = Column("says", "Says", 20, lambda state, who: "bow → Ava ×2", priority=1, most=40)
    ruleset, state = replace(RULESET, columns=(*RULESET.columns[:1], long)), fight(combatants=(goblin(1, "a"),))
    plan = layout(ruleset, 53, Wanted(18))
    row = combatant_row(ruleset, state, "goblin-1", 53, roster_content(ruleset, state, "goblin-1", plan), Wanted(18))

    assert [place.column.key for place in plan.places] == ["hp"]
    assert "bow → Ava ×2" in row.text


def test_a_status_and_its_effect_are_one_word() -> None:
    """`fled` with the moment at which it ends, not `fled` twice."""
    effect = replace(CHARGING, id="fled", name="fled", title="fled")
    state = replace(horde(), combatants=(goblin(1, "a", 7, "fled", effect),))

    row = combatant_row(RULESET, state, "goblin-1", 80)

    assert row.text.count("fled") == 1
    assert row.text.endswith("fled −2 AC → round end")
