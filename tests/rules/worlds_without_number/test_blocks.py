"""Stat blocks: what a GM types, what is refused, and the bundled files."""

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from msgspec import ValidationError
from msgspec.structs import replace

from rulesets.without_number.blocks.shapes import Shock
from rulesets.worlds_without_number.blocks.canonical import (
    PC,
    UNARMED,
    ArmorClass,
    Bonus,
    HouseRules,
    Instant,
    Mods,
    Monster,
    Saves,
    Setup,
    SideKeys,
    Trauma,
    Weapon,
)
from rulesets.worlds_without_number.blocks.shorthand import attribute_modifier, read_block, shorthand
from rulesets.worlds_without_number.blocks.weapons import PRESETS, likely, preset
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.values import Codec, Data
from tracker.library.shelves.encounters import load_encounter

FOLDER = Path(__file__).parents[3] / "encounters" / "worlds_without_number"
CODEC = Codec([PC, Monster, HouseRules, Setup, SideKeys])


def pc(**typed: object) -> PC:
    block = read_block("pc", {"name": "Ansa", "hp": 12, **typed})
    assert isinstance(block, PC)
    return block


def monster(**typed: object) -> Monster:
    block = read_block("monster", {"name": "Raider", **typed})
    assert isinstance(block, Monster)
    return block


def weapon(**typed: object) -> Weapon:
    return monster(weapons=[typed]).weapons[0]


def cadmon() -> PC:
    text = """
        hp: 15
        ac: 16
        shield: true
        ab: 2
        mods: {str: 2, dex: -1}
        skills: {stab: 2, punch: 1, exert: 1, notice: 0}
        saves: {physical: 12, evasion: 15, mental: 14}
        weapons:
          - {name: hand axe, dmg: 1d6, shock: 1/15, kind: [melee, thrown], range: 10/30, attr: [str]}
        instants:
          - {name: Veteran's Luck, does: miss_to_hit, uses: 1}
    """
    return pc(**yaml.safe_load(text))


# Characters


def test_a_character_is_read_as_typed() -> None:
    """The character of the catalogue comes out complete."""
    block = cadmon()

    assert (block.hp, block.hp_now, block.ac, block.shield, block.ab) == (15, 15, ArmorClass(16, 16), True, 2)
    assert block.mods == Mods(str=2, dex=-1)
    assert block.skills == (("exert", 1), ("notice", 0), ("punch", 1), ("stab", 2))
    assert block.saves == Saves(12, 15, 14)
    assert block.weapons == (preset("hand axe"),)
    assert block.instants == (Instant("Veteran's Luck", "miss_to_hit", 1),)
    assert block.unarmed == UNARMED


def test_a_character_needs_only_name_and_hit_points() -> None:
    """Everything else has the defaults of the game."""
    assert pc() == PC(name="Ansa", hp=12, hp_now=12)


def test_present_hit_points() -> None:
    """A character may come hurt, down to 0."""
    assert pc(hp_now=0).hp_now == 0


def test_missing_hit_points_are_named() -> None:
    """Only `hp` is complained about, not what follows from it."""
    with pytest.raises(ValidationError, match="`hp`"):
        read_block("pc", {"name": "Nobody"})


@pytest.mark.parametrize(
    ("score", "modifier"),
    [(3, -2), (4, -1), (7, -1), (8, 0), (13, 0), (14, 1), (17, 1), (18, 2)],
    ids=lambda value: str(value),
)
def test_attribute_scores(score: int, modifier: int) -> None:
    """WN-C08: the borders of table 8.6."""
    assert attribute_modifier(score) == modifier
    assert pc(attributes={"wis": score}).mods == Mods(wis=modifier)


def test_typed_modifiers_win_over_scores() -> None:
    """`mods` wins for its own keys only."""
    assert pc(attributes={"str": 18, "dex": 18}, mods={"str": 0}).mods == Mods(str=0, dex=2)


def test_a_skill_of_minus_one_is_no_skill() -> None:
    """-1 and nothing are the same block."""
    assert pc(skills={"Stab": 1, "heal": -1}) == pc(skills={"stab": "+1"})
    assert pc(skills={"stab": 1}).skill("heal") == -1


