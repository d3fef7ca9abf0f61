"""Exports that were damaged on purpose, and all that is done with one."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tests.faults.harness.killing import SETTINGS, Game, game
from tracker.cli.main import main
from tracker.core.fight.events import Entry
from tracker.core.fight.state import State
from tracker.core.game.schema import codec_of
from tracker.core.terms.errors import BadData, CorruptJournal, TrackerError
from tracker.script.expectations import state_document
from tracker.session.intents import Advance, Intent, LookAt, Redo, Undo, WhatIf
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.store.exchange import export_fight, import_fight, lines_in
from tracker.session.store.journal import Journal
from tracker.views.log.rendering import log_text

__all__ = ["Export", "Outcome", "exported", "mutated", "one_line", "played_on", "run", "run_main"]

MARK = "\x00odd\x00"
ODD = (
    *("9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775809", "4294967296"),
    *("1" + "0" * 400, "1e999", "-1e400", "NaN", "Infinity", "-Infinity", "1.5", "-1", "0", "null", "true", "[]", "{}"),
    *('""', '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\ud800"', '"\x01"', '"x"', "1e-400", "00", "+1", "[1,2"),
    *('"' + "x" * 5_000 + '"', "[" * 3_000 + "]" * 3_000, '{"a":' * 3_000 + "1" + "}" * 3_000, "'x'", "", "/", "\\"),
    *('{"type":"nothing"}', '[["a","b"],["a"]]', '"../../../etc/passwd"', '"9999-12-31T23:59:59"', '"\\u202e[b]"'),
)
"""What stands for a value; not all of it is JSON."""


class Export(Struct, frozen=True):
    """A fight that was played for a while and exported."""

    played: Game
    lines: tuple[bytes, ...]


def exported(folder: Path, key: str, intents: int = 40) -> Export:
    """Play a game at random, with branches and a what-if, and export the fight."""
    played = game(key)
    with (
        Journal.open(folder / f"{key}.db") as journal,
        Session.start(journal, played.ruleset, played.encounter, SETTINGS) as session,
    ):
        journal._connection.execute("PRAGMA synchronous = OFF")
        for number in range(1, intents):
            session.dispatch(played.intent_of(number, session.model))
        session.dispatch(Undo())
        session.dispatch(WhatIf("begin"))
        session.dispatch(played.intent_of(intents, session.model))
        lines = tuple(export_fight(journal, session.model.fight))
    return Export(played, lines)


def mutated(lines: Sequence[bytes], chance: Random) -> bytes:
    """Return an export with some damage: a value, a key, a line or some bytes."""
    rows = list(lines)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        place = 0 if chance.random() < 0.4 else chance.randrange(len(rows))
        match chance.randrange(10):
            case 0:
                rows.insert(place, rows[chance.randrange(len(rows))])
            case 1 if len(rows) > 1:
                del rows[place]
            case 2:
                at = chance.randrange(len(rows[place]) + 1)
                rows[place] = rows[place][:at] + chance.randbytes(chance.randint(1, 4)) + rows[place][at:]
            case 3:
                at = chance.randrange(len(rows[place]) + 1)
                rows[place] = rows[place][:at] + rows[place][at + chance.choice((1, 2, 30)) :]
            case 4:
                other = chance.randrange(len(rows))
                rows[place], rows[other] = rows[other], rows[place]
            case _:
                rows[place] = _odd(rows[place], chance)
    return b"".join(rows)


def _odd(line: bytes, chance: Random) -> bytes:
    """Change one place of a line, take it away, or say it twice."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line
    value = copy.deepcopy(value)
    holder: Any = value
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return line
        key = chance.choice(keys)
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.25:
            break
        holder = inner
    what = chance.random()
    if what < 0.1:
        del holder[key]
        return _text(value)
    if what < 0.2 and isinstance(holder, list):
        holder.insert(key, inner)
        return _text(value)
    if what < 0.3 and isinstance(holder, dict):
        holder[f"{key}{MARK}"] = inner  # the key a second time
        return _text(value).replace(MARK.encode("unicode_escape").replace(rb"\x00", rb"\u0000"), b"")
    holder[key] = MARK
    marked = json.dumps(MARK).encode()
    return _text(value).replace(marked, chance.choice(ODD).encode("utf-8", "surrogatepass"))


