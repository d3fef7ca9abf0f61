"""An action is possible where any of its choices makes it so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kit.duel import spec_of, table
from tests.support.tables import for_each
from tracker.core.fight.state import State
from tracker.core.step.fields import text
from tracker.core.terms.actions import Action, ActionSpec, Option, action
from tracker.kit import ActionTable, ActionType, Field, Refusal

TARGETS = (
    *(Option(key) for key in ("goblin-1", "goblin-2", "goblin-3")),
    Option("ada", refusal=Refusal("self", "not at oneself", "D-2")),
)
WEAPONS = tuple(Option(key) for key in ("sword", "bow", "net"))
ASKED: list[Action] = []


def shoot_fields(state: State, act: Action) -> tuple[Field, ...]:
    """A target and a weapon, which do not go together as they stand first."""
    return (
        Field("target", "combatant", default="goblin-1", options=TARGETS, required=True),
        Field("weapon", "choice", default="sword", options=WEAPONS, required=True),
        Field("force", "number", default=1),
    )


def out_of_reach(reaches: tuple[tuple[str, str], ...]) -> Callable[[State, Action], Refusal | None]:
    """Return the check that lets only these pairs of weapon and target be."""

    def refusal(state: State, act: Action) -> Refusal | None:
        ASKED.append(act)
        pair = (text(act, "weapon") or "sword", text(act, "target") or "goblin-1")
        return None if pair in reaches else Refusal("reach", f"{pair[0]} does not reach {pair[1]}", "D-2")

    return refusal


def deeds(refusal: Callable[[State, Action], Refusal | None]) -> ActionTable:
    """A game with one deed."""
    return ActionTable((ActionType("shoot", "Shoot", when="any", fields=shoot_fields, refusal=refusal),))


@for_each(
    ("reaches", "given", "chosen"),
    [
        ((("sword", "goblin-1"), ("bow", "goblin-2")), {}, ("goblin-1", "sword")),
        ((("bow", "goblin-1"), ("sword", "goblin-2")), {}, ("goblin-1", "bow")),
        ((("sword", "goblin-2"), ("bow", "goblin-3")), {}, ("goblin-2", "sword")),
        ((("bow", "goblin-3"),), {}, ("goblin-3", "bow")),
        ((("sword", "goblin-1"), ("net", "goblin-2")), {"target": "goblin-2"}, ("goblin-2", "net")),
        ((("bow", "goblin-1"),), {"weapon": "sword"}, None),
        ((("bow", "goblin-1"),), {"force": 3}, None),
        ((("bow", "ada"),), {}, None),
    ],
)
def test_a_form_opens_on_what_is_possible(
    reaches: tuple[tuple[str, str], ...], given: dict[str, str | int], chosen: tuple[str, str] | None
) -> None:
    """As little as possible is changed, and what is said of more than people stands."""
    game, state = deeds(out_of_reach(reaches)), table().state

    spec = spec_of(game, state, action("shoot", "ada", **given))

    assert (spec.refusal is None) == (chosen is not None)
    if chosen is not None:
        given_or_default = [given.get(field.name, field.default) for field in spec.fields[:2]]
        assert tuple(given_or_default) == chosen


def test_what_nothing_makes_possible_is_tried_a_few_times_only() -> None:
    """A refusal that no choice touches is not asked for every pair of choices."""
    game = deeds(lambda state, act: ASKED.append(act) or Refusal("never", "it never works", "D-2"))
    ASKED.clear()

    spec = spec_of(game, table().state, action("shoot", "ada"))

    assert spec.refusal is not None
    assert len(ASKED) < 10


SHUT = Refusal("spent", "it is spent", "D-2")


def hit(fields: Callable[[State, Action], tuple[Field, ...]]) -> ActionSpec:
    """Return the specification of an action with these fields."""
    game = ActionTable((ActionType("hit", "Hit", when="any", fields=fields),))
    return spec_of(game, table().state, action("hit", "ada"))


@pytest.mark.parametrize(
    ("arms", "required", "chosen", "refused"),
    [
        (("sword", "!bow"), True, "sword", ""),
        (("!sword", "bow"), True, "bow", ""),
        (("!sword", "bow"), False, "bow", ""),
        (("!sword", "!bow"), True, "sword", "it is spent"),
        (("!sword", "!bow"), False, "sword", "it is spent"),
    ],
)
def test_an_option_that_is_refused_does_not_stand_first(
    arms: tuple[str, ...], required: bool, chosen: str, refused: str
) -> None:
    """Where none is open the action is refused for its reason."""
    options = tuple(Option(arm.lstrip("!"), refusal=SHUT if arm.startswith("!") else None) for arm in arms)

    def fields(state: State, act: Action) -> tuple[Field, ...]:
        return (Field("weapon", "choice", default="sword", options=options, required=required),)

    spec = hit(fields)

    assert (spec.fields[0].default, spec.refusal.text if spec.refusal else "") == (chosen, refused)


def test_what_has_to_be_chosen_and_cannot_be_refuses_the_action() -> None:
    """A field without a default, with options of which none is open."""
    options = (Option("goblin-1", refusal=SHUT), Option("goblin-2", refusal=SHUT))

    def fields(state: State, act: Action) -> tuple[Field, ...]:
        return (Field("target", "combatant", options=options, required=True),)

    assert hit(fields).refusal == SHUT
