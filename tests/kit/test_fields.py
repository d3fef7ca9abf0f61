"""Reading fields, and building them: what is missing or of another kind gives the default."""

import pytest

from tests.kit.duel import table
from tracker.kit import Field, Option, Refusal, action, fields, generic

FILLED = action(
    "do", "ada", who="bo", many=("bo", "ada", "bo"), amount=3, metres=2.5, careful=True, at=(3, 4), way=((1, 1), (2, 1))
)


def test_filled_fields_are_read_as_what_they_are() -> None:
    """Each reader returns its own kind of value."""
    read = (
        fields.text(FILLED, "who"),
        fields.ids(FILLED, "many"),
        fields.texts(FILLED.get("many")),
        fields.number(FILLED, "amount"),
        fields.measure(FILLED, "metres"),
        fields.flag(FILLED, "careful"),
        fields.square(FILLED, "at"),
        fields.squares(FILLED, "way"),
    )

    assert read == ("bo", ("bo", "ada"), ("bo", "ada", "bo"), 3, 2.5, True, (3, 4), ((1, 1), (2, 1)))


@pytest.mark.parametrize("name", ["missing", "other"])
def test_missing_and_strange_values_give_the_default(name: str) -> None:
    """A field that is empty or of another kind gives the default."""
    strange = action("do", other=True if name == "number" else ((1,), ("x", 2)))

    read = (
        fields.text(strange, name, "none"),
        fields.number(strange, name, 7),
        fields.measure(strange, name, 1.5),
        fields.flag(strange, name, True),
        fields.square(strange, name),
        fields.squares(strange, name),
    )

    assert read == ("none", 7, 1.5, True, None, ())


def test_yes_and_no_are_no_numbers() -> None:
    """A flag is neither 0 nor 1."""
    assert (fields.whole(True, 5), fields.whole("3", 5), fields.whole(3.9), fields.texts("ada")) == (5, 5, 3, ())


def test_a_yes_is_no_amount_for_a_generic_command() -> None:
    """A flag in the place of an amount counts as nothing, in a form of the program as in one of a game."""
    held = table()

    given = action("heal", targets=("ada",), amount=True, pool="hp")
    held.within(lambda ctx: ctx.change("ada", "hp", 1))
    held.within(lambda ctx: generic.perform(ctx, held.ruleset, given))

    assert held.state["ada"].hp == 1


def test_people_are_told_apart_by_side() -> None:
    """Foes and allies are able combatants of the other sides and of the own one."""
    held = table()
    held.within(lambda ctx: ctx.status("goblin-2", "down"))

    found = [one.id for one in fields.foes(held.state, "ada")], [one.id for one in fields.allies(held.state, "ada")]
    fallen = [one.id for one in fields.foes(held.state, "ada", able=None)]

    assert (found, fallen) == ((["goblin-1", "goblin-3"], ["bo"]), ["goblin-1", "goblin-2", "goblin-3"])


def test_without_an_actor_all_are_foes_and_none_is_an_ally() -> None:
    """The GM has no side."""
    state = table().state

    assert (len(fields.foes(state, None)), fields.allies(state, None)) == (5, ())


def test_everyone_but_one() -> None:
    """One combatant is left out by id."""
    assert [one.id for one in fields.everyone(table().state, "ada")][:2] == ["bo", "goblin-1"]


def test_target_defaults_to_the_first_that_is_not_refused() -> None:
    """The default of a target is one that can be chosen."""
    far = Refusal("far", "too far")
    people = fields.options(
        fields.foes(table().state, "ada"),
        refusal=lambda one: far if one.id == "goblin-1" else None,
        note=lambda one: one.side,
    )

    field = fields.target(people, label="whom")

    assert (field.default, field.options[0], field.required, field.shown) == (
        "goblin-2",
        Option("goblin-1", "Goblin 1", "goblins", far),
        True,
        "whom",
    )


def test_choice_takes_keys_or_options() -> None:
    """A choice is required and has a default, the first unless another is named."""
    plain, named = fields.choice("way", ("cut", "thrust")), fields.choice("way", (Option("cut"),), "thrust")

    assert plain == Field("way", "choice", "", "cut", (Option("cut"), Option("thrust")), required=True)
    assert named.default == "thrust"


def test_the_gm_is_no_actor() -> None:
    """An action has an actor or the GM does it."""
    assert (fields.actor(FILLED), fields.actor(action("rain"))) == ("ada", "")
