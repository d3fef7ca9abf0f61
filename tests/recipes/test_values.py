"""The recipes about values, played: conditions that fall, damage of kinds, sustained spells, weapons, prices."""

from pathlib import Path

import pytest

from tests.recipes.first_game import RULESET as FISTS
from tests.recipes.table import open_table
from tests.recipes.values import blocks, costs, damage, death_saves, decaying, files, sustained
from tracker.core.fight.events import PoolChanged
from tracker.core.game.foreign import Creature
from tracker.core.run import Step
from tracker.core.terms.actions import action
from tracker.core.terms.errors import Refusal
from tracker.kit import Dice, Imported
from tracker.library.content.library import Library
from tracker.library.content.lint import lint_file
from tracker.library.content.members import BlockSource, member_of
from tracker.library.content.printed import import_text
from tracker.library.importers.convert import stat_block_of
from tracker.testing.table import of_kind


def test_fright_falls_by_one_a_turn() -> None:
    """It lowers the attack by its value, and ends at 0."""
    table = open_table(decaying.RULESET)
    table.do(action("howl", "ada", target="wolf-1"))
    table.next(2)
    table.do(action("hit", "wolf-1", target="ada"), answers={"attack": 4})
    assert (table.at, table.state["ada"].hp) == ("r1/wolf-1", 6)

    table.next(4)
    table.do(action("hit", "wolf-1", target="ada"), answers={"attack": 4})
    assert (table.at, table.state["ada"].hp) == ("r2/wolf-1", 4)

    table.next()
    assert not table.state["wolf-1"].has("frightened")


def test_the_gm_types_a_value() -> None:
    """The modifier of a typed condition follows from its value."""
    table = open_table(decaying.RULESET)
    table.do(action("add_effect", name="frightened 3", targets=("bo",), until=""))

    effect = table.state["bo"].effect("frightened")
    assert effect is not None
    assert (effect.shown, [modifier.amount for modifier in effect.modifiers]) == ("frightened 3", [-3])


@pytest.mark.parametrize(
    ("stats", "lost"),
    [
        ({}, 5),
        ({"resist": {"fire": 3}}, 2),
        ({"weak": {"fire": 2}}, 7),
        ({"immune": ("fire",)}, 1),
        ({"resist": {"all": 1}}, 3),
    ],
)
def test_damage_meets_what_a_stat_block_has_against_it(stats: dict[str, object], lost: int) -> None:
    """Of 1 point of the blade and 4 of fire."""
    table = open_table(damage.RULESET, hp=10, **stats)
    table.do(action("burn", "ada", target="wolf-1"))

    assert table.state["wolf-1"].hp == 10 - lost


def test_a_shield_takes_some_of_it() -> None:
    """Its bearer is asked, and the log says what it took."""
    table = open_table(damage.RULESET)
    table.do(action("raise_shield", "ada"))
    table.next(2)
    table.do(action("burn", "wolf-1", target="ada"))

    assert (table.state["ada"].hp, table.state["ada"].has("shield")) == (4, False)
    assert [(part.label, part.amount) for part in of_kind(table.last, PoolChanged)[0].parts] == [
        ("cut", 1),
        ("fire", 4),
        ("shield", -3),
    ]


def test_the_gms_damage_goes_the_same_way() -> None:
    """Resistances count for `-5g fire` too, unless the GM wants the points as they are."""
    table = open_table(damage.RULESET, resist={"fire": 3})
    table.do(action("damage", amount=5, targets=("bo",), kind="fire"))
    assert table.state["bo"].hp == 4
    table.do(action("damage", amount=2, targets=("bo",), kind="fire", as_it_is=True))
    assert table.state["bo"].hp == 2


def test_a_spell_holds_while_it_is_sustained() -> None:
    """Not sustained, it ends with the caster's turn, and what it did ends with it."""
    table = open_table(sustained.RULESET)
    table.do(action("web", "ada", target="wolf-1"))
    table.next(4)
    assert (table.at, table.state["wolf-1"].has("bound")) == ("r2/ada", True)
    table.do(action("sustain", "ada"))
    table.next(4)
    assert (table.at, table.state["wolf-1"].has("bound")) == ("r3/ada", True)
    table.next()
    assert not table.state["wolf-1"].has("bound")


def test_a_caster_who_goes_down_loses_the_spell() -> None:
    """At once, not at the end of a turn."""
    table = open_table(sustained.RULESET)
    table.do(action("web", "ada", target="wolf-1"))
    table.do(action("damage", amount=9, targets=("ada",)))

    assert not table.state["wolf-1"].has("bound")


