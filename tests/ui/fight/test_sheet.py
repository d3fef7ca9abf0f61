"""A side's turn in one sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, SIZES, Table, opened
from tests.ui.games import GH, SJ, SV, SW, WN, action_pane, begun, low, played, ready
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.run import Pending, Step
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer, Roll, Window
from tracker.session.intents import Do, Reply
from tracker.session.session import Session
from tracker.session.step.runner import dry_run
from tracker.ui.fight.run_turns import TurnQueue
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.batch import TurnBatch
from tracker.ui.modes.acting.expected import expected
from tracker.ui.typing.mode import ModeContext, PlannedTurn

BY_SIDE = replace(SETTINGS, by_side=True, windows="nobody")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return ready(tmp_path, WN, BY_SIDE)


def deeds(table: Table, since: int) -> list[Action]:
    """Return the actions of the steps since then, without those inside of others and without notes."""
    actions = [
        [entry.event.action for entry in record.entries if isinstance(entry.event, ActionTaken)]
        for record in table.model.steps[since:]
    ]
    return [found[0] for taken in actions if (found := [one for one in taken if one.key != "note"])]


async def test_a_side_acts_with_two_keys(table: Table) -> None:
    """Budget 14: each is a step of its own, so `u` takes back the last."""
    since = len(table.model.steps)
    opens_before_all_is_chosen(table.showing.context)
    await table.type("A")
    assert "h Hedge Robber 1 → s Sefa · hand axe" in table.text()
    await table.type("⏎")
    assert table.pressed == 2
    assert [one.by for one in deeds(table, since)] == [
        *("hedge-robber-1", "hedge-robber-2", "hedge-robber-3", "poacher", "toll-captain")
    ]
    assert "all have acted" in action_pane(table)
    await table.type("A")  # goes on: the heroes' sheet
    assert [line.by for line in sheet(table).lines] == ["ordwen", "sefa", "tavi", "nele"]
    await table.press("escape")
    await table.type("uu")
    assert (table.state["toll-captain"].left("main"), table.state["poacher"].left("main")) == (1, 0)
    await table.type("A")
    assert [line.by for line in sheet(table).lines] == ["toll-captain"]


async def test_names_and_clicks_choose_lines_too(table: Table) -> None:
    """`wick tavi` aims Wick at Tavi; a click marks a line, a second one opens its form."""
    await table.type("Awick tavi")
    assert "w Wick → t Tavi" in table.text()
    await table.press("escape")
    for kind in (TurnBatch, Form):
        result = sheet(table).point(table.showing.context, "line:2")
        assert result is not None
        table.showing.apply(result)
        assert isinstance(table.mode, kind)


def opens_before_all_is_chosen(scene: ModeContext) -> None:
    """The first picture waits for one choice, however many there are, and names the others."""
    asked: list[str] = []
    ruleset = scene.ruleset

    def policy(state: State, who: Id, *style: Any) -> Action:
        asked.append(who)
        return ruleset.policy(state, who, *style)

    counted = replace(scene, ruleset=replace(ruleset, policy=policy))
    begun_sheet = TurnBatch.open(counted, 0)
    rows = [row.text.strip() for row in begun_sheet.rows(counted, 60, 9)]
    assert asked == ["hedge-robber-1"]
    assert (len(begun_sheet.lines), len(begun_sheet.to_come), begun_sheet.aims(counted)) == (1, 4, {})
    assert rows[2:] == ["r Hedge Robber 2  …", "i Hedge Robber 3  …", "w Wick  …", "u Snag  …"]
    typed = begun_sheet.press(counted, "o", "o")
    assert typed is not None
    assert isinstance(typed.mode, TurnBatch)
    assert [line.by for line in typed.mode.lines] == asked == list(dict.fromkeys(asked))
    assert typed.mode.to_come == ()


def sheet(table: Table) -> TurnBatch:
    assert isinstance(table.mode, TurnBatch)
    return table.mode


async def test_pairs_and_who_is_left_out(table: Table) -> None:
    """Budget 15: two on other targets, one left out, shown as it is typed."""
    since = len(table.model.steps)
    await table.type("Ahorn-i")
    assert "r Hedge Robber 2 → s Sefa" in table.text()  # a sign belongs to its own word
    await table.press(*["backspace"] * 2)
    await table.type(" -i")
    assert "h Hedge Robber 1 → o Ordwen" in table.text()
    assert "r Hedge Robber 2 → n Nele" in table.text()
    assert "i Hedge Robber 3  left out" in table.text()
    await table.type("⏎⏎")
    assert [(one.by, one.get("target")) for one in deeds(table, since)] == [
        ("hedge-robber-1", "ordwen"),
        ("hedge-robber-2", "nele"),
        ("poacher", "sefa"),
        ("toll-captain", "sefa"),
    ]
    assert table.pressed - 2 - 3 <= 11  # without the slip


async def test_all_at_one_and_the_form_of_a_line(table: Table) -> None:
    """A label alone opens its form, which comes back to the sheet."""
    await table.type("Aall o ")
    assert table.text().count("→ o Ordwen") == 5
    await table.type("w⏎")
    assert isinstance(table.mode, Form)
    await table.press("escape")
    assert table.text().count("→ o Ordwen") == 5
    await table.type("w⏎")
    await table.press("enter")
    assert sheet(table).lines[3].typed
    await table.type("xx⏎")
    assert "is no label here" in action_pane(table)
    await table.press("escape")
    await table.type("on⏎")
    assert "Ordwen is not on this sheet" in action_pane(table)
    await table.press("escape")
    await table.press("down", "space")
    assert "Hedge Robber 2  left out" in table.text()
    await table.type("h prone⏎")
    await table.press("escape", "escape")
    assert table.mode is None


def high(request: Roll) -> DiceAnswer:
    """Dice that hit and do not kill."""
    return DiceAnswer(19 if request.dice.sides == (20,) else 1)


async def test_a_player_decides_in_between(tmp_path: Path) -> None:
    """Budget 23: the sheet stops at a player's reaction and goes on after it."""
    session = ready(tmp_path, WN, replace(SETTINGS, by_side=True, roller=high))
    async with opened(session) as table:
        await table.type("A-riwu ho⏎⏎")
        assert isinstance(table.question, Window)
        await table.type("⏎")
        assert (table.model.pending, table.state["hedge-robber-1"].left("main")) == (None, 0)
        assert table.state["hedge-robber-2"].left("main") == 1
        await table.type("A-wu ro⏎⏎")
        assert table.model.pending is not None
        await table.type("⏎")
        assert table.model.pending is not None  # the third robber's
        await table.type("u")
        await table.press("escape")


