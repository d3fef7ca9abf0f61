"""Words as people type them: Enter follows them, and accents do not matter."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.ui.drive import Table, fight, opened
from tests.ui.games import SV, WN, action_pane, begun, ready
from tests.ui.skirmish import House, encounter
from tracker.core.run import Pending
from tracker.core.terms.actions import ActionSpec, Option, action
from tracker.core.terms.labels import folded
from tracker.core.terms.requests import Choice, ChoiceAnswer, Window
from tracker.session.intents import Do, Reply
from tracker.ui.modes.acting.gm_command import GmCommandMode
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.acting.reactions import ReactionList
from tracker.ui.modes.search.palette import Palette
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import ModeContext, PendingQuestion
from tracker.ui.typing.rows import listed_rows
from tracker.ui.typing.tokens import matching_options


def test_accents_and_case_do_not_matter() -> None:
    """Typed letters find a name with accents, and the other way round."""
    names = (Option("a", "Éloïse"), Option("b", "Elmar"), Option("c", "Zoe"))

    assert [option.key for option in matching_options("eloise", names)] == ["a"]
    assert [option.key for option in matching_options("ZÖÉ", names)] == ["c"]
    assert folded(" Müller_Ødegård ") == "muller ødegard"


async def test_names_with_accents_are_typed_plainly(tmp_path: Path) -> None:
    """In a jump, a filter and an action's targets; who joins is typed without a blank."""
    session = fight(tmp_path)
    session.dispatch(Do((action("rename", who="goblin-1", name="Éloïse la Rouge"),)))
    async with opened(session) as table:
        await table.type("' eloi⏎")
        assert table.showing.selected == "goblin-1"
        await table.type("/ÉLOISE⏎")
        assert "Éloïse" in table.pane("roster")
        assert "Wolf" not in table.pane("roster")
        await table.press("escape")
        await table.type(":ava att eloise")
        assert "Ava Attack → g Éloïse la Rouge" in table.pane("console")
        await table.press("escape")
        await table.type("i2gob⏎")
        assert [person.name for person in table.state.combatants[-2:]] == ["Goblin 1", "Goblin 4"]


async def test_a_prompt_follows_what_is_typed(table: Table) -> None:
    """The mark and what Enter would do are those of the typed option."""
    await table.type(":weather⏎")
    assert "▸ s sun Enter: sun" in table.pane("console")
    await table.type("r")
    assert "▸ r rain s sun Enter: rain" in table.pane("console")
    await table.type("x")
    assert '"rx" is not on offer' in table.pane("console")
    assert "▸" not in table.pane("console")
    await table.press("backspace", "enter")
    await table.type("bc")
    assert "Enter: brin and col" in table.pane("console")
    assert "b ✓ brin" in table.pane("console")
    await table.type("⏎7")
    assert "Enter: 7" in table.pane("console")
    await table.type("⏎")
    assert "rain, 7 inches on 2" in table.text()


def test_an_option_comes_before_what_can_be_done_in_between(tmp_path: Path) -> None:
    """Enter takes the option of a letter that is a label too; a letter from the middle of a word names nothing."""
    session = begun(tmp_path, SV, "first_fight")
    screen = ActionSpec("screen", "Screen an Ally", by="ysolde", does="the hit becomes a miss")
    asked = Choice("end", (Option("yes"), Option("no")), default="no", why="end the fight?")
    following = PendingQuestion(asked, (Window("hit", "hit", (screen,)),))
    pending = replace(session.model, pending=Pending(asked, (), (), session.model.state))
    scene = ModeContext(session.ruleset, pending, session, following=following)
    typed = Prompt(entry=Entry.of("y"))
    shown = " ".join(" ".join(row.text.split()) for row in typed.rows(scene, 80, 12))
    assert "▸ y yes n no" in shown
    assert "Enter: yes · tab: what Ysolde can do in between" in shown
    taken = typed.press(scene, "enter", None)
    assert taken is not None
    assert taken.intents[-1] == Reply(ChoiceAnswer("yes"))
    other = typed.press(scene, "tab", None)
    assert other is not None
    assert isinstance(other.mode, ReactionList)
    nothing = Prompt(entry=Entry.of("o")).press(scene, "enter", None)
    assert nothing is not None
    assert (nothing.intents, getattr(nothing.mode, "problem", "")) == ((), '"o" is not on offer')


