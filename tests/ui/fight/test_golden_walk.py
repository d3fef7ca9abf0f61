"""Every golden fight, walked back to its beginning and forward again on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli import driver
from tests.golden.cases import Case, cases
from tests.ui.drive import Table, opened
from tracker.cli.commands.run import session_opener
from tracker.cli.loading import load, member_loader, playable
from tracker.core.terms.requests import DiceAnswer
from tracker.script.player import Player
from tracker.script.reader import read_script
from tracker.session.intents import Amend, Reply, Undo
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.history.corrections import CorrectionPreview
from tracker.ui.typing.mode import ModeContext, PendingQuestion

CORRECTED = {
    "fifth_edition/ford": ((2, "attack", 2, "replays 17 steps, with the same result"),),
    "githack/cistern": (
        (5, "weapon", 6, "asks 4 × 1d20, then replays 39 steps, 17 with another result; 1 forced, 1 left out"),
    ),
    "skirmish/brawl": (
        (6, "after_roll/riposte:bo/attack", 10, "asks one 1d8, then replays 9 steps, 1 with another result"),
    ),
    "sovereign/gallery": (
        (
            4,
            "attack",
            20,
            "asks one 1d6, one 1d20, one 1d8 and one decision, then replays 40 steps, 14 with another result; 3 forced",
        ),
    ),
    "spelljammer/hillside": (
        (9, "initiative:isaude", 5, "replays 53 steps, 4 with another result"),
        (9, "initiative:telmarre", 1, "asks one 1d100, then replays 53 steps, 4 with another result"),
    ),
    "sword_world/bridge": ((10, "accuracy", 2, "asks one 2d6, then replays 73 steps, 12 with another result"),),
    "worlds_without_number/bridge": (
        (3, "damage", 4, "asks one decision, then replays 41 steps, 15 with another result; 2 forced"),
    ),
}
"""Dice early in each fight, what they should have been, and the line a correction starts with."""
EVERY = 3
"""Every third step is looked at, in a long run each."""


def fought(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Play a golden fight to its end, and take it up as the app does."""
    monkeypatch.setattr(registry, "find", driver.find)
    monkeypatch.setattr(registry, "rulesets", driver.rulesets)
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
    return Session.resume(Journal.open(folder / "fights.db"), fight, driver.find, Settings(roller=dice_roller(1)))


def told(table: Table) -> list[str]:
    """The screen without the initiative: how far that has scrolled depends on the way there."""
    order = table.screen.query_one("#order")
    lines = table.text().splitlines()
    return [line[order.size.width :] if 0 < number <= order.size.height else line for number, line in enumerate(lines)]


def corrected(session: Session, step: int, key: str, total: int) -> str:
    """Correct a die, answer as the preview did, and see what it promised; returns the first line of the preview."""
    before = session.model
    intent = Amend(step, ((key, DiceAnswer(total)),))
    report = session.preview(intent)
    scene = ModeContext(session.ruleset, before, session)
    rows = [row.text for row in CorrectionPreview(intent, report, "").rows(scene, 200, 400)]
    done = session.dispatch(intent)
    assert (done.refusal, done.problem) == (None, "")
    for asked in report.asks:
        assert session.model.pending is not None
        assert session.model.pending.request == asked.request
        prompt = replace(scene, model=session.model, following=PendingQuestion(asked.request))
        assert any("played again" in row.text for row in Prompt().rows(prompt, 60, 20))
        session.dispatch(Reply(asked.answer))
    assert (session.model.pending, report.until) == (before.pending, None)
    assert (before.state, session.model.state) == report.states
    assert report.states[0].clock.round == report.states[1].clock.round
    forced = [row for row in rows if row.startswith(("forced: ", "left out: "))]
    assert rows[3 : 3 + len(forced)] == forced
    session.dispatch(Undo())
    assert session.model.state == before.state
    return rows[0]


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
async def test_every_step_is_shown_as_it_was(
    case: Case, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps back and forth show the state after them, marked as past."""
    session = fought(case, tmp_path, monkeypatch)
    present = session.model
    async with opened(session) as table:
        await table.press("escape")
        now = told(table)
        seqs = [record.seq for record in present.steps]
        back = seqs[::-1] if present.pending is not None else seqs[-2::-1]
        shown = {}
        await table.hurry("[]")
        assert (table.model.looking_at, table.state) == (None, present.state)
        assert told(table) == now
        for place in range(0, len(back), every):
            steps = back[place : place + every]
            await table.hurry("[" * len(steps))
            seq = steps[-1]
            assert table.model.looking_at == seq
            assert table.state == session.state_at(seq)
            lines = shown[seq] = told(table)
            assert "PAST" in lines[0]
            assert ("╌" in lines[1], any("│" in line for line in lines)) == (True, False)
        assert len(set(map(tuple, shown.values()))) > len(shown) * 2 // 3
        await table.type("[")
        assert table.model.looking_at == seqs[0]
        middle = back[len(back) // 2]
        for seq in back[-2 : len(back) // 2 - 1 : -1]:
            await table.hurry("]")
            if seq in shown:
                assert table.state == session.state_at(seq)
                assert told(table) == shown[seq]
        await table.press("enter")
        assert (table.model.looking_at, table.model.head, table.state) == (None, middle, session.state_at(middle))
        assert "PAST" not in table.text()
        await table.press("escape")
        await table.type("U")
        assert (table.model.head, table.state) == (present.head, present.state)
        for step, key, total, words in CORRECTED[case.name]:
            assert corrected(session, step, key, total) == words
