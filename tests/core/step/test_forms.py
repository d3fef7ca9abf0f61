"""Forms: every kind of field, what is filled in, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.core.states import opened
from tests.support.common import Fighter, member
from tests.support.tables import for_each
from tracker.core import engine
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
from tracker.core.terms.errors import Refusal, Refused

TIRED = Refusal("tired", "Ada is too tired", rule="T-09")
BROKEN = Refusal("broken", "the bow is broken", rule="T-10")
ABSURD = Refusal("absurd", "that makes no sense", forcible=False)


def offering(*fields: Field, refusal: Refusal | None = None) -> Ruleset:
    """Return a ruleset whose one action has this form."""

    def form(state: State, wanted: Action) -> ActionSpec | None:
        return ActionSpec("do", "Do", wanted.by, fields=fields, refusal=refusal) if wanted.key == "do" else None

    return Ruleset(
        "toy",
        "Toy",
        1,
        Schema((("pc", Fighter),)),
        lambda ctx: None,
        lambda state, by: (),
        form,
        lambda ctx, wanted: None,
    )


def completed(field: Field, **values: Any) -> Any:
    """Return what stands in the field when the action is accepted."""
    done = engine.accept(offering(field), opened(), action("do", "ada", **values)).action
    return done.get(field.name)


PEOPLE = (Option("ada"), Option("bo"), Option("gog", refusal=BROKEN))
WAYS = (Option("up"), Option("down"), Option("off", refusal=BROKEN), Option("in", refusal=ABSURD))
ROWS = Field(
    "x",
    "rows",
    minimum=1,
    maximum=2,
    columns=(Field("weapon", "choice", options=WAYS, required=True), Field("bonus", "number", default=1)),
)

GOOD: list[tuple[Field, Any]] = [
    (Field("x", "combatant", anybody=True), "gog"),
    (Field("x", "combatants", anybody=True), ("gog", "ada")),
    (Field("x", "combatant", options=PEOPLE), "bo"),
    (Field("x", "combatants", options=PEOPLE, maximum=2), ("ada", "bo")),
    (Field("x", "choice", options=WAYS), "up"),
    (Field("x", "choices", options=WAYS, minimum=2), ("up", "down")),
    (Field("x", "number", minimum=0, maximum=5), 5),
    (Field("x", "number"), -2.5),
    (Field("x", "dice"), "2d6+1"),
    (Field("x", "text"), "words"),
    (Field("x", "flag"), True),
    (Field("x", "square"), (3, 4)),
    (Field("x", "square", options=(Option("3,4"),)), (3, 4)),
    (Field("x", "path"), ((1, 1), (1, 2))),
    (Field("x", "area"), ((0, 0),)),
    (Field("x", "members"), (member("Wolf"),)),
    (ROWS, ((("weapon", "up"), ("bonus", 3)),)),
]


@for_each(("field", "value"), GOOD)
def test_a_fitting_value_is_kept(field: Field, value: Any) -> None:
    """Every kind of field takes the values of its kind as they are."""
    assert completed(field, x=value) == value


BAD: list[tuple[Field, Any, str]] = [
    (Field("x", "combatant", anybody=True), "wolf", "wolf is not in the fight"),
    (Field("x", "combatant"), "gog", "x: Gog cannot be chosen: nobody is on offer"),
    (Field("x", "combatants"), ("gog",), "x: Gog cannot be chosen: nobody is on offer"),
    (Field("x", "combatant", required=True), None, "x is missing: nobody is on offer"),
    (Field("x", "combatant", options=PEOPLE[:2]), "gog", "Gog is not on offer"),
    (Field("x", "combatants", anybody=True), "ada", "is a list"),
    (Field("x", "combatants", options=PEOPLE, maximum=1), ("ada", "bo"), "at most 1"),
    (Field("x", "combatants", options=PEOPLE), ("ada", "wolf"), "wolf is not in the fight"),
    (Field("x", "choice", options=WAYS), "sideways", "not on offer (up, down, off, in)"),
    (Field("x", "choice", options=WAYS), "in", "makes no sense"),
    (Field("x", "choice"), "up", "nothing is"),
    (Field("x", "choices", options=WAYS, minimum=2), ("up",), "at least 2"),
    (Field("x", "number"), "many", "is not a number"),
    (Field("x", "number"), True, "is not a number"),
    (Field("x", "number"), float("nan"), "is not a number"),
    (Field("x", "number"), float("inf"), "is not a number"),
    (Field("x", "number", minimum=0), -1, "-1 is outside 0.."),
    (Field("x", "number", maximum=5), 6, "6 is outside ..5"),
    (Field("x", "dice"), "goblin", "is not dice"),
    (Field("x", "text"), 3, "is text"),
    (Field("x", "flag"), "yes", "is yes or no"),
    (Field("x", "square"), (1, 2, 3), "is a square"),
    (Field("x", "square"), (1, True), "is a square"),
    (Field("x", "square", options=(Option("3,4"),)), (4, 4), "4,4 is not on offer"),
    (Field("x", "path"), ((1, 1), (1,)), "is a list of squares"),
    (Field("x", "area"), (("a", "b"),), "is a list of squares"),
    (Field("x", "members"), ("wolf",), "stat blocks"),
    (ROWS, "up", "is a list of rows"),
    (ROWS, (("weapon", "up"),), "a row is made of names and values"),
    (ROWS, ((("weapon", "up"), ("colour", 1)),), 'no "colour"'),
    (ROWS, ((("bonus", 1),),), "weapon is missing"),
    (ROWS, ((("weapon", "up"), ("bonus", "x")),), "is not a number"),
    (ROWS, ((("weapon", "up"),),) * 3, "at most 2"),
    (Field("x", "text", required=True), "", "x is missing"),
    (Field("x", "combatants", required=True, anybody=True), (), "x is missing"),
    (Field("x", "choice", required=True, options=WAYS), None, "x is missing"),
]


@for_each(("field", "value", "words"), BAD)
def test_a_value_that_makes_no_sense_cannot_be_forced(field: Field, value: Any, words: str) -> None:
    """A value that is none of the field's is refused there. Whatever the GM says."""
    with pytest.raises(Refused) as caught:
        engine.accept(offering(field), opened(), action("do", "ada", x=value), forced=True)

    refusal = caught.value.refusal
    assert words in refusal.text
    assert not refusal.forcible


