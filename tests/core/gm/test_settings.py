"""Who is asked whether to interrupt."""

from __future__ import annotations

import pytest

from tests.core.gm.mastering import refusal, table
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Request, Window
from tracker.testing.table import Table

ATTACK = action("attack", "ada", target="goblin-1")
ALL = ["dodge:goblin-1", "snap:goblin-1", "snap:goblin-2", "snap:goblin-3"]


def asked(fight: Table) -> list[str]:
    """Return who is asked after an attack roll, and with what."""
    request: Request = fight.asks(ATTACK, answers={"attack": 15})
    assert isinstance(request, Window)
    return [f"{spec.key}:{spec.by}" for spec in request.offers if not spec.moot]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (action("quiet", targets=("goblin-2", "goblin-1")), ALL[3:]),
        (action("quiet", sides=("foes",)), []),
        (action("quiet", sides=("everybody",)), []),
        (action("quiet", sides=("side:goblins",)), []),
        (action("quiet", sides=("players",)), ALL),
        (action("quiet", targets=("ada",)), ALL),
    ],
)
def test_those_who_are_not_to_be_asked_are_not(said: Action, left: list[str]) -> None:
    """Single combatants or whole sides, as the GM says. Their answers stay possible."""
    fight = table()
    assert asked(fight) == ALL
    fight.do(said)

    assert asked(fight) == left
    request = fight.asks(ATTACK, answers={"attack": 15})
    assert isinstance(request, Window)
    assert len(request.offers) == len(ALL)


def test_a_single_combatant_is_asked_again_in_the_next_round() -> None:
    """What is said of a side lasts until it is taken back."""
    fight = table()
    fight.do(action("quiet", targets=("goblin-1",)))
    fight.do(action("quiet", sides=("players",)))
    fight.until(
        lambda state: state.clock.round == 2 and "ada" in (state.clock.current.members if state.clock.current else ())
    )

    assert asked(fight) == ALL


def test_asking_again_takes_it_back() -> None:
    """Of a side it also takes back what was said of its members."""
    fight = table()
    fight.do(action("quiet", sides=("foes",), targets=("goblin-1",)))
    fight.do(action("listen", sides=("side:goblins",)))

    assert asked(fight) == ALL
    assert fight.state.facts == table().state.facts


def test_it_says_whom() -> None:
    """Without a side or a combatant there is nothing to do."""
    assert refusal(table(), action("quiet")).field == "sides"