def test_computed_saves() -> None:
    """WN-C06: the better modifier of each pair counts, and typed numbers stay beside it."""
    block = pc(level=3, mods={"con": 1, "int": 2, "dex": 1, "cha": -1}, saves={"mental": "12+"})

    assert block.computed_saves == Saves(12, 11, 13)
    assert block.saves == Saves(mental=12)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (True, ("long sword", "short sword")),
        (["Short Sword", "dagger"], ("short sword", "dagger")),
        (["dagger", "dagger"], ("dagger", "dagger")),
        (False, None),
    ],
)
def test_dual_wield(typed: object, names: tuple[str, str] | None) -> None:
    """`true` means the first two weapons that need one hand."""
    weapons = [{"name": "staff"}, {"name": "long sword"}, {"name": "short sword"}, {"name": "dagger"}]

    assert pc(weapons=weapons, dual_wield=typed).dual_wield == names


# Monsters


def test_a_monster_needs_only_a_name() -> None:
    """The defaults are those of the Struct."""
    assert monster() == Monster(name="Raider")


def test_attack_and_save_follow_from_hit_dice() -> None:
    """E76: WN-106 and WN-C07."""
    block = monster(hd=3)

    assert (block.atk, block.computed_save, block.save) == (3, 14, None)


@pytest.mark.parametrize(
    ("hd", "save"), [(0, 15), (1, 15), (2, 14), (5, 13), (6, 12), (9, 11), (10, 10), (13, 9), (15, 8), (20, 5), (40, 2)]
)
def test_computed_save(hd: int, save: int) -> None:
    """WN-C07: table 8.7, and never below 2."""
    assert monster(hd=hd).computed_save == save


def test_the_printed_abbreviations_are_read() -> None:
    """The brute of the catalogue."""
    text = (
        "{hd: 4, hp: 20, ac: 14, atk: +5, dmg: 1d10+2, shock: 5/-, move: 30, ml: 9, inst: 4, "
        "skill: +1, save: 13+, size: large}"
    )
    block = monster(**yaml.safe_load(text))

    assert block == Monster(
        name="Raider",
        hd=4,
        hit_dice=Dice.parse("4d8"),
        hp=20,
        ac=ArmorClass(14, 14),
        atk=5,
        weapons=(Weapon("attack", Dice.parse("1d10+2"), shock=Shock(5, None)),),
        ml=9,
        inst=4,
        skill=1,
        save=13,
        size="large",
    )


def test_headings_may_be_typed_as_printed() -> None:
    """`HD`, `Atk.` and `ML` are the same keys."""
    assert read_block("monster", {"name": "x", "HD": 2, "Atk.": "+3", "ML": 9}) == read_block(
        "monster", {"name": "x", "hd": 2, "atk": 3, "ml": 9}
    )


@pytest.mark.parametrize(
    ("typed", "expected", "worn"),
    [
        (15, ArmorClass(15, 15), False),
        ("15", ArmorClass(15, 15), False),
        ("15a", ArmorClass(15, 15), True),
        ({"melee": 12, "ranged": 15}, ArmorClass(12, 15), False),
        ({"melee": "12a", "ranged": "15a"}, ArmorClass(12, 15), True),
    ],
)
def test_armor_class(typed: object, expected: ArmorClass, worn: bool) -> None:
    """One number sets both.

    The letter says that armour is worn.
    """
    block = monster(ac=typed)

    assert (block.ac, block.worn_armor) == (expected, worn)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("+6", (6, 1)),
        (6, (6, 1)),
        ("+6 x2", (6, 2)),
        ("+6 x 2", (6, 2)),
        ("+12×4", (12, 4)),
        ("-1", (-1, 1)),
        ("N/A", (0, 0)),
        ("-", (0, 0)),
    ],
)
def test_attack_bonus(typed: object, expected: tuple[int, int]) -> None:
    """R33: `x2` is two attacks in one Main action.

    `N/A` is none.
    """
    block = monster(atk=typed)

    assert (block.atk, block.attacks) == expected
    assert bool(block.weapons) == (expected[1] > 0)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2/15", Shock(2, 15)),
        ("5/-", Shock(5, None)),
        (" 4 / 13 ", Shock(4, 13)),
        ("none", None),
        ("-", None),
        (None, None),
        ({"points": 2, "ac": 13}, Shock(2, 13)),
    ],
)
def test_shock(typed: object, expected: Shock | None) -> None:
    """E03: WN-136 and WN-138."""
    assert monster(shock=typed).weapons[0].shock == expected


