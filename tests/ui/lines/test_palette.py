"""The palette: everything by name, with its key; what it does it does as the key would."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, fight, opened
from tests.ui.skirmish import encounter
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import KEYS, on, remapped
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.gm_command import GmCommandMode
from tracker.ui.modes.search.palette import Palette, items


def shown(table: Table) -> list[str]:
    mode = table.mode
    assert isinstance(mode, Palette)
    assert table.model is not None
    return [item.option.shown for item in mode.found(table.showing.context)]


async def test_everything_is_in_it(table: Table) -> None:
    """The palette has actions, commands, themes and another fight."""
    await table.press("down", "ctrl+p")
    assert isinstance(table.mode, Palette)
    found = items(table.showing.context)
    assert {item.option.key for item in found} >= {
        key.id for key in on("fight") if key.call and key.id != "palette" and not key.board
    }
    assert not {item.option.key for item in found} & {
        *(key.id for key in KEYS if key.board),
        *(key.id for key in KEYS if "fight" not in key.screens),
    }
    assert [item.spec.by for item in found if item.spec is not None and item.spec.key == "attack"] == [
        "ava",
        "wolf",
    ]
    assert {"weather", "end_fight", "remove", "rename", "house_rule"} <= {item.option.key for item in found}
    assert {"put this fight away", "another fight", "theme: tracker-light", "theme: nord"} <= set(shown(table))


SEARCHED = {
    "undo": ("undo", "und", "take back"),
    "stat block": ("stat block", "statb"),
    "Weather": ("weath",),
    "theme: tracker-contrast": ("contrast",),
    "numbers of the fight": ("numbers",),
}


async def test_search_finds_by_letters_and_words(table: Table) -> None:
    """The beginning of a name, its letters in order, or words about it."""
    for first, ways in SEARCHED.items():
        for typed in ways:
            await table.press("ctrl+p")
            await table.type(typed)
            assert shown(table)[0] == first
            await table.press("escape")


async def test_commands_are_shown_with_their_keys_as_they_are_now(tmp_path: Path) -> None:
    """A remapped command stands there with its new key, and does what the key does."""
    keymap = Keymap(remapped({"undo": "z", "palette": "P"}))
    async with opened(fight(tmp_path), keymap=keymap) as table:
        await table.type("-7g⏎")
        await table.press("P")
        await table.type("undo")
        assert any("▸ z undo" in " ".join(line.split()) for line in table.text().splitlines())
        await table.press("enter")
        assert (table.hp("goblin-1"), table.mode) == (7, None)


async def test_commands_open_what_their_keys_open(table: Table) -> None:
    """A GM command is typed as after its key; what follows in a burst goes to it."""
    await table.press("ctrl+p")
    await table.hurry("damage\r7g\r")
    assert table.hp("goblin-1") == 0
    await table.press("ctrl+p")
    await table.type("heal⏎")
    assert isinstance(table.mode, GmCommandMode)


async def test_action_with_fields_opens_its_form(table: Table) -> None:
    """What has to be said is asked; what needs nothing is done."""
    await table.press("ctrl+p")
    await table.type("attack⏎")
    assert isinstance(table.mode, Form)
    await table.type("g⏎")
    assert table.model.pending is not None
    await table.press("escape")
    await table.type("u")
    await table.press("ctrl+p")
    await table.type("weather⏎")
    assert table.question.key == "sky"


async def test_refused_action_says_why(tmp_path: Path) -> None:
    """A forbidden action shows the reason, is refused on Enter, and can be forced."""
    session = fight(tmp_path)
    session.dispatch(Do((action("brawl", "ava"),)))
    async with opened(session) as table:
        await table.press("ctrl+p")
        await table.type("aim")
        assert "no bow in hand S-4" in table.pane("console")
        await table.press("enter")
        assert "forces it" in table.pane("console")


async def test_destructive_commands_say_that_they_can_be_taken_back(table: Table) -> None:
    """Ending the fight and removing a combatant have no key; they are in the palette, and undo takes them back."""
    await table.press("ctrl+p")
    await table.type("end fight")
    assert "u takes it back, as every step" in table.pane("console")
    await table.press("enter")
    assert not table.state.clock.over
    await table.press("enter")
    assert table.state.clock.over
    await table.type("u")
    assert not table.state.clock.over

    await table.press("ctrl+p")
    await table.type("remove")
    assert "u takes it back, as every step" in table.pane("console")
    await table.type("⏎g⏎")
    assert "goblin-1" not in table.state
    await table.type("u")
    assert "goblin-1" in table.state


async def test_fight_is_put_away_and_taken_out_again(tmp_path: Path) -> None:
    """Putting a fight away changes nothing in it; the same entry takes it out again."""
    session = fight(tmp_path, encounter())
    async with opened(session) as table:
        before = table.model
        for away in (True, False):
            await table.press("ctrl+p")
            await table.type("put this⏎")
            assert [len(session.journal.fights(discarded=True)), len(session.journal.fights())] == [
                int(away),
                int(not away),
            ]
            assert ("put away" if away else "in the lists again") in table.pane("console")
        assert table.model == before


async def test_arrows_choose_and_escape_leaves(table: Table) -> None:
    """Up and down go round, page keys far; Escape leaves everything as it was."""
    await table.press("ctrl+p", "up")
    mode = table.mode
    assert isinstance(mode, Palette)
    assert mode.chosen == len(shown(table)) - 1
    await table.press("down", "pagedown")
    mode = table.mode
    assert isinstance(mode, Palette)
    assert mode.chosen == 10
    await table.press("escape")
    assert (table.mode, len(table.model.steps)) == (None, 1)
