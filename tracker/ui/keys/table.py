"""The one table of keys: the screen's commands, the footer, the help, the palette and the keymap file are all made from it.

A `Key` with an action is a command and can be remapped by its id. One without is fixed: the mode that is open reads it
itself, because there it stands for text or for moving about, and the table only says what it does. A description names
other keys by their ids in braces.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "FOOTERS",
    "KEYS",
    "NAMES",
    "ON_THE_MAP",
    "Key",
    "On",
    "Place",
    "called",
    "commands",
    "described",
    "face",
    "faces",
    "footer",
    "groups",
    "key_of",
    "on",
    "remapped",
]

Place: TypeAlias = Literal[
    "fight",
    "waiting",
    "prompt",
    "verb",
    "picker",
    "form",
    "missed",
    "line",
    "palette",
    "reader",
    "report",
    "past",
    "start",
    "broken",
    "party",
]
On: TypeAlias = Literal["fight", "start"]


class Key(Struct, frozen=True):
    """One command and its key.

    Attributes:
        id: its name in a keymap file.
        key: its keys with commas between, as the terminal library spells them.
        action: what is called; "" where the open mode reads the key itself.
        word: its name in the footer.
        description: one line for the help.
        group: the heading it stands under.
        shown: in which footers, in the order of the table.
        near: the panes and places whose help names it first.
        screens: on which screens it is.
    """

    id: str
    key: str
    action: str
    word: str
    description: str
    group: str
    shown: tuple[Place, ...] = ()
    near: tuple[str, ...] = ()
    screens: tuple[On, ...] = ("fight",)


_LISTS = ("order", "roster", "log")
_PANES = (*_LISTS, "console", "map")
_GOING: tuple[Place, ...] = ("fight", "missed")
_TYPED: tuple[Place, ...] = ("verb", "picker", "form", "line", "palette")
_AGO: tuple[Place, ...] = ("past",)
_LEFT: tuple[Place, ...] = (*_TYPED, "missed", "reader")
_OVER: tuple[Place, ...] = ("broken", "party")
_QUITTING: tuple[Place, ...] = ("fight", "waiting", "prompt", "missed", "report", "past", "start", *_TYPED, *_OVER)
_BOTH: tuple[On, ...] = ("fight", "start")
_START: tuple[On, ...] = ("start",)

KEYS: tuple[Key, ...] = (
    Key(
        "answer",
        "enter",
        "open",
        "answer",
        "answer what is asked; in a pane: open the line under the cursor",
        "Turn",
        ("waiting", "past"),
        (*_LISTS, "map"),
    ),
    Key(
        "act",
        "a",
        "act",
        "act",
        "act with whoever is active or chosen: the usual action stands first",
        "Turn",
        ("fight",),
        ("console", "roster"),
    ),
    Key(
        "next",
        "n",
        "advance",
        "next",
        "end the turn, the phase or the round; where something is asked, go there",
        "Turn",
        _GOING,
        ("console", "missed"),
    ),
    Key(
        "jump",
        "apostrophe",
        "jump",
        "jump",
        "go to somebody by label; twice: act out of turn as that one",
        "Turn",
        (),
        ("roster",),
    ),
    Key(
        "damage",
        "minus",
        "verb('damage')",
        "damage",
        "number and labels; capitals take half, others a share: -21abC d*2 e/4",
        "Game master",
        ("fight",),
    ),
    Key(
        "heal",
        "plus",
        "verb('heal')",
        "heal",
        "heal: number and labels; a word names another pool: +3a mp",
        "Game master",
        ("fight",),
    ),
    Key(
        "effect",
        "e",
        "verb('effect')",
        "effect",
        "add an effect: e prone g 3, e blessed g +1 attack 3 rounds; * keeps it",
        "Game master",
        ("fight",),
    ),
    Key(
        "end_effect",
        "x",
        "verb('end_effect')",
        "end effect",
        "end an effect: label, and its number where there are several",
        "Game master",
        ("fight",),
    ),
    Key(
        "status",
        "s",
        "verb('status')",
        "status",
        "up, down, dead, fled: labels and the word or its number",
        "Game master",
        ("fight",),
    ),
    Key(
        "insert",
        "i",
        "verb('insert')",
        "insert",
        "let combatants join from the bestiary: 2 gob",
        "Game master",
        ("fight",),
    ),
    Key(
        "move",
        "m",
        "verb('move')",
        "move",
        "move in the order: label, then the label it goes before; or hold, wait",
        "Game master",
        (),
        ("order",),
    ),
    Key(
        "set",
        "equals_sign",
        "verb('set')",
        "set",
        "set a value: label, number, and a word for which: =g 12",
        "Game master",
    ),
    Key("roll", "f", "verb('roll')", "roll", "roll dice freely: 2d6+3", "Game master"),
    Key(
        "note",
        "o",
        "verb('note')",
        "note",
        "write a note on the fight, or on somebody: g: afraid of fire",
        "Game master",
    ),
    Key("repeat", "full_stop", "repeat", "again", "the last command again, on new labels", "Game master"),
    Key("undo", "u,ctrl+z", "undo", "undo", "take back the last answer or step", "Time", ("fight", "waiting")),
    Key("redo", "U,ctrl+y", "redo", "redo", "do it again", "Time"),
    Key(
        "earlier",
        "left_square_bracket",
        "look(-1)",
        "earlier",
        "look one step back; {answer} goes on from there, {back} comes back to now",
        "Time",
        _AGO,
    ),
    Key("later", "right_square_bracket", "look(1)", "later", "look one step forward", "Time", _AGO),
    Key(
        "correct",
        "c",
        "correct",
        "correct",
        "correct a die, decision or action of the past; see what would differ",
        "Time",
        (),
        ("log",),
    ),
    Key("branches", "B", "branches", "branches", "the ways this fight has gone: go to one, name it", "Time"),
    Key(
        "what_if",
        "w",
        "what_if",
        "what-if",
        "try things; nothing is real until it is kept; again: keep it, drop it or go on",
        "Time",
    ),
    Key("order", "1", "pane(1)", "initiative", "look at the initiative; again: enlarge it", "Panes"),
    Key("roster", "2", "pane(2)", "combatants", "look at the combatants; again: enlarge them", "Panes"),
    Key("log", "3", "pane(3)", "log", "look at the log; again: enlarge it", "Panes"),
    Key("console", "4", "pane(4)", "action", "look at the action; again: enlarge it", "Panes"),
    Key(
        "map",
        "5",
        "pane(5)",
        "map",
        "look at the map, where the fight has one: arrows move, {answer} goes there; again: enlarge it",
        "Panes",
    ),
    Key(
        "template",
        "t",
        "template",
        "area",
        "on the map: an area around the cursor and whom it catches; again: a wider one",
        "Panes",
        (),
        ("map",),
    ),
    Key(
        "block",
        "b",
        "block",
        "stat block",
        "show or hide the stat block of whoever is under the cursor",
        "Panes",
        (),
        ("order", "roster"),
    ),
    Key("up", "up", "move(-1)", "", "one line up", "Panes", (), _PANES, _BOTH),
    Key("down", "down", "move(1)", "", "one line down", "Panes", (), _PANES, _BOTH),
    Key("left", "left", "aside(-1)", "", "on the map: one square to the left", "Panes", (), ("map",)),
    Key("right", "right", "aside(1)", "", "on the map: one square to the right", "Panes", (), ("map",)),
    Key("page_up", "pageup", "move(-10)", "", "ten lines up", "Panes", (), _PANES, _BOTH),
    Key("page_down", "pagedown", "move(10)", "", "ten lines down", "Panes", (), _PANES, _BOTH),
    Key("top", "home", "move(-1000000)", "", "to the first line", "Panes", (), _PANES, _BOTH),
    Key("bottom", "end", "move(1000000)", "", "to the last line", "Panes", (), _PANES, _BOTH),
    Key("odds", "O", "odds", "odds", "show the odds of the action in hand, or do without them", "Panes"),
    Key(
        "filter",
        "slash",
        "filter",
        "filter",
        "show only the lines of this pane that hold a word; {back} shows all",
        "Panes",
        (),
        _LISTS,
    ),
    Key(
        "p.enter",
        "enter",
        "",
        "take it",
        "with dice or a number typed: those; empty: the program rolls, or the default",
        "In a prompt",
        ("prompt",),
    ),
    Key("p.dice", "1…9", "", "", "14 is a total, 4 2 are faces; or the number of an option", "In a prompt"),
    Key(
        "p.rest",
        "*",
        "",
        "roll the rest",
        "the program rolls this one and the rest of the step",
        "In a prompt",
        ("prompt",),
    ),
    Key("p.label", "a…z", "", "", "a label: chooses that one, or opens what it can do in between", "In a prompt"),
    Key(
        "p.leave",
        "escape",
        "",
        "look around",
        "leave the question standing and look around; {next} or {answer} comes back",
        "In a prompt",
        ("prompt",),
    ),
    Key(
        "l.complete",
        "tab",
        "",
        "complete",
        "complete the word with the marked one of the list",
        "In the command line",
        ("line",),
    ),
    Key(
        "l.history",
        "up",
        "",
        "history",
        "up and down: earlier lines while it is empty, else the list",
        "In the command line",
        ("line",),
    ),
    Key("k.enter", "enter", "", "do it", "do it", "In a command", (*_TYPED, "report"), _TYPED),
    Key(
        "k.choose",
        "up",
        "",
        "",
        "up and down choose from the list; a number too",
        "In a command",
        (),
        ("verb", "picker", "palette", "missed"),
    ),
    Key(
        "k.form",
        "tab",
        "",
        "all fields",
        "open every field of the action",
        "In a command",
        ("picker", "verb"),
        ("picker", "verb"),
    ),
    Key(
        "k.field",
        "tab",
        "",
        "next field",
        "next field; shift+tab the one before; left and right change a choice",
        "In a command",
        ("form",),
        ("form",),
    ),
    Key(
        "k.master",
        "right",
        "",
        "",
        "right: what the game master and the sides can do; left: back",
        "In a command",
        (),
        ("picker",),
    ),
    Key(
        "k.force", "!", "", "", "force what the rules refuse; the log says so", "In a command", (), (*_TYPED, "console")
    ),
    Key("k.leave", "escape", "", "leave", "leave it; nothing has happened", "In a command", (*_LEFT, "report"), _LEFT),
    Key(
        "m.settle",
        "enter",
        "",
        "settle",
        "settle what may have been missed; tab opens whom it is about",
        "Before going on",
        ("missed",),
    ),
    Key("m.drop", "x", "", "drop", "drop it for good", "Before going on", ("missed",)),
    Key("m.all", "*", "", "settle all", "settle all of it", "Before going on", ("missed",)),
    Key(
        "s.open",
        "enter",
        "open",
        "open",
        "take the fight up, or begin the encounter; of a broken one say why",
        "Start screen",
        ("start",),
        (),
        _START,
    ),
    Key("s.number", "1…9", "", "", "the number of a line goes there", "Start screen", (), (), _START),
    Key("s.other", "tab", "other", "other list", "go to the other list", "Start screen", (), (), _START),
    Key(
        "s.filter",
        "slash",
        "filter",
        "filter",
        "show only what holds these words, in its title, game or file",
        "Start screen",
        ("start",),
        (),
        _START,
    ),
    Key(
        "s.edit",
        "e",
        "edit",
        "edit",
        "open the file where it is wrong, in $VISUAL or $EDITOR",
        "Start screen",
        ("start", "broken"),
        (),
        _START,
    ),
    Key(
        "s.anyway",
        "b",
        "anyway",
        "begin all the same",
        "begin an encounter in spite of its problems",
        "Start screen",
        ("broken",),
        (),
        _START,
    ),
    Key(
        "s.reload",
        "r",
        "reload",
        "read again",
        "read every fight and file again",
        "Start screen",
        ("start",),
        (),
        _START,
    ),
    Key(
        "s.away",
        "d",
        "away",
        "put away",
        "put a fight away, or take it out again; nothing is deleted",
        "Start screen",
        ("start",),
        (),
        _START,
    ),
    Key(
        "s.last",
        "u",
        "take_out",
        "take out",
        "take out the fight that was put away last",
        "Start screen",
        (),
        (),
        _START,
    ),
    Key(
        "s.shown",
        "D",
        "show_away",
        "those put away",
        "show the fights that were put away, or hide them",
        "Start screen",
        ("start",),
        (),
        _START,
    ),
    Key(
        "s.begin", "enter", "", "begin", "before a fight: begin it in this way", "Start screen", ("party",), (), _START
    ),
    Key(
        "s.dead",
        "space",
        "",
        "dead come too",
        "before a fight: let the dead come too, as their file has them",
        "Start screen",
        ("party",),
        (),
        _START,
    ),
    Key(
        "s.leave",
        "escape",
        "back",
        "leave",
        "close what is open; from the lists: leave the program",
        "Start screen",
        _OVER,
        (),
        _START,
    ),
    Key(
        "line",
        "colon",
        "line",
        "command",
        "one line for everything, with history: w att g 14 5",
        "Help",
        ("fight", "waiting"),
        ("console",),
    ),
    Key(
        "palette",
        "ctrl+p",
        "palette",
        "palette",
        "everything there is, by name",
        "Help",
        ("fight", "waiting"),
        ("console",),
    ),
    Key("rule", "r", "rule", "rule", "the rule behind the line under the cursor; look rules up", "Help", (), ("log",)),
    Key(
        "help",
        "question_mark,f1",
        "help",
        "keys",
        "this list; f1 anywhere",
        "Help",
        ("fight", "waiting", "start"),
        (),
        _BOTH,
    ),
    Key("back", "escape", "back", "", "close what is open; changes nothing in the fight", "Help", ("past",)),
    Key("quit", "ctrl+q", "app.quit", "quit", "leave; nothing is lost", "Help", _QUITTING, (), _BOTH),
)
"""Every key, in the order in which footer and help name them."""

_HERE = {"In a prompt": ("prompt",), "In the command line": ("line",), "Before going on": ("missed",)}
"""Headings whose keys all belong to one place."""

ON_THE_MAP = ("map", "template", "left", "right")
"""Commands that do nothing in a fight without a map."""

FOOTERS: tuple[Place, ...] = (
    "fight",
    "waiting",
    "prompt",
    "verb",
    "picker",
    "form",
    "missed",
    "line",
    "palette",
    "reader",
    "report",
    "past",
    "start",
    "broken",
    "party",
)

_WORDS = {("past", "answer"): "go on from here", ("past", "back"): "now"}
"""What a command is called in the footer of one place, where it does something of its own there."""

NAMES = {
    "exclamation_mark": "!",
    "quotation_mark": '"',
    "number_sign": "#",
    "dollar_sign": "$",
    "percent_sign": "%",
    "ampersand": "&",
    "apostrophe": "'",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "asterisk": "*",
    "plus": "+",
    "comma": ",",
    "minus": "-",
    "full_stop": ".",
    "slash": "/",
    "colon": ":",
    "semicolon": ";",
    "less_than_sign": "<",
    "equals_sign": "=",
    "greater_than_sign": ">",
    "question_mark": "?",
    "at": "@",
    "left_square_bracket": "[",
    "backslash": "\\",
    "right_square_bracket": "]",
    "circumflex_accent": "^",
    "underscore": "_",
    "grave_accent": "`",
    "left_curly_bracket": "{",
    "vertical_line": "|",
    "right_curly_bracket": "}",
    "tilde": "~",
    "pageup": "page up",
    "pagedown": "page down",
    "escape": "esc",
}
"""How keys are called on the screen, where not by the name the terminal library has for them."""


@lru_cache(maxsize=1000)
def called(key: str) -> str:
    """Return one key as people call it."""
    before, plus, last = key.rpartition("+")
    return NAMES.get(key) or before + plus + NAMES.get(last, last)


def face(key: str) -> str:
    """Return the first of some keys as people call it."""
    return called(key.partition(",")[0])


@lru_cache(maxsize=8)
def faces(table: tuple[Key, ...] = KEYS) -> Mapping[str, str]:
    """Return how the key of each command is called."""
    return {key.id: face(key.key) for key in table if key.action}


def key_of(name: str, table: tuple[Key, ...] = KEYS) -> str:
    """Return how the key of one command is called."""
    return next(face(key.key) for key in table if key.id == name)


def described(key: Key, table: tuple[Key, ...] = KEYS) -> str:
    """Return a command's line for the help, with the other keys it names as they are now."""
    return key.description.format_map(faces(table)) if "{" in key.description else key.description


