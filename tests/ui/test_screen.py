"""The cockpit as a whole: panes, commands, refusals, the log, other sizes, hostile names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import Table, drive, fight, resume
from tests.ui.skirmish import Body, House, encounter
from tracker.core.fight.events import Forced
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.session.intents import Do
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.keys.table import FOOTERS, KEYS, footer, on, remapped
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.panes.sides import RosterPane

SIZES = [(80, 24), (120, 40), (200, 60)]


def lines_with(text: str, screen: str) -> list[str]:
    return [line for line in screen.split("\n") if text in line]


@pytest.mark.parametrize("size", SIZES)
def test_everything_needed_is_on_the_screen_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    """Who acts, what can be done, everybody's points, what comes next and the keys are there without a key, at each size."""

    async def journey(table: Table) -> None:
        screen = table.text()
        assert all(
            words in screen
            for words in (
                "Ava's turn",
                "Attack",
                "20/20",
                "the ford rises",
                "Goblin 3",
                "quit",
                "1 Initiative",
                "3 Log",
            )
        )
        rows = screen.rstrip("\n").split("\n")
        assert (len(rows), max(len(row) for row in rows) <= size[0]) == (size[1], True)

    drive(fight(tmp_path), journey, size)


def test_wide_screen_has_the_stat_block(tmp_path: Path) -> None:
    """Where there is room the stat block is simply there; `b` holds it fast."""

    async def journey(table: Table) -> None:
        assert "Stat block" in table.text()
        await table.type("b")
        await table.press("down")
        assert lines_with("Stat block, held", table.text())
        assert lines_with("a Ava", table.text())

    drive(fight(tmp_path), journey, (200, 60))


def test_stat_block_takes_the_place_of_the_log(tmp_path: Path) -> None:
    """On narrower screens `b` shows it where the log is, following the cursor, and the log again."""

    async def journey(table: Table) -> None:
        await table.type("b")
        await table.press("down")
        assert "3 Stat block" in table.text()
        assert lines_with("│ w Wolf                  ", table.text())

        await table.type("b")
        assert "3 Log" in table.text()

    drive(fight(tmp_path), journey)


def test_pane_is_enlarged_and_shrunk(tmp_path: Path) -> None:
    """A pane's number gives it the arrow keys; again it has the whole screen; Escape shows all panes."""

    async def journey(table: Table) -> None:
        await table.type("33")
        assert "2 Combatants" not in table.text()
        assert "3 Log" in table.text().split("\n")[1]

        await table.press("escape")
        assert "2 Combatants" in table.text()

    drive(fight(tmp_path), journey)


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 1), (5, 4), (1, 60), (200, 1), (4, 3)])
def test_no_size_is_too_small_for_an_enlarged_pane(tmp_path: Path, size: tuple[int, int]) -> None:
    """Every line any pane may be asked for can be drawn, beyond its edges too: on a stamp the panes lie where they find room."""
    session = fight(tmp_path)

    async def journey(table: Table) -> None:
        await table.press("2", "2")
        await table.pilot.resize_terminal(*size)
        for pane in table.screen.query(LinesPane):
            for shown in (pane._shown, []):
                pane._shown = shown
                drawn = [pane.render_line(line) for line in range(-3, size[1] + 3)]
                assert all(strip.cell_length <= max(size[0], pane.size.width) for strip in drawn)

    drive(session, journey)


def test_question_is_seen_even_over_an_enlarged_pane(tmp_path: Path) -> None:
    """What is asked is never hidden."""

    async def journey(table: Table) -> None:
        await table.type("22ag⏎")

        assert "roll d20" in table.text()

    drive(fight(tmp_path), journey)


def test_refused_action_says_why_and_can_be_forced(tmp_path: Path) -> None:
    """A second attack is refused with reason and rule; `!` forces it and the log records the override."""
    session = fight(tmp_path)
    session.dispatch(Do((action("brawl", "ava"),)))

    async def journey(table: Table) -> None:
        assert "Ava has acted already" in table.text()
        await table.type("a")
        spec = table.text().split("\n")
        place = next(line for line in spec if "Attack" in line and "acted already" in line)
        await table.type(place.split("Attack")[0].split()[-1] + "g⏎")
        assert "S-2" in table.text()
        assert "forces it" in table.text()
        assert len(table.model.steps) == 2

        await table.type("!")
        assert table.model.pending is not None
        await table.type("3⏎")
        assert any(isinstance(entry.event, Forced) for entry in table.model.steps[-1].entries)

    drive(session, journey)


def test_senseless_action_cannot_be_forced(tmp_path: Path) -> None:
    """A target that is none is refused, and no key forces it."""

    async def journey(table: Table) -> None:
        await table.type("aw⏎")
        assert "not on offer" in table.text()
        assert "forces it" not in table.text()

        await table.type("!")
        assert len(table.model.steps) == 1

    drive(fight(tmp_path), journey)


