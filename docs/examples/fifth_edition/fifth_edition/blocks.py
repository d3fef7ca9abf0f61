"""Stat blocks, and the numbers made of them and of what holds on a combatant."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from tracker import kit
from tracker.core.game.file_syntax import PronounKey, key
from tracker.kit import At, Data, Derived, Dice, Id, Modifier, NamedEffect, OnUse, Part, State, modifiers
from tracker.kit.squares.setup import Standing

Ability: TypeAlias = Literal["str", "dex", "con", "int", "wis", "cha"]
Kind: TypeAlias = Literal[
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic", "radiant",
    "slashing", "thunder",
]  # fmt: skip # a plain list of names
Cost: TypeAlias = Literal["action", "bonus", "reaction", "legendary"]
Score: TypeAlias = Annotated[int, Meta(ge=1, le=30)]
ABILITIES: tuple[Ability, ...] = get_args(Ability)
KINDS: tuple[Kind, ...] = get_args(Kind)
D20 = Dice.of(1, 20)
NOTHING = Dice()
SLOTS = tuple(f"slot{level}" for level in range(1, 10))
POOLS = ("hp", "temp", *SLOTS)
NUMBERS = ("ac", "speed", "attack", "save", "advantage", "exposed", "save_advantage")


class Hurt(Struct, frozen=True):
    """Damage of one kind: `2d6+3 fire`."""

    dice: Dice
    kind: Kind

    @property
    def average(self) -> float:
        return (self.dice.minimum + self.dice.maximum) / 2


class Power(Struct, frozen=True):
    """Anything a creature can do to others: a weapon, a spell, a breath, a cure."""

    name: str
    cost: Annotated[Cost, key("`action`, `bonus`, `reaction` or `legendary`")] = "action"
    price: Annotated[int, key("how many legendary actions it takes")] = 1
    hit: Annotated[int | None, key("bonus of its attack roll; without one it hits by itself")] = None
    reach: Annotated[int, key("feet a blow reaches")] = 5
    range: Annotated[tuple[int, int] | None, key("normal and farthest feet of a shot, such as 80/320")] = None
    damage: Annotated[tuple[Hurt, ...], key("such as `1d8+3 slashing + 1d6 fire`")] = ()
    save: Annotated[Ability | None, key("what its targets save with")] = None
    dc: Annotated[int, key("what the save has to reach")] = 10
    half: Annotated[bool, key("a save halves the damage under it; otherwise it does none")] = True
    extra: Annotated[tuple[Hurt, ...], key("damage under the save of what also has an attack roll")] = ()
    condition: Annotated[str, key("what holds on a target that is hit or does not save")] = ""
    ends: Annotated[str, key("`save`: a save at the end of each turn ends it; `turn`: the user's next turn")] = ""
    shape: Annotated[Literal["circle", "cone", "line"] | None, key("the form of its area")] = None
    size: Annotated[int, key("feet of its area")] = 0
    targets: Annotated[int, key("how many it can be aimed at")] = 1
    heals: Annotated[Dice, key("hit points given back")] = NOTHING
    temp: Annotated[Dice, key("temporary points given")] = NOTHING
    gives: Annotated[tuple[Modifier, ...], key("what it changes: `+1d4 attack, +1d4 save`")] = ()
    concentration: bool = False
    recharge: Annotated[int, key("the least number on a d6 that brings it back")] = 0
    uses: Annotated[int, key("how often a day")] = 0
    slot: Annotated[int, key("level of the spell slot it takes")] = 0
    guard: Annotated[int, key("what a reaction adds to AC against the attack that sets it off")] = 0
    finesse: Annotated[bool, key("an attack to which sneak attack is added")] = False

    @property
    def limited(self) -> bool:
        return bool(self.recharge or self.uses)

    @property
    def melee(self) -> bool:
        return self.hit is not None and self.reach > 0

    @property
    def average(self) -> float:
        """The damage it does on average, with all that is under its save."""
        return sum(hurt.average for hurt in (*self.damage, *self.extra))


class Being(Struct, Data, frozen=True, tag=True):
    """The stat block of everybody."""

    name: str
    hp: Annotated[int, Meta(ge=1), key("most hit points", likely=(1, 700))] = 10
    ac: Annotated[int, key("Armor Class", likely=(5, 25))] = 10
    speed: Annotated[int, key("feet a turn, by the way it usually goes")] = 30
    space: Annotated[int, key("squares a side: large is 2")] = 1
    abilities: Annotated[dict[Ability, Score], key("such as 18/14/16/8/10/12, from str to cha")] = {}
    saves: Annotated[dict[Ability, int], key("bonuses that are better than the score's")] = {}
    skills: Annotated[dict[str, int], key("bonuses that are better than the score's")] = {}
    initiative: Annotated[int | None, key("bonus, if it is not that of dex")] = None
    level: Annotated[str, key("level or challenge, as printed")] = ""
    resist: Annotated[tuple[Kind, ...], key("kinds of damage that are halved")] = ()
    vulnerable: Annotated[tuple[Kind, ...], key("kinds that are doubled")] = ()
    immune: Annotated[tuple[Kind, ...], key("kinds that do nothing")] = ()
    unaffected: Annotated[tuple[str, ...], key("conditions that do not hold on it")] = ()
    attacks: tuple[Power, ...] = ()
    multiattack: Annotated[tuple[str, ...], key("names of the attacks of one action; `any` for any")] = ()
    powers: tuple[Power, ...] = ()
    slots: Annotated[tuple[int, ...], key("spell slots by level")] = ()
    legendary: Annotated[int, key("legendary actions a round")] = 0
    traits: Annotated[tuple[str, ...], key("pack tactics, magic resistance, evasion, and what is only read")] = ()
    sneak: Annotated[Dice, key("sneak attack, once a turn")] = NOTHING
    pronoun: PronounKey = "it"
    notes: str = ""


class Place(Standing, frozen=True, tag=True):
    """A member's own keys."""

    surprised: Annotated[bool, key("it can do nothing in its first turn")] = False


