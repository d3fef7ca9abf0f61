"""An answer given late never makes the impossible: nobody acts who cannot, unless the preview has shown it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden.cases import cases, made_up_games
from tests.properties.golden_steps import GOLDEN
from tracker.cli.commands.run import session_opener
from tracker.cli.loading import load, member_loader, playable
from tracker.core.fight.events import ActionTaken, Forced
from tracker.core.fight.fold import fold
from tracker.core.fight.state import State
from tracker.core.game.ruleset import status_of
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.script.player import Player
from tracker.script.reader import read_script
from tracker.session.intents import Amend, Reply, Undo
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal
from tracker.testing.table import plain

SHORT, MOST_ASKED = 50, 80
"""Of so many amendments one is tried in a short run; so many questions of one are answered."""


def fought(name: str, folder: Path) -> Session:
    """Return the session of a golden fight that has been played."""
    case = next(case for case in cases() if case.name == name)
    loaded = load(str(case.folder / "encounter.yaml"), ())
    encounter, ruleset = playable(loaded)
    seed = case.folder / "seed"
    number = int(seed.read_text(encoding="utf-8")) if seed.exists() else None
    with Journal.open(folder / "fights.db") as journal:
        begin = session_opener(journal, ruleset, encounter, path=case.folder / "encounter.yaml", seed=number)
        player = Player(ruleset, begin, rolls=number is not None, enlist=member_loader(ruleset, loaded.library))
        assert all(result.ok for result in player.play(read_script(case.folder / "script.yaml")))
        fight = player.model.fight
        player.close()
    return Session.resume(Journal.open(folder / "fights.db"), fight, registry.find, Settings(roller=dice_roller(1)))


def amendments(session: Session) -> Iterator[Amend]:
    """Yield each die of a fight with its least and its greatest total in place of what fell."""
    for record in session.model.steps:
        for key, answer in record.answers:
            pending = session.asked_at(record.seq, key) if isinstance(answer, DiceAnswer) else None
            if pending is not None and isinstance(pending.request, Roll) and isinstance(answer, DiceAnswer):
                sides = pending.request.dice.sides
                for faces in (tuple(1 for _ in sides), sides):
                    if sum(faces) != answer.total:
                        yield Amend(record.seq, ((key, DiceAnswer(sum(faces), faces)),))


def impossible(session: Session) -> list[str]:
    """Return where a combatant acts that cannot, in a step that is forced."""
    found, state = [], State()
    for record in session.model.steps:
        forced = any(isinstance(entry.event, Forced) for entry in record.entries)
        for entry in record.entries:
            event = entry.event
            who = event.action.by if forced and isinstance(event, ActionTaken) else None
            able = who in state and status_of(session.ruleset, state[who].status).acts if who is not None else True
            if not able:
                found.append(f"step {record.seq}: {who} acts")
            state = fold(state, event)
    return found


def late_answers(session: Session, intent: Amend) -> list[str]:
    """Amend a die, answer what is asked by other dice than the preview had, take it back; return what cannot be."""
    before, report = session.model, session.preview(intent)
    if report.refusal is not None or report.problem:
        return [report.problem] if report.problem else []
    model = session.dispatch(intent)
    for place in range(MOST_ASKED):
        if model.pending is None:
            break
        request = model.pending.request
        sides = request.dice.sides if isinstance(request, Roll) else ()
        faces = tuple(1 for _ in sides) if place % 2 else sides
        model = session.dispatch(Reply(DiceAnswer(sum(faces), faces) if sides else plain(request)))
    found = [model.problem] if model.problem else impossible(session)
    shown = sum(outcome.kept for outcome in report.outcomes)
    for _ in range(MOST_ASKED):
        if session.model.head == before.head and session.model.pending == before.pending:
            break
        session.dispatch(Undo())
    assert session.model.state == before.state
    return found if len(found) > shown else []


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_no_late_answer_makes_the_impossible(name: str, tmp_path: Path) -> None:
    """Some dice of a golden fight are amended to their least and greatest faces."""
    with made_up_games():
        session = fought(name, tmp_path)
        intents = list(amendments(session))[::SHORT]

        assert [(intent, found) for intent in intents if (found := late_answers(session, intent))] == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_no_late_answer_makes_the_impossible_of_any_die(name: str, tmp_path: Path) -> None:
    """All dice of a golden fight are."""
    with made_up_games():
        session = fought(name, tmp_path)

        assert [(one, found) for one in list(amendments(session)) if (found := late_answers(session, one))] == []
