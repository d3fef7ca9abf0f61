"""What the sheet of a side shows is what is done, or the log says what is done instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random

import pytest

from tests.forecast.test_playout import BUNDLED
from tests.golden.cases import made_up_games
from tests.properties.golden_steps import GOLDEN
from tests.support.shares import few, one_of_each
from tests.ui.games import begun
from tracker.cli.commands.run import session_opener
from tracker.cli.loading import load, member_loader, playable
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll
from tracker.core.terms.values import Value
from tracker.script.player import Player
from tracker.script.reader import read_script
from tracker.session.intents import Advance, Branch, Reply
from tracker.session.model import Model, StepRecord
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.testing.table import plain
from tracker.ui.fight.run_turns import TurnQueue
from tracker.ui.modes.acting.batch import TurnBatch, act_due
from tracker.ui.typing.mode import ModeContext, PlannedTurn
from tracker.views.log.steps import tell

WIDE = 400
SHEETS, MOST = 8, 150
"""So many sheets of a bundled fight are done, in so many steps at most."""
NOW = ": now "


def played(folder: Path, name: str) -> Iterator[tuple[Session, Model]]:
    """Play a golden fight; yield its session at each of its steps."""
    case = GOLDEN[name]
    with made_up_games():
        loaded = load(str(case.folder / "encounter.yaml"), ())
        encounter, ruleset = playable(loaded)
        with Journal.open(folder / "fights.db") as journal:
            begin = session_opener(journal, ruleset, encounter, path=case.folder / "encounter.yaml", seed=1)
            sessions = list[Session]()

            def opened() -> Session:
                sessions.append(begin())
                return sessions[-1]

            player = Player(ruleset, opened, rolls=True, enlist=member_loader(ruleset, loaded.library))
            list(player.play(read_script(case.folder / "script.yaml")))
            session = sessions[-1]
            for record in session.model.steps:
                session.settings = Settings(source=plain)
                model = session.dispatch(Branch(record.seq))
                if model.pending is None and model.refusal is None and not model.problem:
                    yield session, model
            player.close()


def seeded(chance: Random, request: Request) -> Answer:
    if not isinstance(request, Roll):
        return plain(request)
    faces = tuple(chance.randint(1, sides) for sides in request.dice.sides)
    return DiceAnswer(sum(faces), faces)


def first_of(record: StepRecord) -> Action:
    return next(entry.event.action for entry in record.entries if isinstance(entry.event, ActionTaken))


def actor_of(record: StepRecord) -> Id:
    """Return who acts in a step; for what the GM does, to whom it is done."""
    action = first_of(record)
    targets = action.get("targets")
    return action.by or (str(targets[0]) if isinstance(targets, tuple) else "")


def people(state: State, action: Action) -> list[Id]:
    """Return the combatants in the fields of an action."""
    values = [one for _, value in action.fields for one in (value if isinstance(value, tuple) else (value,))]
    return [one for one in values if isinstance(one, str) and one in state]


def shown_rows(scene: ModeContext, sheet: TurnBatch) -> dict[Id, str]:
    """Return what each line of a sheet says, by its combatant."""
    state, found = scene.model.state, dict[Id, str]()
    for row in sheet.rows(scene, WIDE, 200):
        text = row.text.strip("▸ ")
        found |= {one.id: text for one in state.combatants if text.startswith(f"{one.label} {one.name} ")}
    return found


def is_shown(state: State, row: str, turn: PlannedTurn, done: Action) -> bool:
    """Tell whether a row names the targets of what was done, its weapon and the place it goes to."""
    planned = turn.opener if turn.opener is not None and done.key == turn.opener.key else turn.action
    if done.key != planned.key:
        return False
    named = all(state.name(who) in row for who in people(state, planned) if who != done.by)
    where = done.get("to")
    placed = where is None or ",".join(map(str, where)) in row if isinstance(where, tuple) else True
    return named and placed and all(done.get(name) == value for name, value in planned.fields)


def moved_to(turn: PlannedTurn) -> Value:
    return (turn.opener or turn.action).get("to")


def tried(session: Session, chance: Random) -> bool:
    """Do the sheet of a moment, and compare it with what was done; False: nothing is planned there."""
    model = session.model
    scene = ModeContext(session.ruleset, model, session)
    if model.state.clock.over or act_due(session.ruleset, model.state) is not None:
        return False
    sheet = TurnBatch.open(scene).filled(scene)
    result = sheet.press(scene, "enter", None) if sheet.lines else None
    if result is None or not isinstance(result.plan, tuple) or not result.plan:
        return False
    squares = [to for turn in result.plan if isinstance(to := moved_to(turn), tuple)]
    assert len(set(squares)) == len(squares), squares
    rows, since = shown_rows(scene, sheet), len(model.steps)
    queue = TurnQueue(session, result.plan)
    session.settings = Settings(source=partial(seeded, chance))
    now = queue.go()
    while now.pending is not None:
        session.dispatch(Reply())
        now = queue.go()
    compare(session, now, result.plan, rows, now.steps[since:], queue.messages)
    return True


@few(3)
@pytest.mark.parametrize("name", sorted(set(GOLDEN)))
def test_what_is_shown_is_done_or_told(name: str, each: int, tmp_path: Path) -> None:
    """At the steps of a golden fight: each line is done as it stands there, or the log says what is done instead."""
    chance = Random(name)
    moments = enumerate(played(tmp_path, name))
    assert sum(tried(session, chance) for place, (session, _) in moments if not place % each)


@pytest.mark.parametrize(("game", "name"), one_of_each(BUNDLED))
def test_a_bundled_fight_is_done_as_its_sheets_say(game: str, name: str, tmp_path: Path) -> None:
    """The same for a bundled fight that is played by its sheets."""
    chance, many, where = Random(name), 0, -1
    session = begun(tmp_path, game, name, Settings(source=partial(seeded, Random(game))))
    for _ in range(MOST):
        if many == SHEETS:
            break
        if session.model.pending is not None:
            session.dispatch(Reply())
        elif where != (where := session.model.state.clock.at) and tried(session, chance):
            many += 1
        else:
            session.dispatch(Advance())
    session.close()
    assert many


def compare(
    session: Session,
    model: Model,
    plan: Sequence[PlannedTurn],
    rows: dict[Id, str],
    records: Sequence[StepRecord],
    messages: Sequence[str],
) -> None:
    """Compare what was planned with the steps done, those of a combatant in a row together."""
    state, left = model.state, list(plan)
    acts = [record for record in records if record.step.kind == "do"]
    for by, taken in groupby(acts, actor_of):
        while left and left[0].by != by:
            turn = left.pop(0)
            assert any(state.name(turn.by) in words for words in messages), (turn, by, messages)
        assert left, (by, "has no line on the sheet")
        turn, told = left.pop(0), ""
        for record in taken:
            after, before = session.state_at(record.seq), session.state_at(record.parent)
            told += "\n".join(line.text for line in tell(session.ruleset, after, record.entries, before=before))
            done = first_of(record)
            assert is_shown(state, rows[turn.by], turn, done) or NOW in told, (rows[turn.by], done, told)
