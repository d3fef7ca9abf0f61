"""Stat blocks, switches and encounter keys of Worlds Without Number, in one canonical form.

`shorthand` turns everything a GM may type into this form, so that the mechanics meet no variants:

* `ac` is an `ArmorClass`; the letter of `15a` is `worn_armor`; `move` is a number, other words stay in `move_text`.
* `mods` are complete, whether typed or made from `attributes`; `skills` are sorted pairs without levels of -1.
* Every weapon is complete: presets filled in, `shock` a `Shock` or None, `range` a pair or None. Names are unique
within a block.
* `unarmed` is always a `Weapon`. A monster's default attack is a weapon called `attack` in `weapons`; if it is natural,
it is `unarmed` too.
* A monster's `atk` and `attacks` are numbers; `attacks` 0 means that it does not attack. `hit_dice` are what to roll
where `hp` is None.
* `hp_now` is filled in. `dual_wield` is two names or None.

Typed saves stay optional, since WN-C06 and WN-C07 may be switched off; the computed numbers are `PC.computed_saves` and
`Monster.computed_save`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from rulesets.without_number.blocks import AtLeastNone, AtLeastOne, Attribute, Level, Shock
from tracker.core.fight.memo import per_object
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

Skill: TypeAlias = Literal["punch", "stab", "shoot", "exert"]
Use: TypeAlias = Literal["melee", "ranged", "thrown"]
Size: TypeAlias = Literal["human", "large", "beast"]


Modifier: TypeAlias = Annotated[int, Meta(ge=-5, le=5)]
SaveNumber: TypeAlias = Annotated[int, Meta(ge=2, le=20)]


class ArmorClass(Struct, frozen=True):
    """What the total of a melee attack, or of any other, has to reach (WN-104)."""

    melee: AtLeastNone = 10
    ranged: AtLeastNone = 10


class Mods(Struct, frozen=True):
    """Attribute modifiers.

    The fields are called as the game calls them.
    """

    str: Modifier = 0
    dex: Modifier = 0
    con: Modifier = 0
    int: Modifier = 0
    wis: Modifier = 0
    cha: Modifier = 0


class Saves(Struct, frozen=True):
    """Typed save numbers, None where the computed one counts."""

    physical: SaveNumber | None = None
    evasion: SaveNumber | None = None
    mental: SaveNumber | None = None


class Bonus(Struct, frozen=True):
    """Standing bonuses of a combatant or a weapon.

    Only `shock` adds to Shock (WN-141). A weapon has no `trauma_die` here.
    """

    hit: int = 0
    damage: int = 0
    shock: int = 0
    trauma_die: int = 0


class Trauma(Struct, frozen=True):
    """A weapon's Trauma Die and Rating, for the optional rule WN-125."""

    die: Dice
    rating: AtLeastOne


class Weapon(Struct, frozen=True):
    """A way to attack.

    Attributes:
        name: unique within its stat block.
        dmg: damage; a PC's without the attribute modifier, a monster's complete.
        kind: the uses it is made for.
        attr: attributes a PC may choose from.
        skill: a typed combat skill, or None for the usual one; ask `skills_for`.
        shock: base Shock, or None.
        hands: 1 or 2.
        range: normal and greatest range in feet, or None.
        reload: what it takes to load it again (table 8.5), or None if it is always ready.
        natural: part of the body: counts as unarmed.
        nonlethal: fit for non-lethal attacks; a hint (WN-121).
        trauma: Trauma Die and Rating, or None.
        bonus: the weapon's own bonuses.
        attacks: how many it makes in one Main action, or None for as many as its owner (R33).
    """

    name: str
    dmg: Dice
    kind: tuple[Use, ...] = ("melee",)
    attr: tuple[Attribute, ...] = ("str",)
    skill: Skill | None = None
    shock: Shock | None = None
    hands: Literal[1, 2] = 1
    range: tuple[AtLeastNone, AtLeastNone] | None = None
    reload: Literal["bow", "crossbow"] | None = None
    natural: bool = False
    nonlethal: bool = False
    trauma: Trauma | None = None
    bonus: Bonus = Bonus()
    attacks: AtLeastOne | None = None

    @property
    def harmless(self) -> bool:
        """It does no damage and no Shock: a net, a touch."""
        return not self.dmg.terms and not self.dmg.plus and self.shock is None

    def skills_for(self, use: Use) -> tuple[Skill, ...]:
        """Return the combat skills allowed for a use, the usual one first (WN-043, WN-045)."""
        if use == "thrown":
            return ("shoot", "stab", "exert")
        return (self.skill or ("stab" if use == "melee" else "shoot"),)


# WN-C30
UNARMED = Weapon("unarmed", Dice.of(1, 2), skill="punch", natural=True, nonlethal=True)


class Instant(Struct, frozen=True):
    """An Instant power.

    What it does after an attack roll, and how often in a fight; `note` is only counted.
    """

    name: str
    does: Literal["miss_to_hit", "hit_to_miss", "note"]
    uses: AtLeastNone = 1