@pytest.mark.parametrize(
    ("typed", "feet", "text"),
    [
        (40, 40, ""),
        ("40'", 40, ""),
        ("40 ft", 40, ""),
        ("40' fly", 40, "40' fly"),
        ("20'/40' swim", 20, "20'/40' swim"),
        (0, 0, ""),
    ],
)
def test_move(typed: object, feet: int, text: str) -> None:
    """The first number counts.

    Words are kept.
    """
    block = monster(move=typed)

    assert (block.move, block.move_text) == (feet, text)


@pytest.mark.parametrize(
    ("typed", "hd", "rolled", "hp"),
    [
        (4, 4, "4d8", None),
        ("4d8", 4, "4d8", None),
        ("2d8+3", 2, "2d8+3", None),
        (0, 0, "1d4", None),
        ("1/2", 0, "1d4", None),
        ("3 HP", 1, "1d8", 3),
    ],
)
def test_hit_dice(typed: object, hd: int, rolled: str, hp: int | None) -> None:
    """WN-C09 and R41: what is rolled for hit points."""
    block = monster(hd=typed)

    assert (block.hd, str(block.hit_dice), block.hp) == (hd, rolled, hp)


def test_a_natural_default_attack_is_the_unarmed_attack() -> None:
    """Fangs serve in a grapple and need no second entry."""
    block = monster(dmg="1d4", shock="1/13", natural=True)

    assert block.weapons == (Weapon("attack", Dice.parse("1d4"), shock=Shock(1, 13), natural=True),)
    assert block.unarmed == block.weapons[0]
    assert block.arms == block.weapons


def test_typed_unarmed_damage() -> None:
    """Coils may do more than fangs."""
    block = monster(dmg="1d6", natural=True, unarmed="2d4")

    assert (str(block.weapons[0].dmg), str(block.unarmed.dmg), block.unarmed.natural) == ("1d6", "2d4", True)


def test_bare_hands_are_always_there() -> None:
    """WN-C30: 1d2, Strength, Punch, fit to subdue."""
    assert monster().arms[-1] == UNARMED
    assert Weapon("unarmed", Dice.of(1, 2), skill="punch", natural=True, nonlethal=True) == UNARMED


def test_a_list_of_weapons_replaces_the_default_attack() -> None:
    """No attack of 1d6 appears beside them, unless damage is typed too."""
    club = [{"name": "club"}]

    assert monster(weapons=club).weapons == (preset("club"),)
    assert [weapon.name for weapon in monster(weapons=club, dmg="1d8").weapons] == ["attack", "club"]


def test_no_damage_means_no_default_attack() -> None:
    """`None` in the damage column."""
    assert monster(dmg="None").weapons == ()


def test_kind_is_a_word_for_the_block_and_a_list_for_the_attack() -> None:
    """Both may stand under the same key."""
    assert monster(kind="monster") == monster()
    assert monster(kind=["ranged"]).weapons[0].kind == ("ranged",)


def test_whatever_weapon_it_holds() -> None:
    """8.8: `Wpn` without a list offers every preset, the pluses added."""
    block = monster(dmg="Wpn+2", shock="Wpn+2")

    assert block.any_weapon
    assert [weapon.name for weapon in block.weapons] == [weapon.name for weapon in PRESETS[1:]]
    assert {weapon.bonus for weapon in block.weapons} == {Bonus(damage=2, shock=2)}


