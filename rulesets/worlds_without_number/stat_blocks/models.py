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

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct

from rulesets.without_number.stat_blocks import AtLeastNone, AtLeastOne, Attribute, Level, Shock
from tracker.core.fight.cache import per_object
from tracker.core.game.file_syntax import ArticleKey, PronounKey, key, name_of
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

_SKILLS = ("punch", "stab", "shoot", "exert", "heal", "notice", "sneak")
_AC = r"\d{1,3}\s*a?"
_SAVE = r"\d+\+?"
SHOCK_FORM = r"\d+\s*/\s*(AC\s*)?(\d+|-|–|—)|([Ww]pn|[Ww]eapon)\.?(\s*[+-]\d+)?|[Nn]one|-"
_HIT_DICE = r"1/2|½|\d+\s*[Hh][Pp]|\d+(\s*[+-]\s*\d+)?|[+-]?\d*[dD]\d+.*"
Skill: TypeAlias = Literal["punch", "stab", "shoot", "exert"]
Use: TypeAlias = Literal["melee", "ranged", "thrown"]
Size: TypeAlias = Literal["human", "large", "beast"]


Modifier: TypeAlias = Annotated[int, Meta(ge=-5, le=5)]
SaveNumber: TypeAlias = Annotated[int, Meta(ge=2, le=20)]


class ArmorClass(Struct, frozen=True):
    """What the total of a melee attack, or of any other, has to reach (WN-104)."""

    melee: Annotated[
        AtLeastNone, key("against melee attacks", takes="number or text", form=_AC, needed=True, likely=(0, 30))
    ] = 10
    ranged: Annotated[
        AtLeastNone, key("against all others", takes="number or text", form=_AC, needed=True, likely=(0, 30))
    ] = 10


class Mods(Struct, frozen=True):
    """Attribute modifiers.

    The fields are called as the game calls them.
    """

    str: Annotated[Modifier, key("Strength")] = 0
    dex: Annotated[Modifier, key("Dexterity")] = 0
    con: Annotated[Modifier, key("Constitution")] = 0
    int: Annotated[Modifier, key("Intelligence")] = 0
    wis: Annotated[Modifier, key("Wisdom")] = 0
    cha: Annotated[Modifier, key("Charisma")] = 0


class Saves(Struct, frozen=True):
    """Typed save numbers, None where the computed one counts."""

    physical: Annotated[SaveNumber | None, key("against physical harm", takes="number or text", form=_SAVE)] = None
    evasion: Annotated[SaveNumber | None, key("against what can be dodged", takes="number or text", form=_SAVE)] = None
    mental: Annotated[SaveNumber | None, key("against what befalls the mind", takes="number or text", form=_SAVE)] = (
        None
    )


class Bonus(Struct, frozen=True):
    """Standing bonuses of a combatant or a weapon.

    Only `shock` adds to Shock (WN-141). A weapon has no `trauma_die` here.
    """

    hit: Annotated[int, key("to hit")] = 0
    damage: Annotated[int, key("to damage")] = 0
    shock: Annotated[int, key("to Shock")] = 0
    trauma_die: Annotated[int, key("to the Trauma Die; a wielder's alone")] = 0


class Trauma(Struct, frozen=True):
    """A weapon's Trauma Die and Rating, for the optional rule WN-125."""

    die: Annotated[Dice, key("Trauma Die")]
    rating: Annotated[AtLeastOne, key("Trauma Rating", takes="number or text", form=r"x?\d+")]


