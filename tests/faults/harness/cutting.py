"""Power cuts: what a disk may hold after one.

It is made from the writes and syncs of a traced fight. What was synced is there. Of what was written since, each
sector may be there, be as before, or be rubbish, in any order; a file may end in rubbish; of what happened to names
since the folder was synced, any beginning is there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from tests.faults.harness.killing import SETTINGS, Game, digest, game, sound
from tracker.session.session import Session
from tracker.session.store.journal import Journal

__all__ = ["STRACE", "Operation", "cut_often", "traced"]

STRACE = shutil.which("strace")
SECTOR = 512
NAME = "fights.db"
CALLS = "pwrite64,write,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,openat"
LINE = re.compile(rb"^(\d+) +(\w+)\((.*)\) += (\d+)")
BEGUN = re.compile(rb"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(rb"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
PLACE = re.compile(rb"<((?:\\x..)*)>")
TEXT = re.compile(rb'"((?:\\x..)*)"')
NUMBERS = re.compile(rb"(\d+)")


class Operation(Struct, frozen=True):
    """What was done to a file of the journal, or shown.

    `kind`: make, write, truncate, sync, sync_folder, remove, show.
    """

    kind: str
    name: str = ""
    offset: int = 0
    data: bytes = b""


def traced(folder: Path, key: str, number: int, steps: int) -> tuple[Operation, ...]:
    """Play a fight under `strace` and return what was done to its journal, in order."""
    folder.mkdir(parents=True)
    trace = folder / "trace"
    words = ("-f", "-y", "-xx", "-s", "1000000", "--seccomp-bpf", "-e", f"trace={CALLS}", "-o", str(trace))
    program = (sys.executable, "-m", "tests.faults.harness.traced", str(folder / NAME), key, str(number), str(steps))
    with (folder / "shown").open("wb") as shown:
        subprocess.run([str(STRACE), *words, *program], stdout=shown, check=True, cwd=Path(__file__).parents[3])
    found = tuple(_operations(trace, folder))
    trace.unlink()
    return found


def _operations(trace: Path, folder: Path) -> Iterator[Operation]:
    begun: dict[bytes, bytes] = {}
    there: set[str] = set()
    with trace.open("rb") as lines:
        for text in lines:
            line = text.rstrip()
            if (half := BEGUN.match(line)) is not None:
                begun[half[1]] = half[3]
                continue
            if (rest := RESUMED.match(line)) is not None:
                line = rest[1] + b" " + rest[2] + b"(" + begun.pop(rest[1]) + rest[3]
            whole = LINE.match(line)
            if whole is not None:
                yield from _operation(whole[2].decode(), whole[3], folder, there)


def _operation(call: str, words: bytes, folder: Path, there: set[str]) -> Iterator[Operation]:
    if call in ("openat", "unlink", "unlinkat", "rename"):
        name = _name(TEXT.search(words), folder)
        if name is None:
            return
        assert call != "rename", "a file of the journal gets another name"
        if call != "openat":
            there.discard(name)
            yield Operation("remove", name)
        elif b"O_CREAT" in words and name not in there:
            there.add(name)
            yield Operation("make", name)
        return
    place = PLACE.search(words)
    path = Path(_text(place)) if place is not None else None
    if path == folder:
        if call in ("fsync", "fdatasync"):
            yield Operation("sync_folder")
        return
    if path == folder / "shown":
        yield Operation("show", data=_bytes(TEXT.search(words)).strip())
    if path is None or path.parent != folder or path.name not in there:
        return
    tail = words[words.rindex(b">") :] if call != "pwrite64" else words[words.rindex(b'"') :]
    match call:
        case "pwrite64":
            yield Operation("write", path.name, int(NUMBERS.findall(tail)[1]), _bytes(TEXT.search(words)))
        case "ftruncate":
            yield Operation("truncate", path.name, int(NUMBERS.findall(tail)[0]))
        case "fsync" | "fdatasync":
            yield Operation("sync", path.name)


def _bytes(found: re.Match[bytes] | None) -> bytes:
    return b"" if found is None else bytes.fromhex(found[1].replace(b"\\x", b"").decode())


def _text(found: re.Match[bytes]) -> str:
    return _bytes(found).decode()


def _name(found: re.Match[bytes] | None, folder: Path) -> str | None:
    """Return the name of a file of the journal. The index is none: it is made anew at each start."""
    path = Path(_bytes(found).decode())
    return path.name if path.parent == folder and path.name in (NAME, f"{NAME}-wal", f"{NAME}-journal") else None


class _File:
    """A file on the disk: what is sure, and what was written since."""

    def __init__(self) -> None:
        self.sure, self.since = bytearray(), list[Operation]()

    def sync(self) -> None:
        for done in self.since:
            _apply(self.sure, done)
        self.since.clear()

    def after(self, manner: str, chance: Random) -> bytes:
        """Return what is there after a cut."""
        found, since = bytearray(self.sure), list(self.since)
        if manner == "lost":
            since = []
        elif manner == "torn" and since:
            del since[chance.randint(0, len(since)) :]
        for number, done in enumerate(since):
            last = number == len(since) - 1
            if done.kind != "write" or manner == "whole" or (manner == "torn" and not last):
                _apply(found, done)
                continue
            for part in _sectors(done):
                fate = chance.random()
                if fate < 0.5:
                    _apply(found, part)
                elif fate < 0.6 and manner == "rubbish":
                    _apply(found, Operation("write", done.name, part.offset, chance.randbytes(len(part.data))))
        if manner == "rubbish" and since:
            found += chance.randbytes(chance.choice((1, 24, SECTOR, 4096 + 24, 3 * SECTOR)))
        return bytes(found)


def _apply(content: bytearray, done: Operation) -> None:
    end = done.offset + len(done.data)
    if done.kind == "truncate":
        del content[done.offset :]
        content.extend(bytes(done.offset - len(content)))
    else:
        content.extend(bytes(max(0, end - len(content))))
        content[done.offset : end] = done.data


def _sectors(done: Operation) -> Iterator[Operation]:
    place = 0
    while place < len(done.data):
        size = SECTOR - (done.offset + place) % SECTOR
        yield Operation("write", done.name, done.offset + place, done.data[place : place + size])
        place += size


MANNERS = ("whole", "lost", "torn", "torn", "disorder", "disorder", "rubbish", "rubbish")


class _Disk:
    """A folder on the disk: sure names, and what happened to names since."""

    def __init__(self) -> None:
        self.sure, self.now = dict[str, _File](), dict[str, _File]()
        self.since: list[dict[str, _File]] = []

    def do(self, done: Operation) -> None:
        match done.kind:
            case "make":
                self.now = {**self.now, done.name: _File()}
                self.since.append(self.now)
            case "remove":
                self.now = {name: file for name, file in self.now.items() if name != done.name}
                self.since.append(self.now)
            case "write" | "truncate":
                self.now[done.name].since.append(done)
            case "sync":
                self.now[done.name].sync()
            case "sync_folder":
                self.sure, self.since = self.now, []

    def after(self, manner: str, chance: Random) -> dict[str, bytes]:
        """Return the files that are there after a cut."""
        names = chance.choice([self.sure, *self.since])
        return {name: file.after(manner, chance) for name, file in names.items()}


def cut_often(folder: Path, key: str, number: int, done: Sequence[Operation], cuts: int) -> int:
    """Cut the power of a traced fight so often, and look at what is there.

    Return how many of the cuts came while something was unsure.
    """
    chance, played = Random(number), game(key, number)
    places = sorted(chance.randrange(1, len(done) + 1) for _ in range(cuts))
    disk, shown, unsure = _Disk(), "", 0
    for place, operation in enumerate(done, 1):
        if operation.kind == "show":
            shown = operation.data.decode()
        else:
            disk.do(operation)
        while places and places[0] == place:
            places.pop(0)
            manner = chance.choice(MANNERS)
            unsure += any(file.since for file in disk.now.values())
            next_shown = next((later.data.decode() for later in done[place:] if later.kind == "show"), "")
            try:
                look(folder / "cut", disk.after(manner, chance), played, (shown, next_shown), chance)
            except BaseException as error:
                error.add_note(f"{key}, fight {number}, operation {place} of {len(done)}, {manner}")
                raise
    return unsure


def look(folder: Path, files: dict[str, bytes], played: Game, shown: Sequence[str], chance: Random) -> None:
    """Start the program on these files, and find what was shown. What was on its way may be there instead."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    with Journal.open(folder / NAME) as journal:
        journal._connection.execute("PRAGMA synchronous = OFF")  # no power is cut here any more
        fights = journal.fights()
        if not fights:
            assert not shown[0], "the fight is gone"
            return
        assert journal.notice == "" or not shown[0], journal.notice
        with Session.resume(journal, fights[0].id, played.find, SETTINGS) as session:
            assert not session.model.read_only
            found = digest(played.ruleset, session.model)
            assert found in shown, "what was shown is not what is there"
            session.dispatch(played.intent_of(chance.randrange(10**6), session.model))
            assert session.model.problem == "", session.model.problem
        journal.backups.wait()
    assert sound(folder / NAME) == "ok"
