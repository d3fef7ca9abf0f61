"""Reading fields and building them, and the refusals every game needs."""

import pytest

from tests.kit.duel import table
from tracker.kit import Action, Field, Option, Refusal, State, action, fields, generic, refusals

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
    """A flag as an amount counts as 0, in a generic command as in a game's action."""
    held = table()

    given = action("heal", targets=("ada",), amount=True, pool="hp")
    held.within(lambda ctx: ctx.change("ada", "hp", 1))
    held.within(lambda ctx: generic.perform(ctx, held.ruleset, given))

    assert held.state["ada"].hp == 1


def test_people_are_told_apart_by_side() -> None:
    """Foes are able combatants of other sides, allies of the same side."""
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


@pytest.fixture
def state() -> State:
    held = table()
    held.within(lambda ctx: ctx.status("bo", "down"))
    return held.state


def test_first_refusal_counts_and_later_checks_are_not_made() -> None:
    """Checks behind the first refusal are not called."""
    far = Refusal("far", "too far")

    def never() -> Refusal | None:
        raise AssertionError

    assert (refusals.first(None, lambda: None, far, never), refusals.first(None)) == (far, None)


def test_down_says_the_status(state: State) -> None:
    """A combatant that is not up is refused, unless its status is able too."""
    assert refusals.down(state, "bo", "D-8") == Refusal("down", "Bo is down", "D-8")
    assert (refusals.down(state, "ada"), refusals.down(state, "bo", able=("up", "down"))) == (None, None)


def test_turn_belongs_to_the_slot(state: State) -> None:
    """Only the members of the current slot have their turn."""
    assert (refusals.not_your_turn(state, "ada"), refusals.own_turn(state, "bo")) == (None, False)
    assert refusals.not_your_turn(state, "bo", "D-1") == Refusal("not_your_turn", "it is not Bo's turn", "D-1")


def test_round_and_fight_have_to_run() -> None:
    """What needs a round or a fight is refused without one."""
    held = table()
    running = refusals.no_round(held.state), refusals.fight_over(held.state)
    held.do(Action("end_fight"))

    over = refusals.fight_over(held.state, "D-1")

    assert (running, over) == ((None, None), Refusal("fight_over", "the fight is over", "D-1", forcible=False))
    assert refusals.no_round(State()) == Refusal("no_round", "no round is running")


def test_a_deed_needs_a_combatant() -> None:
    """An action that needs a combatant is refused without one."""
    refusal = refusals.no_actor(None, "Strike", "D-2")

    assert (refusals.no_actor("ada", "Strike"), refusal and (refusal.reason, refusal.forcible)) == (
        None,
        ("no_actor", False),
    )


def test_something_has_to_hold() -> None:
    """A check in one line refuses in the game's own words."""
    assert refusals.unless(True, "no_shield", "no shield") is None
    assert refusals.unless("", "no_shield", "Ada has no shield", "D-14", forcible=False) == Refusal(
        "no_shield", "Ada has no shield", "D-14", forcible=False
    )
