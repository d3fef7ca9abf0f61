"""The keymap file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import fight, opened
from tests.ui.skirmish import House, encounter
from tracker.library.yaml.tree import parse
from tracker.ui.keys.keymap import Keymap, read_key, read_keymap, template
from tracker.ui.keys.table import KEYS, commands, footer, groups
from tracker.ui.modes.acting.gm_command import GmCommandMode
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.search.lookups import Jump


def written(folder: Path, text: str) -> Keymap:
    path = folder / "keys.yaml"
    path.write_text(text, encoding="utf-8")
    return read_keymap(path)


def key_of(keymap: Keymap, name: str) -> str:
    return next(key.key for key in keymap.table if key.id == name)


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("-", "minus"),
        ("?", "question_mark"),
        ("Q", "Q"),
        ("ß", "ß"),
        ("7", "7"),
        ("comma", "comma"),
        ("Esc", "escape"),
        ("page up", "pageup"),
        ("F5", "f5"),
        ("Ctrl+Z", "ctrl+z"),
        ("ctrl + z", "ctrl+z"),
        ("shift+ctrl+left", "ctrl+shift+left"),
        ("shift+q", "Q"),
        ("alt+d", "alt+d"),
        ("ctrl++", "ctrl+plus"),
        ("+", "plus"),
        ("space", "space"),
    ],
)
def test_keys_are_read_as_people_write_them(typed: str, key: str) -> None:
    """Signs, names and combinations, in any case."""
    assert read_key(typed) == key


@pytest.mark.parametrize("typed", ["", "ctrl+", "f25", "hyper+x", "left arrow key", "ab", "\x1b", "ctrl+漢字"])
def test_what_is_no_key_is_refused(typed: str) -> None:
    """A word that is no key raises one line."""
    with pytest.raises(ValueError, match=r"^.+$"):
        read_key(typed)


def test_no_file_is_the_table_itself(tmp_path: Path) -> None:
    """Nobody needs a keymap file."""
    assert read_keymap(tmp_path / "keys.yaml") == Keymap()


def test_commands_get_other_keys(tmp_path: Path) -> None:
    """One key or several, as a text or a list; two commands may change places."""
    keymap = written(tmp_path, 'act: y\nundo: "z, ctrl+z"\neffect: "-"\ndamage: [e, f6]\nstatus: 7\nfilter: ","\n')

    assert keymap.problems == ()
    assert [key_of(keymap, name) for name in ("act", "undo", "effect", "damage", "status", "filter")] == [
        "y",
        "z,ctrl+z",
        "minus",
        "e,f6",
        "7",
        "comma",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("damge: d\n", 'keys.yaml:1:1: damge: there is no command "damge" (did you mean damage?)'),
        ("initiative: v\n", 'keys.yaml:1:1: initiative: there is no command "initiative" (did you mean order?)'),
        ("\ndamage: crtl+d\n", 'keys.yaml:2:9: damage: "crtl+d" is no key (did you mean ctrl+d?)'),
        ("damage: pgup\n", 'keys.yaml:1:9: damage: "pgup" is no key (did you mean pageup?)'),
        (
            "p.rest: v\n",
            'keys.yaml:1:1: ["p.rest"]: * is fixed there and cannot be remapped: '
            "the program rolls this one and the rest of the step",
        ),
        ("damage: e\n", "keys.yaml:1:9: damage: e is the key of effect (damage keeps -)"),
        ("damage: v\nheal: v\n", "keys.yaml:2:7: heal: v is the key of damage (heal keeps +)"),
        ("damage: ctrl+q\n", "keys.yaml:1:9: damage: ctrl+q always quits"),
        ("damage: ctrl+j\n", "keys.yaml:1:9: damage: many terminals swallow ctrl+j (- works as well)"),
        ("damage: alt+d, d\n", "keys.yaml:1:9: damage: many terminals swallow alt+d"),
        ("damage: {a: b}\n", 'keys.yaml:1:9: damage: keys are text: put them in quotes (such as damage: "-")'),
        ("damage:\n", 'keys.yaml:1:8: damage: keys are text: put them in quotes (such as damage: "-")'),
        ('damage: "d,,"\n', 'keys.yaml:1:9: damage: a key is missing (the comma itself is "comma")'),
        (
            "- damage\n",
            'keys.yaml:1:1: a keymap has a command on each line, with its key behind it (such as damage: "-")',
        ),
    ],
)
def test_mistakes_are_said_with_their_place(tmp_path: Path, text: str, problem: str) -> None:
    """One line for each mistake: file, line, what is wrong, and what was probably meant."""
    assert problem in written(tmp_path, text).problems


@pytest.mark.parametrize(
    "text",
    [
        "damage: [",
        "\x00",
        "a: &a [*a, *a]\n",
        "%",
        "damage: -\n",
        "'",
        "? x\n",
        "damage: d\ndamage: f\n",
        "é" * 10,
        "{" * 500,
    ],
)
def test_no_broken_file_stops_anything(tmp_path: Path, text: str) -> None:
    """Whatever the file holds, ctrl+q quits and the mistake is said."""
    keymap = written(tmp_path, text)

    assert commands(keymap.table)["ctrl+q"].id == "quit"
    assert keymap.problems


def test_unreadable_file_is_said(tmp_path: Path) -> None:
    """A folder in the place of the file is a problem, not a crash."""
    (tmp_path / "keys.yaml").mkdir()

    assert read_keymap(tmp_path / "keys.yaml").problems == ("keys.yaml: this is a folder, not a file",)


def test_clash_keeps_the_key_of_the_command(tmp_path: Path) -> None:
    """Where its own key is another's now, it takes the key that one left; in the end no key is two commands'."""
    keymap = written(tmp_path, "damage: v\nheal: minus\nset: v\nact: e\neffect: n\n")

    for screen in ("fight", "start"):
        names = [name for key in keymap.table if key.call and screen in key.screens for name in key.key.split(",")]
        assert len(names) == len(set(names))
    assert [key_of(keymap, name) for name in ("damage", "heal", "set", "act", "effect")] == [
        "v",
        "minus",
        "equals_sign",
        "e",
        "a",
    ]
    assert keymap.problems == (
        "keys.yaml:3:6: set: v is the key of damage (set keeps =)",
        "keys.yaml:5:9: effect: n is the key of next (its own is another's now: effect takes a)",
    )


def test_one_clash_costs_no_other_command_its_new_key(tmp_path: Path) -> None:
    """Three commands have changed their keys in a ring; the one whose wish is another's takes what is left over."""
    keymap = written(tmp_path, "act: O\nodds: m\nset: a\n")

    assert [key_of(keymap, name) for name in ("act", "odds", "set")] == ["O", "equals_sign", "a"]
    (said,) = keymap.problems
    assert said.endswith("(its own is another's now: odds takes =)")


