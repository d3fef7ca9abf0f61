"""Typed access to what GitHack stores in a state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from rulesets.githack.blocks.canonical import ABILITIES, PC, Ability, HouseRules, Monster, Setup, Special, Weapon
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import Option, Refusal
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect

__all__ = [
    "NOBODY",
    "UNARMED",
    "ac",
    "acts",
    "among",
    "angst",
    "armour",
    "blocked",
    "derived",
    "dread",
    "dying",
    "falling",
    "harm",
    "host_of",
    "in_fight",
    "is_pc",
    "monster",
    "monsters",
    "number",
    "over",
    "pc",
    "pcs",
    "rules",
    "score",
    "setup",
    "specials",
    "stance",
    "stuck_to",
    "uses_left",
    "weapons",
]  # fmt: skip - a plain list of names

UNARMED = Weapon("unarmed", Dice())


def rules(state: State) -> HouseRules:
    """Return the switches."""
    return cast(HouseRules, state.house_rules) if state.house_rules is not None else HouseRules()


def setup(state: State) -> Setup:
    """Return the set-up."""
    return cast(Setup, state.setup) if state.setup is not None else Setup()


def is_pc(combatant: Combatant) -> bool:
    """Tell a PC from a monster."""
    return isinstance(combatant.block, PC)


def pc(state: State, who: Id) -> PC:
    """Return a PC's stat block."""
    return cast(PC, state[who].block)


def monster(state: State, who: Id) -> Monster:
    """Return a monster's stat block."""
    return cast(Monster, state[who].block)


@per_state
def pcs(state: State) -> tuple[Combatant, ...]:
    """Return the PCs in roster order."""
    return tuple(combatant for combatant in state.combatants if is_pc(combatant))


@per_state
def monsters(state: State) -> tuple[Combatant, ...]:
    """Return the monsters in roster order."""
    return tuple(combatant for combatant in state.combatants if not is_pc(combatant))


NOBODY = (
    Option("nobody", "nobody", refusal=Refusal("nobody_there", "there is no combatant to choose", forcible=False)),
)


def among(people: Iterable[Combatant]) -> tuple[Option, ...]:
    """Return combatants as options, or one refused option where there are none.

    It cannot be forced: the dice would have no numbers to go by.
    """
    return tuple(Option(combatant.id, combatant.name) for combatant in people) or NOBODY


def in_fight(combatant: Combatant) -> bool:
    """Tell whether a combatant still takes part, as the incapacitated do."""
    return combatant.status in ("up", "incapacitated")


def acts(combatant: Combatant) -> bool:
    """Tell whether a combatant can act, neither paralysed nor incapacitated (4.4)."""
    return combatant.status == "up" and not combatant.has("paralysed")


def falling(state: State, combatant: Combatant) -> bool:
    """Tell whether a combatant was struck helpless in this round (GH-207)."""
    number = state.clock.round
    if combatant.status == "incapacitated":
        return combatant.fact("fell") == number
    return combatant.status == "up" and any(
        effect.name == "paralysed" and effect.born[0] == number for effect in combatant.effects
    )


def blocked(combatant: Combatant) -> str:
    """Return why a combatant cannot defend, or ""."""
    if combatant.status == "incapacitated":
        return "incapacitated"
    return "paralysed" if combatant.has("paralysed") else ""


def effect_parts(state: State, who: Id, stat: str) -> tuple[Part, ...]:
    """Return what effects add to a number, the referee's own among them."""
    return tuple(
        Part(effect.shown, change.amount, effect.rule)
        for effect in state[who].effects
        for change in effect.modifiers
        if change.stat == stat
    )


def score(state: State, who: Id, ability: Ability) -> int:
    """Return an ability score, with what effects add to it."""
    found: int = getattr(pc(state, who).scores, ability)
    return found + sum(part.amount for part in effect_parts(state, who, ability))


def armour(state: State, who: Id) -> int:
    """Return the AC that is worn, less what is destroyed (GH-020)."""
    return int(cast(int, state[who].fact("ac", 0)))


def ac(state: State, who: Id) -> int:
    """Return the present AC: what is worn and what effects add, at least 0."""
    return max(0, armour(state, who) + sum(part.amount for part in effect_parts(state, who, "ac")))


def harm(state: State, who: Id) -> str:
    """Return a PC's Harm track."""
    return str(state[who].fact("harm", ""))


def angst(state: State, who: Id) -> int:
    """Return the Angst a PC has gathered (GH-112)."""
    return int(cast(int, state[who].fact("angst", 0)))


def dread(state: State, who: Id) -> int:
    """Return the Angst against which a save is held, effects included."""
    return angst(state, who) + sum(part.amount for part in effect_parts(state, who, "angst"))


def over(state: State) -> Refusal | None:
    """Refuse what cannot be done once the combat is over."""
    return Refusal("fight_over", "the combat is over", "GH-010", forcible=False) if state.clock.over else None


def dying(combatant: Combatant) -> bool:
    """Tell whether a PC bleeds."""
    return combatant.has("dying")


def number(combatant: Combatant) -> int | None:
    """Return the number of this round's initiative roll, None where there is none."""
    return cast("int | None", combatant.fact("number"))


def stance(state: State, who: Id) -> str:
    """Return a combatant's stance, or ""."""
    return str(state[who].fact("stance", ""))


def stuck_to(state: State, who: Id) -> Id | None:
    """Return the host a monster sticks to."""
    return next(
        (host.id for host in pcs(state) for effect in host.effects if effect.name == "stuck" and effect.source == who),
        None,
    )


def host_of(state: State, host: Id) -> tuple[Effect, ...]:
    """Return the effects of what sticks to a host."""
    return tuple(effect for effect in state[host].effects if effect.name == "stuck")


def specials(state: State, who: Id) -> tuple[Special, ...]:
    """Return everything special about a monster, its modes' own included."""
    block = monster(state, who)
    return block.specials + tuple(special for mode in block.attacks for special in mode.specials)


def uses_left(state: State, who: Id, special: Special) -> int | None:
    """Return how often a special can still be used in this combat (A26).

    None: without limit.
    """
    if special.uses is None:
        return None
    return special.uses - int(cast(int, state[who].fact(f"used:{special.name}", 0)))


def weapons(state: State, who: Id) -> tuple[Weapon, ...]:
    """Return a PC's weapons, bare hands included (GH-033)."""
    return (*pc(state, who).weapons, UNARMED)


def derived(state: State, who: Id, name: str) -> Derived:
    """Return AC, Angst or an ability score."""
    combatant = state[who]
    if name == "ac":
        worn = combatant.block.ac if isinstance(combatant.block, PC | Monster) else 0
        found = Derived.total(
            (Part("armour", worn), Part("destroyed", armour(state, who) - worn), *effect_parts(state, who, "ac"))
        )
        return found if found.value >= 0 else Derived(0, (*found.parts, Part("not below 0", -found.value)))
    if name in ABILITIES and is_pc(combatant):
        own: int = getattr(pc(state, who).scores, name)
        return Derived.total((Part(name, own), *effect_parts(state, who, name)))
    if name == "angst" and is_pc(combatant):
        return Derived.total((Part("Angst", angst(state, who)), *effect_parts(state, who, name)))
    return Derived(0, text="-")
