"""Plain values into typed Structs, with every issue at once."""

import enum
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from tests.support.tables import for_each, rows
from tracker.core.terms.errors import RulesBug
from tracker.library.validation import convert as module
from tracker.library.validation.convert import Issue, convert, located
from tracker.library.yaml.tree import parse


class Dice:
    """A custom type that msgspec does not know."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dice) and other.text == self.text

    __hash__ = None  # type: ignore[assignment]  # compared only

    @staticmethod
    def parse(value: object) -> "Dice":
        if isinstance(value, str) and value[-1:].isdigit() and "d" in value:
            return Dice(value)
        raise ValueError(f'"{value}" is not dice', "did you mean 1d6?")


class Range(Struct, frozen=True):
    """A custom type that is a Struct, typed as text."""

    short: int
    long: int

    @staticmethod
    def parse(value: object) -> "Range":
        short, _, long = str(value).partition("/")
        if not (short.isdigit() and long.isdigit()):
            raise ValueError(f'"{value}" is not a range')
        return Range(int(short), int(long))


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Bite(Struct, frozen=True, tag="bite", tag_field="does"):
    poison: bool = False


class Spell(Struct, frozen=True, tag="spell", tag_field="does"):
    level: int


class Attack(Struct, frozen=True):
    name: str
    damage: Dice
    use: Literal["melee", "thrown", "ranged"] = "melee"
    range: Range | None = None
    reach: Range | int | str | None = None


class Saves(Struct, frozen=True):
    physical: int = 15
    mental: int = 15

    def __post_init__(self) -> None:
        if self.physical + self.mental > 40:
            raise ValueError("the saves are too high together")


class Monster(Struct, frozen=True, rename={"class_": "class"}):
    name: Annotated[str, Meta(min_length=1, max_length=10)]
    hp: Annotated[int, Meta(ge=1, le=99)]
    size: Size = Size.SMALL
    class_: str = ""
    speed: Annotated[float, Meta(gt=0)] = 30.0
    shield: bool = False
    ac: int | str = 10
    attacks: tuple[Attack, ...] = ()
    tags: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    at: tuple[int, int] | None = None
    skills: dict[Literal["stab", "shoot"], Annotated[int, Meta(le=4)]] = {}
    by_level: dict[int, str] = {}
    saves: Saves = Saves()
    shock: Saves | int | None = None
    powers: tuple[Bite | Spell, ...] = ()
    rider: "Monster | None" = None
    code: Annotated[str, Meta(pattern="^[A-Z]+$")] = "A"
    dice: Dice | None = None
    ranges: dict[str, tuple[Range, str]] = {}


PARSERS: dict[type, module.Parser] = {Dice: Dice.parse, Range: Range.parse}
GOOD: dict[str, Any] = {"name": "Goblin", "hp": 4}


def issues(**keys: Any) -> list[str]:
    """Say what is wrong with a goblin that has these keys as well."""
    tree = parse(b"a: 1", "f")
    value, found = convert({**GOOD, **keys}, Monster, PARSERS)
    assert (value is None) == bool(found)
    return [str(problem).removeprefix("f:1:1: ") for problem in located(found, tree)]


def test_a_right_value_becomes_its_struct() -> None:
    """Nested Structs, enums, custom types, unions, numbers as keys."""
    value, found = convert(
        {
            **GOOD,
            "size": "large",
            "class": "raider",
            "speed": 20,
            "ac": "15a",
            "attacks": [{"name": "spear", "damage": "1d6", "use": "thrown", "range": "10/30", "reach": 5}],
            "at": [1, 2],
            "skills": {"stab": 1},
            "by_level": {"3": "x"},
            "shock": {"physical": 3},
            "powers": [{"does": "bite", "poison": True}, {"does": "spell", "level": 2}],
            "rider": {"name": "Snag", "hp": 1, "attacks": [{"name": "bow", "damage": "1d8", "range": "50/100"}]},
            "dice": "2d6",
            "ranges": {"near": ["1/2", "x"]},
        },
        Monster,
        PARSERS,
    )

    assert found == ()
    assert value == Monster(
        name="Goblin",
        hp=4,
        size=Size.LARGE,
        class_="raider",
        speed=20.0,
        ac="15a",
        attacks=(Attack("spear", Dice("1d6"), "thrown", Range(10, 30), 5),),
        at=(1, 2),
        skills={"stab": 1},
        by_level={3: "x"},
        shock=Saves(3),
        powers=(Bite(True), Spell(2)),
        rider=Monster(name="Snag", hp=1, attacks=(Attack("bow", Dice("1d8"), range=Range(50, 100)),)),
        dice=Dice("2d6"),
        ranges={"near": (Range(1, 2), "x")},
    )


def test_the_value_itself_is_left_alone() -> None:
    """Custom types are read into a copy; an aliased block may be read twice."""
    attack = {"name": "bow", "damage": "1d8", "range": "50/100"}
    value = {**GOOD, "attacks": [attack, attack]}

    assert convert(value, Monster, PARSERS)[0] == convert(value, Monster, PARSERS)[0]
    assert attack == {"name": "bow", "damage": "1d8", "range": "50/100"}


def test_values_that_are_typed_already_are_taken() -> None:
    """Shorthand may hand over Structs and custom values beside plain ones."""
    attack = Attack("bow", Dice("1d8"))

    value, found = convert(
        {**GOOD, "attacks": (attack,), "dice": Dice("1d4"), "size": Size.LARGE, "saves": Saves()}, Monster, PARSERS
    )

    assert found == ()
    assert value is not None
    assert ((attack,), Dice("1d4"), Size.LARGE) == (value.attacks, value.dice, value.size)


@for_each(("keys", "expected"), rows(__file__, "a_wrong_value_is_explained"))
def test_a_wrong_value_is_explained(keys: dict[str, Any], expected: str) -> None:
    """Path, what is wanted, what stands there, and what was probably meant."""
    expected = expected.replace("hpp: unknown key", "hpp: unknown key (did you mean hp?)")

    assert [expected] == issues(**keys)


def test_all_issues_come_at_once() -> None:
    """Nobody wants to mend a file one mistake at a time."""
    expected = {"hp", "size", "attacks[0].name", "attacks[0].damage", "attacks[1].nam", "powers[0].poison", "more"}

    found = issues(
        hp="x",
        size="y",
        attacks=[{"name": 1, "damage": "z"}, {"nam": "a", "damage": "1d6"}],
        powers=[{"does": "bite", "poison": 3}],
        more=1,
    )

    assert (len(found), {line.partition(": ")[0] for line in found}) == (7, expected)


def test_a_misspelt_key_is_not_missed_as_well() -> None:
    """`dmage` for a required `damage` is one mistake, not two."""
    found = issues(attacks=[{"name": "a", "dmage": "1d6"}])

    assert found == ["attacks[0].dmage: unknown key (did you mean damage?)"]


def test_what_fields_say_together_is_checked_in_every_block() -> None:
    """A Struct's own check is asked for each block whose fields are right."""
    bad = {"physical": 30, "mental": 30}

    assert issues(
        saves=bad,
        rider={**GOOD, "saves": bad, "attacks": [{"name": "a", "damage": "1d6", "range": "1/2", "reach": "3/4"}]},
    ) == ["rider.saves: the saves are too high together", "saves: the saves are too high together"]