def test_form_is_filled_in_and_done(tmp_path: Path) -> None:
    """Tab opens every field; words, arrows and rows fill them in; Enter does it."""

    async def journey(table: Table) -> None:
        await table.type("a2")
        await table.press("tab")
        assert isinstance(table.mode, Form)
        await table.press("right", "tab")
        await table.type("7")
        await table.press("tab")
        await table.type("head 2, body 1⏎")
        assert "bonus: 7 is outside" in table.text().replace("\n", " ")

        await table.press("tab", "tab", "backspace")
        await table.type("3⏎")
        assert "2 blows, bonus 3" in table.text()

    drive(fight(tmp_path), journey)


def test_missing_field_opens_the_form(tmp_path: Path) -> None:
    """An action that lacks something asks for it instead of refusing."""

    async def journey(table: Table) -> None:
        await table.type("a3⏎")
        assert isinstance(table.mode, Form)
        await table.type("run!⏎")

        assert "shouts run!" in table.text()

    drive(fight(tmp_path), journey)


def test_out_of_turn_action(tmp_path: Path) -> None:
    """`'` goes to somebody, `''` acts as that one."""

    async def journey(table: Table) -> None:
        await table.type("'b")
        assert (table.showing.selected, table.mode) == ("brin", None)

        await table.type("''c")
        assert table.mode == Picker("col")

    drive(fight(tmp_path), journey)


def test_label_twice_acts_as_that_one(tmp_path: Path) -> None:
    """`'g'g` is the same as `''g`."""

    async def journey(table: Table) -> None:
        await table.type("'g'g")

        assert table.mode == Picker("goblin-1")

    drive(fight(tmp_path), journey)


def test_status_set_note_roll_and_repeat(tmp_path: Path) -> None:
    """The game master's other commands, each by its key."""

    async def journey(table: Table) -> None:
        await table.type("sg fled⏎")
        assert table.state["goblin-1"].status == "fled"
        await table.type("sh3⏎")
        assert table.state["goblin-2"].status == "dead"
        await table.type("=a11⏎")
        assert table.hp("ava") == 11
        await table.type("oa: bleeds⏎")
        assert table.state["ava"].notes == ("bleeds",)
        await table.type("f2d6+1⏎4 2⏎")
        assert "2d6+1 = 7" in table.text()
        await table.type("-3w⏎.bc⏎")
        assert [table.hp(who) for who in ("wolf", "brin", "col")] == [17, 17, 17]

    drive(fight(tmp_path), journey)


def test_move_in_the_order(tmp_path: Path) -> None:
    """`m` takes a label, then the label it goes before."""

    async def journey(table: Table) -> None:
        await table.type("mcw⏎")

        assert [slot.members[0] for slot in table.state.clock.slots[:3]] == ["ava", "col", "wolf"]

    drive(fight(tmp_path), journey)


@pytest.mark.parametrize(
    ("line", "name", "rounds"),
    [("prot gh 2", "protected", 2), ("on fire g 3", "on fire", 3), ("prone g", "prone", None)],
)
def test_effects_are_named_and_timed(tmp_path: Path, line: str, name: str, rounds: int | None) -> None:
    """A name on offer or own words, then labels, then how long."""

    async def journey(table: Table) -> None:
        await table.type("e" + line + "⏎")

        effect = table.state["goblin-1"].effects[0]
        assert effect.name == name
        assert (effect.until[0].count if effect.until else None) == rounds

    drive(fight(tmp_path), journey)


def test_effect_on_nobody_is_asked_back(tmp_path: Path) -> None:
    """Without labels nothing happens but a question; the word fight means the fight."""

    async def journey(table: Table) -> None:
        await table.type("eprone⏎")
        assert "on whom?" in table.text()
        assert len(table.model.steps) == 1
        await table.type(" fight⏎")

        assert [effect.name for effect in table.state.effects] == ["prone"]

    drive(fight(tmp_path), journey)


def test_undo_and_redo(tmp_path: Path) -> None:
    """`u` takes back, `U` does again."""

    async def journey(table: Table) -> None:
        await table.type("-7g⏎u")
        assert table.hp("goblin-1") == 7
        await table.press("U")
        assert table.hp("goblin-1") == 0

    drive(fight(tmp_path), journey)


