"""Questions of the rules: how they are answered, and that a letter typed into one is never a command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.drive import SETTINGS, Table, fight, opened, resume
from tests.ui.games import SJ, WN, action_pane, begun, ready
from tests.ui.skirmish import House, encounter
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.intents import Do, Reply
from tracker.session.session import Session
from tracker.ui.modes.acting.prompt import Prompt


def attacking(folder: Path, **rules: bool) -> Session:
    """Ava attacks the first goblin; the die is asked for."""
    session = fight(folder, encounter(rules=House(**rules)))
    session.dispatch(Do((action("attack", "ava", target="goblin-1"),)))
    return session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return attacking(tmp_path)


@pytest.mark.parametrize(
    ("dice", "text", "answer"),
    [
        ("1d20", "14", DiceAnswer(14, (14,), typed=True)),
        ("2d6", "7", DiceAnswer(7, typed=True)),
        ("2d6", "4 2", DiceAnswer(6, (4, 2), typed=True)),
        ("2d6", "4,2", DiceAnswer(6, (4, 2), typed=True)),
        ("2d6+3", "4+2", DiceAnswer(6, (4, 2), typed=True)),
        ("1d100", "0", DiceAnswer(100, (100,), typed=True)),
    ],
)
def test_dice_are_typed_as_total_or_faces(dice: str, text: str, answer: DiceAnswer) -> None:
    """One number is the total, as many as there are dice are the faces; 0 on a d100 is 100."""
    assert Roll("r", Dice.parse(dice).natural).dice_typed(text) == answer


@pytest.mark.parametrize(
    ("dice", "text"),
    [("1d20", "21"), ("1d20", "0"), ("2d6", "13"), ("2d6", "7 1"), ("3d6", "4 2"), ("1d6", "d6"), ("2d6", "-4")],
)
def test_impossible_dice_are_refused(dice: str, text: str) -> None:
    """A face that is not on the die, or an extra number, is no answer."""
    request = Roll("r", Dice.parse(dice))

    with pytest.raises(ValueError, match=r"."):
        request.dice_typed(text)


@pytest.mark.parametrize(
    ("dice", "told"),
    [("1d20", "1d20 is one die: type its face"), ("2d6", "2d6 is 2 dice: type their total or 2 faces")],
)
def test_too_many_faces_say_how_many_there_are(dice: str, told: str) -> None:
    """The refusal says what to type."""
    with pytest.raises(ValueError, match=f"^{told}$"):
        Roll("r", Dice.parse(dice)).dice_typed("1 2 3")


async def test_impossible_face_is_said_and_nothing_is_answered(table: Table) -> None:
    """21 on a d20 is refused at once; the question stands, with what was typed."""
    await table.type("21⏎")

    assert "21 is not on a d20" in table.text()
    assert table.model.pending is not None
    assert table.model.pending.answers == ()


async def test_escape_leaves_the_question_standing(table: Table) -> None:
    """Escape gives the keys back; `n` returns to the question; nothing was answered."""
    await table.press("escape")
    assert (table.mode, table.model.pending is not None) == (None, True)
    assert "waits for an answer" in table.text()

    await table.type("n")
    assert isinstance(table.mode, Prompt)


async def test_window_stands_in_the_next_question_and_a_label_answers_it(tmp_path: Path) -> None:
    """The damage is asked for, with the parry beside it."""
    async with opened(attacking(tmp_path, parries=True)) as table:
        await table.type("14⏎")
        assert "1d6 for damage" in table.text()
        assert "⚡ g Goblin 1: Parry" in table.text()

        await table.type("g")
        assert "enter g Goblin 1: Parry" in table.text()
        await table.press("enter")
        assert (table.hp("goblin-1"), table.model.pending) == (7, None)
        assert "miss" in table.text()


async def test_one_who_is_not_to_be_asked_is_not_mentioned(tmp_path: Path) -> None:
    """`:quiet g` at the question takes the goblin's offers off it at once."""
    async with opened(attacking(tmp_path, parries=True)) as table:
        await table.type("14⏎")
        assert "⚡ g Goblin 1: Parry" in table.text()
        await table.press("escape")
        await table.type(":quiet g⏎")

        assert "asks Goblin 1 no more" in table.text()
        assert "Parry" not in table.pane("console")
        assert table.question.key == "damage"


async def test_window_with_nothing_behind_it_waits_for_enter(tmp_path: Path) -> None:
    """A miss asks for no damage, so the window itself is the question; Enter passes it."""
    async with opened(attacking(tmp_path, parries=True)) as table:
        await table.type("2⏎")
        assert "nobody interrupts" in table.text()

        await table.press("enter")
        assert table.model.pending is None
        assert table.hp("goblin-1") == 7


async def test_looking_ahead_rolls_no_dice(tmp_path: Path) -> None:
    """Where the program rolls what follows a window, the window waits; the dice are rolled once."""
    rolled = []

    def roller(request: Roll) -> DiceAnswer:
        rolled.append(request.key)
        return DiceAnswer(5, (5,))

    session = fight(
        tmp_path,
        encounter(rules=House(parries=True)),
        settings=SETTINGS.__class__(roller=roller, auto_sides=("party",)),
    )
    async with opened(session) as table:
        await table.type("ag⏎")
        assert table.model.pending is not None
        assert rolled == ["attack"]
        await table.press("enter")
        assert table.model.pending is None
    assert rolled == ["attack"]