async def test_targets_are_as_many_as_are_needed(tmp_path: Path) -> None:
    """Who is probably down by then is aimed at by nobody else, and that is what is done."""
    session = ready(tmp_path, WN, BY_SIDE)
    session.dispatch(Do((action("damage", amount=14, targets=("sefa",)),)))
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("A")
        shown = [line.action.get("target") for line in sheet(table).lines if line.action is not None]
        await table.type("⏎")
        assert [one.get("target") for one in deeds(table, since)] == shown
        assert [one.get("target") for one in deeds(table, since)].count("sefa") == 1
        assert "now" not in action_pane(table)


async def test_a_target_that_falls_is_replaced(tmp_path: Path) -> None:
    """Those who come later take the game's choice where their target can act no more; prompt and log say so."""
    session = ready(tmp_path, WN, BY_SIDE)
    session.dispatch(Do((action("damage", amount=14, targets=("sefa",)),)))
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("Aall s⏎")
        assert {line.action.get("target") for line in sheet(table).lines if line.action is not None} == {"sefa"}
        await table.type("⏎")
        targets = [one.get("target") for one in deeds(table, since)]
        assert targets[0] == "sefa"
        assert "sefa" not in targets[1:]
        assert len(targets) == 5
        assert "Wick now at" in action_pane(table)
        assert "Wick: now at" in table.text()


