"""What is typed on a sheet: label pairs, and who is left out.

`ho` or `h o` aims h at o, `-h` leaves h out, `+h` takes it in again, `all o` aims everybody at o, `h run` has h run;
a label that is left over opens its form. All of it may stand in one line.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action, Option
from tracker.ui.modes.sheet.lines import Line, aimed, instead
from tracker.ui.typing.mode import Scene
from tracker.ui.typing.parser import people_of
from tracker.ui.typing.tokens import BEGINS, rank
from tracker.views.words.text import clean

__all__ = ["Read", "read_sheet"]

ALL = "all"


class Read(Struct, frozen=True):
    """A sheet as it is typed.

    Attributes:
        lines: the lines with what is typed.
        alone: a label without a partner.
        problem: what is wrong.
    """

    lines: tuple[Line, ...]
    alone: Id | None = None
    problem: str = ""


def read_sheet(scene: Scene, lines: Sequence[Line], text: str) -> Read:
    """Return the lines of a sheet with what is typed done to them."""
    read = Read(tuple(lines))
    everybody = False
    for token in text.split():
        if read.problem:
            break
        if token.casefold() == ALL and read.alone is None and not everybody:
            everybody = True
            continue
        sign = token[0] if token[0] in "-+" else ""
        read = _signed(scene, read, token) if sign else _token(scene, read, token, everybody)
        everybody = everybody and bool(sign)
    return replace(read, problem='"all" at whom? a label') if everybody and not read.problem else read


def _signed(scene: Scene, read: Read, token: str) -> Read:
    """Leave labels out, or take them in again."""
    people = people_of(scene, token[1:])
    if not people:
        return replace(read, problem=f'"{clean(token)}": a label stands behind {token[0]}')
    for who in people:
        if not any(line.by == who for line in read.lines):
            return replace(read, problem=f"{_name(scene, who)} is not on this sheet")
    lines = tuple(replace(line, out=token[0] == "-") if line.by in people else line for line in read.lines)
    return replace(read, lines=lines)


def _token(scene: Scene, read: Read, token: str, everybody: bool) -> Read:
    """Read a run of labels, or an action behind a label."""
    named = _action(scene, read, token)
    if named is not None:
        return named
    people = people_of(scene, token)
    if not people:
        return replace(read, problem=f'"{clean(token)}" is no label here')
    if everybody:
        for line in read.lines:
            read = _pair(scene, read, line.by, people[0]) if not line.out else read
        return read
    for who in people:
        if read.problem:
            return read
        read = replace(read, alone=who) if read.alone is None else _pair(scene, read, read.alone, who)
    return read


def _pair(scene: Scene, read: Read, by: Id, target: Id) -> Read:
    place = next((place for place, line in enumerate(read.lines) if line.by == by), None)
    if place is None:
        return replace(read, problem=f"{_name(scene, by)} is not on this sheet")
    line = aimed(scene, read.lines[place], target)
    if line is None:
        return replace(read, problem=f"{_name(scene, by)} has nothing to aim")
    return replace(read, lines=(*read.lines[:place], line, *read.lines[place + 1 :]), alone=None)


def _action(scene: Scene, read: Read, token: str) -> Read | None:
    """Return the sheet with the action that a word names for the label before."""
    if read.alone is None or len(token) < 3:
        return None
    ranked = [(rank(token, Option(spec.key, spec.label)), spec) for spec in scene.offers(read.alone)]
    worth = min((found for found, _ in ranked), default=BEGINS)
    if worth >= BEGINS:
        return None
    spec = next(spec for found, spec in ranked if found == worth)
    changed = tuple(
        instead(scene, line, Action(spec.key, line.by)) if line.by == read.alone else line for line in read.lines
    )
    return replace(read, lines=changed)


def _name(scene: Scene, who: Id) -> str:
    return clean(scene.model.state.name(who))
