"""Stat blocks of Sovereign: what a GM types, and what becomes of it."""

from __future__ import annotations

import pytest

from rulesets.sovereign import RULESET
from rulesets.sovereign.stat_blocks.models import UNARMED, Fighter, MemberKeys, Setup, SideKeys
from rulesets.sovereign.stat_blocks.shorthand import PRESETS, read_block, shorthand
from rulesets.without_number.stat_blocks import Shock
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, SideSetup
from tracker.core.terms.requests import Choice, ChoiceAnswer, DiceAnswer, Roll
from tracker.testing.vectors import VectorFile

ANNORA = {
    "name": "Annora",
    "hp": 6,
    "ac": 17,
    "shield": True,
    "attack_bonus": 1,
    "attributes": {"str": 1},
    "skills": {"stab": 1, "exert": 0, "brawl": -1},
    "attacks": [
        {
            "name": "Short sword",
            "attribute": ["str", "dex"],
            "damage": "1d6",
            "damage_bonus": 2,
            "shock": "2/15",
            "shock_bonus": 2,
        },
        {
            "name": "Hand axe",
            "use": ["melee", "thrown"],
            "skill": "stab",
            "attribute": "STR/DEX",
            "damage": "1d6",
            "range": [10, 30],
        },
    ],
}


def test_the_printed_character_computes_to_her_line() -> None:
    """Given the block of the example of play, short sword +3, 1d6+3, Shock 5/15 result."""
    book = VectorFile(RULESET)
    member = book._member({**ANNORA, "kind": "pc"}, "players")
    encounter = Encounter(
        "sovereign",
        "x",
        (SideSetup("party", "Party", "players", (member,)),),
        RULESET.schema.house_rules() if RULESET.schema.house_rules else None,
    )

    outcome = run(
        RULESET,
        State(),
        Step("start", encounter=encounter),
        (),
        lambda request: (
            DiceAnswer(1) if isinstance(request, Roll) else ChoiceAnswer("no") if isinstance(request, Choice) else None
        ),
    )

    assert isinstance(outcome, Done)
    assert RULESET.derived(outcome.state, "annora", "attack").value == 3
    assert RULESET.derived(outcome.state, "annora", "damage").text == "1d6+3"
    assert RULESET.derived(outcome.state, "annora", "shock").text == "5/15"


def test_what_comes_out_may_go_in_again() -> None:
    """Given a canonical block, shorthand leaves it as it is."""
    once = shorthand("pc", dict(ANNORA))

    assert shorthand("pc", dict(once)) == once


def test_defaults_of_an_npc() -> None:
    """Given only a name and Hit Dice, the rest follows from them."""
    found = read_block("monster", {"name": "Wolf", "hd": "3+1"})

    assert (found.hd, found.hit_dice, found.attack_bonus, found.physical) == (3, Dice.of(3, 8), 3, 14)
    assert (found.named, found.disciplined, found.trained, found.size_ft) == (False, False, False, (5, 5, 5))
    assert found.arms == (UNARMED,)


def test_defaults_of_a_character() -> None:
    """Given a character, name, drill and save follow from its kind."""
    found = read_block("henchman", {"name": "Hobb", "hp": 5, "level": 2, "attributes": {"con": 2}, "space": 2})

    assert (found.named, found.disciplined, found.trained, found.physical, found.size_ft) == (
        True,
        True,
        True,
        12,
        (10, 10, 10),
    )


@pytest.mark.parametrize(
    ("typed", "field", "value"),
    [
        ({"ab": 2}, "attack_bonus", 2),
        ({"move": 40}, "speed", 40),
        ({"fate": "mortal"}, "named", True),
        ({"size": "beast"}, "handling", "barely_plausible"),
        ({"save": 11}, "physical", 11),
        ({"ac": {"melee": 15, "ranged": 13}}, "ac", 15),
        ({"atk": "+4 x2"}, "multiattack", 2),
        ({"immune_to_surprise": True}, "kind", "monster"),
    ],
)
def test_keys_of_the_sister_game(typed: dict[str, object], field: str, value: object) -> None:
    """Given a key as the sister game spells it, it is read."""
    assert getattr(read_block("monster", {"name": "X", **typed}), field) == value


def test_a_named_weapon_is_complete() -> None:
    """Given only the name of a printed weapon, its numbers are the list's.

    Typed numbers are complete themselves.
    """
    found = read_block("monster", {"name": "X", "attacks": ["Spear", {"name": "Sword", "to_hit": 3, "damage": "1d8"}]})

    assert found.attacks[0].shock == Shock(2, 13)
    assert (found.attacks[0].reach, found.attacks[0].range) == (10, (30, 60))
    assert found.attacks[1].shock is None