def test_reminders_are_shown_once_before_time_goes_on(tmp_path: Path) -> None:
    """The first `n` shows what may have been missed, the next goes on, and later ones show it no more."""

    async def journey(table: Table) -> None:
        await table.type("n")
        assert "the goblins owe a morale check" in table.text()
        assert "Before going on" in table.text()
        await table.type("n")
        assert table.state.clock.current is not None
        assert table.state.clock.current.members == ("wolf",)
        await table.type("n")
        assert table.state.clock.current.members == ("brin",)

    drive(fight(tmp_path, encounter(rules=House(owed=True))), journey)


def test_reminder_is_settled_or_dropped(tmp_path: Path) -> None:
    """Enter does what settles it; `x` drops it for good."""

    async def journey(table: Table) -> None:
        await table.type("n⏎")
        assert table.model.pending is not None
        await table.press("ctrl+z")
        table.cockpit.warned = frozenset()
        await table.type("nx")
        assert table.state.dismissed == ("morale",)

    drive(fight(tmp_path, encounter(rules=House(owed=True))), journey)


def test_rule_behind_a_log_line(tmp_path: Path) -> None:
    """Enter on a line of the log opens its rule; any key closes it."""
    session = fight(tmp_path)

    async def journey(table: Table) -> None:
        await table.type("ag⏎14⏎5⏎3")
        await table.press("up", "enter")
        assert "A die of twenty and the skill" in table.text()

        await table.press("escape")
        assert "2 Combatants" in table.text()

    drive(session, journey)


def test_rules_are_looked_up_by_words(tmp_path: Path) -> None:
    """`r` finds rules by their words."""

    async def journey(table: Table) -> None:
        await table.type("rparry⏎")

        assert "Whoever is attacked may parry" in table.text()

    drive(fight(tmp_path), journey)


def test_combatants_are_narrowed_and_shown_again(tmp_path: Path) -> None:
    """`/` keeps only the lines that hold a word; Escape shows all."""

    async def journey(table: Table) -> None:
        await table.type("/gob⏎")
        assert len([line for line in table.text().split("\n") if "20/20" in line]) == 0
        await table.press("escape")
        assert len([line for line in table.text().split("\n") if "20/20" in line]) >= 4

    drive(fight(tmp_path), journey)


def test_log_is_walked_and_returns_to_its_end(tmp_path: Path) -> None:
    """Home shows the first line, End the newest; a new step returns to the newest."""
    session = fight(tmp_path)
    for _ in range(30):
        session.dispatch(Do((action("damage", amount=1, targets=("ava",)),)))
        session.dispatch(Do((action("heal", amount=1, targets=("ava",)),)))

    async def journey(table: Table) -> None:
        await table.type("3")
        await table.press("home")
        assert "join Party" in table.text()
        await table.press("pagedown", "pageup")
        assert "Goblin ambush" in table.text().split("3 Log")[1]
        await table.press("end")
        assert "join Party" not in table.text()
        await table.press("home")
        await table.type("-2w⏎")
        assert "20→18" in table.text()

    drive(session, journey)


def test_help_and_footers_come_from_the_table() -> None:
    """Every command is named for the help, every place has a footer that ends in a way out, and a remapping shows."""
    assert all(key.description and key.group for key in KEYS)
    assert all(footer(place) for place in FOOTERS)
    assert ("y", "act") in footer("fight", remapped({"act": "y"}))


def test_help_lists_every_key(tmp_path: Path) -> None:
    """`?` shows the table."""

    async def journey(table: Table) -> None:
        await table.type("?")
        seen = table.text()
        for _ in range(6):
            await table.press("pagedown")
            seen += table.text()

        assert [key.id for key in on("fight") if key.description.split()[0] not in seen] == []
        assert "Start screen" not in seen

    drive(fight(tmp_path), journey)


HOSTILE = (
    "Grax [the Red]",
    "x [/] y",
    "[bold]B[/bold]",
    "\x1b[31mRed\x1b[0m",
    "日本 🐉",
    "a\nb\tc",
    "Z̷̧̛a",
    "{who} $name %s",
    "‮evil",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_and_nothing_else(tmp_path: Path, name: str) -> None:
    """Brackets, escapes and odd characters in names are shown or made visible, in every pane and mode, and never obeyed."""
    foes = SideSetup("foes", name, "gm", (Member(Body(), name, "monster"),))
    party = SideSetup("party", "Party", "players", (Member(Body(20, 14, 3), "Ava", "pc"),))
    session = fight(tmp_path, Encounter("skirmish", name, (party, foes), House()))

    async def journey(table: Table) -> None:
        label = table.state.combatants[1].label
        for keys in (
            f"-3{label}⏎",
            f"e[b] {label}⏎",
            f"x{label}",
            "<escape>",
            f"a{label}",
            "<escape>",
            "'",
            "<escape>",
            "b",
            "n",
            "n",
            "?",
        ):
            await (table.press(keys[1:-1]) if keys.startswith("<") else table.type(keys))
            assert "\x1b" not in table.text()
        await table.press("escape")
        if name.startswith("Grax"):
            assert "Grax [the" in table.text()

    drive(session, journey)


def test_fight_is_taken_up_where_it_was(tmp_path: Path) -> None:
    """Points, effects and log are as they were, and the header says that the fight was resumed."""
    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=3, targets=("ava",)),)))

    async def journey(table: Table) -> None:
        assert table.hp("ava") == 17
        assert "resumed 2031-05-01 19:40" in table.text()
        assert "20→17" in table.text()

    drive(resume(session), journey)


