"""Actions that are alike share a sentence, and only where their order does not matter."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.views.report.fights import by_policy, every_game
from tracker.core.game.telling import ActionWords, StatusWords
from tracker.core.terms.actions import Action
from tracker.views.report.record import (
    Act,
    CombatantRecord,
    FightRecord,
    Harm,
    Milestone,
    Ref,
    Result,
    Side,
    StatusChange,
)
from tracker.views.report.story import story

NAMES = ("Ann", "Bob", "Orc 1", "Orc 2", "Orc 3", "Chief")
STAB = ActionWords("stab", "attack", hits="stab", great="run {whom} through")
DEAD = StatusWords("dead", "dead", by="kill", alone="die")
WITHOUT_NAMES = ("round", "opened", "note")


def blow(step: int, by: str, who: str, lost: int = 0, *, falls: bool = False) -> Act:
    act = Act(by, Action("stab", by, (("target", who),)), "Stab", STAB, (step, 0), 1, "", (who,), refs=[(step, 0)])
    act.first[who] = act.last[who] = Result("hit" if lost or falls else "miss", not (lost or falls))
    if lost:
        act.harms.append(Harm(who, lost, 20 - lost, by, "", (step, 1)))
    if falls:
        act.changes.append(StatusChange(who, DEAD, "dead", 1, (step, 2), by))
    act.refs += [ref for ref, there in (((step, 1), lost), ((step, 2), falls)) if there]
    return act


def flight(step: int, who: str, *answers: Act) -> Act:
    words = ActionWords("run", "move", does="run")
    act = Act(who, Action("run", who), "Run", words, (step, 0), 1, "", (), flees=True, refs=[(step, 0)])
    act.answers = list(answers)
    act.stopped = any(answer.changes for answer in answers)
    return act


def loss(ref: Ref, who: str, points: int) -> Milestone:
    return Milestone("harm", ref, 1, "", [who], [ref], Harm(who, points, 10, None, "", ref))


def told(items: Sequence[Act | Milestone], full: bool = False) -> list[str]:
    people = tuple(
        CombatantRecord(name, name, "a" if len(name) == 3 else "b", len(name) == 3, max=20) for name in NAMES
    )
    sides = (Side("a", "Party", True), Side("b", "Orcs"))
    record = FightRecord(people=people, sides=sides, items=tuple(items), rounds=1)
    return [line.words for line in story(record, full)]


def test_falls_of_a_crowd_share_a_sentence() -> None:
    """Also if something else happens between them; in full each has its own."""
    items = [
        blow(1, "Ann", "Orc 1", falls=True),
        blow(2, "Chief", "Bob", 3),
        blow(3, "Bob", "Orc 2", falls=True),
    ]

    assert told(items) == ["Ann and Bob kill two orcs.", "Chief stabs Bob for 3."]
    assert told(items, full=True) == ["Ann kills Orc 1.", "Chief stabs Bob for 3.", "Bob kills Orc 2."]


def test_who_falls_acts_before() -> None:
    """An orc that has struck is not told to be dead before."""
    items = [
        blow(1, "Ann", "Orc 1", falls=True),
        blow(2, "Orc 2", "Bob", 3),
        blow(3, "Bob", "Orc 2", falls=True),
    ]

    assert told(items) == ["Ann kills an orc.", "Another orc stabs Bob for 3.", "Bob kills the orc."]


def test_losses_of_one_combatant_keep_their_order() -> None:
    """Two sides that hurt the same combatant in turn are told in turn."""
    items = [blow(1, "Ann", "Chief", 2), blow(2, "Orc 1", "Chief", 3), blow(3, "Bob", "Chief", 4)]

    assert told(items) == ["Ann stabs Chief for 2.", "An orc stabs Chief for 3.", "Bob stabs Chief for 4."]


def test_an_attack_that_ends_what_it_began_is_one_sentence() -> None:
    """The same attacker hurts and then kills the same target."""
    items = [blow(1, "Ann", "Chief", 2), blow(2, "Ann", "Chief", 4), blow(3, "Ann", "Chief", falls=True)]

    assert told(items) == ["Ann stabs Chief for 6 in all and then kills Chief."]


def test_those_who_run_are_told_together() -> None:
    """Their losses are told with the flight; a combatant that is struck down does not get away."""
    items = [
        flight(1, "Orc 1", blow(1, "Ann", "Orc 1", 2)),
        flight(2, "Chief"),
        flight(3, "Orc 2", blow(3, "Bob", "Orc 2", falls=True)),
        flight(4, "Orc 3", blow(4, "Ann", "Orc 3", falls=True)),
    ]

    assert told(items) == [
        "Chief and an orc turn and run; Ann stabs the orc for 2.",
        "Bob and Ann kill two orcs as they turn to run.",
    ]


def test_what_the_gm_does_to_several_at_once_is_one_sentence() -> None:
    """With the loss of each; a combatant with another loss has its own sentence."""
    items = [
        loss((1, 1), "Ann", 3),
        loss((1, 2), "Bob", 3),
        loss((1, 3), "Chief", 2),
        loss((2, 1), "Ann", -4),
        loss((2, 2), "Bob", -4),
    ]

    assert told(items) == ["Ann and Bob lose 3 each.", "Chief loses 2.", "Ann and Bob get back 4 each."]


def test_two_of_a_crowd_are_told_apart() -> None:
    """Each by one name within a round, though they act in turn."""
    items = [
        blow(0, "Ann", "Orc 3", falls=True),
        blow(1, "Orc 1", "Ann", 3),
        blow(2, "Orc 2", "Bob", 3),
        blow(3, "Orc 1", "Chief", 2),
    ]

    assert told(items)[1:] == [
        "Another orc stabs Ann for 3.",
        "The other orc stabs Bob for 3.",
        "The first orc stabs Chief for 2.",
    ]


def test_who_strikes_in_between_with_a_power_is_named_once() -> None:
    """Also if a power made the blow land."""
    luck = Act(
        "Ann", Action("luck", "Ann"), "Luck", ActionWords("luck", "power", does="trust to luck"), (1, 1), 1, "", ()
    )
    run = flight(1, "Chief", blow(1, "Ann", "Chief", falls=True), luck)

    assert told([run]) == ["Chief turns to run, but Ann trusts to luck and kills Chief first."]


def test_nothing_is_moved_past_newcomers() -> None:
    """A newcomer does not fall before it joins."""
    items = [
        blow(1, "Ann", "Orc 1", falls=True),
        Milestone("joined", (2, 0), 1, "b", ["Orc 3"], [(2, 0)]),
        blow(3, "Ann", "Orc 3", falls=True),
    ]

    assert told(items) == ["Ann kills an orc.", "Another orc joins the orcs.", "Ann kills the orc."]


@pytest.mark.parametrize("seeds", [(1,), pytest.param((2, 3), marks=pytest.mark.long)], ids=["one", "more"])
@pytest.mark.parametrize("name", [name for name in every_game() if "/" in name])
def test_a_story_can_be_read_aloud(name: str, seeds: tuple[int, ...]) -> None:
    """Twenty sentences are enough for four rounds, five for each more."""
    for seed in seeds:
        record = by_policy(name, seed).record
        lines = [line for line in story(record) if line.kind not in WITHOUT_NAMES]

        assert len(lines) <= 5 * max(4, record.rounds), (seed, record.rounds)
