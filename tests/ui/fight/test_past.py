"""Looking back, going on from there, and correcting the past."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.session.conftest import clock, play
from tests.session.step.test_amend import attack, fell_and_strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel
from tests.ui.drive import Table, fight, opened
from tests.ui.games import WN, begin, begun, ready, words
from tests.ui.skirmish import House, encounter
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer, NumberAnswer, Passed, PickAnswer, Responded
from tracker.session.intents import Amend, Do
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.ui.modes.history.corrections import ChooseCorrection, CorrectionPreview
from tracker.ui.modes.history.inputs import answer_words
from tracker.ui.typing.mode import ModeContext, Scroll


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return begun(tmp_path, WN, "first_fight")


async def two_steps(table: Table) -> None:
    """Ordwen hits Snag for 7, and the GM takes 2 more off him."""
    await begin(table)
    await table.type("au⏎15⏎4⏎")
    await table.type("-2u⏎")
    assert table.hp("toll-captain") == 7


async def test_a_die_typed_wrongly_two_steps_ago_takes_eight_keys(table: Table) -> None:
    """`c` has the damage die on top, and Enter shows and takes the difference; the later step is done again."""
    await two_steps(table)
    before = table.pressed
    await table.type("c8⏎")
    assert "Snag HP 7 → 3" in words(table)
    assert table.hp("toll-captain") == 7
    await table.type("⏎")
    assert table.pressed - before <= 8
    assert table.hp("toll-captain") == 3


async def test_a_correction_can_be_left_alone_and_taken_back(table: Table) -> None:
    await two_steps(table)
    await table.type("c8⏎")
    await table.press("escape")
    assert table.hp("toll-captain") == 7
    await table.type("c8⏎⏎u")
    assert table.hp("toll-captain") == 7
    assert "taken back: the correction" in table.pane("console")
    await table.press("ctrl+y")
    assert table.hp("toll-captain") == 3
    assert "done again: the correction" in table.pane("console")


async def test_looking_back_shows_the_past_and_changes_nothing(table: Table) -> None:
    await two_steps(table)
    steps = len(table.model.steps)
    await table.type("[")
    assert table.hp("toll-captain") == 9
    assert "PAST" in table.text()
    await table.type("[")
    assert table.hp("toll-captain") == 16
    await table.type("]]")
    assert table.hp("toll-captain") == 7
    assert table.model.looking_at is None
    await table.type("[[")
    await table.press("escape")
    assert (table.model.looking_at, table.hp("toll-captain"), len(table.model.steps)) == (None, 7, steps)


async def test_enter_goes_on_from_the_past_as_a_branch_and_the_other_is_kept(table: Table) -> None:
    await two_steps(table)
    await table.type("[⏎")
    assert table.hp("toll-captain") == 9
    await table.type("-1u⏎")
    assert table.hp("toll-captain") == 8
    await table.type("B⏎")
    assert table.hp("toll-captain") == 7


async def parried(table: Table) -> None:
    """Ava hits Goblin 1 for 5, which did not parry; then the sun shines on Ava and Wolf, 3 inches."""
    await table.type("ag⏎18⏎5⏎")
    await table.press("a", "right")
    await table.type("weather⏎⏎aw⏎3⏎")
    assert table.hp("goblin-1") == 2


def answers(table: Table) -> list[object]:
    return [answer for record in table.model.steps for _, answer in record.answers]


async def test_a_response_is_put_right(tmp_path: Path) -> None:
    """It did parry; the window of then stands open again, its label does what could be done, and the blow misses."""
    async with opened(fight(tmp_path, encounter(rules=House(parries=True)))) as table:
        await parried(table)
        await table.type("c")
        assert isinstance(table.mode, ChooseCorrection)
        assert "after roll: who interrupts?" in " ".join(given.title for given in table.mode.listed)
        await table.press(*["down"] * 5)
        assert "nobody" in table.text()
        await table.type("⏎g⏎")
        assert "Goblin 1 HP 2 → 7" in words(table)
        await table.press("enter")
        assert table.hp("goblin-1") == 7
        assert any(isinstance(answer, Responded) for answer in answers(table))
        await table.type("c")
        await table.press("down", "down", "down", "down", "enter", "enter", "enter")
        assert Passed() in answers(table)
        assert (table.hp("goblin-1"), table.model.pending) == (2, None)
        assert NumberAnswer(3) in answers(table)


async def test_every_kind_of_decision_is_put_right_by_name(tmp_path: Path) -> None:
    """Options stand as a list with their names; what was chosen then is under the cursor; numbers are typed."""
    async with opened(fight(tmp_path, encounter(rules=House(parries=True)))) as table:
        await parried(table)
        await table.type("c7⏎⏎c")
        assert NumberAnswer(7) in answers(table)
        await table.press("down", "enter")
        assert "a ✓ ava" in words(table)
        await table.type("bc⏎⏎c")
        assert PickAnswer(("brin", "col")) in answers(table)
        await table.press("down", "down", "enter")
        assert "│ ▸ s  sun " in table.text()
        await table.press("up")
        await table.type("⏎⏎")
        assert ChoiceAnswer("rain") in answers(table)
        assert "rain, 7 inches on 2" in table.text()


async def test_the_target_of_an_earlier_action_is_put_right(tmp_path: Path) -> None:
    """The form of then opens as it was filled in; another target, the same dice, and the later steps are done again."""
    async with opened(fight(tmp_path)) as table:
        await table.type("ag⏎18⏎5⏎-1g⏎")
        assert (table.hp("goblin-1"), table.hp("goblin-2")) == (1, 7)
        await table.type("c")
        await table.press("down", "down")
        await table.press("enter")
        assert "▸ target g Goblin 1" in words(table)
        await table.type("h⏎")
        assert "Goblin 1 HP 1 → 6" in words(table)
        assert "Goblin 2 HP 7 → 2" in words(table)
        assert "replays 1 step, 1 with another result" in words(table)
        await table.press("enter")
        assert (table.hp("goblin-1"), table.hp("goblin-2")) == (6, 2)
        await table.type("u")
        assert (table.hp("goblin-1"), table.hp("goblin-2")) == (1, 7)


async def test_escape_in_a_correction_goes_back_to_the_list(table: Table) -> None:
    """One Esc leaves the question or the form, the next the list; nothing has happened."""
    await two_steps(table)
    state = table.state
    await table.type("c⏎")
    assert "was 4" in table.text()
    await table.press("escape")
    assert "a label or words find it" in table.text()
    await table.press("up", "enter", "escape", "escape")
    assert "4 Action" in table.text()
    assert table.state == state


async def test_dice_of_the_past_are_typed(table: Table) -> None:
    """An empty answer does not roll them again, and an impossible one is refused: a line says so."""
    await two_steps(table)
    await table.type("c⏎⏎")
    assert "type what the dice show" in table.text()
    await table.type("9⏎")
    assert "9 is not on a d8" in table.text()
    assert table.hp("toll-captain") == 7
    await table.press("backspace")
    await table.type("8⏎")
    assert "Snag HP 7 → 3" in words(table)


async def test_a_line_of_the_log_begins_its_own_correction(table: Table) -> None:
    """`c` on a line of the log chooses the die that line tells of."""
    await two_steps(table)
    await table.type("3")
    await table.press("up", "up")
    assert "14 → 18" not in table.text()
    await table.type("c")
    assert table.mode is not None
    chosen = next(line for line in table.text().splitlines() if "▸" in line)
    assert ("attacks Snag" in chosen, " 15 " in chosen) == (True, True)
    await table.press("escape")
    await table.press("end")
    await table.type("c")
    assert "▸ R1 GM: Damage → Snag" in table.pane("console")
    await table.press("enter")
    await table.press("tab", "tab")
    assert "Snag" in table.text()


async def test_a_line_of_a_step_that_waits_is_not_corrected(tmp_path: Path) -> None:
    """Its answers are taken back with undo; a line says so."""
    async with opened(fight(tmp_path)) as table:
        await table.type("ag⏎18⏎")
        await table.press("escape")
        await table.type("3c")
        assert "still waits for an answer" in words(table)


def test_what_the_rules_refuse_can_be_dropped(tmp_path: Path) -> None:
    """The report says which later step is no longer allowed and why."""
    with (
        Journal.open(tmp_path / "fights.db") as journal,
        Session.start(journal, DUEL, duel(), Settings(clock=clock())) as session,
    ):
        play(session, 5, 2)
        fell_and_strike(session)
        session.settings = replace(session.settings, roller=lambda request: DiceAnswer(1, (1,)), auto_sides=("foes",))
        intent = Amend(3, attack(5, "damage"))
        scene = ModeContext(DUEL, session.model, session)
        shown = CorrectionPreview(intent, session.preview(intent), "damage: 4 → 5")

        text = " ".join(row.text for row in shown.rows(scene, 100, 30))
        assert "x leaves out what is not allowed" in text
        summary = "replays 2 steps, 1 with another result; 1 forced"
        assert text.index(summary) < text.index("forced: step 5 (Thug: attack)")
        assert text.index("Thug is down") < text.index("would be")
        without = shown.press(scene, "x", "x")
        assert without is not None
        assert isinstance(without.mode, CorrectionPreview)
        text = " ".join(row.text for row in without.mode.rows(scene, 100, 30))
        assert "; 1 left out" in text
        assert "left out: step 5 (Thug: attack): Thug is down" in text
        taken = without.mode.press(scene, "enter", None)
        assert taken is not None
        assert [session.dispatch(done).refusal for done in taken.intents] == [None]
        assert (session.model.state["thug"].status, session.model.state["ansa"].hp) == ("down", 10)


async def test_the_list_goes_back_as_far_as_the_fight(tmp_path: Path) -> None:
    """At first it holds what was given last."""
    async with opened(fight(tmp_path)) as table:
        for _ in range(50):
            table.cockpit.session.dispatch(Do((action("damage", amount=0, targets=("goblin-1",)),)))
        await table.type("-1g⏎c")
        mode = table.mode
        assert isinstance(mode, ChooseCorrection)
        assert len(mode.listed) < 50
        for _ in range(8):
            await table.press("pagedown")
        mode = table.mode
        assert isinstance(mode, ChooseCorrection)
        assert (mode.listed[mode.chosen].step, len(mode.listed)) == (2, 51)
        await table.press(*["pageup"] * 6)
        mode = table.mode
        assert isinstance(mode, ChooseCorrection)
        assert mode.chosen == 0


def test_a_report_is_not_scrolled_beyond_its_end() -> None:
    """However often one goes on, one step back moves it; what fits is not scrolled at all."""
    scroll = Scroll()
    assert scroll.seen(range(10), 4) == range(10)
    for _ in range(30):
        assert scroll.press("down")
        scroll.seen(range(10), 4)
    assert scroll.seen(range(10), 4) == range(6, 10)
    scroll.press("up")
    assert scroll.seen(range(10), 4) == range(5, 10)
    scroll.press("pagedown")
    assert scroll.seen(range(3), 4) == range(3)
    assert not scroll.press("x")


async def test_a_die_of_the_past_is_found(tmp_path: Path) -> None:
    """A label or words narrow the list, a number is the right value."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("ao⏎19⏎5⏎'ra s⏎19⏎4⏎-1t⏎c")
        shown = table.pane("over")
        assert "R1 Hedge Robber 2: Melee Attack → Sefa" in shown
        assert "Hedge Robber 1: Melee Attack → Ordwen Ordwen 21→16" in shown
        assert "R1 GM: Damage → Tavi: 1 hp Tavi 14→13" in shown
        await table.type("h")
        assert "▸ hand axe against Ordwen 1d6 5" in table.pane("over")
        assert "Sefa" not in table.pane("over")
        await table.type("3⏎⏎")
        assert (table.hp("ordwen"), table.hp("sefa")) == (18, 11)
        await table.type("cinitiative")
        assert "▸ Toll-takers: initiative 1d8" in table.pane("over")
        await table.press("escape")
        assert "GM: Damage → Tavi" in table.pane("over")
        await table.type("z")
        await table.press("enter")
        assert table.panes.cover is table.panes.over
        await table.press("escape", "escape")
        assert (table.mode, table.panes.cover) == (None, None)


def test_a_response_is_called_as_the_game_calls_it() -> None:
    """An action in an answer has its title, not its key."""
    luck = Responded((action("veterans_luck", "ysolde"),))
    assert answer_words(State(), luck) == "ysolde: veterans luck"
    assert answer_words(State(), luck, {"veterans_luck": "Veteran's Luck"}) == "ysolde: Veteran's Luck"