def test_issues_have_the_places_of_their_keys_and_values() -> None:
    """An unknown key, a wrong value and a missing key each have their place."""
    text = b"monsters:\n  - name: Goblin\n    hp: 4\n  - nane: Worg\n    hp: x\n    saves:\n      physical: [1]\n"
    tree = parse(text, "m.yaml")
    _, found = convert(tree.find(("monsters", 1)), Monster, PARSERS)
    _, missing = convert(tree.find(("monsters", 0)), Spell)

    assert [str(problem).split(": ")[0] for problem in located(found, tree, ("monsters", 1))] == [
        "m.yaml:4:5",
        "m.yaml:5:9",
        "m.yaml:7:17",
    ]
    assert "m.yaml:2:5: monsters[0].level: missing: it has to be given" in [
        str(problem) for problem in located(missing, tree, ("monsters", 0))
    ]


def test_keys_beside_are_left_to_another_struct() -> None:
    """A block may be shared by two Structs; the other's keys are no mistake, and still help to tell what was meant."""
    value, found = convert({"physical": 12, "control": "gm"}, Saves, other_keys=("name", "control"))
    _, wrong = convert({"physical": 12, "contrl": "gm"}, Saves, other_keys=("name", "control"))

    assert (Saves(12), ()) == (value, found)
    assert [issue.hint for issue in wrong] == ["did you mean control?"]


def test_keys_beside_hold_for_the_outermost_block_only() -> None:
    """Further in they are unknown like any other."""
    _, found = convert({**GOOD, "saves": {"control": 1}}, Monster, PARSERS, other_keys=("control",))

    assert [issue.path for issue in found] == [("saves", "control")]


def test_lists_and_mappings_can_be_converted_themselves() -> None:
    """The outermost type need not be a Struct."""
    assert ((Saves(1),), ()) == convert([{"physical": 1}], tuple[Saves, ...])
    assert [issue.path for issue in convert([{}, {"physicl": 1}], tuple[Saves, ...])[1]] == [(1, "physicl")]


def test_a_message_of_msgspec_is_the_last_resort() -> None:
    """Its path is understood as well."""
    assert Issue(("a", 3, "b"), "odd") == Issue.from_message("odd - at `$.a[3].b`")
    assert Issue(("a",), "odd") == Issue.from_message("odd - at `$.a[...].b`")
    assert Issue((), "odd") == Issue.from_message("odd")


def test_types_the_walk_does_not_know_are_left_to_msgspec() -> None:
    """A date is checked by msgspec, its message placed."""
    import datetime

    class Dated(Struct):
        on: datetime.date

    assert (Dated(datetime.date(2024, 1, 31)), ()) == convert({"on": "2024-01-31"}, Dated)
    assert [issue.path for issue in convert({"on": "soon"}, Dated)[1]] == [("on",)]


def test_a_custom_type_nobody_reads_is_a_mistake_of_the_program() -> None:
    """It is found when the type is first used, whatever the file has."""
    with pytest.raises(RulesBug, match="nothing reads Dice"):
        convert(GOOD, Monster)