def test_a_turn_stops_the_sheet_where_another_action_would_replace_it(tmp_path: Path) -> None:
    """Another target is told; another action is for its player to choose, and so is what follows it."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    foes = [one.id for one in session.model.state.combatants if one.side != "party"]
    shot = action("ranged_attack", "tavi", target=foes[0], weapon="large bow")
    more = action("melee_attack", "ordwen", target=foes[1], weapon="long sword")
    session.dispatch(Do((action("status", status="dead", targets=(foes[0],)),)))
    session.ruleset = replace(session.ruleset, policy=lambda state, who, *style: action("total_defense", who))

    queue = TurnQueue(session, (PlannedTurn("tavi", shot), PlannedTurn("ordwen", more)))
    queue.go()

    assert (queue.last, queue.left) == (None, ())
    assert queue.messages == ["Tavi: ranged attack is no longer possible, choose another, 1 more wait"]


def test_an_action_that_is_impossible_by_now_says_why(tmp_path: Path) -> None:
    """Where the game has no other action for a character, its player has to choose one."""
    session = begun(tmp_path, SW, "two_brawls", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and "sela" in state.clock.current.members)
    session.ruleset = replace(session.ruleset, policy=lambda state, who, *style: None)
    spell = action("cast", "sela", spell="Lightning", targets=("zombie-1",))

    queue = TurnQueue(session, (PlannedTurn("sela", spell), PlannedTurn("finn", spell)))
    queue.go()

    covered = "brawl 1 in between covers the target; only Hawkeye sees past it"
    assert queue.messages == [f"Sela: cast a spell is no longer possible ({covered}), choose another, 1 more wait"]
    assert queue.stopped_at == "sela"


def test_one_who_may_be_struck_on_the_way_is_expected_to_arrive(tmp_path: Path) -> None:
    """A giant would fell the guard that runs past it; its place is taken for the lines below all the same."""
    session = begun(tmp_path, SV, "gate_brawl", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "guards")
    giant = next(one.id for one in session.model.state.combatants if one.name == "Oaf")
    session.dispatch(Do((action("place", None, who="guardsman-1", x=15, y=1),)))
    session.dispatch(Do((action("set", None, who="guardsman-1", what="hp", value=1),)))
    state, ruleset = session.model.state, session.ruleset
    run_away = action("run", "guardsman-1", to=(18, 1))
    waiting = dry_run(ruleset, state, Step("do", (run_away,)))
    assert isinstance(waiting, Pending)
    assert (waiting.request.who, waiting.request.default_answer) == (giant, ChoiceAnswer("yes"))

    then = expected(ruleset, state, run_away)

    assert then is not None
    assert then["guardsman-1"].position == (18, 1)


ROLLING = [(SW, 5), (SV, 5), (GH, 7)]


@pytest.mark.parametrize(("game", "many"), ROLLING)
async def test_it_stops_where_a_player_rolls_and_goes_on(game: str, many: int, tmp_path: Path) -> None:
    """In each of the other games Enter at each prompt is enough."""
    async with opened(ready(tmp_path, game, replace(BY_SIDE, roller=low))) as table:
        await table.type("A")
        assert len(sheet(table).lines) == many
        names = {line.by for line in sheet(table).lines}
        since = len(table.model.steps)
        await table.type("⏎")
        for _ in range(40):
            if table.model.pending is None:
                break
            await table.type("⏎")
        assert table.model.pending is None
        assert names <= {one.by for one in deeds(table, since)}
        assert set(table.state.clock.acted) >= names - {table.state.clock.acting} or game != SW  # its turns are ended


async def test_a_turn_that_cannot_begin_as_planned_begins_otherwise(tmp_path: Path) -> None:
    """The first goblin's brawl can be joined, and ends with the one they fight."""
    session = begun(tmp_path, SW, "forest_ambush", replace(BY_SIDE, roller=low))
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "goblins")
    session.dispatch(Do((Action("damage").put(amount=10, targets=("sela",), type="physical"),)))
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("A")
        names = [line.by for line in sheet(table).lines]
        await table.type("⏎5⏎5⏎")
        assert table.state["sela"].hp <= 0
        assert [one.key for one in deeds(table, since) if one.by == "goblin-2"][:1] == ["join_brawl"]
        while table.model.pending is not None:
            await table.type("8⏎")
        assert list(dict.fromkeys(one.by for one in deeds(table, since) if one.key == "attack")) == names


