"""An encounter as the text of a file, which parses to the same encounter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import fields

from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.terms.encounter import Encounter, MapSetup, Member, SideSetup, TimedNote, Wave
from tracker.library.content.printed import dumped

HEAD = {
    "sides:": "Everybody who fights, each with a whole stat block.",
    "waves:": "Combatants who come later.",
    "reminders:": "Sentences that appear at their moment.",
}
"""Comments above lines of the file."""


def encounter_text(ruleset: Ruleset, encounter: Encounter, about: Sequence[str] = ()) -> str:
    """Return an encounter as YAML, every stat block in place, below the comments `about` it.

    Conditions that the combatants have from an earlier fight are left out.
    """
    writer = _Writer(ruleset)
    parts: dict[str, object] = {
        "ruleset": encounter.ruleset,
        "title": encounter.title,
        "house_rules": writer.plain(encounter.house_rules),
        "setup": writer.plain(encounter.setup),
        "screen": writer.plain(encounter.screen),
        "clock": encounter.clock is True,
        "handout": encounter.handout if encounter.handout is not UNSET else "",
        "map": _map(encounter.map),
        "sides": [writer.side(side) for side in encounter.sides],
        "waves": [writer.wave(wave) for wave in encounter.waves],
        "reminders": [_reminder(reminder) for reminder in encounter.reminders],
        "notes": encounter.notes,
    }
    lines = [f"# {line}" for line in about]
    for line in dumped({key: value for key, value in parts.items() if value}).split("\n"):
        lines += [f"# {HEAD[line]}"] if line in HEAD else []
        lines.append(line)
    return "\n".join(lines) + "\n"


class _Writer:
    def __init__(self, ruleset: Ruleset) -> None:
        self._codec = codec_of(ruleset.schema)

    def plain(self, value: object) -> Any:
        """Return a Struct as the keys of a file, without defaults; None for any other value."""
        if not isinstance(value, Struct):
            return None
        encoded = self._codec.builtins(value)
        keys = {
            field.encode_name: self._inner(getattr(value, field.name), encoded[field.encode_name])
            for field in fields(value)
            if field.encode_name in encoded and (field.required or getattr(value, field.name) != field.default)
        }
        return {key: inner for key, inner in keys.items() if inner is not None}

    def _inner(self, value: object, encoded: object) -> object:
        """Return a key's value: entries of a list without defaults, a single Struct whole."""
        if isinstance(value, tuple | list) and any(isinstance(part, Struct) for part in value):
            return [self.plain(part) for part in value]
        return encoded

    def side(self, side: SideSetup) -> dict[str, object]:
        head = {"name": side.name, "id": side.id, "control": side.control, **(self.plain(side.data) or {})}
        rest = {"public": side.public, "health": side.health, "dice": side.dice}
        return _given(head | rest) | {"members": [self.member(member) for member in side.members]}

    def member(self, member: Member) -> dict[str, object]:
        block = self.plain(member.block)
        count = "" if str(member.count) == "1" else str(member.count)
        head = {"name": member.name, "id": member.id, "kind": member.kind, "count": count}
        rest = {"notes": block.get("notes") or member.notes, "hidden": member.hidden, "public": member.public}
        return (
            _given(head | (self.plain(member.data) or {}))
            | {key: value for key, value in block.items() if key not in head}
            | _given(rest)
        )

    def wave(self, wave: Wave) -> dict[str, object]:
        head = {"when": wave.when, "side": wave.side, "title": wave.title, "hidden": wave.hidden}
        return _given(head) | {"members": [self.member(member) for member in wave.members]}


def _given(values: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if value not in (None, "", UNSET)}


def _reminder(reminder: TimedNote) -> dict[str, object]:
    return _given({"when": reminder.when, "text": reminder.text})


def _map(board: object) -> dict[str, object] | None:
    if not isinstance(board, MapSetup):
        return None
    if board.fog == "squares":
        squares = [f"{first}-{last},{row}" if first != last else f"{first},{row}" for row, first, last in board.squares]
        return {"fog": squares}
    return _given({"fog": board.fog, "sees": board.sees or None})