class Weapon(Struct, frozen=True):
    """A way to attack (R33); its name is unique within its stat block.

    `skill` None is the usual one: ask `skills_for`. `reload` (table 8.5) None is always ready. `nonlethal` is a hint
    (WN-121).
    """

    name: str
    dmg: Annotated[
        Dice,
        key(
            "a character's weapon: without the attribute modifier; a monster's: complete",
            takes="dice or text",
            like=("1d8", "none"),
            needed=False,
        ),
    ]
    kind: Annotated[
        tuple[Use, ...],
        key("a dagger is `[melee, thrown]`", takes="stored or text", form=r"[\w/, ]+", like=("[melee, thrown]",)),
    ] = ("melee",)
    attr: Annotated[
        tuple[Attribute, ...],
        key(
            "attributes the wielder may use for hit, damage and Shock",
            takes="stored or text",
            form=r"[\w/, ]+",
            like=("str/dex",),
        ),
    ] = ("str",)
    skill: Annotated[
        Skill | None,
        key(
            "`stab` for melee, `shoot` for ranged and thrown; a throw can always use `shoot`, `stab` and `exert`",
            takes="stored or text or nothing",
            form=r"none|-",
        ),
    ] = None
    shock: Annotated[
        Shock | None,
        key(
            "`2/15`, `5/-`; the attribute modifier of a character is added",
            takes="Shock or text or nothing",
            form=SHOCK_FORM,
            like=("2/15", "5/-"),
        ),
    ] = None
    hands: Annotated[Literal[1, 2], key("`2`: a ranged weapon is useless with an enemy in reach")] = 1
    range: Annotated[
        tuple[AtLeastNone, AtLeastNone] | None,
        key(
            "`30/60`: normal and farthest, in feet",
            takes="list or text or nothing",
            form=r"\d+\D*/\s*\d+\D*|none|-",
            like=("30/60",),
        ),
    ] = None
    reload: Annotated[
        Literal["bow", "crossbow"] | None,
        key("empty after each shot", takes="stored or text or nothing", form=r"none|-"),
    ] = None
    natural: Annotated[bool, key("part of the body")] = False
    nonlethal: Annotated[bool, key("fit for stunning (a hint, you still tick it)")] = False
    trauma: Annotated[Trauma | None, key("`{die: 1d6, rating: 2}`", takes="Trauma or text", like=("1d6/x3",))] = None
    bonus: Annotated[Bonus, key("`{hit: 1, damage: 2, shock: 1}`, the weapon's own")] = Bonus()
    attacks: Annotated[
        AtLeastOne | None,
        key(
            "attacks with it in one Main action; as many as its owner's if it is not typed; all together "
            "where they add up to those"
        ),
    ] = None

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
    does: Annotated[Literal["miss_to_hit", "hit_to_miss", "note"], key("after an attack roll; `note` is only counted")]
    uses: Annotated[AtLeastNone, key("in a fight")] = 1


ShieldKey: TypeAlias = Annotated[bool, key("ignores the first Shock of every round")]
MoveTextKey: TypeAlias = Annotated[str, key("the words of `move`")]
AutoInitiativeKey: TypeAlias = Annotated[bool, key("acts before all sides")]
ImmuneToSurpriseKey: TypeAlias = Annotated[bool, key("is never surprised")]
ShockImmuneKey: TypeAlias = Annotated[bool, key("takes no Shock")]
BonusKey: TypeAlias = Annotated[Bonus, key("`{hit: 1, damage: 1}`; only `shock` raises Shock")]
TraumaTargetKey: TypeAlias = Annotated[AtLeastOne, key("with `trauma: true` only")]
TraumaImmuneKey: TypeAlias = Annotated[bool, key("with `trauma: true` only")]
SizeKey: TypeAlias = Annotated[Size, key("`large` (−2) or `beast` (−4) for others who shove or grapple it")]
InstantsKey: TypeAlias = Annotated[tuple[Instant, ...], key("Instant powers")]


