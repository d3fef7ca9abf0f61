"""Every way out of the app and of the players' screen."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TypeAlias

import pytest

from tests.e2e.line import Line, shelf
from tracker.cli.main import main
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.ui.fight.screen import FightScreen
from tracker.ui.players_screen import PlayersApp

Way: TypeAlias = Callable[[Line], None]
Ways: TypeAlias = Sequence[tuple[bool, Callable[[Path], int], Way, int, str]]
"""Whether it is gone in every run, who runs, the way out, the exit status, and what is said at the end."""

QUIT = b"\x11"
WAITING = "The GM is setting up"
FIGHT = shelf("worlds_without_number") / "first_fight.yaml"


def stumble(*anything: object) -> NoReturn:
    raise KeyError("a fault of the app")


def app(path: Path) -> int:
    return main(["play", str(FIGHT), "--db", str(path)])


def stumbling(path: Path) -> int:
    """The app, with a fault behind the key `#`."""
    press = FightScreen.press
    FightScreen.press = lambda screen, event: stumble() if event.character == "#" else press(screen, event)  # type: ignore[method-assign]  # in a process of its own
    return app(path)


def stillborn(path: Path) -> int:
    FightScreen.on_mount = stumble  # type: ignore[method-assign,assignment]  # as above
    return app(path)


def unheeding(path: Path) -> int:
    """The app as `nohup` starts it."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    return app(path)


def screen(path: Path) -> int:
    return main(["screen", "--db", str(path)])


def stumbling_screen(path: Path) -> int:
    PlayersApp.action_next_theme = stumble  # type: ignore[method-assign,assignment]  # in a process of its own
    return screen(path)


def sent(number: int) -> Way:
    return lambda line: line.send(number)


def pressed(keys: bytes) -> Way:
    return lambda line: line.write(keys)


def back(stop: int, then: Way, shows: str = "Toll") -> Way:
    """Stop, come back with a picture that shows this, and leave."""

    def way(line: Line) -> None:
        line.send(stop)
        line.stopped()
        assert stop == signal.SIGSTOP or line.as_it_was, "while it is stopped"
        here = len(line.said)
        line.send(signal.SIGCONT)
        line.until(shows, here)
        then(line)

    return way


def restless(line: Line) -> None:
    """Stop while it still comes back from a stop, three times, a little later each time; then leave."""
    for wait in (0.0, 0.003, 0.01):
        line.send(signal.SIGTSTP)
        line.stopped()
        line.send(signal.SIGCONT)
        time.sleep(wait)
        line.send(signal.SIGTSTP)
        line.stopped()
        assert line.as_it_was, f"while it is stopped, {wait} s after it came back"
        here = len(line.said)
        line.send(signal.SIGCONT)
        line.until("Toll", here)
    line.write(QUIT)


OTHERS = (signal.SIGUSR1, signal.SIGUSR2, signal.SIGABRT, signal.SIGALRM)
FAULT = "tracker: KeyError: 'a fault of the app'"
APP = (
    (False, app, pressed(QUIT), 0, ""),
    (False, app, sent(signal.SIGINT), 130, ""),
    (False, app, sent(signal.SIGTERM), 143, ""),
    (False, app, sent(signal.SIGHUP), 129, ""),
    (False, app, sent(signal.SIGQUIT), 131, ""),
    *((number == signal.SIGUSR1, app, sent(number), 128 + number, "") for number in OTHERS),
    (False, app, Line.hang_up, 129, ""),
    (True, unheeding, Line.hang_up, 129, ""),
    (False, app, back(signal.SIGTSTP, pressed(QUIT)), 0, ""),
    (True, app, back(signal.SIGTSTP, sent(signal.SIGTERM)), 143, ""),
    (False, app, back(signal.SIGSTOP, pressed(QUIT)), 0, ""),
    (True, app, restless, 0, ""),
    (True, stumbling, pressed(b"\xff\x1b#"), 1, FAULT),
)
SCREEN = (
    (False, screen, pressed(QUIT), 0, ""),
    (False, screen, sent(signal.SIGINT), 130, ""),
    (True, screen, sent(signal.SIGTERM), 143, ""),
    (False, screen, sent(signal.SIGHUP), 129, ""),
    (False, screen, sent(signal.SIGQUIT), 131, ""),
    (False, screen, Line.hang_up, 129, ""),
    (False, screen, back(signal.SIGTSTP, pressed(QUIT), WAITING), 0, ""),
    (False, screen, back(signal.SIGSTOP, pressed(QUIT), WAITING), 0, ""),
    (False, stumbling_screen, pressed(b"t"), 1, FAULT),
)