@pytest.mark.parametrize(
    ("ruleset", "wanted", "refusal"),
    [
        (offering(refusal=TIRED), action("do", "ada"), TIRED),
        (offering(Field("x", "choice", options=WAYS)), action("do", "ada", x="off"), BROKEN),
        (offering(Field("x", "combatants", options=PEOPLE)), action("do", "ada", x=("ada", "gog")), BROKEN),
        (offering(ROWS), action("do", "ada", x=((("weapon", "off"),),)), BROKEN),
    ],
)
def test_a_rule_forbids_until_it_is_forced(ruleset: Ruleset, wanted: Action, refusal: Refusal) -> None:
    """What a rule refuses is refused by name, and the GM may overrule it."""
    with pytest.raises(Refused) as caught:
        engine.accept(ruleset, opened(), wanted)
    assert caught.value.refusal == refusal

    assert engine.accept(ruleset, opened(), wanted, forced=True).overruled == (refusal,)


def test_nonsense_comes_before_rules() -> None:
    """A wrong value is told before a rule's refusal."""
    with pytest.raises(Refused, match="is not a number"):
        engine.accept(offering(Field("x", "number"), refusal=TIRED), opened(), action("do", "ada", x="many"))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (Field("x", "number", default=3), 3),
        (Field("x", "flag"), False),
        (Field("x", "combatants"), ()),
        (Field("x", "rows"), ()),
        (Field("x", "text"), None),
        (
            Field("x", "rows", default=((("n", 1),),), columns=(Field("n", "number"), Field("m", "flag"))),
            ((("n", 1), ("m", False)),),
        ),
    ],
)
def test_empty_fields_are_filled_in(field: Field, expected: Any) -> None:
    """A step finds every field of its form, with the default where nothing was said."""
    assert completed(field) == expected


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        (Field("x", "combatants", anybody=True), ("gog", "ada", "gog"), ("gog", "ada")),
        (Field("x", "combatants", options=PEOPLE, maximum=1), ("ada", "ada"), ("ada",)),
        (Field("x", "choices", options=WAYS), ("up", "up", "down"), ("up", "down")),
        (Field("x", "area"), ((1, 2), (1, 2)), ((1, 2),)),
        (Field("x", "path"), ((1, 2), (1, 3), (1, 2)), ((1, 2), (1, 3), (1, 2))),
        (Field("x", "combatants", repeats=True, anybody=True), ("gog", "gog", "ada"), ("gog", "gog", "ada")),
    ],
)
def test_doubles_count_once(field: Field, value: Any, expected: Any) -> None:
    """What is named twice is taken once, but where a field says otherwise."""
    assert completed(field, x=value) == expected


