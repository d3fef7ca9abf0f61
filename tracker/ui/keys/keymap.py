"""The keymap file: `keys.yaml` in the user's configuration folder, with ids of commands and the user's keys.

Each mistake in the file is a problem of one line with its position, and the command keeps its default key. The app
starts with every file, however broken.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tracker.ui.keys.command import Command, On
from tracker.ui.keys.table import KEYS, NAMES, called, remapped

if TYPE_CHECKING:
    from tracker.library.yaml.problems import Node, Problem
    from tracker.library.yaml.tree import Tree


FILE = "keys.yaml"
QUIT = "ctrl+q"
OWN_NAMES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "page up": "pageup",
    "page down": "pagedown",
    "blank": "space",
}  # fmt: skip - words
_NAMED = (
    "enter",
    "escape",
    "tab",
    "space",
    "backspace",
    "delete",
    "insert",
    "home",
    "end",
    "pageup",
    "pagedown",
    "up",
    "down",
    "left",
    "right",
)  # fmt: skip - words
_MODIFIERS = ("ctrl", "shift", "alt")
_SWALLOWED = ("ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m", "ctrl+enter", "shift+enter")
_SIGNS = {sign: name for name, sign in NAMES.items() if len(sign) == 1}


class Keymap(Struct, frozen=True):
    """The table of commands with the user's keys, and the mistakes in the file."""

    table: tuple[Command, ...] = KEYS
    problems: tuple[str, ...] = ()


class Override(Struct, frozen=True):
    """One line of the file: the keys of a command."""

    id: str
    keys: tuple[str, ...]
    line: int


def keymap_path() -> Path:
    import platformdirs  # not needed before the first frame

    return platformdirs.user_config_path("encounter-tracker", appauthor=False) / FILE


def read_keymap(path: Path) -> Keymap:
    try:
        if not path.exists():
            return Keymap()
    except (OSError, ValueError):
        return Keymap()  # a folder that cannot be read counts as one without the file

    from tracker.library.yaml.tree import load  # only needed if the file exists

    return _Reading(load(path, path.name)).keymap()


