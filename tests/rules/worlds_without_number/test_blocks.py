"""Stat blocks of characters and monsters: what a GM types."""

import pytest
import yaml
from msgspec import ValidationError

from rulesets.without_number.stat_blocks import Shock
from rulesets.worlds_without_number.stat_blocks.entries import PRESETS, preset
from rulesets.worlds_without_number.stat_blocks.models import (
    PC,
    UNARMED,
    ArmorClass,
    Bonus,
    Instant,
    Mods,
    Monster,
    Saves,
    Weapon,
)
from rulesets.worlds_without_number.stat_blocks.shorthand import attribute_modifier, read_block
from tests.rules.worlds_without_number.typed import cadmon, monster, pc
from tests.support.tables import rows
from tracker.core.terms.dice import Dice

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
    """One number sets both; the letter says that armour is worn."""
    block = monster(ac=typed)

    assert (block.ac, block.worn_armor) == (expected, worn)


@pytest.mark.parametrize(("typed", "expected"), rows(__file__, "attack_bonus", tuples=True))
def test_attack_bonus(typed: object, expected: tuple[int, int]) -> None:
    """R33: `x2` is two attacks in one Main action; `N/A` is none."""
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


@pytest.mark.parametrize(("typed", "feet", "text"), rows(__file__, "move"))
def test_move(typed: object, feet: int, text: str) -> None:
    """The first number counts; words are kept."""
    block = monster(move=typed)

    assert (block.move, block.move_text) == (feet, text)


@pytest.mark.parametrize(("typed", "hd", "rolled", "hp"), rows(__file__, "hit_dice"))
def test_hit_dice(typed: object, hd: int, rolled: str, hp: int | None) -> None:
    """WN-C09 and R41: what is rolled for hit points."""
    block = monster(hd=typed)

    assert (block.hd, str(block.hit_dice), block.hp) == (hd, rolled, hp)


@pytest.mark.parametrize("key", ["hd", "HD", "hit_dice"])
def test_a_mistake_is_told_under_the_key_in_the_file(key: str) -> None:
    """Whatever word was typed for the hit dice."""
    with pytest.raises(ValueError, match=rf"^{key}: must be at least 0, not -1$"):
        read_block("monster", {"name": "Crawler", "ac": 14, "ml": 8, key: -1})


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


def test_the_words_of_the_books_are_read() -> None:
    """Given `morale`, `instinct` and the like in full, they mean the columns of print."""
    plain = {"morale": 9, "Instinct": 3, "hit dice": "3+1", "armor_class": "15a", "attack": "+4 x2", "damage": "1d8"}

    block = monster(**plain)

    assert (block.ml, block.inst, block.hd, str(block.hit_dice)) == (9, 3, 3, "3d8+1")
    assert (block.ac.melee, block.worn_armor, block.atk, block.attacks) == (15, True, 4, 2)
    assert str(block.weapons[0].dmg) == "1d8"


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
