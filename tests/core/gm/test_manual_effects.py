"""Effects that the GM adds and ends in every game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.core.gm.mastering import refusal, table
from tests.support import individual, sides
from tests.support.common import encounter
from tracker.core import engine
from tracker.core.fight.events import EffectEnded
from tracker.core.fight.state import FIGHT
from tracker.core.game import durations
from tracker.core.game.schema import NamedEffect, codec_of, kind_and_stat
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect, Modifier, Stacking
from tracker.core.terms.moments import At, Moment
from tracker.testing.table import Table, of_kind


def test_usual_end_of_an_effect_is_in_words_without_a_count() -> None:
    """The usual end is shown in words without a count if possible, else with the count 1."""
    counted, plainly = (
        Moment("{n} rounds", (At("turn_start", "bearer"),)),
        Moment("next turn", (At("turn_start", "bearer"),)),
    )
    for moments, words in (((counted, plainly), "next turn"), ((counted,), "1 round")):
        rules = replace(
            sides.RULESET, moments=moments, effects=(NamedEffect("shaken", until=(At("turn_start", "bearer"),)),)
        )
        fight = Table(rules, encounter(rules.key))
        spec = engine.spec_of(rules, fight.state, action("add_effect", name="shaken"))
        field = spec.field("until")
        assert field is not None
        assert field.default == words

        fight.do(action("add_effect", name="shaken", targets=("ada",)))
        assert [end.count for end in fight.state["ada"].effects[0].until] == [1]


def test_an_effect_of_the_game_masters_own() -> None:
    """Name, bearers, end, numbers, source and secrecy are taken as typed."""
    fight = table()

    fight.do(
        action(
            "add_effect",
            name="cold",
            targets=("ada", "bo"),
            until="2 rounds",
            modifiers=((("stat", "ac"), ("amount", -2)),),
            source="goblin-1",
            secret=True,
        )
    )

    held = fight.state["bo"].effects[0]
    assert (held.name, held.until, held.modifiers, held.source, held.secret) == (
        "cold",
        (At("turn_start", "who:bo", 2),),
        (Modifier("ac", -2),),
        "goblin-1",
        True,
    )


def test_an_effect_on_the_fight() -> None:
    """An effect without a bearer is on the fight."""
    fight = table()

    fight.do(action("add_effect", name="rain"))

    assert [(effect.name, effect.bearer, effect.until) for effect in fight.state.effects] == [("rain", FIGHT, ())]


@pytest.mark.parametrize(
    ("name", "until", "expected"), [("hex", "", 3), ("Hexed", "", 3), ("HEX", "4 rounds", 4), ("prone", "", None)]
)
def test_a_named_effect_has_its_usual_end(name: str, until: str, expected: int | None) -> None:
    """The ruleset's own end counts unless another one is typed, also if the picker has no words for it."""
    fight = table("declared")

    fight.do(action("add_effect", name=name, targets=("ada",), until=until))

    effect = fight.state["ada"].effects[0]
    assert (effect.name, [end.count for end in effect.until]) == (
        name.lower().removesuffix("ed"),
        [] if expected is None else [expected],
    )


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"until": "tomorrow"}, "until"),
        ({"until": "source"}, "source"),
        ({"modifiers": ((("stat", "ac"),),)}, "modifiers"),
    ],
)
def test_an_effect_with_something_wrong(fields: dict[str, Any], field: str) -> None:
    """An unknown end, a missing source and a missing amount are refused."""
    wrong = refusal(table(), action("add_effect", name="x", targets=("ada",), **fields))

    assert (wrong.reason, wrong.forcible) == ("bad_field", False)
    assert wrong.field in (field, "amount")


def test_ending_one_of_several_effects() -> None:
    """Effects of one name have their numbers in the options, also if another name looks like that."""
    fight = table()
    for name in ("bane", "bane#7", "aim"):
        fight.hold(Effect(name, "ada"))
    fight.hold(Effect("bane", "bo"))

    spec = engine.spec_of(fight.ruleset, fight.state, action("end_effect"))
    offered = spec.field("effect")
    assert offered is not None
    assert [option.key for option in offered.options] == ["bane#1", "bane#7", "aim", "bane#4"]
    for wanted in (
        action("end_effect", effect="bane#4"),
        action("end_effect", who="ada", effect="bane#7"),
        action("end_effect", who="ada", effect="bane"),
    ):
        fight.do(wanted)

    assert [effect.name for effect in fight.state.all_effects] == ["aim"]
    assert refusal(fight, action("end_effect", who="bo")).text == "effect is missing"
    fight.do(action("end_effect", who="ada"))
    assert [event.reason for event in of_kind(fight.last, EffectEnded)] == ["removed"]


def test_three_hundred_effects_are_listed_quickly() -> None:
    """The form that ends an effect stays fast with many effects."""
    fight = table()
    many = tuple(Effect(f"e{number % 10}", "ada", number) for number in range(1, 3001))
    fight.state = replace(
        fight.state,
        combatants=tuple(replace(one, effects=many if one.id == "ada" else ()) for one in fight.state.combatants),
    )

    spec = engine.spec_of(fight.ruleset, fight.state, action("end_effect"))

    offered = spec.field("effect")
    assert offered is not None
    assert len({option.key for option in offered.options}) == 3000


