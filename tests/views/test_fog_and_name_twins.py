"""Fog and names: what the GM changes out of sight of the players changes nothing they see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.twin import Twin
from tests.ui.games import GH, SV, begun
from tracker.core.fight.state import State
from tracker.core.run import Done, run
from tracker.core.terms.actions import Action, action
from tracker.core.visibility.fog import in_fog
from tracker.core.visibility.knowledge import is_hidden
from tracker.session.intents import Advance, Do, RollRest
from tracker.session.session import Session
from tracker.views.public.build import public_view

KEEP, FOG = action("players_see", what="names_kept"), action("fog", what="party", far=20)
COMMANDS: dict[str, tuple[str, str, Sequence[Action | None]]] = {
    "fog is laid, lifted, laid again": (
        SV,
        "first_fight",
        (FOG, None, action("fog", what="off"), None, action("fog", what="all"), FOG, None),
    ),
    "names before the first act": (
        GH,
        "goblin_waves",
        (
            KEEP,
            action("conceal", targets=("goblin-2",)),
            action("call", who="goblin-1", name="Tall stranger"),
            action("reveal", targets=("goblin-2",)),
            action("call", who="goblin-1", name=""),
            None,
        ),
    ),
    "names and labels in the fight": (
        SV,
        "first_fight",
        (
            KEEP,
            None,
            action("rename", who="bone-soldier-1", name="Sir Kay"),
            action("conceal", targets=("bone-soldier-1",)),
            action("call", who="bone-soldier-2", name="The other one"),
            None,
            action("reveal", targets=("bone-soldier-1",)),
            action("damage", amount=99, targets=("bone-soldier-2",)),
            None,
        ),
    ),
}
"""Commands of the GM, one after another; None: the fight goes on to the next turn."""


def done(session: Session, command: Action | None) -> None:
    """Do a command, or go on, and let the program answer all requests."""
    model = session.dispatch(Advance() if command is None else Do((command,)))
    assert model.refusal is None, (command, model.refusal)
    while session.model.pending is not None:
        session.dispatch(RollRest())


def ready(tmp_path: Path, game: str, name: str) -> Session:
    session = begun(tmp_path, game, name)
    while session.model.pending is not None:
        session.dispatch(RollRest())
    return session


@pytest.mark.parametrize("own_side", [False, True], ids=["on a side", "on its own"])
@pytest.mark.parametrize("name", COMMANDS)
def test_with_and_without_a_hidden_one_players_read_the_same(tmp_path: Path, name: str, own_side: bool) -> None:
    """After each command of the GM, with a hidden combatant in the fight from its start and without."""
    game, encounter, commands = COMMANDS[name]
    with ready(tmp_path, game, encounter) as session:
        for command in commands:
            done(session, command)
        rules, steps = session.ruleset, [(record.step, record.answers) for record in session.model.steps]
    twin, state, found, followed = Twin(rules, own_side), State(), list[str](), 0
    for step, answers in steps:
        outcome = run(rules, state, step, answers)
        assert isinstance(outcome, Done), outcome
        if not twin.parted:
            found += twin.follow(state, step, outcome)
            followed += 1
        state = outcome.state
    assert found == []
    assert followed > len(steps) / 2


def test_where_a_combatant_stands_in_the_fog_is_not_seen(tmp_path: Path) -> None:
    """It is moved about there, renamed and hurt: not a sign on the players' screens changes."""
    with ready(tmp_path, SV, "first_fight") as session:
        done(session, FOG)
        foe = next(one for one in session.model.state.combatants if in_fog(session.model.state, one))
        assert is_hidden(session.model.state, foe.id)
        before = public_view(session.ruleset, session.model.state, "salt")
        assert foe.position is not None
        other = (int(foe.position[0]) + 1, int(foe.position[1]))
        for command in (
            action("place", who=foe.id, x=other[0], y=other[1]),
            action("rename", who=foe.id, name="Sir Kay"),
            action("damage", amount=1, targets=(foe.id,)),
            action("add_effect", name="dazed", targets=(foe.id,)),
        ):
            done(session, command)
            assert is_hidden(session.model.state, foe.id)
            after = public_view(session.ruleset, session.model.state, "salt")
            assert after == before, command