def test_a_list_stands_in_for_wpn() -> None:
    """8.8: `+2` goes to Shock only where that column says so."""
    block = monster(dmg="Wpn+2", shock="Wpn", weapons=["mace", {"name": "small bow", "bonus": {"hit": 1}}])

    assert not block.any_weapon
    assert [weapon.bonus for weapon in block.weapons] == [Bonus(damage=2), Bonus(hit=1, damage=2)]
    assert block.weapons[0].shock == Shock(1, 18)


def test_wpn_without_shock() -> None:
    """Peaceful folk do no Shock, whatever they pick up."""
    assert {weapon.shock for weapon in monster(dmg="Wpn", shock="none").weapons} == {None}


# Weapons

TABLE = """
unarmed:        {dmg: 1d2,  attr: [str], kind: [melee], skill: punch, natural: true, nonlethal: true}
blackjack:      {dmg: 1d4,  attr: [str], kind: [melee], nonlethal: true}
club:           {dmg: 1d4,  attr: [str], kind: [melee, thrown], nonlethal: true}
great club:     {dmg: 1d10, shock: 2/15, attr: [str], hands: 2}
claw blades:    {dmg: 1d6,  shock: 2/13, attr: [str]}
dagger:         {dmg: 1d4,  shock: 1/15, attr: [str, dex], kind: [melee, thrown], range: 30/60}
halberd:        {dmg: 1d10, shock: 2/15, attr: [str], hands: 2}
great hammer:   {dmg: 1d10, shock: 2/18, attr: [str], hands: 2}
war hammer:     {dmg: 1d8,  shock: 1/18, attr: [str]}
hand axe:       {dmg: 1d6,  shock: 1/15, attr: [str], kind: [melee, thrown], range: 10/30}
war axe:        {dmg: 1d10, shock: 3/15, attr: [str], hands: 2}
mace:           {dmg: 1d6,  shock: 1/18, attr: [str], nonlethal: true}
pike:           {dmg: 1d8,  shock: 1/15, attr: [str], hands: 2}
large shield bash: {dmg: 1d6, shock: 1/13, attr: [str], nonlethal: true}
small shield bash: {dmg: 1d4, attr: [str], nonlethal: true}
heavy spear:    {dmg: 1d10, shock: 2/15, attr: [str], hands: 2}
light spear:    {dmg: 1d6,  shock: 2/13, attr: [str, dex], kind: [melee, thrown], range: 30/60}
staff:          {dmg: 1d6,  shock: 1/13, attr: [str], hands: 2, nonlethal: true}
stiletto:       {dmg: 1d4,  shock: 1/18, attr: [dex]}
great sword:    {dmg: 1d12, shock: 2/15, attr: [str], hands: 2}
long sword:     {dmg: 1d8,  shock: 2/13, attr: [str]}
short sword:    {dmg: 1d6,  shock: 2/15, attr: [str]}
throwing blade: {dmg: 1d4,  attr: [dex], kind: [thrown], range: 30/60}
large bow:      {dmg: 1d8,  attr: [dex], hands: 2, kind: [ranged], range: 100/600, reload: bow}
small bow:      {dmg: 1d6,  attr: [dex], hands: 2, kind: [ranged], range: 50/300, reload: bow}
crossbow:       {dmg: 1d10, attr: [dex], hands: 2, kind: [ranged], range: 100/300, reload: crossbow}
"""


def test_presets_are_the_table() -> None:
    """WN-C30: every row of table 8.9, typed by hand under another name, is the preset."""
    table = yaml.safe_load(TABLE)
    typed = tuple(replace(weapon(name="x", **row), name=name) for name, row in table.items())

    assert typed == PRESETS


def test_a_name_is_enough() -> None:
    """Capitals, spaces and hyphens do not matter, the typed name stays.

    Typed fields win over the preset's.
    """
    assert weapon(name="Longsword") == replace(PRESETS[20], name="Longsword")
    assert monster(weapons=["hand-axe"]).weapons[0].range == (10, 30)
    assert weapon(name="short sword", attr=["str", "dex"], shock="none") == replace(
        PRESETS[21], attr=("str", "dex"), shock=None
    )