async def test_the_key_of_an_option_is_an_answer_where_no_default_stands(tmp_path: Path) -> None:
    """As its list says; the rest of the word and an Enter behind it go nowhere."""
    async with opened(fight(tmp_path, encounter(rules=House(bare=True)))) as table:
        await table.type(":weather⏎")
        assert "press an option's key" in table.pane("console")
        await table.hurry("rain\r")
        assert table.question.key == "wet"
        assert ("sky", ChoiceAnswer("rain")) in table.model.pending.answers
        assert "Enter was not taken" in table.pane("console")
        await table.press("backspace")
        assert table.question.key == "sky"
        await table.type("s")
        assert table.question.key == "wet"


async def test_answers_in_between_are_named(tmp_path: Path) -> None:
    """By their number or a word; a number that is not there, or another word, is refused."""
    async with opened(fight(tmp_path, encounter(rules=House(parries=True)))) as table:
        await table.type("ag⏎14⏎g")
        assert "Enter: Parry" in table.pane("console")
        await table.press("tab")
        for wrong, said in (("12", "there is no 12: 1 is the only one"), ("dodge", '"dodge" is neither')):
            await table.type(f"{wrong}⏎")
            assert said in table.pane("console")
            assert isinstance(table.mode, ReactionList)
            await table.press(*["backspace"] * len(wrong))
        await table.type("par⏎")
        assert (table.model.pending, table.hp("goblin-1")) == (None, 7)


async def test_an_action_is_not_read_as_labels(tmp_path: Path) -> None:
    """`run` is the action, though r, u and n are labels."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("arun")
        assert "▸ 4 Run" in action_pane(table)
        await table.press(*["backspace"] * 3)
        await table.type("bra")
        assert '"bra" is neither a label nor an action' in action_pane(table)
        assert "▸" not in action_pane(table)
        await table.press("escape")
        await table.type("Ah run")
        assert "▸ h Hedge Robber 1 run" in action_pane(table)
        await table.press("escape", "escape")
        await table.type(":h run")
        assert "h Hedge Robber 1 Run" in action_pane(table)
        await table.press("escape")

        await table.type("mh⏎")
        assert isinstance(table.mode, GmCommandMode)
        assert "how? a number, a word, up and down" in action_pane(table)
        await table.type(" hold⏎")
        assert table.mode is None
        assert "holds" in table.text() or table.state["hedge-robber-1"].has("held")
        await table.type("u")

        await table.type("?flee")
        assert "s up, down, dead, fled" in table.pane("over")
        assert "WN-082" in table.pane("over")
        await table.press("escape")
        await table.type("?save⏎")
        assert isinstance(table.mode, GmCommandMode)
        assert table.mode.verb == "damage"
        await table.press("escape")
        await table.press("ctrl+p", "f1")
        await table.type("main")
        assert "M: Main action left" in table.pane("over")
        await table.press("escape")
        assert isinstance(table.mode, Palette)


def test_long_options_are_told_whole_where_all_of_them_have_room() -> None:
    """As answers are chosen by what they say."""
    options = (Option("old", "an old sorrow comes into the story"), Option("hold", "hold one"))
    whole = listed_rows(options, 0, 24, keys=("o", "h"), room=3)
    assert [row.text for row in whole] == ["▸ o  an old sorrow comes", "     into the story", "  h  hold one"]
    assert [(row.key, row.state) for row in whole] == [
        ("option:0", "current"),
        ("option:0", "current"),
        ("option:1", ""),
    ]
    cut = listed_rows(options, 0, 24, keys=("o", "h"), room=2)
    assert [row.text for row in cut] == ["▸ o  an old sorrow come…", "  h  hold one"]
