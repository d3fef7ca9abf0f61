"""What the first version has written: its exports are taken in, its journal is refused."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from tracker.cli.main import main
from tracker.core.fight.state import State
from tracker.core.run import Pending
from tracker.core.terms.errors import TrackerError
from tracker.script.expectations import state_document
from tracker.session.intents import Advance, RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store import exchange
from tracker.session.store.exchange import export_fight, import_fight
from tracker.session.store.journal import Journal

EXPORTS = Path(__file__).parent / "exports"
GAMES = sorted(path.stem for path in EXPORTS.glob("*.jsonl"))


def lines_of(game: str) -> list[bytes]:
    return (EXPORTS / f"{game}.jsonl").read_bytes().splitlines(keepends=True)


def with_present_names(line: bytes) -> bytes:
    """A line in which the answers have the type names of today."""
    for was, now in (
        (b"Thrown", b"DiceAnswer"),
        (b"Stated", b"NumberAnswer"),
        (b"Chosen", b"ChoiceAnswer"),
        (b"Picked", b"PickAnswer"),
    ):
        line = line.replace(b'"type":"%b"' % was, b'"type":"%b"' % now)
    return line


MOOT = {
    "sword_world": "the step that was pending is left out, for the rules have changed: it asks nothing any more",
}
"""Games whose export waits for a roll that is asked no more: no roll of that party can notice those who hide."""


def document(session: Session, state: State) -> object:
    return json.loads(json.dumps(state_document(session.ruleset, state)))


def test_every_game_has_an_export() -> None:
    """A game that joins later brings none."""
    assert len(GAMES) == 5


@pytest.mark.parametrize("game", GAMES)
def test_an_export_is_taken_in_and_goes_on(tmp_path: Path, game: str) -> None:
    """The fight is at its last step as it was recorded then, with what was asked, and can be played on."""
    first, *steps = map(json.loads, lines_of(game))
    with Journal.open(tmp_path / "fights.db") as journal:
        fight = import_fight(journal, lines_of(game))
        assert list(export_fight(journal, fight)) == [with_present_names(line) for line in lines_of(game)]
        settings = Settings(dice_roller(1), by_side=True)
        with Session.resume(journal, fight, registry.find, settings) as session:
            model = session.model
            assert (model.problem, model.notice) == ("", MOOT.get(game, ""))
            assert document(session, session.state_at(model.head)) == json.loads(
                (EXPORTS / f"{game}.state.json").read_text(encoding="utf-8")
            )
            assert [session.state_at(step["seq"]).ruleset for step in steps] == [game] * len(steps)
            assert isinstance(model.pending, Pending) == (first["draft"] is not None and game not in MOOT)

            gone_on = session.dispatch(RollRest() if model.pending is not None else Advance())

            assert (gone_on.refusal, gone_on.problem) == (None, "")
            assert gone_on.head != model.head or gone_on.pending is not None


def test_a_type_that_was_renamed_is_read_by_its_present_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is stored, and however its line is spaced; texts that look like it stay."""
    game = "githack"
    lines = lines_of(game)
    old = [line.replace(b'"type":"Rolled"', b'"type": "Throw"') for line in lines]
    old[0] = old[0].replace(b'"source":""', b'"source":"\\"type\\":\\"Throw\\""')
    assert old[1:] != lines[1:]
    monkeypatch.setattr(exchange, "RENAMED", {"Throw": "Rolled"})

    with Journal.open(tmp_path / "fights.db") as journal:
        fight = import_fight(journal, old)
        first, *steps = export_fight(journal, fight)

        assert steps == lines[1:]  # the answers' own renames are off here
        assert json.loads(first)["source"] == '"type":"Throw"'


def test_its_journal_is_refused_with_the_way_to_take_its_fights_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, and the file stays as it is."""
    path = tmp_path / "fights.db"
    with gzip.open(EXPORTS / "journal.db.gz") as packed, path.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
    before = path.read_bytes()

    with pytest.raises(TrackerError, match="written by an older version"):
        Journal.open(path)
    assert main(["fights", "--db", str(path)]) == 1

    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert '"tracker export FIGHT -o FILE"' in said
    assert '"tracker import FILE"' in said
    assert path.read_bytes() == before