def on(screen: On, table: tuple[Key, ...] = KEYS) -> tuple[Key, ...]:
    """Return the keys of a screen."""
    return tuple(key for key in table if screen in key.screens)


def commands(table: tuple[Key, ...] = KEYS, screen: On = "fight") -> dict[str, Key]:
    """Return the command of each key of a screen."""
    return {name: key for key in on(screen, table) if key.action for name in key.key.split(",")}


def remapped(keymap: Mapping[str, str]) -> tuple[Key, ...]:
    """Return the table as the user has remapped it."""
    return tuple(replace(key, key=keymap.get(key.id, key.key)) for key in KEYS) if keymap else KEYS


def footer(place: Place, table: tuple[Key, ...] = KEYS) -> tuple[tuple[str, str], ...]:
    """Return what the footer shows there: key, as the terminal library spells it, and word."""
    return tuple(
        (key.key.partition(",")[0], _WORDS.get((place, key.id), key.word)) for key in table if place in key.shown
    )


def groups(table: tuple[Key, ...] = KEYS, here: str = "") -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return the help: each heading with its keys and what they do; first, under no heading, what belongs to the pane or place that is `here`."""
    near = [key for key in table if here in key.near or here in _HERE.get(key.group, ())]
    rest = [key for key in table if key not in near]
    headings = dict.fromkeys(key.group for key in rest)
    first = (("", _lines(near, table)),) if near else ()
    return (*first, *((heading, _lines([key for key in rest if key.group == heading], table)) for heading in headings))


def _lines(keys: list[Key], table: tuple[Key, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((face(key.key), described(key, table)) for key in keys)
