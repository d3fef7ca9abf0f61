"""Encounters in outline: who fights, who comes when, what the GM noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tracker.core.terms.encounter import Encounter, Member

__all__ = ["Outline", "outlined", "sketched"]


class Outline(Struct, frozen=True):
    """What an encounter holds, in words.

    Attributes:
        sides: each side's name and members.
        waves, reminders: each with its moment, "" for by hand or always.
        notes: the GM's.
    """

    sides: tuple[tuple[str, str], ...] = ()
    waves: tuple[tuple[str, str], ...] = ()
    reminders: tuple[tuple[str, str], ...] = ()
    notes: str = ""


def outlined(encounter: Encounter) -> Outline:
    """Return an encounter that has been read in outline."""
    return Outline(
        tuple((side.name, _members(side.members)) for side in encounter.sides),
        tuple((wave.when, wave.title or _members(wave.members)) for wave in encounter.waves),
        tuple((reminder.when, reminder.text) for reminder in encounter.reminders),
        encounter.notes,
    )


def _members(members: Sequence[Member]) -> str:
    return ", ".join(_many(str(member.count), member.name) for member in members)


def _many(count: str, name: str) -> str:
    return name if count == "1" else f"{count} × {name}"


def sketched(written: Mapping[str, object]) -> Outline:
    """Return an encounter's file in outline as it is written, whatever is wrong with it."""
    return Outline(
        tuple((_text(side.get("name")), _written(side.get("members"))) for side in _mappings(written.get("sides"))),
        tuple(
            (_text(wave.get("when")), _text(wave.get("title")) or _written(wave.get("members")))
            for wave in _mappings(written.get("waves"))
        ),
        tuple((_text(each.get("when")), _text(each.get("text"))) for each in _mappings(written.get("reminders"))),
        _text(written.get("notes")),
    )


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _written(value: object) -> str:
    """Return members as they are written: a file, or a list of names and references."""
    if not isinstance(value, list):
        return _text(value)
    names = []
    for each in value:
        one = each if isinstance(each, dict) else {"ref": each}
        name = _text(one.get("name")) or _text(one.get("ref")).replace("-", " ").replace("_", " ")
        names.append(_many(str(one.get("count", 1)), name))
    return ", ".join(names)
