"""Players see nothing of a hidden combatant, in every moment of every golden fight."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.golden.cases import Case, cases, made_up_games, words_of
from tests.properties.games import GAMES, build
from tests.support.lurking import betrayed
from tracker.cli.main import main
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.testing.table import fixed
from tracker.views.public.making import public_view
from tracker.views.public.shape import Public

CASES = cases()
FIGHTS = sorted(name for name in GAMES if "/" in name)


def opened(rules: Ruleset, encounter: Encounter) -> Public:
    """Return what players see of a fight that has just been opened."""
    done = run(rules, State(), Step("start", encounter=encounter), (), fixed({}))
    assert isinstance(done, Done), done
    return public_view(rules, done.state)


def without(encounter: Encounter, keep: Callable[[Member], Member | None]) -> Encounter:
    """Return an encounter whose GM's members are changed, or left out."""
    sides = tuple(
        replace(side, members=tuple(one for member in side.members if (one := keep(member)) is not None))
        if side.control == "gm"
        else side
        for side in encounter.sides
    )
    return replace(encounter, sides=sides, waves=())


@pytest.mark.parametrize("name", FIGHTS)
def test_who_is_seen_is_called_as_if_nobody_were_hidden(name: str) -> None:
    """Names and labels are those of the same fight without the hidden ones.

    Of each kind one comes hidden, besides those that are seen.
    """
    rules, encounter = build(name)

    def doubled(member: Member) -> Member:
        return replace(member, count=Dice(plus=2))

    def hidden(member: Member) -> Member:
        return replace(member, hidden=True, count=Dice(plus=1), id="")

    plain = without(encounter, doubled)
    more = replace(
        plain,
        sides=tuple(
            replace(side, members=(*map(hidden, side.members), *side.members)) if side.control == "gm" else side
            for side in plain.sides
        ),
    )
    seen, veiled = opened(rules, plain), opened(rules, more)

    assert [(one.name, one.label) for one in veiled.combatants] == [(one.name, one.label) for one in seen.combatants]
    assert veiled.sides == seen.sides


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_hidden_combatant_betrays_itself_nowhere(case: Case, tmp_path: Path) -> None:
    """With it and without it, players see the same after every step."""
    path = tmp_path / "fights.db"
    with made_up_games():
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*words_of(case), "--db", str(path), "--quiet"]) == 0
        with Journal.open(path) as journal:
            (fight,) = journal.fights()
            with Session.resume(journal, fight.id, registry.find) as session:
                steps = [record.seq for record in session.model.steps]
                found = [line for seq in steps for line in betrayed(session.ruleset, session.state_at(seq))]

    assert steps
    assert found == []
