"""Reads files, folders and archives as named contents, within bounds.

Names in an archive are only shown, never used as paths; nothing is written. Links are left out.
"""

from __future__ import annotations

import io
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from msgspec import Struct

from tracker.library.importers import leveldb
from tracker.library.importers.results import Unreadable
from tracker.library.yaml.problems import Problem, visible
from tracker.library.yaml.source import read_bytes

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
READ = (".json", ".db", ".yaml", ".yml", ".md", ".markdown", ".txt", ".text")
MOST_FILES = 5_000
LARGEST = 20 * 1024 * 1024
LARGEST_ALL = 200 * 1024 * 1024
DEEPEST = 12
NO_FILE = "a link, or no ordinary file; it is left out"
EXPORT = "export the compendium as JSON or YAML"


class Content(Struct, frozen=True):
    name: str
    data: bytes


def contents(path: Path) -> Iterator[Content | Unreadable]:
    """Yield the files of a path by name, and those that are left out or cannot be read."""
    if path.is_dir():
        yield from _within_bounds(_unpacked(_folder(path)))
    elif path.name.casefold().endswith(ARCHIVES):
        yield from _archive(path)
    else:
        yield _file(path)


def _file(path: Path) -> Content | Unreadable:
    data = read_bytes(path, str(path))
    return Unreadable(str(path), data.message) if isinstance(data, Problem) else Content(str(path), data)


def _within_bounds(files: Iterator[Content | Unreadable]) -> Iterator[Content | Unreadable]:
    size = 0
    for place, file in enumerate(files):
        size += len(file.data) if isinstance(file, Content) else 0
        if place >= MOST_FILES or size > LARGEST_ALL:
            why = f"more than {MOST_FILES} files or {LARGEST_ALL // 2**20} MB; import it in parts"
            yield Unreadable("the rest", why)
            return
        yield file


def _wanted(name: str) -> bool:
    return name.casefold().endswith(READ) or leveldb.is_part(_last(name))


def _last(name: str) -> str:
    return re.split(r"[/\\]", name)[-1]


def _unpacked(files: Iterator[Content | Unreadable]) -> Iterator[Content | Unreadable]:
    """Yield files, and in place of a compendium's files its actors."""
    folders: dict[str, dict[str, bytes]] = {}
    size = 0
    for file in files:
        if not isinstance(file, Content) or not leveldb.is_part(last := _last(file.name)):
            yield file
            continue
        size += len(file.data)
        if size > LARGEST_ALL:
            yield Unreadable(file.name, f"compendiums of more than {LARGEST_ALL // 2**20} MB; import them in parts")
            return
        folders.setdefault(file.name[: -len(last) - 1], {})[last] = file.data
    for name, parts in folders.items():
        if "CURRENT" in parts or any(part.endswith(".ldb") for part in parts):
            yield from _compendium(name, parts)


def _compendium(name: str, parts: dict[str, bytes]) -> Iterator[Content | Unreadable]:
    many = 0
    try:
        for key, data in leveldb.actors(parts):
            many += 1
            yield Content(f"{name}/{visible(key)}", data)
    except ValueError as error:
        yield Unreadable(name, f"a compendium that cannot be read: {error}; {EXPORT}")
        return
    if not many:
        yield Unreadable(name, "a compendium without actors")


def _folder(path: Path) -> Iterator[Content | Unreadable]:
    for folder, below, files in os.walk(path):
        depth = len(Path(folder).relative_to(path).parts)
        below[:] = sorted(part for part in below if not part.startswith(".") and depth < DEEPEST)
        for name in sorted(files):
            file = Path(folder) / name
            if not name.startswith(".") and _wanted(name):
                yield _file(file) if _is_plain(file) else Unreadable(str(file), NO_FILE)


def _is_plain(file: Path) -> bool:
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False


def _archive(path: Path) -> Iterator[Content | Unreadable]:
    archive = _file(path)
    if isinstance(archive, Unreadable):
        yield archive
        return
    opened = _zipped if path.name.casefold().endswith(".zip") else _tarred
    try:
        yield from _within_bounds(_unpacked(opened(archive.data, path.name)))
    except (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, ValueError, RuntimeError) as error:
        yield Unreadable(str(path), f"the archive cannot be read: {visible(str(error))[:200]}")


def _zipped(data: bytes, archive: str) -> Iterator[Content | Unreadable]:
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        if len(zipped.infolist()) > 4 * MOST_FILES:
            yield Unreadable(archive, "it holds too many files; import it in parts")
            return
        for part in sorted(zipped.infolist(), key=lambda part: part.filename):
            name = f"{archive}/{visible(part.filename)}"
            is_link = stat.S_ISLNK(part.external_attr >> 16)
            if part.is_dir() or not _wanted(part.filename):
                continue
            if is_link or part.flag_bits & 1:
                yield Unreadable(name, "a link; it is left out" if is_link else "locked with a password")
            elif part.file_size > LARGEST:
                yield Unreadable(name, f"larger than {LARGEST // 2**20} MB")
            else:
                with zipped.open(part) as stream:
                    yield _read(stream, name)


def _tarred(data: bytes, archive: str) -> Iterator[Content | Unreadable]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as tarred:
        for place, part in enumerate(tarred):
            name = f"{archive}/{visible(part.name)}"
            if place > 4 * MOST_FILES:
                yield Unreadable(archive, "it holds too many files; import it in parts")
                return
            if not _wanted(part.name):
                continue
            if not part.isreg():
                yield Unreadable(name, NO_FILE)
            elif part.size > LARGEST:
                yield Unreadable(name, f"larger than {LARGEST // 2**20} MB")
            elif (stream := tarred.extractfile(part)) is not None:
                yield _read(stream, name)


def _read(stream: IO[bytes], name: str) -> Content | Unreadable:
    """Read at most `LARGEST` bytes, since an archive may state a wrong size."""
    data = stream.read(LARGEST + 1)
    return Content(name, data) if len(data) <= LARGEST else Unreadable(name, f"larger than {LARGEST // 2**20} MB")
