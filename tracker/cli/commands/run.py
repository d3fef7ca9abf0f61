"""`tracker run` and `tracker actions`: fights without a screen."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tracker.cli.helpers import print_error, print_json, print_json_list
from tracker.cli.loading import load, member_loader, playable, with_party
from tracker.core import engine
from tracker.core.fight.slots import Id
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.terms.actions import ActionSpec
from tracker.core.terms.encounter import Encounter
from tracker.library.ruleset_errors import crash_report_folder
from tracker.script.expectations import Document, state_document
from tracker.script.names import combatant_named
from tracker.script.player import Played, Player
from tracker.script.reader import read_script
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal
from tracker.views.log.steps import tell


@contextmanager
def journal_at(path: str | None) -> Iterator[Journal]:
    """Open the journal of that path, or without one a temporary journal."""
    if path is not None:
        with Journal.open(Path(path)) as journal:
            if journal.notice:
                print_error(f"tracker: {journal.notice}")
            yield journal
        return
    with tempfile.TemporaryDirectory(prefix="tracker-") as folder, Journal.open(Path(folder) / "fight.db") as journal:
        yield journal


def session_opener(
    journal: Journal,
    ruleset: Ruleset,
    encounter: Encounter,
    *,
    path: Path,
    seed: int | None,
    db: str | None = None,
) -> Callable[[], Session]:
    """Return the function that starts the fight, in which the program answers nothing unasked.

    Without `db`, the journal is temporary and problem files are written to the user's own folder.
    """
    problems = crash_report_folder() if db is None else None

    def begin() -> Session:
        text = path.read_text(encoding="utf-8", errors="replace")
        roller = None if seed is None else dice_roller(seed)
        settings = Settings(roller, ask_setup=True, ask_all=True, problems=problems)
        return Session.start(journal, ruleset, encounter, settings, source_text=text)

    return begin


def failure_line(file: str, failed: Played) -> str:
    """Return a line about a failed entry of a script: its place, its outcome and the expected one."""
    entry = failed.entry
    where = f"{file}:{entry.line}:{entry.column}: entry {entry.number}" if entry.number else f"{file}: the start"
    rule = f" ({failed.rule})" if failed.rule else ""
    expected = f"; expected: {failed.expected}" if failed.expected and failed.expected != "done" else ""
    return f"{where}: {failed.outcome}: {failed.text}{rule}{expected}"


def run(asked: argparse.Namespace) -> int:
    return _actions(asked) if asked.command == "actions" else _run(asked)


def _run(asked: argparse.Namespace) -> int:
    """Play the script and print the outcome of each entry, and last the state."""
    loaded = load(asked.encounter, asked.library)
    encounter, ruleset = playable(loaded)
    entries = read_script(Path(asked.script)) if asked.script else ()
    failed = None
    with journal_at(asked.db) as journal:
        encounter = with_party(asked, journal, ruleset, encounter, carries=loaded.carries)
        begin = session_opener(journal, ruleset, encounter, path=Path(asked.encounter), seed=asked.seed, db=asked.db)
        enlist = member_loader(ruleset, loaded.library)
        with closing(Player(ruleset, begin, rolls=asked.seed is not None, enlist=enlist)) as player:
            for result in player.play(entries):
                failed = failed if result.ok else result
                if not asked.quiet or not result.ok:
                    print_json(entry_document(ruleset, result))
            print_json({"state": state_document(ruleset, player.shown)})
    if failed is not None:
        print_error(failure_line(asked.script or asked.encounter, failed))
    return 0 if failed is None else 1


def entry_document(ruleset: Ruleset, result: Played) -> Document:
    document: Document = {"entry": result.entry.number, "outcome": result.outcome}
    if result.outcome == "done":
        entries = [(entry, step) for step in result.told for entry in step.record.entries]
        document["steps"] = [step.record.seq for step in result.told]  # the numbers by which a script names them
        document["events"] = [codec_of(ruleset.schema).builtins(entry.event) for entry, _ in entries]
        logs = (tell(ruleset, step.state, step.record.entries, before=step.before) for step in result.told)
        document["log"] = [line.text for log in logs for line in log]
        document["rules"] = list(dict.fromkeys(rule for entry, _ in entries for rule in entry.rules))
        return document
    is_refused = result.outcome != "pending" or result.request is None
    if is_refused:
        document |= {"reason": result.reason, "text": result.text, "rule": result.rule or None}
    if result.request is not None:
        document["request"] = result.request.to_dict()
    if is_refused and not result.ok:
        document["expected"] = result.expected
    return document


GAME_MASTER = ("gm", "GM")


def _actions(asked: argparse.Namespace) -> int:
    """Print the actions of one combatant, or of all and the GM, as JSON."""
    loaded = load(asked.encounter, asked.library)
    encounter, ruleset = playable(loaded)
    entries = read_script(Path(asked.script)) if asked.script else ()
    with journal_at(None) as journal:
        begin = session_opener(journal, ruleset, encounter, path=Path(asked.encounter), seed=asked.seed or 0)
        # The journal's folder is deleted, so no file in it may be open.
        with closing(Player(ruleset, begin, rolls=True, enlist=member_loader(ruleset, loaded.library))) as player:
            failed = next((result for result in player.play(entries) if not result.ok), None)
            state = player.shown
    if failed is not None:
        print_error(failure_line(asked.script or asked.encounter, failed))
        return 1
    owners: list[Id | None] = [*(combatant.id for combatant in state.combatants), None]
    if asked.by is not None:
        owners = [None if asked.by in GAME_MASTER and asked.by not in state else combatant_named(state, asked.by)]
    specs: list[ActionSpec] = [spec for owner in owners for spec in engine.offers(ruleset, state, owner)]
    print_json_list([codec_of(ruleset.schema).builtins(spec) for spec in specs])
    return 0