class PC(Struct, Data, frozen=True, kw_only=True, tag="wn_pc"):
    """A player character (3.1)."""

    name: str
    id: str = ""
    hp: Annotated[AtLeastOne, key("most hit points")]
    hp_now: Annotated[
        AtLeastNone, key("present hit points; `hp` if it is not typed; a present 0 starts stable", needed=False)
    ]
    ac: Annotated[
        ArmorClass,
        key(
            "one number, or `{melee: 13, ranged: 15}`; the shield included",
            takes="number or text or ArmorClass",
            form=_AC,
            like=("15", "15a", "{melee: 12, ranged: 15}"),
        ),
    ] = ArmorClass()
    shield: ShieldKey = False
    ab: Annotated[int, Meta(ge=-5, le=20), key("base attack bonus")] = 0
    level: Annotated[int, Meta(ge=1, le=10), key("serves only the saves")] = 1
    mods: Annotated[
        Mods, key("`{str: 1, dex: -1}`; or `attributes: {str: 14}`, from which they are computed (`mods` wins)")
    ] = Mods()
    skills: Annotated[
        tuple[tuple[Annotated[str, name_of("skill", _SKILLS, own_words=True)], Level], ...],
        key(
            "`{stab: 1, shoot: 0}`; what is not listed is unskilled, the same as −1",
            takes="numbers or list",
            like=("{stab: 1, sneak: 0}",),
        ),
    ] = ()
    saves: Annotated[Saves, key("`{physical: 12, evasion: 15, mental: 14}`; computed if they are not typed")] = Saves()
    weapons: Annotated[
        tuple[Weapon, ...],
        key(
            "see Weapon; bare hands are always there",
            takes="list of Weapon/text",
            like=("[long sword, {name: net, dmg: none}]",),
        ),
    ] = ()
    unarmed: Annotated[
        Weapon, key("what bare hands do: dice or a weapon", takes="part of Weapon or dice", like=("1d4",))
    ] = UNARMED
    dual_wield: Annotated[
        tuple[str, str] | None,
        key(
            "`[short sword, dagger]`, or `true` for the first two one-handed weapons",
            takes="flag or words",
            like=("true", "[short sword, dagger]"),
        ),
    ] = None
    move: Annotated[
        AtLeastNone,
        key(
            "feet; `40' fly` counts as 40 and is shown in full",
            takes="number or text",
            like=("30", "40' fly"),
            likely=(0, 200),
        ),
    ] = 30
    move_text: MoveTextKey = ""
    auto_initiative: AutoInitiativeKey = False
    immune_to_surprise: ImmuneToSurpriseKey = False
    shock_immune: ShockImmuneKey = False
    bonus: BonusKey = Bonus()
    trauma_target: TraumaTargetKey = 6
    trauma_immune: TraumaImmuneKey = False
    size: SizeKey = "human"
    instants: InstantsKey = ()
    frail: Annotated[bool, key("the next time at 0 hit points is death")] = False
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET

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

    `hit_dice` are rolled if `hp` is None (WN-C09, R41); `attacks` counts those of one Main action (R33). With
    `any_weapon` the `weapons` are all presets, and the GM names the one in its hand. `npc` None: an NPC unless its side
    is the PCs' side. `unread` are columns of a printed line, each as `name: text`.
    """

    name: str
    id: str = ""
    hd: Annotated[
        AtLeastNone,
        key(
            "hit dice; also the attack bonus if `atk` is not typed",
            takes="number or text",
            form=_HIT_DICE,
            like=("3", "3+1", "1/2", "3 HP"),
            also=("hit dice",),
            likely=(0, 40),
        ),
    ] = 1
    hit_dice: Annotated[Dice, key("dice for hit points; from `hd`")] = Dice.of(1, 8)
    hp: Annotated[AtLeastOne | None, key("hit points; rolled if they are not typed")] = None
    ac: Annotated[
        ArmorClass,
        key(
            "`15`, `15a` (worn armour), or `{melee: 12, ranged: 15}`",
            takes="number or text or ArmorClass",
            form=_AC,
            like=("15", "15a", "{melee: 12, ranged: 15}"),
            also=("armor class", "armour class"),
        ),
    ] = ArmorClass()
    worn_armor: Annotated[bool, key("its AC comes from worn armour")] = False
    atk: Annotated[
        int,
        key(
            "`+6`, or `+6 x2` for two attacks in one Main action",
            takes="number or text",
            form=r"[+-]?\d+(\s*[x×*]\s*\d+)?|[Nn]/?[Aa]|none|-|–",
            like=("+6", "+6 x2", "N/A"),
            also=("attack",),
            likely=(-5, 40),
        ),
    ] = 1
    attacks: Annotated[AtLeastNone, key("attacks in one Main action; 0: it does not attack")] = 1
    weapons: Annotated[
        tuple[Weapon, ...],
        key(
            "several attacks to choose from; without them `dmg`, `shock`, `kind` and `natural` make one called attack",
            takes="list of Weapon/text",
            like=("[short sword, {name: bite, dmg: 1d6}]",),
        ),
    ] = (Weapon("attack", Dice.of(1, 6)),)
    any_weapon: Annotated[bool, key("printed as `Wpn`: any preset")] = False
    unarmed: Annotated[
        Weapon,
        key("damage at each round's end to the combatant it holds", takes="part of Weapon or dice", like=("1d4",)),
    ] = UNARMED
    move: Annotated[
        AtLeastNone,
        key(
            "feet; `40' fly` counts as 40 and is shown in full",
            takes="number or text",
            like=("30", "40' fly"),
            likely=(0, 500),
        ),
    ] = 30
    move_text: MoveTextKey = ""
    ml: Annotated[
        int,
        Meta(ge=2, le=12),
        key("Morale (12 never breaks)", takes="stored or text", form=r"\+?\d+", also=("morale",)),
    ] = 7
    inst: Annotated[int, Meta(ge=0, le=10), key("Instinct", also=("instinct",))] = 5
    skill: Annotated[int, Meta(ge=-1), key("one number for all skills", takes="stored or text", form=r"[+-]?\d+")] = 1
    save: Annotated[
        SaveNumber | None,
        key("`13` or `13+`; from `hd` if it is not typed", takes="number or text", form=_SAVE, like=("13", "13+")),
    ] = None
    init_mod: Annotated[int, key("added to its initiative")] = 0
    disciplined: Annotated[bool, key("may make Snap Attacks")] = False
    fate: Annotated[Literal["dead", "mortal"], key("`mortal`: lies dying at 0 hit points, like a player character")] = (
        "dead"
    )
    leader: Annotated[bool, key("its fall raises the question of Morale")] = False
    expects_trouble: Annotated[bool, key("cannot be executed; a side where all have it cannot be surprised")] = False
    npc: Annotated[bool | None, key("rolls and checks Morale like an NPC; true for the GM's sides")] = None
    shield: ShieldKey = False
    shock_immune: ShockImmuneKey = False
    auto_initiative: AutoInitiativeKey = False
    immune_to_surprise: ImmuneToSurpriseKey = False
    bonus: BonusKey = Bonus()
    trauma_target: TraumaTargetKey = 6
    trauma_immune: TraumaImmuneKey = False
    size: SizeKey = "human"
    instants: InstantsKey = ()
    unread: Annotated[tuple[str, ...], key("columns of a printed line that could not be read")] = ()
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET

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

    initiative: Annotated[Literal["side", "individual"], key("one roll for a side, or one for each combatant")] = "side"
    trauma: Annotated[bool, key("the optional Trauma Dice")] = False
    companion: Annotated[
        bool, key("dying, Morale, recovery and computed saves; without them you are asked instead")
    ] = True
    opposed_ties: Annotated[Literal["pc", "initiator_fails"], key("who wins a tied check")] = "pc"
    natural_attack: Annotated[bool, key("natural 20 always hits, natural 1 always misses")] = False
    natural_saves: Annotated[bool, key("natural 20 always saves, natural 1 never")] = True
    swarm_size: Annotated[Literal[4, 5], key("most assailants in one Swarm Attack")] = 4
    swarms_per_target: Annotated[Literal["many", "one"], key("in one round")] = "many"
    ask_instants: Annotated[Literal["pcs", "all", "never"], key("who is asked for answers to an attack")] = "pcs"
    death_rounds: Annotated[AtLeastOne, key("rounds after the one of the fall until death")] = 6


class Setup(Struct, Data, frozen=True, tag="wn_setup"):
    """Start conditions: `wait` stays in set-up, for execution attacks before the fight."""

    wait: Annotated[bool, key("stay in the set-up, for executions before the fight; `n` opens it")] = False


class SideKeys(Struct, Data, frozen=True, tag="wn_side"):
    """A side's own keys (WN-018, WN-022, WN-023)."""

    surprised: Annotated[bool, key("caught unaware: the others act first, in round 0")] = False
    expects_trouble: Annotated[bool, key("cannot be surprised; not together with `surprised: true`")] = False
    initiative_modifier: Annotated[int, key("added to the side's initiative")] = 0

    def __post_init__(self) -> None:
        # WN-022
        if self.surprised and self.expects_trouble:
            raise ValueError("surprised: a side that expects trouble cannot be surprised")