class PC(Struct, Data, frozen=True, kw_only=True, tag="wn_pc"):
    """A player character (3.1)."""

    name: str
    id: str = ""
    hp: AtLeastOne
    hp_now: AtLeastNone
    ac: ArmorClass = ArmorClass()
    shield: bool = False
    ab: Annotated[int, Meta(ge=-5, le=20)] = 0
    level: Annotated[int, Meta(ge=1, le=10)] = 1
    mods: Mods = Mods()
    skills: tuple[tuple[str, Level], ...] = ()
    saves: Saves = Saves()
    weapons: tuple[Weapon, ...] = ()
    unarmed: Weapon = UNARMED
    dual_wield: tuple[str, str] | None = None
    move: AtLeastNone = 30
    move_text: str = ""
    auto_initiative: bool = False
    immune_to_surprise: bool = False
    shock_immune: bool = False
    bonus: Bonus = Bonus()
    trauma_target: AtLeastOne = 6
    trauma_immune: bool = False
    size: Size = "human"
    instants: tuple[Instant, ...] = ()
    frail: bool = False
    notes: str = ""

    def skill(self, name: str) -> int:
        """Return a skill's level, -1 for none."""
        return next((level for skill, level in self.skills if skill == name), -1)

    @property
    def computed_saves(self) -> Saves:
        """The save numbers of WN-C06, whatever is typed."""
        mods, base = self.mods, 16 - self.level
        best = (max(mods.str, mods.con), max(mods.dex, mods.int), max(mods.wis, mods.cha))
        return Saves(*(min(max(2, base - mod), 20) for mod in best))

    @property
    def arms(self) -> tuple[Weapon, ...]:
        """Everything it can attack with: its weapons, then its bare hands."""
        return _arms(self)


class Monster(Struct, Data, frozen=True, kw_only=True, tag="wn_monster"):
    """A monster or another NPC (3.2).

    Attributes:
        hd: hit dice as a number; `hit_dice` is what is rolled where `hp` is None (WN-C09, R41).
        worn_armor: its AC comes from armour it wears.
        attacks: attacks in one Main action (R33); 0: it does not attack.
        any_weapon: printed as `Wpn` without a list: `weapons` are all presets, and the GM names the one in its hand.
        save: the typed save number, or None.
        npc: None: an NPC unless its side is the PCs' side.
        unread: columns of a printed line that could not be read, each as `name: text`.
    """

    name: str
    id: str = ""
    hd: AtLeastNone = 1
    hit_dice: Dice = Dice.of(1, 8)
    hp: AtLeastOne | None = None
    ac: ArmorClass = ArmorClass()
    worn_armor: bool = False
    atk: int = 1
    attacks: AtLeastNone = 1
    weapons: tuple[Weapon, ...] = (Weapon("attack", Dice.of(1, 6)),)
    any_weapon: bool = False
    unarmed: Weapon = UNARMED
    move: AtLeastNone = 30
    move_text: str = ""
    ml: Annotated[int, Meta(ge=2, le=12)] = 7
    inst: Annotated[int, Meta(ge=0, le=10)] = 5
    skill: Annotated[int, Meta(ge=-1)] = 1
    save: SaveNumber | None = None
    init_mod: int = 0
    disciplined: bool = False
    fate: Literal["dead", "mortal"] = "dead"
    leader: bool = False
    expects_trouble: bool = False
    npc: bool | None = None
    shield: bool = False
    shock_immune: bool = False
    auto_initiative: bool = False
    immune_to_surprise: bool = False
    bonus: Bonus = Bonus()
    trauma_target: AtLeastOne = 6
    trauma_immune: bool = False
    size: Size = "human"
    instants: tuple[Instant, ...] = ()
    unread: tuple[str, ...] = ()
    notes: str = ""

    @property
    def computed_save(self) -> int:
        """The save number of WN-C07, whatever is typed."""
        return max(2, 15 - self.hd // 2)

    @property
    def arms(self) -> tuple[Weapon, ...]:
        """Everything it can attack with: its weapons, then its bare hands."""
        return _arms(self)


@per_object
def _arms(owner: PC | Monster) -> tuple[Weapon, ...]:
    weapons, unarmed = owner.weapons, owner.unarmed
    return weapons if any(weapon.name == unarmed.name for weapon in weapons) else (*weapons, unarmed)


class HouseRules(Struct, Data, frozen=True, tag="wn_house_rules"):
    """The switches of section 3.5."""

    initiative: Literal["side", "individual"] = "side"
    trauma: bool = False
    companion: bool = True
    opposed_ties: Literal["pc", "initiator_fails"] = "pc"
    natural_attack: bool = False
    natural_saves: bool = True
    swarm_size: Literal[4, 5] = 4
    swarms_per_target: Literal["many", "one"] = "many"
    ask_instants: Literal["pcs", "all", "never"] = "pcs"
    death_rounds: AtLeastOne = 6


class Setup(Struct, Data, frozen=True, tag="wn_setup"):
    """Start conditions: `wait` stays in set-up, for execution attacks before the fight."""

    wait: bool = False


class SideKeys(Struct, Data, frozen=True, tag="wn_side"):
    """A side's own keys (WN-018, WN-022, WN-023)."""

    surprised: bool = False
    expects_trouble: bool = False
    initiative_modifier: int = 0

    def __post_init__(self) -> None:
        # WN-022
        if self.surprised and self.expects_trouble:
            raise ValueError("surprised: a side that expects trouble cannot be surprised")
