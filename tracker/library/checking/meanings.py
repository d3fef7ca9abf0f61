"""Values checked for what they mean: names nobody has, numbers nobody types."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, to_builtins

from tracker.core.game.meanings import Meanings, Meant
from tracker.core.game.schema import Schema
from tracker.core.game.typed import Typed
from tracker.core.terms.encounter import Encounter, Member
from tracker.library.checking.complaints import Complaint
from tracker.library.yaml.problems import Path, described, nearest

__all__ = ["People", "doubts_of", "meant_by", "typed_in", "usual_word", "wrong_in"]


NEAR = 0.75
MOST_NAMED = 12


class People(Struct, frozen=True):
    """The names an encounter has, of combatants and of sides."""

    combatants: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()

    @staticmethod
    def of(encounter: Encounter) -> People:
        """Return the names of an encounter."""
        groups = [side.members for side in encounter.sides] + [wave.members for wave in encounter.waves]
        names = [name for group in groups for one in group for name in (one.name, one.id, one.ref) if name]
        sides = [name for side in encounter.sides for name in (side.name, side.id)]
        return People(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(sides)))


def meant_by(schema: Schema) -> Meanings:
    """Return what a game says of its values."""
    return Meanings() if schema.meanings is None else schema.meanings()


def typed_in(schema: Schema) -> Typed:
    """Return what may be typed in a game's files."""
    return Typed() if schema.typed is None else schema.typed()


def usual_word(schema: Schema, word: str, kind: str = "") -> str:
    """Return what this game calls a usual word, or "".

    In a stat block of a kind the key that this kind has, or one that is near where the word is no usual one.
    """
    typed = typed_in(schema)
    plain = word.casefold().replace(" ", "_").replace("-", "_")
    found = [name for usual, name in typed.words if usual == plain]
    if not kind:
        return found[0] if found else ""
    own = [key.name for key in typed.keys if key.of == kind or kind in key.of.split(" or ")]
    fields: tuple[str, ...] = getattr(dict(schema.blocks)[kind], "__struct_encode_fields__", ())
    fitting = [name for name in found if name in {*own, *fields}]
    return (fitting or found or [nearest(plain, [*own, *fields]) or ""])[0]


def doubts_of(schema: Schema, member: Member) -> tuple[str, ...]:
    """Return what was lost or doubted when a stat block was read."""
    doubts = meant_by(schema).doubts
    return () if doubts is None else doubts(member.block)


def wrong_in(
    schema: Schema, root: str, value: object, block: object = None, people: People | None = None
) -> list[Complaint]:
    """Return the complaints about the values of one block.

    `root` is its kind, `setup`, `side` or `member`; `block` the stat block that belongs to a member's own keys. Names
    of the encounter are looked at where its people are given.
    """
    meanings = meant_by(schema)
    fitting = [meant for meant in meanings.values if meant.at.partition(".")[0] == root]
    if not fitting or value is None:
        return []
    plain, own = to_builtins(value, enc_hook=str), to_builtins(block if block is not None else value, enc_hook=str)
    words = dict(typed_in(schema).words)
    found: list[Complaint] = []
    for meant in fitting:
        for path, held in _held(plain, tuple(meant.at.split(".")[1:])):
            said = _wrong(meant, held, own, words, people)
            if said is not None:
                found.append(Complaint(path, *said))
    return found


def _held(value: object, steps: Sequence[str], path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield the values at a place, with their paths."""
    if isinstance(value, list | tuple) and not (steps and steps[0].isdigit() and not _is_rows(value)):
        for place, part in enumerate(value):
            yield from _held(part, steps, (*path, place))
    elif not steps:
        if value not in (None, ""):
            yield path, value
    elif isinstance(value, list | tuple):
        place = int(steps[0])
        if place < len(value):
            yield from _held(value[place], steps[1:], (*path, place))
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _held(value[steps[0]], steps[1:], (*path, steps[0]))


def _is_rows(value: Sequence[object]) -> bool:
    return all(isinstance(part, list | tuple | Mapping) for part in value)


def _wrong(
    meant: Meant, held: object, own: object, words: Mapping[str, str], people: People | None
) -> tuple[str, str] | None:
    """Return what is wrong with a value, and the hint, or None."""
    if isinstance(held, int | float) and not isinstance(held, bool):
        return _unlikely(meant, held)
    known = list(meant.names)
    if meant.own:
        known += [str(part) for _, part in _held(own, meant.own.split("."))]
    if meant.of:
        if people is None:
            return None
        known += people.sides if "side" in meant.of else ()
        known += people.combatants if meant.of != "side" else ()
    if not (known or meant.of or meant.own) or _is_one(str(held), known):
        return None
    usual = words.get(str(held).casefold(), "")
    near = usual if usual in known else nearest(str(held), known)
    if meant.open and (not near or (near != usual and not _is_slip(str(held), near))):
        return None
    what = meant.what or meant.of
    where = " of this encounter" if meant.of else " it has" if meant.own else " of this game"
    shown = list({name.casefold().replace("-", " "): name for name in reversed(known)}.values())[::-1]
    listed = f"there are {', '.join(shown)}" if len(shown) <= MOST_NAMED else ""
    return f"{described(held)} is no {what}{where}", f"did you mean {near}?" if near else listed


def _is_slip(word: str, known: str) -> bool:
    """Tell whether a word is too near to a known one to be its own."""
    from difflib import SequenceMatcher  # only a check needs it

    return SequenceMatcher(None, word.casefold(), known).ratio() >= NEAR


def _is_one(name: str, known: Collection[str]) -> bool:
    """Tell whether a name is known, perhaps with the number of a copy."""
    wanted = {name.casefold(), re.sub(r"[ -]\d+$", "", name).casefold()}
    plain = {each.casefold() for each in known}
    return bool(wanted & (plain | {each.replace(" ", "-") for each in plain}))


def _unlikely(meant: Meant, number: float) -> tuple[str, str] | None:
    too_low, too_high = meant.least is not None and number < meant.least, meant.most is not None and number > meant.most
    if not (too_low or too_high):
        return None
    if meant.least is not None and meant.most is not None:
        return f"{number:g} is hardly meant", f"usual are {meant.least:g} to {meant.most:g}"
    return (
        f"{number:g} is hardly meant",
        f"usual is {'at least' if too_low else 'at most'} {meant.least if too_low else meant.most:g}",
    )