def test_screens_do_not_clash(tmp_path: Path) -> None:
    """A key that is another command's on the other screen is free on this one."""
    keymap = written(tmp_path, "effect: d\ns.away: x\n")

    assert keymap.problems == ()
    assert (commands(keymap.table)["d"].id, commands(keymap.table, "start")["x"].id) == ("effect", "s.away")


def test_swallowed_key_leaves_the_own_one(tmp_path: Path) -> None:
    """A key that may never arrive is not the only way to a command."""
    assert key_of(written(tmp_path, "damage: alt+d\n"), "damage") == "alt+d,minus"


def test_quitting_cannot_be_lost(tmp_path: Path) -> None:
    """Quitting may get a further key, and ctrl+q stays."""
    assert key_of(written(tmp_path, "quit: Q\n"), "quit") == "Q,ctrl+q"


def test_template_is_a_keymap_file_of_the_table() -> None:
    """What is printed as a template says exactly what is so already."""
    value = parse(template().encode(), "keys.yaml").value

    assert isinstance(value, dict)
    assert list(value) == [key.id for key in KEYS if key.call]


def test_template_reads_without_a_problem(tmp_path: Path) -> None:
    """The template can be used as it is, whatever the keys in it."""
    assert written(tmp_path, template()) == Keymap()
    own = written(tmp_path, 'damage: "\\\\"\nheal: "\\""\nset: comma\n')
    assert written(tmp_path, template(own.table)) == own


REMAPPED = "act: y\nnext: k\ndamage: d\nhelp: j\nback: v\nanswer: o\njump: J\nnote: O\nodds: M\nundo: z\n"


async def test_screen_follows_the_keymap(tmp_path: Path) -> None:
    """Commands answer to their new keys and not to their old ones; footer, hints and help name the new ones."""
    keymap = written(tmp_path, REMAPPED)
    assert keymap.problems == ()
    async with opened(fight(tmp_path), keymap=keymap) as table:
        screen = table.text()
        assert "y act  A sheet  k next  d damage" in screen.splitlines()[-1]
        assert "y act · k → Wolf" in screen

        await table.type("n-ae")
        assert isinstance(table.mode, GmCommandMode)  # e alone is still what it was
        await table.press("escape")
        await table.type("d7g⏎")
        assert table.hp("goblin-1") == 0
        await table.type("z")
        assert table.hp("goblin-1") == 7
        await table.type("J'w")
        assert table.mode == Picker("wolf")
        await table.press("escape")
        await table.type("j")


async def test_hints_of_modes_follow_the_keymap(tmp_path: Path) -> None:
    """What may have been missed goes on with the key that goes on."""
    keymap = written(tmp_path, REMAPPED)
    async with opened(fight(tmp_path, encounter(rules=House(owed=True))), keymap=keymap) as table:
        await table.type("k")
        assert "k goes on" in table.text()
        await table.type("k")
        assert table.state.clock.current is not None
        assert table.state.clock.current.members == ("wolf",)
        await table.type("[")
        assert "o goes on from here as a branch, v comes back to now" in table.pane("console")
        await table.type("v")
        await table.type("yg⏎")
        await table.press("escape")
        assert "o or k" in table.text()
        await table.type("J")
        assert isinstance(table.mode, Jump)
        assert "J again" in table.text() or "' again" in table.text()


@pytest.mark.parametrize("text", ["damge: d\nheal: e\n", "quit: x\nheal: Q\nx: [", "\x00"])
async def test_problems_are_shown_at_the_start(tmp_path: Path, text: str) -> None:
    """A file with mistakes opens the app all the same."""
    keymap = written(tmp_path, text)
    async with opened(fight(tmp_path), keymap=keymap) as table:
        assert keymap.problems[0] in table.pane("console")
        await table.type("?")
        await table.press("end")
        shown = table.pane("over")
        assert "Wrong in the keymap file" in shown
        assert all(problem in shown for problem in keymap.problems)
        await table.press("escape", "escape")
        assert "keys.yaml" not in table.text()
        await table.press("ctrl+q")
        assert not table.app.is_running or table.app._exit


def test_descriptions_name_the_keys_as_they_are(tmp_path: Path) -> None:
    """A line of the help that names other keys follows them."""
    lines = [text for _, keys in groups(written(tmp_path, REMAPPED).table) for _, text in keys]

    assert "look one step back; o goes on from there, v comes back to now" in lines


def test_footer_ends_in_quit_however_it_is_remapped(tmp_path: Path) -> None:
    """The way out stays in sight."""
    assert footer("fight", written(tmp_path, "quit: Q\n").table)[-1] == ("Q", "quit")
