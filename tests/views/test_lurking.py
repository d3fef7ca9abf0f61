"""Players see nothing of a hidden combatant, in every moment of every golden fight."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from tests.golden.cases import Case, cases, made_up_games, words_of
from tests.support.lurking import betrayed
from tracker.cli.main import main
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal

CASES = cases()


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