async def test_choice_and_pick_are_answered_with_the_arrows(tmp_path: Path) -> None:
    """Up and down choose, the space bar ticks; an empty Enter takes the default."""
    session = fight(tmp_path)
    session.dispatch(Do((action("weather"),)))
    async with opened(session) as table:
        await table.press("enter", "down", "space", "down", "space", "enter")
        await table.type("12⏎")
        assert "12 is outside 0..9" in table.text()
        await table.press("backspace", "enter")

        assert "sun, 1 inches on 2" in table.text()


async def test_the_same_question_stands_after_a_restart(tmp_path: Path) -> None:
    """A fight resumed in mid-step asks the same question and goes on from there."""
    session = attacking(tmp_path)
    session.dispatch(Reply(DiceAnswer(14, (14,), typed=True)))
    again = resume(session)
    async with opened(again) as table:
        assert "1d6 for damage" in table.text()
        assert "resumed" in table.text()
        await table.type("5⏎")
        assert table.hp("goblin-1") == 2


async def test_paste_is_typed_as_one_line(table: Table) -> None:
    """A pasted text lands in the question as text, line ends and escapes made harmless."""
    from textual.events import Paste

    table.screen.post_message(Paste("1\n\x1b[2J4"))
    await table.pilot.pause()

    assert isinstance(table.mode, Prompt)
    assert table.mode.entry.text == "1 ␛[2J4"


async def test_a_stray_letter_does_not_keep_the_program_from_rolling(table: Table) -> None:
    """It is no dice, so `*` rolls; what may be a result stands until it is sent or wiped out."""
    await table.type("1*")
    assert table.model.pending is not None
    await table.press("backspace", "backspace", "backspace")
    await table.type("q*")
    assert table.model.pending is None


def in_order(table: Table) -> list[int]:
    """Return the initiative dice that were typed, in order."""
    given = [answer for record in table.model.steps for _, answer in record.answers]
    given += [] if table.model.pending is None else [answer for _, answer in table.model.pending.answers]
    return [answer.total for answer in given if isinstance(answer, DiceAnswer) and answer.typed]


@pytest.mark.parametrize(
    ("keys", "dice"), [("2091217", [20, 9, 12, 17]), ("1175", [1, 1, 7, 5]), ("11 1 7 5", [11, 1, 7, 5])]
)
async def test_dice_in_order_need_no_blanks_where_they_read_in_one_way(
    keys: str, dice: list[int], tmp_path: Path
) -> None:
    """The rows show the reading before Enter."""
    session = fight(tmp_path, encounter(rules=House(individual=True)), settings=SETTINGS)
    async with opened(session) as table:
        await table.type(keys)
        rows = " ".join(table.pane("console").split())
        people = [person.name for person in table.state.combatants][:4]
        assert [f" {name} {die} " in rows for name, die in zip(people, dice, strict=True)] == [True] * 4
        await table.type("⏎")
        assert in_order(table) == dice


async def test_dice_in_order_that_read_in_two_ways_ask_for_blanks(tmp_path: Path) -> None:
    """Enter does nothing before."""
    session = fight(tmp_path, encounter(rules=House(individual=True)))
    async with opened(session) as table:
        await table.type("11759")
        assert "1 1 7 59" not in table.pane("console")
        assert "type blanks between" in table.pane("console")
        await table.type("⏎")
        assert table.model.pending is not None
        assert table.model.pending.answers == ()


@pytest.mark.parametrize("keys", ["14 5", "145"])
async def test_the_damage_may_follow_the_attack(keys: str, table: Table) -> None:
    """What Enter does with each number is shown before."""
    await table.type(keys)
    assert "Enter: 14 attack and 5 damage" in table.pane("console")
    await table.type("⏎")
    assert (table.hp("goblin-1"), table.model.pending) == (2, None)


async def test_a_die_too_many_is_said_where_nothing_asks_for_it(table: Table) -> None:
    """Behind a miss the damage stands by itself; without a blank it is no number at all."""
    await table.type("25⏎")
    assert "25 is not on a d20" in table.pane("console")
    await table.press("backspace", "backspace")
    await table.type("2 5⏎")
    assert (table.hp("goblin-1"), table.model.pending) == (7, None)
    assert "5 was not asked for" in table.pane("console")


async def test_the_first_question_says_what_it_means(tmp_path: Path) -> None:
    """Which keys there are, what Enter does, and what it costs a side: its foes act a round first."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        lines = [line.strip("│ ").split("│")[0].strip() for line in table.text().splitlines()]
        start = lines.index("GM: is a side caught entirely unaware?")
        assert lines[start + 1 : start + 5] == [
            ">",
            "p  Party        foes act a round first",
            "t  Toll-takers  foes act a round first",
            "Enter: nobody, as usual · p t space pick",
        ]


async def test_a_narrow_question_says_first_how_its_dice_are_typed(tmp_path: Path) -> None:
    """Those behind an attack too; that Enter rolls gives way, as the footer says it."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("a⏎")
        mode = table.mode
        assert mode is not None
        for height in (4, 6):
            hint = " ".join(row.text for row in mode.rows(table.showing.context, 34, height) if row.key == "hint")
            assert "type the die, 1d6 behind it" in hint
        assert hint.endswith("…")


async def test_the_list_of_dice_in_order_follows_what_is_typed(tmp_path: Path) -> None:
    """Also digits without blanks: the next die is listed where not all have room."""
    async with opened(begun(tmp_path, SJ, "archers_into_melee"), (80, 24)) as table:
        await table.type("A⏎3418")
        assert "> 3418 i Isaude 1d8 act 2 8 ▸ i Isaude 1d6 act 3 t Telmarre" in action_pane(table)
        assert re.search(r"4 Question ─+ ↑ 3 more ", table.text())
        assert "↓ 1 more" in table.text()