class Switches(Struct, Data, frozen=True, tag=True):
    """The house rules."""

    group_initiative: Annotated[bool, key("creatures of one stat block roll initiative once")] = True
    monsters_fall_dying: Annotated[bool, key("monsters make death saves too")] = False


NO_SWITCHES = Switches()


def block(state: State, who: Id) -> Being:
    found = state[who].block
    assert isinstance(found, Being)
    return found


def switches(state: State) -> Switches:
    return state.house_rules if isinstance(state.house_rules, Switches) else NO_SWITCHES


def score(held: Being, ability: Ability) -> int:
    return held.abilities.get(ability, 10) // 2 - 5


def initiative(held: Being) -> int:
    return score(held, "dex") if held.initiative is None else held.initiative


def save_bonus(state: State, who: Id, ability: Ability) -> Derived:
    """Return the bonus to a saving throw with its parts (FE-13)."""
    held = block(state, who)
    base = Part(f"{ability} save", held.saves.get(ability, score(held, ability)))
    return modifiers.derived(state, who, "save", base, cases=(ability,))


def skill(held: Being, name: str, ability: Ability) -> int:
    return held.skills.get(name, score(held, ability))


def derived(state: State, who: Id, name: str) -> Derived:
    """Return one of the numbers that effects may change."""
    held = block(state, who)
    base = {"ac": (Part("armour", held.ac),), "speed": (Part("speed", held.speed),)}.get(name, ())
    found = modifiers.derived(state, who, name, *base)
    if name == "speed" and found.value > 0:
        tired = TIRED.value(state, who, "exhausted")
        if tired >= 5 or any(one.name in HELD_FAST for one in state[who].effects):
            return Derived.total((*found.parts, Part("held fast", -found.value, "FE-30")))
        if tired >= 2:
            return Derived.total((*found.parts, Part("exhausted", found.value // 2 - found.value, "FE-32")))
    return found


def ac(state: State, who: Id) -> int:
    """Return Armor Class."""
    return derived(state, who, "ac").value


def speed(state: State, who: Id) -> int:
    return max(0, derived(state, who, "speed").value)


MINE = Modifier("advantage", 1), Modifier("advantage", -1)
THEIRS = Modifier("exposed", 1), Modifier("exposed", -1)
HELPLESS = ("paralyzed", "petrified", "stunned", "unconscious")
UNABLE = (*HELPLESS, "incapacitated", "surprised")
HELD_FAST = ("grappled", "restrained", *HELPLESS)
CONDITIONS = tuple(
    NamedEffect(name, rule="FE-30", modifiers=lambda value, changed=changed: changed)  # type: ignore[misc]  # a default binds
    for name, changed in {
        "blinded": (MINE[1], THEIRS[0]),
        "charmed": (),
        "deafened": (),
        "frightened": (MINE[1],),
        "grappled": (),
        "incapacitated": (),
        "invisible": (MINE[0], THEIRS[1]),
        "paralyzed": (THEIRS[0],),
        "petrified": (THEIRS[0],),
        "poisoned": (MINE[1],),
        "prone": (MINE[1],),
        "restrained": (MINE[1], THEIRS[0], Modifier("save_advantage", -1, when="dex")),
        "stunned": (THEIRS[0],),
        "unconscious": (THEIRS[0],),
    }.items()
)
DODGING = NamedEffect("dodging", "", (At("turn_start", "bearer"),), "FE-08", modifiers=lambda value: (
    THEIRS[1], Modifier("save_advantage", 1, when="dex")))  # fmt: skip # one line for each effect
HELPED = NamedEffect(
    "helped", "", (OnUse("attack"), At("turn_start", "source")), "FE-09", modifiers=lambda value: MINE[:1]
)
HIDDEN = NamedEffect("hidden", "", (OnUse("attack"),), "FE-30", modifiers=lambda value: (MINE[0], THEIRS[1]))
DISENGAGED = NamedEffect("disengaged", "", (At("turn_end", "bearer"),), "FE-08")
SURPRISED = NamedEffect("surprised", "", (At("turn_end", "bearer"),), "FE-02")
READIED = NamedEffect("readied", "", (At("turn_start", "bearer"),), "FE-10")
CONCENTRATING = NamedEffect("concentrating", rule="FE-20")
TIRED = kit.Conditions((kit.ConditionKind("exhausted", "FE-32", most=6, changes=lambda value: (
    *((MINE[1], Modifier("save_advantage", -1)) if value >= 3 else ()),)),))  # fmt: skip # as above
EFFECTS = (*CONDITIONS, *TIRED.effects, CONCENTRATING, DODGING, HELPED, HIDDEN, DISENGAGED, SURPRISED, READIED)
BY_NAME = {effect.name: effect for effect in EFFECTS}


def able(state: State, who: Id) -> bool:
    """Tell whether a combatant can act at all."""
    one = state.get(who)
    return one is not None and one.status == "up" and not any(effect.name in UNABLE for effect in one.effects)


def helpless(state: State, who: Id) -> bool:
    """Tell whether a combatant fails saves of body and is struck down where it lies."""
    return state[who].status in ("dying", "stable") or any(one.name in HELPLESS for one in state[who].effects)


def lasting(power: Power) -> tuple[kit.Until, ...]:
    """Return when what a power brings about ends by itself (FE-18)."""
    if power.ends == "save" and power.save is not None:
        return (kit.OnSave(power.save, against=power.dc),)
    return {"turn": (At("turn_end", "source", 2),), "start": (At("turn_start", "source"),)}.get(power.ends, ())