def test_the_dagger_leaves_a_choice() -> None:
    """E07: Strength or Dexterity, 1d4, Shock 1/15.

    Thrown with three skills, stabbed with one.
    """
    dagger = preset("dagger")

    assert dagger is not None
    assert (dagger.attr, str(dagger.dmg), dagger.shock, dagger.range) == (("str", "dex"), "1d4", Shock(1, 15), (30, 60))
    assert (dagger.skills_for("melee"), dagger.skills_for("thrown")) == (("stab",), ("shoot", "stab", "exert"))


def test_a_typed_skill_counts_for_melee_and_shots_but_not_for_throws() -> None:
    """WN-045: throwing leaves its choice."""
    fist = weapon(name="fist blade", dmg="1d4", skill="Punch", kind="melee/thrown")

    assert [fist.skills_for(use) for use in ("melee", "ranged", "thrown")] == [
        ("punch",),
        ("punch",),
        ("shoot", "stab", "exert"),
    ]


@pytest.mark.parametrize("typed", [{"die": "1d6", "rating": 2}, {"die": "1d6", "rating": "x2"}, "1d6/x2"])
def test_trauma(typed: object) -> None:
    """WN-127 and WN-129: die and rating."""
    assert weapon(name="mace", trauma=typed).trauma == Trauma(Dice.of(1, 6), 2)


def test_the_same_weapon_twice_gets_two_names() -> None:
    """A name in the attack form means one entry."""
    assert [weapon.name for weapon in pc(weapons=["dagger", "dagger"]).weapons] == ["dagger", "dagger 2"]


def test_likely_presets() -> None:
    """A slip of the pen is recognised, something else is not."""
    assert (likely("daggr"), likely("laser")) == ("dagger", "")


# Refusals


@pytest.mark.parametrize(
    ("kind", "typed", "message"),
    [
        ("monster", {"ac": "15b"}, 'ac: "15b" is not an Armor Class'),
        ("monster", {"ac": {"melee": 12}}, "ac: ranged: is missing"),
        ("monster", {"ac": {"melee": 12, "range": 15}}, "ac: range: unknown"),
        ("monster", {"atk": "good"}, 'atk: "good" is not an attack bonus'),
        ("monster", {"shock": "2-15"}, 'shock: "2-15" is not Shock'),
        ("monster", {"shock": "Wpn"}, "shock: Wpn is for"),
        ("monster", {"dmg": "1x8"}, 'dmg: "1x8" is not dice'),
        ("monster", {"hd": "many"}, 'hd: "many" is not a whole number'),
        ("monster", {"save": "good"}, "save: "),
        ("monster", {"move": "fast"}, 'move: "fast" is not a movement rate'),
        ("monster", {"kind": "ranged"}, 'kind: "ranged" is neither pc nor monster'),
        ("monster", {"disciplined": "No"}, 'disciplined: "no" is neither true nor false'),
        ("monster", {"dgm": "1d8"}, "dgm: unknown key (did you mean dmg?)"),
        ("monster", {"weapons": "club"}, "weapons: a list is needed here"),
        (
            "monster",
            {"weapons": [{"name": "daggr"}]},
            'weapons[0].dmg: "daggr" is not in the list of weapons, so its damage is needed (did you mean dagger?)',
        ),
        ("monster", {"weapons": [{"dmg": "1d6"}]}, "weapons[0].name: is missing"),
        (
            "monster",
            {"weapons": ["club", {"name": "bow", "dmg": "1d6", "range": "far"}]},
            'weapons[1].range: "far" is not a range',
        ),
        (
            "monster",
            {"weapons": [{"name": "bow", "dmg": "1d6", "range": "60/30"}]},
            "weapons[0].range: the normal range 60",
        ),
        ("monster", {"weapons": [{"name": "club", "bonus": {"trauma_die": 1}}]}, "weapons[0].bonus.trauma_die: "),
        ("monster", {"weapons": [{"name": "club", "bonus": {"dmg": 1}}]}, "weapons[0].bonus.dmg: unknown"),
        ("monster", {"weapons": [{"name": "club", "damage": "1d6"}]}, "weapons[0].damage: unknown"),
        ("monster", {"weapons": [{"name": "club", "trauma": "1d6"}]}, "weapons[0].trauma: "),
        ("monster", {"instants": [{"name": "Luck"}]}, "instants[0].does: is missing"),
        ("pc", {"kind": ["melee"]}, "kind: a list of attack kinds"),
        ("pc", {"hp_now": 13}, "hp_now: 13 is more than hp 12"),
        ("pc", {"attributes": {"str": 19}}, "attributes.str: 19 is not between 3 and 18"),
        ("pc", {"mods": {"luck": 1}}, "mods.luck: unknown"),
        ("pc", {"skills": {"stab": "good"}}, 'skills.stab: "good" is not a whole number'),
        ("pc", {"saves": {"reflex": 12}}, "saves.reflex: unknown"),
        ("pc", {"dual_wield": True, "weapons": ["dagger"]}, "dual_wield: there are no two one-handed weapons"),
        (
            "pc",
            {"dual_wield": ["dagger", "staff"], "weapons": ["dagger", "staff"]},
            'dual_wield: "staff" is none of its one-handed weapons',
        ),
        ("pc", {"dual_wield": ["dagger"], "weapons": ["dagger"]}, "dual_wield: two names are needed"),
    ],
)
def test_what_cannot_be_read_is_refused(kind: str, typed: dict[str, object], message: str) -> None:
    """Each refusal names its field and says what is wrong."""
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        shorthand(kind, {"name": "x", "hp": 12, **typed})


