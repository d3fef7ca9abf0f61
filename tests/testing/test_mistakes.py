"""The slips of a first game, each made in the game of the guide, and told with file and line."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.recipes import first_game
from tracker.core.terms.encounter import Encounter
from tracker.kit import Ruleset
from tracker.library.content.encounters import load_encounter
from tracker.library.guard import guarded
from tracker.testing import inspect
from tracker.testing.inspection import Report

FILE = Path(first_game.__file__)
FIGHT = FILE.with_name("first_encounter.yaml")
CLASS = "Struct, Data, frozen=True, tag=True"
WOUND = 'class Wound(Struct, Data, frozen=True, tag=True):\n    """A wound."""\n\n    depth: int = 1\n\n\n'
HIT = "        ctx.change(target"
LOST = "a step that is done again with the same answers has other events: no chance, clock or memory"
WANTED = "class Fighter(Struct, Data, frozen=True, tag=True)"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fists", None)


def game(folder: Path, *changes: tuple[str, str]) -> Ruleset:
    """Return the game of the guide with changes in its text."""
    text = FILE.read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    path = folder / "fists.py"
    path.write_text(text, "utf-8")
    module = ModuleType("fists")
    module.__file__ = str(path)
    sys.modules["fists"] = module  # where the place of a class is looked up
    exec(compile(text, path, "exec"), module.__dict__)  # no byte code: another text may have this path, length and time
    found = module.RULESET
    assert isinstance(found, Ruleset)
    return found


def inspected(ruleset: Ruleset) -> Report:
    loaded = load_encounter(FIGHT, lambda key: ruleset)
    assert isinstance(loaded.encounter, Encounter)
    return inspect(guarded(ruleset), {"ford": loaded.encounter})


def slips(ruleset: Ruleset) -> list[str]:
    return [str(problem) for problem in inspected(ruleset).problems]


ANYBODY = 'kit.Field("target", "combatant", required=True)'


def test_the_game_of_the_guide_has_none(tmp_path: Path) -> None:
    assert slips(game(tmp_path)) == []


@pytest.mark.parametrize(
    ("changes", "place", "text"),
    [
        (
            [(CLASS, "Struct, Data, frozen=True")],
            "Fighter",
            f"has no tag, so a stored fight does not say what it is: {WANTED}",
        ),
        ([(CLASS, "Struct, frozen=True, tag=True")], "Fighter", f"is no Data of a fight: {WANTED}"),
        ([(CLASS, "Struct, Data, tag=True")], "Fighter", f"is not frozen, so it can change without an event: {WANTED}"),
        (
            [("ORDER = ", f"{WOUND}ORDER = "), (HIT, f'        ctx.fact(target, "wound", Wound(2))\n{HIT}')],
            "hit",
            'the fact "wound" holds a Wound, which is missing in Schema.data',
        ),
        (
            [
                ("ORDER = ", f"{WOUND}ORDER = "),
                (HIT, f'        ctx.add_effect(kit.Effect("wounded", target, data=Wound(2)))\n{HIT}'),
            ],
            "hit",
            'the effect "wounded" holds a Wound, which is missing in Schema.data',
        ),
        (
            [(HIT, f'        ctx.fact(target, "hits", [1, 2])\n{HIT}')],
            "hit",
            'the fact "hits" holds a list: a fight keeps tuples, and pairs instead of a dict',
        ),
        (
            [(HIT, f'        ctx.fact(target, "hits", {{"head": 2}})\n{HIT}')],
            "hit",
            'the fact "hits" holds a dict: a fight keeps tuples, and pairs instead of a dict',
        ),
        ([("from msgspec", "import random\n\nfrom msgspec"), ("hp - 2", "hp - random.randint(1, 4)")], "hit", LOST),
        ([("from msgspec", "import random\n\nfrom msgspec"), (">= 3", ">= random.randint(1, 6)")], "hit", LOST),
        (
            [("    ORDER.join(ctx, newcomers)\n", "")],
            "join",
            "a newcomer has no place in the round: join does not call",
        ),
        (
            [("    ORDER.on_boundary(ctx, boundary)\n", "")],
            "on_boundary",
            "what the GM moves in the order is lost in the next round: on_boundary does not call",
        ),
        (
            [("    ECONOMY.refresh(ctx, boundary)\n", "")],
            "on_boundary",
            'nothing gives back "action": on_boundary does not call the economy\'s refresh(ctx, boundary)',
        ),
        (
            [("def settle(ctx: Ctx)", "def settle(ctx: Ctx, why: str)")],
            "settle",
            "settle is called with (ctx), not as settle(ctx, why)",
        ),
        (
            [("price=kit.budget(action=1)", "price=kit.budget(actions=1)")],
            "hit",
            '"hit" costs "actions", which the economy does not have (action)',
        ),
        (
            [(HIT, f"        print(target)\n{HIT}")],
            "hit",
            "it prints, and the screen is the program's: ctx.note(text) writes into the log",
        ),
        ([("    hp: int = 6", "    gear: list[str] = []\n    hp: int = 6")], "Fighter", '"Fighter.gear" is a list'),
        ([("    hp: int = 6", "    gear: set[str] = set()\n    hp: int = 6")], "Fighter", '"Fighter.gear" is a set'),
        ([('"up" if one.hp else "down"', '"up" if one.hp else "out"')], "settle", '"out" is none of the statuses'),
        ([("source=action.by)", 'source=action.by)\n        ctx.note("ow", "F-99")')], "hit", 'cites "F-99"'),
        ([("kit.Dice.of(1, 6)", "kit.Dice.of(0, 6)")], "hit", 'the request "attack" asks for impossible dice: "0d6"'),
        ([("hp - 2", "hp / 2")], "hit", "PoolChanged cannot be stored: Expected `int`, got `float`"),
        (
            [("def whom(state: State, action: Action)", "def whom(state: State)")],
            "whom",
            '"hit": fields is called with (state, action), not as whom(state)',
        ),
    ],
)
def test_a_slip_is_told_with_its_place(changes: list[tuple[str, str]], place: str, text: str, tmp_path: Path) -> None:
    """One line for one slip, which names the author's file, line and function."""
    ruleset = game(tmp_path, *changes)

    (said,) = slips(ruleset)

    where, _, what = said.partition(": ")
    line = (tmp_path / "fists.py").read_text("utf-8").splitlines()[int(where.partition(":")[2].partition(" ")[0]) - 1]
    assert where.startswith("fists.py:")
    assert where.endswith(f" in {place}")
    assert text in what
    assert line.strip()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (('refresh_at="turn_start"', 'refresh_at="turn_begin"'), 'gives back at "turn_begin", which is no edge (turn_'),
        ((HIT, f"        1 / 0\n{HIT}"), "ZeroDivisionError: division by zero (fists.py:46 in hit)"),
        ((HIT, f"        while True:\n            pass\n{HIT}"), "the step did not end within 2 seconds (fists.py:4"),
        (
            ("    if ctx.roll(", '    ctx.roll("attack", kit.Dice.of(1, 6))\n    if ctx.roll('),
            "attack is asked twice (f",
        ),
        (('(target, "hp"', '(target, "hits"'), "wolf-1 has no hits (fists.py:46 in hit)"),
        (("        enlist(ctx, who)\n", "        pass\n"), "ada has no hp (fists.py:34 in settle)"),
        (
            ("    return (fields.target", "    (fields.target"),
            'whom of the action "hit" gives a NoneType, not a tuple of',
        ),
        (
            ("    schema=", "    columns=(kit.Column('hp', 'HP', 5, hp),),\n    schema="),
            "gives a value of type int where str",
        ),
    ],
)
def test_a_slip_that_stops_a_step_is_told(change: tuple[str, str], text: str, tmp_path: Path) -> None:
    """An exception or a step without an end is one line with its place."""
    hp = ("ORDER = ", "def hp(state: State, who: Id) -> int:\n    return state[who].hp\n\n\nORDER = ")

    (said,) = slips(game(tmp_path, change, *([hp] if ", hp)" in change[1] else [])))

    assert text in said


