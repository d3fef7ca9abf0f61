"""Durations in words, and the ends of the effects that a game names."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from tests.core.states import after, boundary, effect, opened, scheduled
from tests.support import individual
from tests.support.tables import for_each
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.game import durations
from tracker.core.game.durations import MOMENTS, until_words
from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At, Moment, OnUse, Until


def read(words: str, moments: tuple[Moment, ...], state: State, round_seconds: int = 0) -> tuple[Until, ...]:
    """Return what typed words mean in a game with these ends."""
    schema = replace(individual.RULESET.schema, round_seconds=round_seconds)
    return durations.read(words, replace(individual.RULESET, moments=moments, schema=schema), state)


@for_each(
    ("words", "expected"),
    [
        ("", ()),
        ("until removed", ()),
        ("3 rounds", (At("turn_start", "bearer", 3),)),
        ("1 round", (At("turn_start", "bearer"),)),
        ("for 12 Rounds", (At("turn_start", "bearer", 12),)),
        ("round end", (At("round_end"),)),
        ("end of the next round", (At("round_end", count=2),)),
        ("next turn", (At("turn_start", "bearer"),)),
        ("end of his turn", (At("turn_end", "bearer"),)),
        ("source", (At("turn_start", "source"),)),
        ("fight", (At("combat_end"),)),
    ],
)
def test_typed_durations_are_read(words: str, expected: tuple[At, ...]) -> None:
    """Words that name one end are parsed to it."""
    assert read(words, MOMENTS, scheduled()) == expected


@pytest.mark.parametrize(
    "words", ["tomorrow", "0 rounds", "1001 rounds", "2 turns of cake", "2d6 rounds", "end of round x"]
)
def test_other_words_are_refused_with_the_ends_on_offer(words: str) -> None:
    """The refusal of a duration lists the offered ends."""
    with pytest.raises(ValueError, match="duration"):
        read(words, MOMENTS, scheduled())


@pytest.mark.parametrize(
    ("words", "seconds", "count"),
    [("10 minutes", 6, 100), ("for 10 min", 10, 60), ("30s", 10, 3), ("25 seconds", 10, 3), ("1 hour", 60, 60)],
)
def test_time_is_as_many_rounds_as_begin_in_it(words: str, seconds: int, count: int) -> None:
    """A time is the number of rounds that begin in it."""
    assert read(words, MOMENTS, scheduled(), seconds) == (At("turn_start", "bearer", count),)


@pytest.mark.parametrize(("words", "seconds"), [("10 minutes", 0), ("10 hours", 6)])
def test_time_is_none_without_the_length_of_a_round_or_too_long(words: str, seconds: int) -> None:
    with pytest.raises(ValueError, match="duration"):
        read(words, MOMENTS, scheduled(), seconds)


def test_fight_and_combat_are_one_word() -> None:
    """ "fight" and "combat" mean the same in an end."""
    moments = (Moment("end of the combat", (At("combat_end"),)),)

    assert read("end of the fight", moments, scheduled()) == (At("combat_end"),)


def test_a_ruleset_has_moments_of_its_own() -> None:
    """The ends of a game are parsed with their counts."""
    moments = (Moment("{n} phases", (At("phase_start", "bearer_side"),)), Moment("next attack", (OnUse("attack"),)))

    assert read("2 phases", moments, scheduled()) == (At("phase_start", "bearer_side", 2),)
    assert read("attack", moments, scheduled()) == (OnUse("attack"),)


@for_each(
    ("end", "words"),
    [
        (At("round_end"), "end of round 1"),
        (At("round_end", count=2), "end of round 2"),
        (At("round_start"), "start of round 2"),
        (At("turn_start", "who:ada"), "start of Ada's next turn"),
        (At("turn_start", "who:ada", 2), "start of Ada's turn in round 3"),
        (At("turn_end", "who:gog"), "end of Gog's turn"),
        (At("phase_start", "side:goblins", 2), "start of Goblins' phase in round 3"),
        (At("phase_start", "any", phase="fast"), "start of fast phase"),
        (At("segment_start", "any", segment=4), "start of segment 4"),
        (At("combat_end"), "end of the fight"),
        (OnUse("melee_attack"), "next melee attack"),
        (OnUse("attack", 3), "3 more attacks"),
    ],
)
def test_an_end_is_said_in_words(end: At | OnUse, words: str) -> None:
    """Every kind of end has words, relative to the current round."""
    assert until_words(scheduled(), Effect("bane", "ada", 1, until=(end,))) == words


def test_several_ends_and_none() -> None:
    """All ends are listed; an effect without an end lasts until removed."""
    assert (
        until_words(opened(), Effect("aim", "ada", 1, until=(OnUse("attack"), At("combat_end"))))
        == "next attack or end of the fight"
    )
    assert until_words(opened(), effect(1, "ada")) == "until removed"


def test_rounds_are_counted_from_here() -> None:
    """Between two rounds the next end is in the next round, before round 0 in round 0."""
    end = effect(1, "ada", At("round_end"))
    between = after(scheduled(), boundary("round_end"))
    ambush = after(opened(), OrderSet((), (Slot("r0/setup", "Set-up", stage="opening"), Slot("r0/goblins", "Goblins"))))

    assert (until_words(opened(), end), until_words(between, end), until_words(ambush, end)) == (
        "end of round 1",
        "end of round 2",
        "end of round 0",
    )


@pytest.mark.parametrize(
    "end",
    [At("turn_start", "who:ada", 3), At("turn_end", "who:gog", 2), At("phase_start", "side:goblins", 2)],
)
def test_a_counted_end_is_said_as_the_round_it_falls_in(end: At) -> None:
    """The printed words have the round, and are parsed to the same end."""
    for state in (scheduled(), after(scheduled(), boundary("round_end"))):
        words = until_words(state, effect(1, "ada", end))

        assert re.search(r" in round \d$", words)
        assert read(words, MOMENTS, state) == (end,)


@pytest.mark.parametrize("moment", [At("round_start"), At("round_end")])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_named_round_is_read_as_it_is_said(moment: At, count: int) -> None:
    """The printed words of a round's end are parsed to it, in a round, between two, and before round 0."""
    ambush = after(opened(), OrderSet((), (Slot("r0/setup", "Set-up", stage="opening"), Slot("r0/goblins", "Goblins"))))
    for state in (scheduled(), after(scheduled(), boundary("round_end")), ambush):
        end = replace(moment, count=count)
        assert read(until_words(state, effect(1, "ada", end)), MOMENTS, state) == (end,)


