"""The fights in the journal: list, state, log, report, export, import."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from tracker.cli.helpers import fight_named, journal_path, print_error, print_json, print_text
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.private_files import write_page, write_whole
from tracker.library.yaml.problems import Problem
from tracker.script.expectations import state_document
from tracker.session.model import Model
from tracker.session.report import corrections_of, fight_record_of, played_in
from tracker.session.rows import FightSummary
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.exchange import export_fight, import_fight, lines_in, unreadable
from tracker.session.store.journal import Journal
from tracker.views.log.rendering import log_markdown, log_text
from tracker.views.report.page import MARK, page, story_text
from tracker.views.report.statistics import impact_of_effects, statistics_of


def run(asked: argparse.Namespace) -> int:
    match asked.command:
        case "fights":
            return _list(asked)
        case "import":
            return _import(asked)
        case "export":
            return _export(asked)
        case "state":
            return _state(asked)
        case "report":
            return _report(asked)
        case _:
            return _log(asked)


@contextmanager
def _reading(given: str | None) -> Iterator[Journal | None]:
    """Open the journal for reading only, or None where there is none yet."""
    path = journal_path(given)
    if not path.exists():
        if given is not None:
            raise TrackerError(f"there is no journal {path}", "no_such_journal")
        yield None
        return
    with Journal.open(path, read_only=True) as journal:
        yield journal


def _found(journal: Journal | None, name: str) -> tuple[Journal, str]:
    fights = () if journal is None else (*journal.fights(), *journal.fights(discarded=True))
    fight = fight_named(name, fights)
    if journal is None:  # nothing was found then, and that has been said
        raise TrackerError(f'there is no fight "{name}"', "no_such_fight")
    return journal, fight


def _list(asked: argparse.Namespace) -> int:
    with _reading(asked.db) as journal:
        fights = () if journal is None else journal.fights()
    rows = [(fight.id, fight.title, fight.ruleset, _stands(fight), fight.at) for fight in fights]
    widths = [max((len(row[place]) for row in rows), default=0) for place in range(4)]
    for row in rows:
        print_text("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]))
    if not rows:
        print_error("no fight has been played yet")
    return 0


def _stands(fight: FightSummary) -> str:
    where = "over" if fight.over else f"round {fight.round}"
    return f"{where}, {fight.steps} step{'' if fight.steps == 1 else 's'}{' (what-if open)' if fight.trying else ''}"


def _state(asked: argparse.Namespace) -> int:
    with _reading(asked.db) as found:
        journal, fight = _found(found, asked.fight)
        with Session.resume(journal, fight, registry.find) as session:
            print_json({"state": state_document(session.ruleset, session.model.state)})
            return _said(session.model)


def _log(asked: argparse.Namespace) -> int:
    with _reading(asked.db) as found:
        journal, fight = _found(found, asked.fight)
        with Session.resume(journal, fight, registry.find) as session:
            model = session.model
            if asked.story:
                _tell(session, asked.notes)
                return _said(model)
            told = ((session.state_at(record.seq), record.entries) for record in model.steps)
            text = (log_markdown if asked.markdown else log_text)(session.ruleset, model.title, told)
            for part in text.splitlines():
                print_text(part)
            return _said(model)


def _tell(session: Session, notes: bool) -> None:
    for part in story_text(fight_record_of(session, marks=True), notes).splitlines():
        print_text(part)


def _report(asked: argparse.Namespace) -> int:
    with _reading(asked.db) as found:
        journal, fight = _found(found, asked.fight)
        with Session.resume(journal, fight, registry.find) as session:
            told = fight_record_of(session, marks=True)
            lines = impact_of_effects(session.ruleset, told, partial(played_in, session), corrections_of(session))
            text = page(told, statistics_of(told), lines, notes=asked.notes)
            if asked.output == "-":
                for part in text.splitlines():
                    print_text(part)
            else:
                write_page(Path(asked.output), text.encode(), MARK.encode())
                print_error(f"the report of {len(session.model.steps)} steps stands in {asked.output}")
            return _said(session.model)


def _said(model: Model) -> int:
    if model.trial is not None:
        print_error("a what-if is open: what is only tried is shown too")
    if model.problem:
        print_error(f"tracker: {model.problem}")
    return 1 if model.problem else 0


def _export(asked: argparse.Namespace) -> int:
    with _reading(asked.db) as found:
        journal, fight = _found(found, asked.fight)
        lines = list(export_fight(journal, fight))
    damaged = [(number, why) for number, text in enumerate(lines, start=1) if (why := unreadable(text))]
    _write_out(asked, lines)
    for number, why in damaged:
        print_error(f"tracker: line {number} holds a damaged record: {why}; an import is refused there")
    return 1 if damaged else 0


def _write_out(asked: argparse.Namespace, lines: Sequence[bytes]) -> None:
    if asked.output in (None, "-"):
        sys.stdout.flush()
        for text in lines:
            sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    write_whole(Path(asked.output), lines)
    print_error(f"{len(lines) - 1} steps written to {asked.output}")


def _import(asked: argparse.Namespace) -> int:
    _look_at(asked.file)
    try:
        if asked.file == "-":
            fight = _taken_in(asked, sys.stdin.buffer)
        else:
            with Path(asked.file).open("rb") as stream:
                fight = _taken_in(asked, stream)
    except BadData as error:
        lines = [(getattr(problem, "line", 0), getattr(problem, "text", str(problem))) for problem in error.problems]
        raise BadData(
            tuple(Problem(asked.file, number, 1 if number else 0, message=text) for number, text in lines)
        ) from error
    print_text(fight)
    print_error(f'imported; open it with "tracker {fight}"')
    return 0


def _look_at(file: str) -> None:
    """Refuse what is no ordinary file: a pipe would be waited for, a device has no end."""
    path = Path(file)
    if file != "-" and path.exists() and not path.is_file():
        raise BadData([Problem(file, message="this is no ordinary file", hint="- reads standard input")])


def _taken_in(asked: argparse.Namespace, stream: BinaryIO) -> str:
    with Journal.open(journal_path(asked.db)) as journal:
        if journal.notice:
            print_error(f"tracker: {journal.notice}")
        return import_fight(journal, lines_in(stream))
