"""What may have been missed: the ruleset's reminders and the encounter's, each at its moment."""

from __future__ import annotations

from msgspec.structs import replace

from tests.support import sides
from tests.support.common import encounter
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import TimedNote, Wave
from tracker.testing.table import Table

REMINDERS = (
    TimedNote("they want the mule"),
    TimedNote("the ford rises", "start of round 2"),
    TimedNote("the ferry comes", "end of round 2"),
)


def keys(fight: Table) -> list[str]:
    return [reminder.key for reminder in open_reminders(fight.ruleset, fight.state)]


def table() -> Table:
    return Table(sides.RULESET, replace(encounter(sides.RULESET.key), reminders=REMINDERS))


def test_encounters_reminders_stand_from_their_moment_until_the_round_is_over() -> None:
    """A reminder for each round has a key for each; a reminder at the end of a round is shown in the next round."""
    fight = table()
    seen: dict[int, list[str]] = {}
    while fight.state.clock.round < 4:
        fight.next()
        seen.setdefault(fight.state.clock.round, keys(fight))

    assert seen[1] == ["encounter:1:r1"]
    assert seen[2] == ["encounter:1:r2", "encounter:2"]
    assert seen[3] == ["encounter:1:r3", "encounter:3"]
    assert seen[4] == ["encounter:1:r4"]


def test_dismissed_reminder_comes_no_more() -> None:
    """A dismissed reminder is not shown again; the others stay."""
    fight = table()
    fight.until(lambda state: state.clock.round == 2)
    fight.do(action("dismiss", key="encounter:2"))

    assert keys(fight) == ["encounter:1:r2"]


def test_nothing_is_owed_when_the_fight_is_over() -> None:
    fight = table()
    fight.until(lambda state: state.clock.round == 2)
    fight.do(action("end_fight"))

    assert keys(fight) == []


def test_a_decided_fight_is_offered_to_end() -> None:
    """The end of a decided fight is offered, with waves that are still to come."""
    fight = table()
    fight.until(lambda state: state.clock.round == 1)
    decided = replace(fight.ruleset, finished=lambda state: "nobody is left")
    offers = [one for one in open_reminders(decided, fight.state) if one.key == "decided:nobody is left"]
    coming = replace(fight.state, waves=(Wave("foes", (), "round 3"),))

    assert [(one.settle, one.lapses) for one in offers] == [(action("end_fight"), True)]
    assert [one.text for one in open_reminders(decided, coming)][-1].endswith("end the fight? A wave is still to come.")