def test_a_field_that_never_offers_anybody_is_a_remark(tmp_path: Path) -> None:
    """A field without options in these fights is a remark, no problem."""
    ruleset = game(tmp_path, ("fields.target(fields.options(fields.foes(state, action.by)))", ANYBODY))

    (said,) = map(str, inspected(ruleset).remarks)

    assert said.startswith("fists.py:")
    assert 'in whom: "hit": the field "target" offered nobody in these fights: give it options, or anybody=True' in said


def test_a_column_that_cannot_be_drawn_while_the_set_up_asks(tmp_path: Path) -> None:
    """The screen shows all newcomers while the first of them rolls."""
    column = 'columns=(kit.Column("hp", "HP", 5, points),),\n    schema='
    points = 'def points(state: State, who: Id) -> str:\n    return str(state[who].pool("hp").now)\n\n\nRULESET = '
    ask = '        enlist(ctx, who)\n        ctx.roll(f"initiative:{who}", kit.Dice.of(1, 20), who=who)\n'

    (said,) = slips(
        game(tmp_path, ("        enlist(ctx, who)\n", ask), ("    schema=", f"    {column}"), ("RULESET = ", points))
    )

    assert said.startswith(
        'the column "hp", on the screen while the set-up asks "initiative:ada": RulesBug: bo has no hp'
    )
    assert said.endswith(" in points)")


def test_two_actions_of_one_key(tmp_path: Path) -> None:
    """Only the first of them can ever be done."""
    ruleset = game(tmp_path, ("ActionTable((HIT,)", 'ActionTable((HIT, kit.ActionType("hit", "Kick"))'))

    assert slips(ruleset) == ['2 actions have the key "hit": each needs one of its own']


def test_a_game_that_never_decides_who_is_down(tmp_path: Path) -> None:
    """Without a `settle`, combatants act without points."""
    (said,) = slips(game(tmp_path, ("    settle=settle,\n", "")))

    assert said == "with 0 hp a combatant acts on: the ruleset has no settle, which decides who is down"


def test_a_budget_that_is_given_once_is_no_slip(tmp_path: Path) -> None:
    """A part of the budget without an edge is no mistake."""
    given = "    ECONOMY.give(ctx, newcomers)\n    ORDER.join(ctx, newcomers)\n"
    economy = 'kit.Economy(kit.budget(action=1, luck=2), refresh_at={"action": "turn_start"})'
    changes = [
        ("    ORDER.join(ctx, newcomers)\n", given),
        ('kit.Economy(kit.budget(action=1), refresh_at="turn_start")', economy),
    ]

    assert slips(game(tmp_path, *changes)) == []