@pytest.mark.parametrize("typed", [{"damage": "1d4"}, {"to_hit": 2}, {"to_hit": 2, "damage": "1d4"}])
def test_typed_numbers_make_no_missile(typed: dict[str, object]) -> None:
    """Given a club with numbers of its own, it stays in the hand (3.2).

    Throwing can be typed too.
    """
    club, thrown, far, bow = read_block(
        "monster",
        {
            "name": "X",
            "attacks": [
                {"name": "Club", **typed},
                {"name": "Dagger", "use": ["melee", "thrown"], **typed},
                {"name": "Spear", "range": [20, 40], **typed},
                {"name": "Small bow", **typed},
            ],
        },
    ).attacks

    assert (club.use, club.range) == (("melee",), None)
    assert (thrown.use, thrown.range) == (("melee", "thrown"), (30, 60))
    assert (far.use, far.range, far.reach) == (("melee", "thrown"), (20, 40), 10)
    assert (bow.use, bow.range, bow.reload) == (("ranged",), (50, 300), "bow")


def test_every_printed_weapon_can_be_typed_by_name() -> None:
    """Given the list of weapons, each entry reads back as itself."""
    names = [arm.name for arm in PRESETS]

    assert read_block("monster", {"name": "X", "attacks": names}).attacks == PRESETS


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ({"attacks": [{"name": "Gizmo"}]}, "attacks[0].damage: "),
        ({"attacks": [{"name": "Bow", "use": "ranged", "damage": "1d6"}]}, "attacks[0].range: "),
        ({"attacks": [{"name": "A", "damage": "1x6"}]}, "attacks[0].damage: "),
        ({"attacks": [{"name": "A", "damage": "1d6", "shock": "2"}]}, "attacks[0].shock: "),
        ({"attacks": [{"name": "A", "damage": "1d6", "wand": 1}]}, "attacks[0].wand: "),
        ({"attributes": {"luck": 1}}, "attributes.luck: "),
        ({"features": {"flight": True}}, "features.flight: "),
        ({"dual_wield": ["A", "B"]}, "dual_wield: "),
        ({"hp": "many"}, "hp: "),
        ({"shield": "perhaps"}, "shield: "),
        ({"speed": "fast"}, "speed: "),
        ({"hd": "no"}, "hd: "),
        ({"hd": 3, "hit_dice": -1}, 'hit_dice: "-1" gives no hit points'),
        ({"hp": "1d4-4"}, 'hp: "1d4-4" gives no hit points'),
        ({"hp": 3, "hp_now": 5}, "hp_now: "),
    ],
)
def test_what_cannot_be_read_is_said(typed: dict[str, object], complaint: str) -> None:
    """Given something wrong, the complaint names its path."""
    with pytest.raises(ValueError, match=r".") as caught:
        read_block("monster", {"name": "X", **typed})

    assert complaint in str(caught.value)


def test_a_character_needs_hit_points() -> None:
    """Given a PC without hit points, that is said."""
    with pytest.raises(ValueError, match="hp: missing"):
        read_block("pc", {"name": "X"})


def test_squares_of_members() -> None:
    """Given a square or a list of them, each copy has its own."""
    assert MemberKeys(at=(0, 2)).squares == ((0, 2),)
    assert MemberKeys(at=((0, 2), (3, 1))).squares == ((0, 2), (3, 1))
    with pytest.raises(ValueError, match="at:"):
        MemberKeys(at=(0, (2, 3)))


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"grid": "..\n.x"}, "grid: row 1"),
        ({"grid": "..", "legend": {"x": "lava"}}, "legend: "),
        ({"grid": "..", "legend": {"xy": "wall"}}, "legend: "),
        ({"grid": "..", "elevation": {"5,5": 10}}, "elevation: "),
        ({"grid": "..", "elevation": {"a": 10}}, "elevation: "),
        ({"grid": "..", "elevation": {"0-x,0": 10}}, "elevation: "),
    ],
)
def test_maps_that_cannot_be_read(keys: dict[str, object], complaint: str) -> None:
    """Given a map with something wrong, the complaint names it."""
    with pytest.raises(ValueError, match=complaint):
        Setup(**keys)  # type: ignore[arg-type]  # as typed


def test_a_map_is_read() -> None:
    """Given rows, a legend and heights, every square is what it says.

    Short rows end in walls.
    """
    ground = Setup(grid="..x\n~o", legend={"x": "wall"}, elevation={"0-1,0": 10}).terrain

    assert ground is not None
    assert ground.rows == (("open", "open", "wall"), ("difficult", "chasm", "wall"))
    assert ground.heights == ((10, 10, 0), (0, 0, 0))
    assert Setup().terrain is None


def test_sides_that_expect_combat_cannot_be_surprised() -> None:
    """Given both flags, the file is refused (SV-028)."""
    with pytest.raises(ValueError, match="surprised"):
        SideKeys(surprised=True, anticipating=True)


def test_blocks_travel_through_json() -> None:
    """Given a block, the codec gives it back."""
    codec = RULESET.schema.codec
    block = read_block("pc", dict(ANNORA))

    assert codec.decode(codec.encode(block), Fighter) == block