def _text(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


Outcome = Counter[str]


class _Output(io.TextIOWrapper):
    """Standard output as a program has it, in memory."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="")

    @property
    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode(errors="replace")


def run_main(*words: object) -> tuple[int, str, str]:
    """Run a command line in this process and return what came of it."""
    out, err = _Output(), _Output()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(word) for word in words])
    return status, out.text, err.text


def take_in(journal: Journal, path: Path, played: Game) -> str:
    """Import a file, use the fight, and return how far that went."""
    try:
        with path.open("rb") as stream:
            fight = import_fight(journal, lines_in(stream))
    except BadData as error:
        (problem,) = error.problems
        one_line(str(problem))
        return "refused"
    except TrackerError as error:
        one_line(error.message)
        return "refused"
    lines = list(export_fight(journal, fight))
    assert list(export_fight(journal, import_fight(journal, lines))) == lines
    return played_on(journal, fight, played)


def by_commands(path: Path, database: Path) -> str:
    """Do the same with the commands, each of which says little."""
    before = _ids(database)
    status, out, err = run_main("import", path, "--db", database)
    if status:
        assert err.startswith((f"{path}:", "tracker: ")), err[:300]
        assert err.count("\n") <= 3, err[:300]
        assert _ids(database) == before
        return "refused"
    for words in (("state", out.strip()), ("log", out.strip()), ("export", out.strip())):
        _, _, told = run_main(*words, "--db", database)
        assert told.count("\n") <= 3, told[:300]
    assert run_main("fights", "--db", database)[0] == 0
    return "played on"


def _ids(database: Path) -> tuple[str, ...]:
    if not database.exists():
        return ()
    with Journal.open(database) as journal:
        return tuple(sorted(summary.id for summary in journal.fights()))


def played_on(journal: Journal, fight: str, played: Game) -> str:
    """Open a fight that was taken in and play on."""
    settings = replace(SETTINGS, problems=journal.path.parent / "problems")
    try:
        session = Session.resume(journal, fight, played.find, settings)
    except TrackerError as error:
        one_line(error.message)
        return "not opened"
    with session:
        one_line(session.model.problem)
        encode = codec_of(played.ruleset.schema).encode
        msgspec.json.encode(state_document(played.ruleset, session.model.state))
        seen = [record.seq for record in session.model.steps]
        for step in {*seen[:1], *seen[-1:]}:
            one_line(session.dispatch(LookAt(step)).problem)
        session.dispatch(LookAt(None))
        log_text(played.ruleset, session.model.title, told_in(session))
        assert encode(session.branches())
        for intent in (Undo(), Redo(), WhatIf("drop"), Advance()):
            one_line(session.dispatch(intent).problem)
        for number in range(2):
            one_line(session.dispatch(next_intent(played, number, session.model)).problem)
        session.warm()
    return "played on"


def told_in(session: Session) -> list[tuple[State, tuple[Entry, ...]]]:
    """Return what the log tells, up to a step that is damaged."""
    told: list[tuple[State, tuple[Entry, ...]]] = []
    with contextlib.suppress(CorruptJournal):
        for record in session.model.steps:
            told.append((session.state_at(record.seq), record.entries))
    return told


def next_intent(played: Game, number: int, model: Model) -> Intent:
    """Return what is done next. Where a damaged step is read for that, time goes on."""
    try:
        return played.intent_of(number, model)
    except CorruptJournal:
        return Advance()


def one_line(text: str) -> None:
    assert "\n" not in text, text
    assert "Traceback" not in text


def run(folder: Path, export: Export, many: int, seed: int) -> Outcome:
    """Take in so many damaged exports and return what became of them."""
    chance, found = Random(seed), Outcome()
    place = folder / "journal"
    for start in range(0, many, 50):
        shutil.rmtree(place, ignore_errors=True)
        with Journal.open(place / "fights.db") as journal:
            journal._connection.execute("PRAGMA synchronous = OFF")
            journal.backups.soon = lambda: None  # type: ignore[method-assign]  # the disk is not looked at here
            for number in range(start, min(start + 50, many)):
                path, data = folder / "mutant.jsonl", mutated(export.lines, chance)
                path.write_bytes(data)
                try:
                    if number % 50 == 49:
                        by_commands(path, folder / "commands" / "fights.db")
                    found[take_in(journal, path, export.played)] += 1
                except BaseException as error:
                    kept = folder / f"mutant-{seed}-{number}.jsonl"
                    kept.write_bytes(data)
                    error.add_note(f"{export.played.ruleset.key}, number {number} of seed {seed}: {kept}")
                    raise
    return found
