"""Variants of an encounter: without a member, or with another number of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup, Wave
from tracker.core.terms.errors import TrackerError

_Group = TypeVar("_Group", SideSetup, Wave)
MOST_COUNTED = 50
"""Highest count of one member."""
_SWEEP = re.compile(r"\s*(?P<name>.+?)\s*=\s*(?P<least>[0-9]{1,9})\s*(?:\.\.\s*(?P<most>[0-9]{1,9})\s*)?")


class CountRange(Struct, frozen=True):
    """The counts of one member, from the least to the most."""

    name: str
    least: int
    most: int


def read_count_range(text: str) -> CountRange:
    """Parse a typed range of counts: `goblin=6..12`, or `goblin=8`.

    Raises:
        ValueError: the text is no range; the message says how to write one.
    """
    if match := _SWEEP.fullmatch(text):
        least = int(match["least"])
        most = int(match["most"] or least)
        if least <= most <= MOST_COUNTED:
            return CountRange(match["name"], least, most)
    raise ValueError(f'"{text}": write NAME=N..M, such as goblin=6..12, up to {MOST_COUNTED}')


def without(encounter: Encounter, name: str) -> Encounter:
    """Return the encounter without a member, waves included.

    Raises:
        TrackerError: no member has that name.
    """
    _check_name(encounter, name)
    sides = tuple(_counted(encounter.sides, name, 0))
    return replace(encounter, sides=sides, waves=tuple(_counted(encounter.waves, name, 0)))


def variants(encounter: Encounter, sweep: CountRange) -> Iterator[tuple[int, Encounter]]:
    """Return the encounter with each count of a member, the least first.

    Several members of that name are counted together as one; the waves' members only if no side has the name.

    Raises:
        TrackerError: no member has that name.
    """
    _check_name(encounter, sweep.name)
    on_side = any(_named(member, sweep.name) for side in encounter.sides for member in side.members)

    def variant(count: int) -> Encounter:
        if on_side:
            return replace(encounter, sides=tuple(_counted(encounter.sides, sweep.name, count)))
        return replace(encounter, waves=tuple(_counted(encounter.waves, sweep.name, count)))

    return ((count, variant(count)) for count in range(sweep.least, sweep.most + 1))


def _counted(groups: Iterable[_Group], name: str, count: int) -> Iterator[_Group]:
    """Yield sides or waves with this count of a member: the first of the name has it, the others are left out."""
    for group in groups:
        members = []
        for member in group.members:
            if not _named(member, name):
                members.append(member)
            elif count:
                members.append(replace(member, count=Dice((), count)))
                count = 0
        yield replace(group, members=tuple(members))


def _named(member: Member, name: str) -> bool:
    return name.casefold() in (member.ref.casefold(), member.name.casefold(), member.id.casefold())


def _check_name(encounter: Encounter, name: str) -> None:
    if not any(_named(member, name) for member in encounter.members):
        names = ", ".join(dict.fromkeys(member.ref or member.name for member in encounter.members))
        raise TrackerError(f'there is no "{name}" in this encounter ({names})', "no_such_member")