@pytest.mark.parametrize(
    ("kind", "typed", "where"),
    [
        ("monster", {"ml": 13}, "ml"),
        ("monster", {"inst": 11}, "inst"),
        ("monster", {"save": 1}, "save"),
        ("monster", {"skill": 5}, "skill"),
        ("monster", {"fate": "gone"}, "fate"),
        ("monster", {"size": "huge"}, "size"),
        ("monster", {"weapons": [{"name": "club", "hands": 3}]}, "hands"),
        ("monster", {"weapons": [{"name": "club", "attr": "luck"}]}, "attr"),
        ("monster", {"instants": [{"name": "Luck", "does": "win"}]}, "does"),
        ("pc", {"mods": {"str": 6}}, "mods.str"),
        ("pc", {"skills": {"stab": 5}}, "skills"),
        ("pc", {"level": 11}, "level"),
        ("pc", {"hp": 0}, "hp"),
    ],
)
def test_what_is_out_of_range_is_refused(kind: str, typed: dict[str, object], where: str) -> None:
    """The ranges of the catalogue hold."""
    with pytest.raises(ValidationError, match=where):
        read_block(kind, {"name": "x", "hp": 12, **typed})


def test_all_problems_come_together() -> None:
    """One line each, so that a file is mended in one go."""
    with pytest.raises(ValueError, match="ac: ") as refusal:
        shorthand("monster", {"ac": "x", "atk": "y", "weapons": [{"name": "q"}, {"name": "z"}]})

    assert [line.partition(":")[0] for line in str(refusal.value).splitlines()] == [
        "ac",
        "atk",
        "weapons[0].dmg",
        "weapons[1].dmg",
    ]


def test_a_problem_stays_on_its_line() -> None:
    """Line ends in a typed value do not look like another problem."""
    with pytest.raises(ValueError, match="ac: ") as refusal:
        shorthand("monster", {"ac": "x\nhp: y"})

    assert len(str(refusal.value).splitlines()) == 1


def test_a_surprised_side_expects_no_trouble() -> None:
    """WN-022: both keys together are an error."""
    with pytest.raises(ValidationError, match="expects trouble"):
        CODEC.convert({"surprised": True, "expects_trouble": True}, SideKeys)


# Canonical form