@pytest.mark.parametrize(("told", "shot"), [("", False), ("may hit Wolf instead", True)])
def test_a_shot_is_chosen_anew_where_a_friend_has_come_into_its_way(told: str, shot: bool, tmp_path: Path) -> None:
    """It is made only where the sheet had said so."""
    session = begun(tmp_path, SW, "forest_ambush", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    session.dispatch(Do((action("set_zone", None, participants=("wolf", "goblin-1"), radius=3),)))
    wanted = action("attack", "finn", target="goblin-1", weapon="pistol")
    assert session.ruleset.form(session.model.state, wanted).does == "may hit Wolf instead"

    queue = TurnQueue(session, (PlannedTurn("finn", wanted, action("start_turn", "finn"), risk=told),))
    queue.go()

    assert queue.last is not None
    assert (queue.last.get("target") == "goblin-1") is shot


async def test_it_declares(tmp_path: Path) -> None:
    """Budget 24: the foes of a declared game, and the heroes with what they would do as usual."""
    async with opened(begun(tmp_path, SJ, "archers_into_melee", BY_SIDE)) as table:
        await table.type("A")
        people = [line.by for line in sheet(table).lines]
        assert people == sorted(people, key=lambda who: table.state.side_of(who).control == "players")
        await table.type("⏎")
        assert table.pressed == 2
        assert {one.by for one in deeds(table, 0) if one.key == "declare"} == set(people)


async def test_the_cursor_goes_on_and_the_last_action_is_repeated(table: Table) -> None:
    """A robber that has struck has a Move left, but the next one is up."""
    since = len(table.model.steps)
    await table.type("ao⏎")
    assert table.showing.selected == "hedge-robber-2"
    await table.type(".⏎")
    assert [(one.by, one.get("target")) for one in deeds(table, since)] == [
        ("hedge-robber-1", "ordwen"),
        ("hedge-robber-2", "ordwen"),
    ]
    await table.type(".s⏎")
    assert (deeds(table, since)[-1].by, deeds(table, since)[-1].get("target")) == ("hedge-robber-3", "sefa")


async def test_nothing_to_plan(table: Table) -> None:
    """In the past it says so, and so does an empty sheet."""
    await table.type("[A")
    assert "this is the past" in table.text()
    await table.press("escape", "escape")
    await table.type("A-hriwu⏎⏎")
    assert "nobody is left on this sheet" in action_pane(table)


async def test_a_decided_fight_goes_on_to_its_end(tmp_path: Path) -> None:
    """Where nobody has anything left to do, the sheet's key offers the end."""
    session = ready(tmp_path, WN, BY_SIDE)
    foes = tuple(one.id for one in session.model.state.combatants if one.side != "party")
    session.dispatch(Do((action("damage", None, amount=99, targets=foes),)))
    session.dispatch(Reply(ChoiceAnswer("no")))
    async with opened(session) as table:
        assert "no fighter of Toll-takers is left" in action_pane(table)
        await table.type("A")
        assert "end the fight?" in action_pane(table)
        await table.press("n")
        await table.press("escape")
        assert table.state.clock.at == "r2/party"
        await table.type("A")
        assert "end the fight?" in action_pane(table)
        assert "has not used" not in action_pane(table)


async def test_a_way_says_where_it_goes(tmp_path: Path) -> None:
    """Who must run to strike does both, and the line names the square."""
    session = begun(tmp_path, SV, "first_fight", replace(BY_SIDE, roller=low))
    played(session, lambda state: state.clock.current is not None and state.clock.current.members[:1] == ("ysolde",))
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("A")
        await table.until("y Ysolde · 2,7 → d Bone Soldier 3")
        await table.until("p: nothing planned")
        await table.type("ys pa ")
        await table.until("y Ysolde → s Bone Soldier 2")
        await table.until("p Piet → a Bone Archer 1")
        assert "nothing planned" not in table.text()
        await table.press(*["backspace"] * 6)
        await table.type("⏎")
        while len(deeds(table, since)) < 4:
            await table.until(lambda: table.model.pending is not None or len(deeds(table, since)) >= 4)
            await table.type("⏎" if table.model.pending is not None else "")
        assert [(one.key, one.by) for one in deeds(table, since)][:4] == [
            ("run", "ysolde"),
            ("attack_melee", "ysolde"),
            ("run", "maud"),
            ("attack_melee", "maud"),
        ]


async def test_text_is_taken_before_the_sheet_is_done(table: Table) -> None:
    """Enter takes what is typed, `-` leaves out the line under the cursor, Enter on an empty line does the turns."""
    since = len(table.model.steps)
    await table.type("A")
    await table.type("ho⏎")
    assert sheet(table).lines[0].typed
    await table.press("down")
    await table.type("-")
    assert "Hedge Robber 2  left out" in table.text()
    await table.type("⏎")
    assert deeds(table, since) == []
    await table.type("⏎")
    assert [one.by for one in deeds(table, since)] == ["hedge-robber-1", "hedge-robber-3", "poacher", "toll-captain"]


async def test_options_are_typed_on_the_sheet(table: Table) -> None:
    """A label, then what `a` takes; what was named stays when the line is aimed anew."""
    await table.type("Ah charge o 20 w t half r s axe ")
    assert "hand axe, distance 20" in table.pane("console")
    await table.type("⏎")
    first, second, *_ = sheet(table).lines
    assert first.action == action("charge", "hedge-robber-1", distance=20, target="ordwen")
    assert second.action == action("melee_attack", "hedge-robber-2", target="sefa", weapon="hand axe")
    await table.type("wn⏎")
    bowman = next(line for line in sheet(table).lines if line.by == "poacher")
    assert bowman.action is not None
    assert (bowman.action.get("target"), bowman.action.get("cover")) == ("nele", "half")
    await table.type("h total n⏎")
    assert "Nele is left over" in table.pane("console")
    assert sheet(table).lines[0].action == first.action


async def test_all_do_what_is_typed(table: Table) -> None:
    await table.type("Aall total -u⏎")
    keys = {line.by: line.action.key for line in sheet(table).lines if line.action is not None and not line.out}
    assert set(keys.values()) == {"total_defense"}
    assert len(keys) == 4


async def test_a_named_weapon_stays_on_another_way(tmp_path: Path) -> None:
    """Where it cannot be used it is not replaced: the sheet says why, and Enter does nothing."""
    session = begun(tmp_path, SW, "forest_ambush", replace(BY_SIDE, roller=low))
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        await table.type("A")
        before = sheet(table).lines
        await table.type("w mace⏎")
        assert "mace is not in hand" in table.pane("console")
        assert sheet(table).lines == before
        await table.press("escape")
        await table.type("w h power⏎")
        line = sheet(table).lines[0]
        assert line.opener is not None
        assert line.action is not None
        assert (line.opener.get("enemy"), line.action.get("feat")) == ("goblin-2", "Power Strike")


@pytest.mark.parametrize("word", ["flees", "fled", "gone"])
async def test_a_combatant_flees_by_a_word(word: str, table: Table) -> None:
    await table.type(f"A-riwu h {word}⏎")
    assert "h Hedge Robber 1  flees" in table.text()
    await table.type("⏎")
    assert table.state["hedge-robber-1"].status == "gone"


async def test_the_broken_have_a_line_that_says_so(tmp_path: Path) -> None:
    """Budget 30: the broken flee with the turns of their side."""
    session = ready(tmp_path, WN, BY_SIDE)
    session.dispatch(Do((action("add_effect", None, name="broken", targets=("poacher",)),)))
    async with opened(session, size=(80, 24)) as table:
        await table.type("A")
        assert "w Wick  flees" in table.text()
        await table.type("⏎")
        assert table.state["poacher"].status == "gone"


@pytest.mark.parametrize("size", SIZES)
async def test_defences_of_a_sheet_are_asked_for_together(size: tuple[int, int], tmp_path: Path) -> None:
    """Budget 28: one prompt for the d20s of all defences; each is the defence against its line."""
    async with opened(ready(tmp_path, GH, BY_SIDE), size=size) as table:
        since = len(table.model.steps)
        await table.type("A-l ⏎⏎")
        assert "Mother Ade: roll for defence, 6 d20 in order" in table.pane("console")
        await table.type("2 19 3 20 4 5⏎")
        while table.model.pending is not None:
            assert table.question.key.rpartition("/")[2] != "defence"
            await table.type("⏎")
        assert typed_totals(table, since) == [2, 19, 3, 20, 4, 5]


def typed_totals(table: Table, since: int) -> list[int]:
    """Return the totals that were typed since a step, in order."""
    answers = [answer for record in table.model.steps[since:] for _, answer in record.answers]
    return [answer.total for answer in answers if isinstance(answer, DiceAnswer) and answer.typed]


async def test_attacks_of_a_party_are_asked_for_together(tmp_path: Path) -> None:
    """The d20s of a party are typed in one prompt; a die that is not needed is told."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("A⏎")
        assert "Players: roll for attack, 4 d20 in order" in table.pane("console")
        await table.type("2 3 1 4⏎")
        assert table.model.pending is None
        assert typed_totals(table, since) == [2, 3, 1, 4]


@pytest.mark.parametrize("size", SIZES)
async def test_backspace_takes_back_one_attack_of_a_sheet(size: tuple[int, int], tmp_path: Path) -> None:
    """The attack that asks is a line again, the rest of the sheet behind it, those before stay done."""
    async with opened(ready(tmp_path, GH, BY_SIDE), size=size) as table:
        since = len(table.model.steps)
        await table.type("Aik⏎⏎")
        await table.type("2 ⏎")
        left = table.model.pending
        assert left is not None
        await table.press("backspace")
        assert table.model.pending is None
        assert [one.by for one in deeds(table, since)] == ["goblin-1"]
        assert [line.by for line in sheet(table).lines][:2] == ["goblin-2", "goblin-3"]
        assert "i Goblin 3 → k Kerrow" in table.pane("console")
        await table.type("hk⏎⏎2 3 2 3 2 3⏎")
        assert [one.get("targets") for one in deeds(table, since)][1:3] == [("kerrow",), ("kerrow",)]


@pytest.mark.parametrize("size", SIZES)
async def test_backspace_keeps_the_dice_typed_for_attacks_to_come(size: tuple[int, int], tmp_path: Path) -> None:
    """Only the die that is taken back is asked for again; one more backspace reopens the sheet with the other dice."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session, size=size) as table:
        since = len(table.model.steps)
        await table.type("Aou⏎⏎19 3 1 4⏎")
        assert asked_for(table) == "damage"
        await table.press("backspace")
        assert asked_for(table) == "attack"
        assert "in order" not in table.pane("console")
        await table.press("backspace")
        assert table.model.pending is None
        assert len(sheet(table).lines) == 4
        assert "3 typed dice are kept" in table.pane("console")
        await table.type("⏎")
        assert "in order" not in table.pane("console")
        await table.type("2⏎")
        assert table.model.pending is None
        assert typed_totals(table, since) == [2, 3, 1, 4]


async def test_a_die_typed_for_a_line_that_is_aimed_anew_is_asked_for_again(tmp_path: Path) -> None:
    """It was rolled against another target; the others are kept."""
    session = begun(tmp_path, WN, "first_fight", BY_SIDE)
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        since = len(table.model.steps)
        await table.type("Aou⏎⏎19 3 1 4⏎")
        await table.press("backspace", "backspace")
        await table.type("tw⏎⏎")
        assert "2 d20 in order" in table.pane("console")
        await table.type("2 5⏎")
        assert table.model.pending is None
        assert typed_totals(table, since) == [2, 3, 5, 4]


def asked_for(table: Table) -> str:
    return table.question.key.rpartition("/")[2]


@pytest.mark.parametrize("size", SIZES)
async def test_a_line_aimed_anew_finds_its_way_anew(size: tuple[int, int], tmp_path: Path) -> None:
    """A brawl begins with the new enemy, and helpers are named in the line."""
    session = begun(tmp_path, SW, "forest_ambush", replace(BY_SIDE, roller=low))
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session, size=size) as table:
        since = len(table.model.steps)
        await table.type("A")
        line = next(one for one in sheet(table).lines if one.opener is not None and one.opener.key == "declare_brawl")
        assert line.opener is not None
        old = line.opener.get("enemy")
        other = next(one for one in table.state.combatants if one.side == "goblins" and one.id != old)
        await table.type(f"{table.state[line.by].label}{other.label}⏎")
        changed = next(one for one in sheet(table).lines if one.by == line.by)
        assert changed.opener is not None
        assert (changed.opener.get("enemy"), changed.opener.get("together_with")) == (other.id, None)
        assert f"start a brawl → {other.label}" in table.pane("console")
        await table.type("⏎")
        while table.model.pending is not None:
            await table.type("⏎")
        started = [one for one in deeds(table, since) if one.by == line.by]
        assert [one.get("enemy") for one in started if one.key == "declare_brawl"] == [other.id]
        assert [one.get("target") for one in started if one.key == "attack"] == [other.id]


@pytest.mark.parametrize("size", SIZES)
async def test_a_spell_that_goes_off_stops_the_acts(size: tuple[int, int], tmp_path: Path) -> None:
    """What a spell does is entered by hand: the acts stop, and its target is filled in."""
    settings = replace(BY_SIDE, roller=low, auto_sides=("party", "cult"))
    async with opened(begun(tmp_path, SJ, "spell_duel", settings), size=size) as table:
        await table.type("n'tacast j⏎")
        for _ in range(12):
            if "goes off: what does it do?" in table.pane("console"):
                break
            await table.type("A⏎")
        assert "Lance of Light at Javelin Raider 1 goes off: what does it do?" in table.pane("console")
        was = table.state["javelin-raider-1"].hp
        await table.type("R⏎")
        assert isinstance(table.mode, Form)
        await table.type("7⏎⏎")
        assert table.state["javelin-raider-1"].hp == was - 7
        assert "what does it do?" not in table.pane("console")
