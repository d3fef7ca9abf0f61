"""What may be typed in a game's files, beyond the types of its Structs.

1. A key is described once. If a Struct has it, that is the annotation of its field:

       hp: Annotated[int, key("most hit points", likely=(1, 200))]
       in_hand: Annotated[str, key("the weapon in hand"), name_of("attack", own="attacks.name")]

   If no Struct has it, it is a `KeySyntax` in the game's `FileSyntax`.
2. Checks, hints, JSON Schemas and the pages of the games read both. Nothing of it is needed to play, so
   `Schema.file_syntax` is a function that is called when one of them asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, UnsetType

EncounterNames: TypeAlias = Literal["", "combatant", "side", "combatant or side"]
Likely: TypeAlias = tuple[float | None, float | None]


class KeySyntax(Struct, frozen=True):
    """What may be typed for a key.

    Attributes:
        of: what the key belongs to: a kind of stat block, the name of a Struct, `switches`, `set-up`, `side`, `member`.
        name: the key.
        means: its meaning, with links of the game's page.
        takes: what may be typed, alternatives with `or` between: `stored` (what the Struct has), `number`, `text`,
            `flag`, `list`, `words`, `block`, `numbers` (names with numbers), `dice`, `nothing`, the name of a Struct,
            `part of` one, whose other keys have what is usual, or `list of` one or several with strokes between.
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
    """What `tracker check` knows of a value beyond its type.

    Attributes:
        likely: least and greatest number that is likely, None for no bound.
        what: what a name is called there: `effect`, `skill`.
        names: the names that are known.
        own_words: other names are allowed, unless a known one is near.
        of: it names combatants or sides of the encounter.
        own: it names an entry of its stat block, by the path of those names: `attacks.name`.
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
    """A short form: its kind of stat block, what is typed, what that means."""

    kind: str
    typed: str
    means: str


class FileSyntax(Struct, frozen=True):
    """What may be typed in a game's files besides the keys of its Structs.

    Attributes:
        keys: keys that no Struct has, and those that one kind of stat block takes in another way than its Struct says.
        any_case: kinds of block whose keys are read in capitals as well.
        short: the short forms that stat blocks take.
        starter: a stat block of each kind to begin with, as YAML; without `id` and `name` it is the first hero or foe.
        words: usual words, and the key or name this game has for them: `("armor", "ac")`; of several the one that is
            known at the place counts.
        bonus, damage: where a bonus to hit and dice of damage belong in the starter of the last kind if they are typed
            without a word: a key, or `attacks.damage` for a key of the first of a list; "": nowhere.
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
    """Return `FileSyntax.words` from the usual words for each name of a game.

    Args:
        names: the game's name, and other words for it with blanks between: `{"hp": "hit_points life"}`.
        common: names whose other words are those of `COMMON`, with blanks between.
    """
    found = dict(names) | {name: COMMON[name] for name in common.split()}
    return tuple((word, name) for name, words in found.items() for word in words.split())


ArticleKey: TypeAlias = Annotated[
    bool | UnsetType, key('the story says "the Cook"; not inherited by a member with a name of its own')
]
PronounKey: TypeAlias = Annotated[
    Literal["she", "he", "they", "it"] | UnsetType, key("what the story calls it a second time")
]
