"""The fights in the journal: list, state, log, report, export, import."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

from tracker.cli.helpers import all_fights, fight_named, journal_path, print_error, print_json, print_text
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.private_files import write_page, write_whole
from tracker.library.yaml.problems import Problem
from tracker.script.expectations import state_document
from tracker.session.model import Model
from tracker.session.report import corrections_of, fight_record_of, played_in, steps_of
from tracker.session.rows import FightSummary
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.exchange import export_fight, import_fight, lines_in, unreadable
from tracker.session.store.journal import Journal
from tracker.views.log.rendering import log_markdown, log_text
from tracker.views.public.story import public_story_text
from tracker.views.report.page import MARK, page, story_text
from tracker.views.report.statistics import statistics_of
from tracker.views.report.turning_points import forced, turning_points
from tracker.views.words.text import clean


def run(asked: argparse.Namespace) -> int:
    commands = {"fights": _list, "import": _import, "export": _export, "state": _state, "log": _log, "report": _report}
    return commands[asked.command](asked)


@contextmanager
def _reading(given: str | None) -> Iterator[Journal | None]:
    """Open the journal for reading only; None if there is none yet."""
    path = journal_path(given)
    if not path.exists() and not path.is_symlink():  # opening a broken link is refused
        if given is not None:
            raise TrackerError(f"there is no journal {path}", "no_such_journal")
        yield None
        return
    with Journal.open(path, read_only=True) as journal:
        yield journal


@contextmanager
def _fight(asked: argparse.Namespace) -> Iterator[tuple[Journal, str]]:
    """Open the journal and find the fight that the command line names."""
    with _reading(asked.db) as journal:
        fight = fight_named(asked.fight, () if journal is None else all_fights(journal))
        assert journal is not None  # without fights, `fight_named` has raised an error
        yield journal, fight


@contextmanager
def _session(asked: argparse.Namespace) -> Iterator[Session]:
    with _fight(asked) as (journal, fight), Session.resume(journal, fight, registry.find) as session:
        yield session


def _list(asked: argparse.Namespace) -> int:
    with _reading(asked.db) as journal:
        fights = () if journal is None else journal.fights()
    rows = [(fight.id, fight.title, fight.ruleset, _state_words(fight), fight.at) for fight in fights]
    widths = [max((len(row[place]) for row in rows), default=0) for place in range(4)]
    for row in rows:
        print_text("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]))
    if not rows:
        print_error("no fight has been played yet")
    return 0


def _state_words(fight: FightSummary) -> str:
    state = (clean(fight.up) or "over") if fight.over else f"round {fight.round}"
    return f"{state}, {fight.steps} step{'' if fight.steps == 1 else 's'}{' (what-if open)' if fight.trying else ''}"


def _state(asked: argparse.Namespace) -> int:
    with _session(asked) as session:
        print_json({"state": state_document(session.ruleset, session.model.state)})
        return _status(session.model)


def _log(asked: argparse.Namespace) -> int:
    with _session(asked) as session:
        model = session.model
        if asked.story and asked.players:
            _print_lines(public_story_text(session.ruleset, steps_of(session), asked.long))
        elif asked.story:
            _print_lines(story_text(fight_record_of(session), asked.long, asked.notes))
        else:
            steps = ((session.state_at(record.seq), record.entries) for record in model.steps)
            _print_lines((log_markdown if asked.markdown else log_text)(session.ruleset, model.title, steps))
        return _status(model)


def _print_lines(text: str) -> None:
    for line in text.splitlines():
        print_text(line)


def _report(asked: argparse.Namespace) -> int:
    with _session(asked) as session:
        record = fight_record_of(session)
        points = turning_points(session.ruleset, record, partial(played_in, session))
        if asked.notes:
            steps = [step.entries for step in session.model.steps]
            points += [*forced(record, steps), *corrections_of(session)]
        text = page(record, statistics_of(record), points, notes=asked.notes)
        if asked.output == "-":
            _print_lines(text)
        else:
            write_page(Path(asked.output), text.encode(), MARK.encode())
            print_error(f"the report of {len(session.model.steps)} steps stands in {asked.output}")
        return _status(session.model)


def _status(model: Model) -> int:
    if model.trial is not None:
        print_error("a what-if is open: what is only tried is shown too")
    if model.problem:
        print_error(f"tracker: {model.problem}")
    return 1 if model.problem else 0


def _export(asked: argparse.Namespace) -> int:
    with _fight(asked) as (journal, fight):
        lines = list(export_fight(journal, fight))
    damaged = [(number, why) for number, text in enumerate(lines, start=1) if (why := unreadable(text))]
    if asked.output in (None, "-"):
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
    else:
        write_whole(Path(asked.output), lines)
        print_error(f"{len(lines) - 1} steps written to {asked.output}")
    for number, why in damaged:
        print_error(f"tracker: line {number} holds a damaged record: {why}; an import is refused there")
    return 1 if damaged else 0


def _import(asked: argparse.Namespace) -> int:
    path = Path(asked.file)
    if asked.file != "-" and path.exists() and not path.is_file():  # a pipe may wait, a device has no end
        raise BadData([Problem(asked.file, message="this is no ordinary file", hint="- reads standard input")])
    try:
        with (
            nullcontext(sys.stdin.buffer) if asked.file == "-" else path.open("rb") as stream,
            Journal.open(journal_path(asked.db)) as journal,
        ):
            if journal.notice:
                print_error(f"tracker: {journal.notice}")
            fight = import_fight(journal, lines_in(stream))
    except BadData as error:
        lines = [(getattr(problem, "line", 0), getattr(problem, "text", str(problem))) for problem in error.problems]
        problems = [Problem(asked.file, number, 1 if number else 0, message=text) for number, text in lines]
        raise BadData(tuple(problems)) from error
    print_text(fight)
    print_error(f'imported; open it with "tracker {fight}"')
    return 0
