"""Stat blocks, conditions, and the numbers made of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from msgspec import Struct, field

from tracker.kit import ConditionKind, Conditions, Data, Derived, Dice, Id, Modifier, Part, State, modifiers, readers

D20 = Dice.of(1, 20)
Kind = Literal["blunt", "edged", "fire", "cold", "poison", "fear", "all"]
KINDS = get_args(Kind)[:-1]
STATS = ("armour", "attack", "will", "wits")
POOLS = ("hp", "shield", "tokens")
SORTS = ("status", "circumstance", "item")  # of modifiers: the best of each counts
Number = Callable[[State], Derived]


class Weapon(Struct, frozen=True):
    """Something to strike with, and the points that go on after a critical hit."""

    name: str
    attack: int = 6
    damage: Dice = Dice.of(1, 6)
    kind: str = "edged"
    ongoing: int = 0


class Spell(Struct, frozen=True):
    """A spell of `least` to `most` actions, with dice for each of them."""

    name: str
    least: int = 2
    most: int = 2
    dice: Dice = Dice()
    kind: str = "fire"
    heals: bool = False
    ward: int = 0


class Being(Struct, Data, frozen=True, tag=True):
    """The stat block of everybody, with the points of a shield and its hardness."""

    name: str
    hp: int = 18
    armour: int = 16
    will: int = 5
    wits: int = 5
    magic: int = 16
    weapons: tuple[Weapon, ...] = field(default_factory=lambda: (Weapon("fist", damage=Dice.of(1, 4), kind="blunt"),))
    spells: tuple[Spell, ...] = ()
    shield: int = 0
    hardness: int = 3
    resist: dict[Kind, int] = {}
    weak: dict[Kind, int] = {}
    immune: tuple[str, ...] = ()
    tokens: int = 0


def shorthand(kind: str, plain: readers.Plain) -> readers.Plain:
    """Read `immune: fire, cold` as it is typed."""
    problems: list[str] = []
    typed = readers.Typed(plain, problems)
    immune = typed.take("immune", readers.words, ())
    readers.raise_all(problems)
    return {**typed.keys, "immune": immune}


ONGOING = {"burning": "fire", "bleeding": "edged"}
# fmt: off
CONDITIONS = Conditions(
    (
        ConditionKind("frightened", "TA-13", changes=lambda value: tuple(
            Modifier(stat, -value, kind="status") for stat in ("armour", "attack", "will")), falls_at="turn_end"),
        ConditionKind("slowed", "TA-02", falls_at="turn_end", most=3),
        ConditionKind("dying", "TA-11", most=4),
        ConditionKind("wounded", "TA-12", most=3),
        *(ConditionKind(name, "TA-10") for name in ONGOING),
    )
)
# fmt: on


def block(state: State, who: Id) -> Being:
    found = state[who].block
    assert isinstance(found, Being)
    return found


def number(state: State, who: Id, stat: str, *base: Part) -> Derived:
    """Return a number with what conditions and effects add to it, kind by kind."""
    return modifiers.derived(state, who, stat, *base, stacking=modifiers.best_of_each_kind)


def derived(state: State, who: Id, name: str) -> Derived:
    """Return one of the numbers of the schema."""
    held = block(state, who)
    base = {"armour": held.armour, "attack": held.weapons[0].attack, "will": held.will, "wits": held.wits}
    return number(state, who, name, Part(name, base[name]))


def stat(who: Id, name: str, *base: Part) -> Number:
    """Return how to read a number of any state."""
    return lambda state: number(state, who, name, *base) if base else derived(state, who, name)


def points_of(state: State, who: Id, pool: str) -> int:
    """Return what is left in a pool, or 0."""
    return state[who].pool(pool).now if state[who].has_pool(pool) else 0