def blocks_of_the_files() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Every block of the bundled encounters: of the two collections, and typed in place."""
    for path in sorted(FOLDER.glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        for heading, kind in (("characters", "pc"), ("monsters", "monster")):
            for entry in document.get(heading, ()):
                yield f"{path.name}:{entry['name']}", kind, entry
        for group in (*document.get("sides", ()), *document.get("waves", ())):
            members = group["members"] if isinstance(group["members"], list) else ()
            for entry in members:
                if isinstance(entry, dict):
                    yield f"{path.name}:{entry.get('name', entry.get('ref'))}", "monster", entry


FILED = {name: (kind, entry) for name, kind, entry in blocks_of_the_files()}


def filed(name: str) -> tuple[str, dict[str, object]]:
    """Return a block's kind and keys, those of a reference over its block's."""
    kind, entry = FILED[name]
    based = next((block for _, block in FILED.values() if block.get("id") == entry.get("ref", math.nan)), {})
    return kind, {key: value for key, value in {**based, **entry}.items() if key not in ("ref", "count")}


@pytest.mark.parametrize("name", FILED)
def test_the_files_of_the_program_load(name: str) -> None:
    """Every block converts without an unknown key or column, and reads as itself again."""
    kind, typed = filed(name)

    canonical = shorthand(kind, typed)
    block = read_block(kind, typed)

    assert set(canonical) <= set(block.__struct_fields__)
    assert getattr(block, "unread", ()) == ()
    assert read_block(kind, {key: value for key, value in CODEC.builtins(block).items() if key != "type"}) == block


def bare_ruleset() -> Ruleset:
    """Return the game's schema without its mechanics."""
    schema = Schema(
        (("pc", PC), ("monster", Monster)), house_rules=HouseRules, setup=Setup, side=SideKeys, shorthand=shorthand
    )
    return Ruleset(
        "worlds_without_number",
        "",
        1,
        schema,
        lambda ctx: None,
        lambda state, who: (),
        lambda state, action: None,
        lambda ctx, action: None,
    )


@pytest.mark.parametrize("path", ["first_fight.yaml", "night_raid.yaml", "bandit_lord.yaml"])
def test_the_encounters_of_the_program_load(path: str) -> None:
    """The library finds nothing wrong with them, and what it builds survives the journal."""
    ruleset = bare_ruleset()

    loaded = load_encounter(FOLDER / path, lambda key: ruleset)

    assert loaded.problems == ()
    assert loaded.encounter is not None
    assert ruleset.schema.codec.decode(ruleset.schema.codec.encode(loaded.encounter), Encounter) == loaded.encounter


@pytest.mark.parametrize("path", ["first_fight.yaml", "night_raid.yaml", "bandit_lord.yaml"])
def test_the_keys_of_the_encounters_load(path: str) -> None:
    """Switches and the keys of the sides convert."""
    document = yaml.safe_load((FOLDER / path).read_text(encoding="utf-8"))
    rules = CODEC.convert(document.get("house_rules", {}), HouseRules)
    sides = [
        CODEC.convert({key: side[key] for key in SideKeys.__struct_fields__ if key in side}, SideKeys)
        for side in document["sides"]
    ]

    assert rules == HouseRules(ask_instants="all" if path == "bandit_lord.yaml" else "pcs")
    assert [side.surprised for side in sides] == [False, path == "night_raid.yaml"]


@pytest.mark.parametrize(
    "block",
    [
        cadmon(),
        pc(weapons=["dagger", "short sword"], dual_wield=True, attributes={"int": 4}, move="30' fly"),
        monster(stat_line="10  15x  +12 x2  2d6+3  6/-  30'  10  4  +1  10+"),
        monster(dmg="Wpn+1", shock="none", ac={"melee": 1, "ranged": 2}, npc=False),
        monster(
            weapons=[{"name": "mace", "trauma": "1d8/x3", "bonus": {"hit": 1}}],
            instants=[{"name": "a", "does": "note", "uses": 2}],
        ),
        HouseRules(initiative="individual", swarm_size=5),
        Setup(wait=True),
        SideKeys(surprised=True, initiative_modifier=-1),
    ],
    ids=lambda block: type(block).__name__,
)
def test_blocks_come_back_from_json(block: PC | Monster | HouseRules | Setup | SideKeys) -> None:
    """The journal keeps what went in, whether the type is known or only its mark."""
    text = CODEC.encode(block)

    assert CODEC.decode(text, type(block)) == block
    assert CODEC.decode(text, Data) == block