def test_a_form_offers_the_weapons_of_the_block() -> None:
    """Each is shown with its dice, and the blow rolls those of the one chosen."""
    axe = blocks.Weapon("axe", Dice.parse("1d6+1"), 2)
    table = open_table(blocks.RULESET, name="Ada", hp=9, weapons=(axe,))
    spec = blocks.ACTIONS.form(table.state, action("hit", "ada"))
    field = spec.field("weapon") if spec else None
    assert field is not None
    assert [(option.key, option.note) for option in field.options] == [("axe", "1d6+1")]

    table.do(action("hit", "ada", target="wolf-1", weapon="axe"), answers={"damage": 4})
    assert table.state["wolf-1"].hp == 4


def test_a_spell_costs_what_the_form_says() -> None:
    """It is taken from actions and mana, and refused where either is too little."""
    table = open_table(costs.RULESET)
    table.do(action("dart", "ada", target="wolf-1", actions="3"))
    assert (table.state["wolf-1"].hp, dict(table.state["ada"].budget)) == (3, {"action": 0, "mana": 2})

    table.next(4)
    refused = table.run(Step("do", (action("dart", "ada", target="wolf-1", actions="3"),)))
    assert isinstance(refused, Refusal)
    assert refused.text == "Ada has 2 mana left and needs 3"
    table.do(action("dart", "ada", target="wolf-1", actions="2"))
    assert table.state["wolf-1"].hp == 1


def test_the_first_game_is_played_to_its_end() -> None:
    """Blow after blow, until one side is down."""
    table = open_table(FISTS)
    for _ in range(40):
        foes = [one for one in table.state.combatants if one.side == "wolves" and one.status == "up"]
        slot = table.state.clock.current
        if not foes or slot is None:
            break
        if slot.side == "party":
            table.do(action("hit", slot.members[0], target=foes[0].id), answers={"attack": 5})
        table.next()

    assert [one.status for one in table.state.combatants] == ["up", "up", "down", "down"]


@pytest.mark.parametrize(
    ("rolls", "status", "hp"),
    [
        ((9, 9, 9), "dead", 0),
        ((1, 9), "dead", 0),  # a 1 counts twice
        ((10, 9, 10, 10, None), "down", 0),  # three saves: no more rolls
        ((9, 20), "up", 1),
    ],
)
def test_death_saves(rolls: tuple[int | None, ...], status: str, hp: int) -> None:
    """A dying combatant rolls at the start of each of its turns, until it is dead, stable or up."""
    table = open_table(death_saves.RULESET)
    table.do(action("set", who="bo", what="hp", value=0))
    assert table.state["bo"].status == "down"
    for rolled in rolls:
        table.next(0 if table.at == "r1/ada" else 3)
        table.next(**_if(rolled))

    assert (table.state["bo"].status, table.state["bo"].hp) == (status, hp)


def _if(rolled: int | None) -> dict[str, int]:
    return {} if rolled is None else {"death:bo": rolled}


BESTIARY = """\
ruleset: fists
monsters:
- {id: wolf, name: Wolf, hp: 5, ac: 13}
- {name: Rat, health: 2}
- {name: Ghost, hp: 3, armour: 4}
- {name: Giant, hp: 900}
"""


def test_what_is_typed_in_its_files(tmp_path: Path) -> None:
    """`ac` is read as armour; a usual word is known, a value that is not likely and a block to look over are told."""
    path = tmp_path / "bestiary.yaml"
    path.write_text(BESTIARY, "utf-8")

    said = [problem.render() for problem in lint_file(path, lambda key: files.RULESET)]

    assert [line.partition(": ")[2] for line in said] == [
        "monsters[1].health: unknown key (did you mean hp?)",
        "monsters[2]: armour below 10",
        "monsters[3].hp: 900 is hardly meant (usual are 1 to 200)",
    ]
    (wolf, *_) = Library(tmp_path).blocks(path)
    member, problems = member_of(files.RULESET, BlockSource(wolf, {}), "gm")
    assert (member.block, problems) == (files.Warrior(hp=5, armour=13), [])


def test_prints_and_other_programs() -> None:
    """A stat line of an old-school game becomes a stat block, and what it loses is said."""
    (skeleton,) = import_text(files.RULESET, "Skeleton: AC 7 [12], HD 1 (4hp), Att 1 × sword (1d6), ML 12")
    assert isinstance(skeleton, Imported)
    assert {key: skeleton.block[key] for key in ("name", "hp", "armour")} == {"name": "Skeleton", "hp": 4, "armour": 12}
    assert skeleton.unread == ("attack sword",)

    made = stat_block_of(files.RULESET, Creature(name="Imp", hp=3, ac=15, system="d20"))
    assert (made.block["armour"], made.unread) == (15, ())
