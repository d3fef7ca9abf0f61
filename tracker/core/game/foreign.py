"""Creatures as other programs keep them, before a game makes stat blocks of them.

A reader of files fills in what a file says; `Schema.convert_creature` turns it into the keys of its game, and says
what is lost.
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
"""How games count Armour Class: upwards or not, and the class without armour."""


class ForeignAttack(Struct, frozen=True, kw_only=True):
    """One way a creature attacks.

    Attributes:
        name: what it is called.
        dice: its damage, as written.
        times: how often, where that is said of this attack alone.
        hit: the bonus to hit, None where the creature's own goes for it.
        bonus: what its bonus adds to damage and Shock.
        kinds: `melee`, `ranged`, `thrown`.
        shock: points, and the highest class it harms, or None.
        reach: normal and farthest distance in feet.
        trauma: Trauma Die and Rating.
        attributes: what a character may use for it.
        skill: the skill it needs.
        hands: how many it takes.
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
    """Something a creature has or can do, in words.

    Attributes:
        group: where a stat block prints it: `trait`, `action`, `bonus`, `reaction`, `legendary`.
        name: its name, with what is behind it in brackets (`Fire Breath (Recharge 5-6)`).
        text: its sentences.
    """

    group: str
    name: str
    text: str


class Creature(Struct, frozen=True, kw_only=True):
    """A creature as a file has it.

    Attributes:
        kind: `pc` or `monster`.
        system: the game its numbers are from (see `SCALES`), "" where the file does not say.
        hd: hit dice as written: `3`, `2d8+2`.
        ac, ac_melee: its Armour Class as that game counts it; in melee, where that differs.
        attack: the bonus to hit; `attacks`: how many in one action.
        scores, skills: by name.
        features: what it has and can do, in words that a game may read (`tracker.kit.printed`).
        size: `medium`, `large`.
        challenge: its level or challenge as printed.
        saves: bonuses of saving throws by ability, those that differ from the score's.
        resist, vulnerable, immune: kinds of damage; unaffected: conditions.
        notes: what no rule reads.
        lost: what the file says and nothing here has a place for.
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
    """Return an Armour Class counted upwards from `bare`, and what is lost of it; no game is guessed."""
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
    """Return a block with those of the values that say something."""
    return {**block, **{key: value for key, value in values.items() if value not in (None, "", [], {}, 0)}}