def test_no_form_sees_doubles() -> None:
    """A ruleset describes an action with each name once."""
    seen: list[Action] = []
    game = offering(Field("x", "combatants", anybody=True), Field("each", "combatants", repeats=True, anybody=True))
    form = game.form

    def looking(state: State, wanted: Action) -> ActionSpec | None:
        seen.append(wanted)
        return form(state, wanted)

    wanted = action("do", "ada", x=("gog", "gog"), each=("bo", "bo"))
    engine.spec_of(replace(game, form=looking), opened(), wanted)

    assert seen[-1] == action("do", "ada", x=("gog",), each=("bo", "bo"))
    assert all(one.get("x") == ("gog",) for one in seen)


def test_doubles_do_not_make_up_a_number() -> None:
    """Two of the same are one, where two are needed."""
    with pytest.raises(Refused, match="at least 2"):
        completed(Field("x", "choices", options=WAYS, minimum=2), x=("up", "up"))


def test_missing_cells_are_filled_in() -> None:
    """A row has every column, too."""
    assert completed(ROWS, x=((("weapon", "up"),), (("bonus", 4), ("weapon", "down")))) == (
        (("weapon", "up"), ("bonus", 1)),
        (("bonus", 4), ("weapon", "down")),
    )


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (action("do", "wolf"), "no_such_combatant"),
        (action("dance", "ada"), "unknown_action"),
        (action("do", "ada", colour="red"), "unknown_field"),
    ],
)
def test_actions_that_do_not_exist(wanted: Action, reason: str) -> None:
    """An unknown action, actor or field makes no sense."""
    with pytest.raises(Refused) as caught:
        engine.accept(offering(), opened(), wanted, forced=True)

    assert (caught.value.refusal.reason, caught.value.refusal.forcible) == (reason, False)


def test_the_game_masters_actions_are_offered_beside_the_rulesets() -> None:
    """Without an actor the generic actions are on offer. Not where the ruleset has one of that name."""

    def own(state: State, by: str | None) -> tuple[ActionSpec, ...]:
        return (ActionSpec("damage", "Harm"),)

    ruleset = Ruleset(
        "toy",
        "Toy",
        1,
        Schema((("pc", Fighter),)),
        lambda ctx: None,
        own,
        lambda state, wanted: None,
        lambda ctx, wanted: None,
    )

    offers = engine.offers(ruleset, opened(), None)

    assert [spec.label for spec in offers if spec.key == "damage"] == ["Harm"]
    assert {"heal", "note", "end_fight"} <= {spec.key for spec in offers}
    assert [spec.key for spec in engine.offers(ruleset, opened(), "ada")] == ["damage"]


def test_some_generic_actions_can_be_left_out() -> None:
    """Left out specifications are not even made. The ruleset's own and all others stay."""
    state, rules = opened(), offering()
    every = engine.offers(rules, state, None)
    some = engine.offers(rules, state, None, but=frozenset(("damage", "end_effect")))

    assert {spec.key for spec in every} - {spec.key for spec in some} == {"damage", "end_effect"}
    assert [spec for spec in every if spec.key not in ("damage", "end_effect")] == list(some)