FRIGHTENED = NamedEffect(
    "frightened", rule="T-07", value=1, modifiers=lambda value: (Modifier("attack", -value, kind="status"),)
)


def valued() -> Table:
    """Return a fight of a game with an effect of a value. The game also has kinds of modifiers."""
    game = replace(
        individual.RULESET,
        effects=(FRIGHTENED, NamedEffect("level 2", value=1), NamedEffect("prone")),
        schema=replace(individual.RULESET.schema, modifier_kinds=("status", "item")),
    )
    return Table(game, encounter("individual"))


@pytest.mark.parametrize(
    ("name", "shown", "amount"),
    [
        ("frightened", "frightened 1", -1),
        ("frightened 3", "frightened 3", -3),
        ("Frightened 12", "frightened 12", -12),
        ("prone 2", "prone 2", None),
        ("frightened 0", "frightened 0", None),
        ("level 2", "level 2 1", None),
        ("shaken 2", "shaken 2", None),
    ],
)
def test_a_value_is_typed_behind_the_name_of_an_effect(name: str, shown: str, amount: int | None) -> None:
    """The number is the effect's value, where the effect has one."""
    fight = valued()

    fight.do(action("add_effect", name=name, targets=("bo",)))

    (effect,) = fight.state["bo"].effects
    expected = () if amount is None else (Modifier("attack", amount, kind="status"),)
    assert (effect.shown, effect.modifiers) == (shown, expected)


def test_typed_changes_replace_those_of_the_effect() -> None:
    """Typed modifiers replace the usual ones. A kind may be named."""
    fight = valued()
    rows = (
        (("stat", "attack"), ("amount", 2), ("kind", "item")),
        (("stat", "defence"), ("amount", 1)),
    )

    fight.do(action("add_effect", name="frightened 2", targets=("bo",), modifiers=rows))

    (effect,) = fight.state["bo"].effects
    assert (effect.value, effect.modifiers) == (2, (Modifier("attack", 2, kind="item"), Modifier("defence", 1)))


def test_plain_effects_are_stored_as_before() -> None:
    """An effect without value and kind is stored without them, as in old journals."""
    codec = codec_of(individual.RULESET.schema)

    plain = codec.encode(Effect("prone", "bo", modifiers=(Modifier("attack", -2),)))
    held = codec.encode(FRIGHTENED.effect("bo", 2, "ada"))

    assert (b"value" in plain, b"kind" in plain) == (False, False)
    assert codec.decode(held, Effect) == Effect(
        "frightened", "bo", source="ada", modifiers=(Modifier("attack", -2, kind="status"),), rule="T-07", value=2
    )


def test_kind_and_number_are_told_apart() -> None:
    """`status attack` is a kind and a number if the game has the kind."""
    schema = replace(individual.RULESET.schema, modifier_kinds=("status",))

    assert [kind_and_stat(schema, words) for words in ("Status attack", "attack", "ac melee", "status")] == [
        ("status", "attack"),
        ("", "attack"),
        ("", "ac melee"),
        ("", "status"),
    ]


def until_of(fight: Table, bearer: str) -> tuple[object, ...]:
    return fight.state.borne(bearer)[-1].until


def test_rounds_by_hand_last_through_the_turn_that_is_still_to_come() -> None:
    """For a combatant that still acts in this round, an effect of one round lasts through that turn."""
    fight = table("individual")
    first, *_, last = [slot.members[0] for slot in fight.state.clock.slots]

    fight.do(action("add_effect", name="cold", targets=(first, last), until="1 round"))

    assert until_of(fight, first) == (At("turn_start", f"who:{first}", 1),)
    assert until_of(fight, last) == (At("turn_start", f"who:{last}", 2),)
    assert durations.until_words(fight.state, fight.state.borne(last)[-1]).endswith("turn in round 2")


def test_an_exact_moment_is_taken_as_it_is_said() -> None:
    """The start of the next turn may be in this round."""
    fight = table("individual")
    last = fight.state.clock.slots[-1].members[0]

    fight.do(action("add_effect", name="cold", targets=(last,), until="start of the bearer's next turn"))

    assert until_of(fight, last) == (At("turn_start", f"who:{last}", 1),)


@pytest.mark.parametrize(
    ("stacking", "held"),
    [
        ("replace", ["goblin-1"]),
        ("keep", ["goblin-1"]),
        ("add", ["goblin-1", "bo", "goblin-1"]),
        ("by_source", ["bo", "goblin-1"]),
    ],
)
def test_what_a_second_one_of_an_effect_does_is_the_effects(stacking: Stacking, held: list[str]) -> None:
    """A second effect of a name replaces, joins or keeps the first one, as the game's effect says."""
    game = replace(individual.RULESET, effects=(NamedEffect("held", stacking=stacking),))
    fight = Table(game, encounter("individual"))

    for source in ("goblin-1", "bo", "goblin-1"):
        fight.do(action("add_effect", name="held", targets=("ada",), source=source))

    assert [effect.source for effect in fight.state["ada"].effects] == held