@contextmanager
def started(program: Callable[[Path], int], path: Path, modern: bool) -> Iterator[Line]:
    line = Line(lambda: program(path), modern=modern)
    try:
        yield line
    finally:
        line.close()


def is_left(line: Line, way: Way, status: int, said: str) -> None:
    """Go this way out, and look at what is left of the terminal."""
    way(line)
    assert line.ended() == status
    if way is not Line.hang_up:
        assert line.as_it_was, line.modes
        assert b"Traceback" not in line.said
        last = line.said.rpartition(b"l")[2] if not said else line.said[line.said.rindex(said.encode()) :]
        assert len(last.splitlines()) <= 1, last


def answered(path: Path) -> int:
    """Return how many answers are on disk, for one who may write the fight."""
    with Journal.open(path) as journal:
        fight = journal.fights()[0].id
        with Session.resume(journal, fight, registry.find) as session:
            assert not session.model.read_only, "the lock is held"
            return 0 if session.model.pending is None else len(session.model.pending.answers)


def leave_the_app(folder: Path, rows: Ways, modern: bool) -> None:
    for number, (_, program, way, status, said) in enumerate(rows):
        path = folder / f"{number}.db"
        with started(program, path, modern) as line:
            line.until("is a side caught")
            line.write(b"\r")
            line.until("roll 1d8")
            is_left(line, way, status, said)
        assert answered(path) == 1


def leave_the_screen(folder: Path, rows: Ways, modern: bool) -> None:
    path = folder / "shown.db"
    with started(app, path, False) as line:
        line.until("is a side caught")
        line.write(QUIT)
        line.ended()
    for _, program, way, status, said in rows:
        with started(program, path, modern) as line:
            line.until(WAITING)
            line.until("\x1b[?1004h")  # the terminal library has the terminal
            line.until(WAITING, line.said.index(b"\x1b[?1004h"))
            is_left(line, way, status, said)
        assert answered(path) == 0


def test_a_terminal_is_left_as_it_was(tmp_path: Path) -> None:
    """The ways out that differ most."""
    leave_the_app(tmp_path, [row for row in APP if row[0]], modern=True)
    leave_the_screen(tmp_path, [row for row in SCREEN if row[0]], modern=False)


@pytest.mark.long
@pytest.mark.parametrize("modern", [False, True])
def test_a_terminal_is_left_as_it_was_by_every_way(tmp_path: Path, modern: bool) -> None:
    """All ways out, in a plain terminal and in one that knows newer modes."""
    leave_the_app(tmp_path, APP, modern)
    leave_the_screen(tmp_path, SCREEN, modern)


@pytest.mark.long
def test_a_fault_at_the_start_is_one_line(tmp_path: Path) -> None:
    """Where the app never comes to its first picture."""
    with started(stillborn, tmp_path / "fights.db", False) as line:
        assert line.ended() == 1
        assert line.as_it_was
        assert FAULT.encode() in line.said


def test_no_picture_is_drawn_where_there_is_none_to_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a terminal that can place no text, or in none, one line says so; no fight is begun."""
    for program, name in ((app, "the app"), (screen, "the players' screen")):
        assert program(tmp_path / "fights.db") == 1
        assert capsys.readouterr().err.startswith(f"tracker: {name} needs a terminal")
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(getattr(__import__("sys"), name), "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    for program, name in ((app, "the app"), (screen, "the players' screen")):
        assert program(tmp_path / "fights.db") == 1
        assert capsys.readouterr().err.startswith(f"tracker: {name} cannot be drawn in a terminal of the kind dumb")
    assert os.listdir(tmp_path) == []