def test_mouse_chooses_pane_and_line(tmp_path: Path) -> None:
    """A click puts the cursor on a combatant; the wheel moves it."""

    async def journey(table: Table) -> None:
        await table.pilot.click("#roster", offset=(5, 6))
        assert table.showing.selected == "goblin-1"
        await table.pilot.click("#log", offset=(5, 3))
        assert table.panes.chosen.number == 3

    drive(fight(tmp_path), journey)


def test_themes_of_the_library_are_drawn(tmp_path: Path) -> None:
    """Whatever theme is chosen, the screen can be drawn in it."""

    async def journey(table: Table) -> None:
        for theme in ("tracker-light", "ansi-dark", "ansi-light", "nord", "textual-light"):
            table.app.theme = theme
            await table.pilot.pause()
            assert "Ava" in table.text()

    drive(fight(tmp_path), journey)


def test_many_combatants_fill_the_screen_lazily(tmp_path: Path) -> None:
    """Of three hundred combatants only the visible ones are made into lines."""
    session = fight(tmp_path, encounter(296))

    async def journey(table: Table) -> None:
        roster = table.panes.of(RosterPane)
        assert len(roster._memo) < 60
        await table.press("end")
        assert "Goblin 296" in table.text()
        assert len(roster._memo) < 120

    drive(session, journey)


@pytest.mark.parametrize(
    ("pane", "name", "word", "gone"),
    [("1", "order", "wolf", "Brin"), ("2", "roster", "gob", "Brin"), ("3", "log", "wolf", "20→17")],
)
def test_every_list_is_filtered(tmp_path: Path, pane: str, name: str, word: str, gone: str) -> None:
    """`/` keeps the lines of the chosen pane that hold a word, says so in its frame, and Escape shows all again; the cursor stays among them."""
    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=2, targets=("wolf",)),)))
    session.dispatch(Do((action("damage", amount=3, targets=("brin",)),)))

    async def journey(table: Table) -> None:
        assert gone in table.pane(name)
        await table.type(f"{pane}/{word}⏎")
        shown = table.pane(name)
        assert (word in shown.casefold(), gone in shown, f"/{word}" in table.text()) == (True, False, True)
        await table.press("down", "down", "down", "up")
        assert table.pane(name) == shown
        await table.press("escape")
        assert gone in table.pane(name)

    drive(session, journey)


def test_what_is_no_list_is_not_filtered(tmp_path: Path) -> None:
    """The action pane says that there is nothing to filter."""

    async def journey(table: Table) -> None:
        await table.type("4/")
        assert (table.mode, "is no list to be filtered" in table.pane("console")) == (None, True)

    drive(fight(tmp_path), journey)


@pytest.mark.parametrize(("pane", "title"), [("1", "Initiative"), ("2", "Combatants"), ("3", "Log"), ("4", "Action")])
def test_every_pane_is_focused_and_enlarged(tmp_path: Path, pane: str, title: str) -> None:
    """Its number gives a pane the arrow keys, again the whole screen, again its place."""

    async def journey(table: Table) -> None:
        await table.type("3" if pane != "3" else "2")
        await table.type(pane)
        assert table.chosen == (int(pane), False)
        await table.type(pane)
        lines = table.text().splitlines()
        assert f" {pane} {title} " in lines[1]
        assert all(f" {other} " not in lines[1] for other in "1234" if other != pane)
        await table.type(pane)
        assert table.chosen == (int(pane), False)

    drive(fight(tmp_path), journey)


def test_what_was_taken_back_is_said(tmp_path: Path) -> None:
    """Also where nothing of it is in sight; and so is what was done again. The next key takes the words away."""

    async def journey(table: Table) -> None:
        await table.type("-7g⏎")
        await table.type("u")
        assert "taken back: Damage → Goblin 1 (amount 7, hp)" in table.pane("console")
        await table.press("ctrl+y")
        assert "done again: Damage → Goblin 1 (amount 7, hp)" in table.pane("console")
        await table.type("n")
        assert "done again" not in table.pane("console")
        await table.type("u")
        assert "taken back: Next" in table.pane("console")

    drive(fight(tmp_path), journey)
