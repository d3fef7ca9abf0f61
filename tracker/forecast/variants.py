"""An encounter with other numbers: without a member, or with so many of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import TrackerError

MOST_COUNTED = 50
"""Of one member, so many at the most."""
_SWEEP = re.compile(r"\s*(?P<name>.+?)\s*=\s*(?P<least>[0-9]{1,9})\s*(?:\.\.\s*(?P<most>[0-9]{1,9})\s*)?")


class CountRange(Struct, frozen=True):
    """Numbers of one member, from the least to the most."""

    name: str
    least: int
    most: int


def read_count_range(text: str) -> CountRange:
    """Read a range of counts as people write it: `goblin=6..12`, or `goblin=8`.

    Raises:
        ValueError: the words are no range; the message says how to write one.
    """
    found = _SWEEP.fullmatch(text)
    least = int(found["least"]) if found is not None else 0
    most = int(found["most"] or least) if found is not None else 0
    if found is None or not least <= most <= MOST_COUNTED:
        raise ValueError(f'"{text}": write NAME=N..M, such as goblin=6..12, up to {MOST_COUNTED}')
    return CountRange(found["name"], least, most)


def without(encounter: Encounter, name: str) -> Encounter:
    """Return the encounter without a member, waves included.

    Raises:
        TrackerError: no member has that name.
    """
    _known(encounter, name)

    def kept(members: tuple[Member, ...]) -> tuple[Member, ...]:
        return tuple(member for member in members if not _named(member, name))

    sides = tuple(replace(side, members=kept(side.members)) for side in encounter.sides)
    waves = tuple(replace(wave, members=kept(wave.members)) for wave in encounter.waves)
    return replace(encounter, sides=sides, waves=waves)


def variants(encounter: Encounter, sweep: CountRange) -> Iterator[tuple[int, Encounter]]:
    """Return the encounter with each count of a member, the least first.

    Several members of that name count together as one; so do waves, if only they have it.

    Raises:
        TrackerError: no member has that name.
    """
    _known(encounter, sweep.name)
    here = any(_named(member, sweep.name) for side in encounter.sides for member in side.members)
    return ((many, _counted(encounter, sweep.name, many, here)) for many in range(sweep.least, sweep.most + 1))


def _counted(encounter: Encounter, name: str, many: int, here: bool) -> Encounter:
    """Return the encounter with so many of a member, on its sides or in waves."""
    left = [many]

    def counted(members: tuple[Member, ...]) -> tuple[Member, ...]:
        found = []
        for member in members:
            if not _named(member, name):
                found.append(member)
            elif left[0]:
                found.append(replace(member, count=Dice((), left[0])))
                left[0] = 0
        return tuple(found)

    if here:
        return replace(encounter, sides=tuple(replace(side, members=counted(side.members)) for side in encounter.sides))
    return replace(encounter, waves=tuple(replace(wave, members=counted(wave.members)) for wave in encounter.waves))


def _named(member: Member, name: str) -> bool:
    wanted = name.casefold()
    return wanted in (member.ref.casefold(), member.name.casefold(), member.id.casefold())


def _known(encounter: Encounter, name: str) -> None:
    members = [member for side in encounter.sides for member in side.members]
    members += [member for wave in encounter.waves for member in wave.members]
    if not any(_named(member, name) for member in members):
        names = ", ".join(dict.fromkeys(member.ref or member.name for member in members))
        raise TrackerError(f'there is no "{name}" in this encounter ({names})', "no_such_member")
