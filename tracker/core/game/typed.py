"""What may be typed in a game's files, beyond what its Structs say.

`Schema.typed` makes this table when a key is not known, a JSON Schema is asked for, or the game's page is written;
nothing of it is needed to play.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Short(Struct, frozen=True):
    """A short form: its kind of stat block, what is typed, what that means."""

    kind: str
    typed: str
    means: str


class Key(Struct, frozen=True):
    """A key that takes more than its Struct's field, or that no Struct has.

    Attributes:
        of: a kind of stat block, the name of a Struct, `switches`, `set-up`, `side` or `member`.
        name: the key.
        takes: what may stand there, alternatives with `or` between: `stored` (what the Struct has), `number`, `text`,
            `flag`, `list`, `words`, `block`, `numbers` (names with numbers), `dice`, `nothing`, the name of a Struct,
            `part of` one, whose other keys have what is usual, or `list of` one or several with strokes between.
        form: the notation of a text, as a pattern.
        like: examples.
        needed: whether it has to be there; None: as the Struct says.
    """

    of: str
    name: str
    takes: str = "stored"
    form: str = ""
    like: tuple[str, ...] = ()
    needed: bool | None = None


class Typed(Struct, frozen=True):
    """What may be typed in a game's files.

    Attributes:
        means: what each key means, by what it belongs to (see `Key.of`).
        keys: those whose values are not just what the Struct has.
        also: other spellings of keys, by what they belong to: `("monster", "morale", "ml")`.
        any_case: kinds of block whose keys are read in capitals as well.
        short: the short forms that stat blocks take.
        starter: a stat block of each kind to begin with, as YAML; without `id` and `name` it is the first hero or foe.
        words: usual words, and the key or name this game has for them: `("armor", "ac")`; of several the one that is
            known at the place counts.
    """

    means: Mapping[str, Mapping[str, str]] = {}
    keys: tuple[Key, ...] = ()
    also: tuple[tuple[str, str, str], ...] = ()
    any_case: tuple[str, ...] = ()
    short: tuple[Short, ...] = ()
    starter: Mapping[str, str] = {}
    words: tuple[tuple[str, str], ...] = ()

    def meanings(self, *of: str) -> dict[str, str]:
        """Return what the keys mean of what goes by these names, the later ones winning."""
        found = dict(EVERYWHERE)
        for name in of:
            found |= self.means.get(name, {})
        return found


EVERYWHERE: dict[str, str] = {
    "name": "what it is called",
    "id": "what references use; without one the name serves",
    "notes": "free text, shown in the stat-block panel",
}
"""What these keys mean wherever a game says nothing else."""


COMMON: dict[str, str] = {
    "hp": "hit_points",
    "ac": "armor armour armor_class armour_class",
    "str": "strength",
    "con": "constitution",
    "dex": "dexterity",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
    "per": "perception",
}
"""Other words for names that many games have."""


def usual(names: Mapping[str, str], common: str = "") -> tuple[tuple[str, str], ...]:
    """Return `Typed.words` from the usual words for each name of a game.

    Args:
        names: the game's name, and other words for it with blanks between: `{"hp": "hit_points life"}`.
        common: names whose other words are those of `COMMON`, with blanks between.
    """
    said = dict(names) | {name: COMMON[name] for name in common.split()}
    return tuple((word, name) for name, words in said.items() for word in words.split())