@pytest.mark.parametrize("words", ["end of round 0", "start of round 1", "until the end of round 4000"])
def test_a_round_that_is_past_or_too_far_is_refused(words: str) -> None:
    """An end in a past round, or too far ahead, is refused."""
    with pytest.raises(ValueError, match="it is round 1"):
        read(words, MOMENTS, scheduled())


ROUND = (At("round_end"),)


def test_a_named_effect_has_its_usual_end() -> None:
    """`on` gives the effect its usual end."""
    prone = NamedEffect("prone", "prone", ROUND, "S-1")

    assert prone.on("wolf", "orc") == Effect("prone", "wolf", source="orc", until=ROUND)


def test_a_title_that_is_the_name_is_left_out() -> None:
    """Only a title of its own is stored."""
    assert NamedEffect("no_movement", "no movement").on("wolf").title == ""
    assert NamedEffect("full_defense", "full defence").on("wolf").title == "full defence"
    assert NamedEffect("guarding", "guarding").on("wolf", title="guarding Ada").title == "guarding Ada"


def test_another_end_and_what_it_changes() -> None:
    """`on` takes another end, modifiers and stacking."""
    slow = (Modifier("evasion", -2),)
    effect = NamedEffect("slow", "slow", ROUND).on("wolf", until=(), modifiers=slow, stacking="keep")

    assert (effect.until, effect.modifiers, effect.stacking) == ((), slow, "keep")
