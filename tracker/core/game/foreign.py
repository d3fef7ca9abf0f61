"""Creatures of other programs, before a game makes stat blocks of them.

An importer fills in the data of a file; `Schema.convert_creature` turns it into the keys of its game and lists the
lost data.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

SCALES: dict[str, tuple[bool, int]] = {
    "wwn": (True, 10),
    "ose": (False, 9),
    "ll": (False, 9),
    "sw": (False, 9),
    "adnd": (False, 10),
    "bfrpg": (True, 11),
    "lotfp": (True, 12),
    "d20": (True, 10),
    "dcc": (True, 10),
    "shadowdark": (True, 10),
    "knave": (True, 11),
}
"""The Armour Class of each game: whether it counts upwards, and the class without armour."""


class ForeignAttack(Struct, frozen=True, kw_only=True):
    """One way a creature attacks.

    Attributes:
        name: its name.
        dice: its damage, as written.
        times: the number of attacks, if the file gives it for this attack alone.
        hit: the bonus to hit; None: the creature's.
        bonus: the bonus to damage and Shock.
        kinds: `melee`, `ranged`, `thrown`.
        shock: points, and the highest class it harms, or None.
        reach: normal and farthest distance in feet.
        trauma: Trauma Die and Rating.
        attributes: the attributes a character may use for it.
        skill: the skill it needs.
        hands: the number of hands it needs.
    """

    name: str
    dice: str
    times: int = 1
    hit: int | None = None
    bonus: int = 0
    kinds: tuple[str, ...] = ("melee",)
    shock: tuple[int, int | None] | None = None
    reach: tuple[int, int] | None = None
    trauma: tuple[str, int] | None = None
    attributes: tuple[str, ...] = ()
    skill: str = ""
    hands: int = 1


class Feature(Struct, frozen=True):
    """A trait or an action of a creature, in words.

    Attributes:
        group: its group in a stat block: `trait`, `action`, `bonus`, `reaction`, `legendary`.
        name: its name, with the brackets after it (`Fire Breath (Recharge 5-6)`).
        text: its sentences.
    """

    group: str
    name: str
    text: str


class Creature(Struct, frozen=True, kw_only=True):
    """A creature of a file.

    Attributes:
        kind: `pc` or `monster`.
        system: the game of its numbers (see `SCALES`), "" if the file does not say.
        hd: hit dice as written: `3`, `2d8+2`.
        ac, ac_melee: its Armour Class as that game counts it; in melee, if that differs.
        attack: the bonus to hit.
        attacks: the number of attacks in one action.
        scores, skills: by name.
        features: its traits and actions, in words that a game may parse (`tracker.kit.printed`).
        size: `medium`, `large`.
        challenge: its level or challenge as printed.
        saves: bonuses of saving throws by ability, if they differ from the score's.
        resist, vulnerable, immune: kinds of damage.
        unaffected: conditions it cannot have.
        notes: text that no rule uses.
        lost: data of the file without a field here.
    """

    name: str
    kind: str = "monster"
    system: str = ""
    hd: str = ""
    hp: int | None = None
    hp_now: int | None = None
    ac: int | None = None
    ac_melee: int | None = None
    attack: int | None = None
    attacks: int = 1
    blows: tuple[ForeignAttack, ...] = ()
    move: str = ""
    morale: int | None = None
    instinct: int | None = None
    skill: int | None = None
    save: int | None = None
    level: int | None = None
    initiative: int = 0
    scores: tuple[tuple[str, int], ...] = ()
    skills: tuple[tuple[str, int], ...] = ()
    features: tuple[Feature, ...] = ()
    size: str = ""
    challenge: str = ""
    saves: tuple[tuple[str, int], ...] = ()
    resist: tuple[str, ...] = ()
    vulnerable: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    unaffected: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def armour(creature: Creature, bare: int) -> tuple[int | None, tuple[str, ...]]:
    """Return an Armour Class counted upwards from `bare`, and the lost data; the game is not guessed."""
    given = creature.ac if creature.ac is not None else creature.ac_melee
    if given is None:
        return None, ()
    scale = SCALES.get(creature.system)
    if scale is None:
        why = "which game counts so? name it as the system" if not creature.system else f"no system {creature.system}"
        return None, (f"AC {given}: {why} ({', '.join(SCALES)})",)
    upwards, without = scale
    return bare + (given - without if upwards else without - given), ()


def kept(block: dict[str, object], values: Mapping[str, object]) -> dict[str, object]:
    """Return a block with the values that are not empty."""
    return {**block, **{key: value for key, value in values.items() if value not in (None, "", [], {}, 0)}}
