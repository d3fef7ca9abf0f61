"""The syntax of a game's files, beyond the types of its Structs.

1. A key is described once. If a Struct has it, by the annotation of its field:

       hp: Annotated[int, key("most hit points", likely=(1, 200))]
       in_hand: Annotated[str, key("the weapon in hand"), name_of("attack", own="attacks.name")]

   If no Struct has it, it is a `KeySyntax` in the game's `FileSyntax`.
2. Checks, hints, JSON Schemas and the pages of the games use both. Play needs none of it, so `Schema.file_syntax` is a
   function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, UnsetType

EncounterNames: TypeAlias = Literal["", "combatant", "side", "combatant or side"]
Likely: TypeAlias = tuple[float | None, float | None]


class KeySyntax(Struct, frozen=True):
    """The syntax of a key.

    Attributes:
        of: the owner of the key: a kind of stat block, the name of a Struct, `switches`, `set-up`, `side`, `member`.
        name: the key.
        means: its meaning, with links of the game's page.
        takes: the types of its value, alternatives with `or` between: `stored` (the Struct's type), `number`, `text`,
            `flag`, `list`, `words`, `block`, `numbers` (names with numbers), `dice`, `nothing`, the name of a Struct,
            `part of` one, whose other keys have defaults, or `list of` one or several with strokes between.
        form: the notation of a text, as a pattern.
        like: examples.
        needed: whether it is required; None: as the Struct says.
        also: other spellings of the key.
    """

    of: str
    name: str
    means: str = ""
    takes: str = "stored"
    form: str = ""
    like: tuple[str, ...] = ()
    needed: bool | None = None
    also: tuple[str, ...] = ()


class ValueRule(Struct, frozen=True):
    """The checks of a value beyond its type.

    Attributes:
        likely: least and greatest likely number, None for no bound.
        what: the noun for a name: `effect`, `skill`.
        names: the known names.
        own_words: other names are allowed, unless they are similar to a known one.
        of: it names combatants or sides of the encounter.
        own: it names an entry of its stat block, by the path to the names: `attacks.name`.
    """

    likely: Likely = (None, None)
    what: str = ""
    names: tuple[str, ...] = ()
    own_words: bool = False
    of: EncounterNames = ""
    own: str = ""


def key(
    means: str,
    *,
    takes: str = "stored",
    form: str = "",
    like: Iterable[str] = (),
    needed: bool | None = None,
    also: tuple[str, ...] = (),
    likely: Likely | None = None,
) -> Meta:
    """Describe the key of a Struct's field, for `Annotated`; see `KeySyntax` and `ValueRule`."""
    extra: dict[str, object] = {"key": KeySyntax("", "", "", takes, form, (), needed, also)}
    if likely is not None:
        extra["rule"] = ValueRule(likely)
    return Meta(description=means or None, examples=list(like) or None, extra=extra)


def name_of(
    what: str = "",
    names: tuple[str, ...] = (),
    *,
    own_words: bool = False,
    of: EncounterNames = "",
    own: str = "",
) -> Meta:
    """Describe a text that names something, for `Annotated`; see `ValueRule`."""
    return Meta(extra={"rule": ValueRule(what=what, names=names, own_words=own_words, of=of, own=own)})


class Shorthand(Struct, frozen=True):
    """A short form: its kind of stat block, the typed text, its meaning."""

    kind: str
    typed: str
    means: str


class FileSyntax(Struct, frozen=True):
    """The syntax of a game's files besides the keys of its Structs.

    Attributes:
        keys: keys that no Struct has, and keys that a kind of stat block reads in another way than its Struct.
        any_case: kinds of block whose keys may be in capitals.
        short: the short forms of stat blocks.
        starter: a first stat block of each kind, as YAML; without `id` and `name` it is the first hero or foe.
        words: common words with the key or name of this game: `("armor", "ac")`; of several, the one that is known at
            that place.
        bonus, damage: the key for a bonus to hit and for dice of damage typed without a word, in the starter of the
            last kind: a key, or `attacks.damage` for a key of the first entry of a list; "": none.
    """

    keys: tuple[KeySyntax, ...] = ()
    any_case: tuple[str, ...] = ()
    short: tuple[Shorthand, ...] = ()
    starter: Mapping[str, str] = {}
    words: tuple[tuple[str, str], ...] = ()
    bonus: str = ""
    damage: str = ""


EVERYWHERE: dict[str, str] = {
    "name": "what it is called",
    "id": "what references use; without one the name serves",
    "notes": "free text, shown in the stat-block panel",
}
"""The meaning of these keys, unless a game gives another one."""


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
"""Other words for names of many games."""


def usual(names: Mapping[str, str], common: str = "") -> tuple[tuple[str, str], ...]:
    """Return `FileSyntax.words` from the common words for each name of a game.

    Args:
        names: the game's names, each with other words, separated by blanks: `{"hp": "hit_points life"}`.
        common: names whose words are in `COMMON`, separated by blanks.
    """
    every = dict(names) | {name: COMMON[name] for name in common.split()}
    return tuple((word, name) for name, words in every.items() for word in words.split())


ArticleKey: TypeAlias = Annotated[
    bool | UnsetType, key('the story says "the Cook"; not inherited by a member with a name of its own')
]
PronounKey: TypeAlias = Annotated[
    Literal["she", "he", "they", "it"] | UnsetType, key("what the story calls it a second time")
]