class _Reading:
    """One reading of a keymap file."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._found: list[Problem] = list(tree.problems)

    def keymap(self) -> Keymap:
        wishes = self._wishes()
        table = remapped(self._settled(wishes))
        return Keymap(table, tuple(problem.render() for problem in sorted(self._found)))

    def _wrong(self, name: str, message: str, hint: str = "", key: bool = False) -> None:
        self._found.append(self._tree.problem((name,) if name else (), message, hint, key=key))

    # The lines of the file

    def _wishes(self) -> dict[str, Override]:
        value = self._tree.value
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._wrong("", "a keymap has a command on each line, with its key behind it", 'such as damage: "-"')
            return {}
        known = {key.id: key for key in KEYS}
        wishes = {}
        for name, node in value.items():
            key = known.get(name)
            if key is None:
                self._wrong(name, f'there is no command "{name}"', self._meant(name), key=True)
            elif not key.call:
                fixed = f"{called(key.key)} is fixed there and cannot be remapped: {key.description}"
                self._wrong(name, fixed, key=True)
            elif keys := self._keys(key, node):
                wishes[name] = Override(name, keys, self._tree.key_position((name,))[0])
        return wishes

    def _meant(self, name: str) -> str:
        from tracker.library.yaml.problems import did_you_mean

        words = {key.word: key.id for key in KEYS if key.call and key.word}
        ids = [key.id for key in KEYS if key.call]
        known = f"did you mean {words[name]}?" if name in words else did_you_mean(name, ids)
        return known or "tracker keys lists all of them"

    def _keys(self, key: Command, node: Node) -> tuple[str, ...]:
        parts = node if isinstance(node, list) else [node]
        texts: list[str] = []
        for part in parts:
            if isinstance(part, bool) or not isinstance(part, str | int):
                hint = f'such as {key.id}: "{called(key.key.partition(",")[0])}"'
                self._wrong(key.id, "keys are text: put them in quotes", hint)
                return ()
            text = str(part)
            texts += [text.strip()] if text.strip() == "," else [piece.strip() for piece in text.split(",")]
        found: list[str] = []
        for text in texts:
            try:
                name = read_key(text)
            except ValueError as error:
                self._wrong(key.id, str(error))
                continue
            if name == QUIT and key.id != "quit":
                self._wrong(key.id, f"{QUIT} always quits")
            elif name not in found:
                found.append(name)
        swallowed = [name for name in found if name in _SWALLOWED or "alt+" in name]
        for name in swallowed:
            hint = "" if len(found) > len(swallowed) else f"{_words(key.key)} works as well"
            self._wrong(key.id, f"many terminals swallow {called(name)}", hint)
        if found and (key.id == "quit" or len(swallowed) == len(found)):
            found += [name for name in key.key.split(",") if name not in found]
        return tuple(found)

    # Clashes

    def _settled(self, wishes: dict[str, Override]) -> dict[str, str]:
        """Return the keys of each remapped command; of two with the same key, the lower line gets its default key."""
        left = dict(wishes)
        while True:
            holders: dict[tuple[str, On], list[str]] = {}
            for key in KEYS:
                if key.call:
                    for name in left[key.id].keys if key.id in left else key.key.split(","):
                        for screen in key.screens:
                            holders.setdefault((name, screen), []).append(key.id)
            clashes = [
                (left[name].line, name, place)
                for place, ids in holders.items()
                if len(ids) > 1
                for name in ids
                if name in left
            ]
            if not clashes:
                return {name: ",".join(wish.keys) for name, wish in left.items()}
            _, loser, (name, screen) = max(clashes)
            other = next(holder for holder in holders[name, screen] if holder != loser)
            usual = next(key.key for key in KEYS if key.id == loser)
            free = _freed(loser, left, holders)
            kept = f"{loser} keeps {_words(usual)}"
            way = kept if free == usual else f"its own is another's now: {loser} takes {called(free)}"
            self._wrong(loser, f"{called(name)} is the key of {other}", way)
            if free == usual:
                del left[loser]
            else:
                left[loser] = replace(left[loser], keys=(free,))


def _freed(loser: str, wishes: dict[str, Override], holders: dict[tuple[str, On], list[str]]) -> str:
    """Return the default key of a command whose wish clashes; if another command took that key, return that one's.

    So a clash never takes a key from another remapped command.
    """
    by_id = {key.id: key for key in KEYS}
    usual = free = by_id[loser].key
    for _ in KEYS:
        takers = {taker for screen in by_id[loser].screens for taker in holders.get((free, screen), ())} - {loser}
        if not takers:
            return free
        taker = takers.pop()
        if takers or taker not in wishes or "," in by_id[taker].key:
            return usual
        free = by_id[taker].key
    return usual


def _words(keys: str) -> str:
    return " and ".join(called(name) for name in keys.split(","))


def read_key(text: str) -> str:
    """Return a key by its name in Textual; raises ValueError with a message of one line for the user."""
    if not text:
        raise ValueError('a key is missing (the comma itself is "comma")')
    if len(text) == 1:
        if not text.isprintable():
            raise ValueError("that is no key")
        return _SIGNS.get(text, "space" if text == " " else text)
    plain = text.casefold()
    plain = OWN_NAMES.get(plain, plain)
    *before, last = (
        re.split(r"\s*\+\s*", plain) if not plain.endswith("++") else (*re.split(r"\s*\+\s*", plain[:-2]), "plus")
    )
    last = OWN_NAMES.get(last, last)
    modifiers = {"control": "ctrl", "strg": "ctrl", "meta": "alt", **OWN_NAMES}
    before = [modifiers.get(part, part) for part in before if part]
    if all(part in _MODIFIERS for part in before):
        last = _SIGNS.get(last, last)
        if (
            last in _NAMED
            or last in NAMES
            or re.fullmatch(r"f([1-9]|1\d|2[0-4])", last)
            or (len(last) == 1 and before and last.isprintable())
        ):
            if before == ["shift"] and len(last) == 1:
                return last.upper()
            return "+".join([*sorted(before, key=_order), last])
    from tracker.library.yaml.problems import did_you_mean

    names = [
        *_NAMED,
        *OWN_NAMES,
        *NAMES,
        *(f"ctrl+{letter}" for letter in "abcdefgklnoprstuvwxyz"),
        *(f"f{number}" for number in range(1, 13)),
    ]
    hint = did_you_mean(plain, names)
    raise ValueError(f'"{text}" is no key' + (f" ({hint})" if hint else ""))


def _order(modifier: str) -> int:
    return ("alt", "ctrl", "shift").index(modifier)


def template(table: tuple[Command, ...] = KEYS) -> str:
    lines = [
        "# Keys of the encounter tracker. Leave out what is to stay as it is; several keys stand with commas between.",
        "",
    ]
    group = ""
    for key in table:
        if not key.call:
            continue
        if key.group != group:
            lines += ["", f"# {key.group}"] if group else [f"# {key.group}"]
            group = key.group
        names = ", ".join("comma" if name == "comma" else called(name) for name in key.key.split(","))
        quoted = '"' + names.replace("\\", "\\\\").replace('"', '\\"') + '"'
        lines.append(f"{key.id + ':':<13}{quoted:<22}# {key.word or key.description}")
    return "\n".join(lines) + "\n"


def keymap_schema() -> dict[str, object]:
    key = {"type": ["string", "integer"]}
    keys = {"anyOf": [key, {"type": "array", "items": key}]}
    properties: dict[str, object] = {
        command.id: {**keys, "description": command.description or command.word, "default": command.key}
        for command in KEYS
        if command.call
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Keys of the encounter tracker",
        "type": ["object", "null"],
        "properties": properties,
        "additionalProperties": False,
    }
