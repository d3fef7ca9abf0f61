"""Finds encounters: the files of a game master's folders, each with its problems.

Depth, number and size of the files are bounded. A link that leads out of a folder is not followed; a folder that cannot
be read is a line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path as FilePath

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import TrackerError
from tracker.library.content.encounters import FindRuleset, is_encounter, load_encounter
from tracker.library.content.library import CAMPAIGN_FILE as CAMPAIGN
from tracker.library.content.library import YAML, Library
from tracker.library.ruleset_errors import describe
from tracker.library.yaml.problems import Problem
from tracker.library.yaml.source import read_bytes
from tracker.library.yaml.tree import parse


class Summary(Struct, frozen=True):
    """An encounter in words.

    Attributes:
        sides: their names and members.
        waves, reminders: each with its moment, "" for a wave by hand and a reminder in every round.
    """

    sides: tuple[tuple[str, str], ...] = ()
    waves: tuple[tuple[str, str], ...] = ()
    reminders: tuple[tuple[str, str], ...] = ()
    notes: str = ""


def summary_of(encounter: Encounter) -> Summary:
    return Summary(
        tuple((side.name, _members(side.members)) for side in encounter.sides),
        tuple((wave.when, wave.title or _members(wave.members)) for wave in encounter.waves),
        tuple((reminder.when, reminder.text) for reminder in encounter.reminders),
        encounter.notes,
    )


def _members(members: Sequence[Member]) -> str:
    return ", ".join(_copies(str(member.count), member.name) for member in members)


def _copies(count: str, name: str) -> str:
    return name if count == "1" else f"{count} × {name}"


def unchecked_summary(written: Mapping[str, object]) -> Summary:
    """Return the summary of an encounter's file as it is typed, with all its mistakes."""
    return Summary(
        tuple((_text(side.get("name")), _written(side.get("members"))) for side in _mappings(written.get("sides"))),
        tuple(
            (_text(wave.get("when")), _text(wave.get("title")) or _written(wave.get("members")))
            for wave in _mappings(written.get("waves"))
        ),
        tuple((_text(row.get("when")), _text(row.get("text"))) for row in _mappings(written.get("reminders"))),
        _text(written.get("notes")),
    )


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _written(value: object) -> str:
    if not isinstance(value, list):
        return _text(value)
    names = []
    for part in value:
        member = part if isinstance(part, dict) else {"ref": part}
        name = _text(member.get("name")) or _text(member.get("ref")).replace("-", " ").replace("_", " ")
        names.append(_copies(str(member.get("count", 1)), name))
    return ", ".join(names)


MOST_FILES = 400
MOST_ENTRIES = 5_000
LARGEST = 1024 * 1024


class SearchPath(Struct, frozen=True):
    """A folder to search, how many levels deep, and whether it came with the program."""

    folder: FilePath
    depth: int = 3
    sample: bool = False


class EncounterFile(Struct, frozen=True):
    """An encounter's file.

    Attributes:
        title: the encounter's title; without one the file's name.
        size: how many combatants each side has; "" if that is unknown.
        problems: its mistakes, with the path of the file from the working directory.
        playable: whether it can be opened in spite of them.
    """

    path: FilePath
    title: str
    ruleset: str = ""
    game: str = ""
    size: str = ""
    problems: tuple[Problem, ...] = ()
    playable: bool = False
    sample: bool = False
    summary: Summary = Summary()


class Notice(Struct, frozen=True):
    """A line about a folder that cannot be read, or about files that were left out."""

    text: str


class Scanner:
    """Finds encounters in folders.

    `own` are further folders with stat blocks, `known` the keys of the rulesets. A pass reads each file once.
    """

    def __init__(
        self,
        places: Sequence[SearchPath],
        find_ruleset: FindRuleset,
        own: Sequence[FilePath] = (),
        known: Sequence[str] = (),
    ) -> None:
        self.places, self._own, self._known = tuple(places), tuple(own), tuple(known)
        self._find_ruleset = find_ruleset
        self._libraries: dict[FilePath, Library] = {}

    def all(self) -> Iterator[EncounterFile | Notice]:
        """Yield every encounter, folder by folder, and notices about the folders."""
        self._libraries.clear()
        seen: set[FilePath] = set()
        for place in self.places:
            for item in self._files(place.folder, place.folder.resolve(), place.depth):
                if isinstance(item, Notice):
                    yield item
                    continue
                if (real := item.resolve()) in seen:
                    continue
                seen.add(real)
                if len(seen) > MOST_FILES:
                    yield Notice(f"only the first {MOST_FILES} files were read")
                    return
                file = _sample(item) if place.sample else self._read(item)
                if file is not None:
                    yield file

    def one(self, path: FilePath) -> EncounterFile | None:
        """Read a file again; None: it is no encounter."""
        self._libraries.clear()
        return self._read(path)

    def _files(self, folder: FilePath, root: FilePath, depth: int) -> Iterator[FilePath | Notice]:
        """Yield the YAML files of a folder, then those of the folders in it, without hidden ones."""
        try:
            with os.scandir(folder) as entries:
                listed = sorted(islice(entries, MOST_ENTRIES + 1), key=lambda entry: entry.name)
        except OSError as error:
            yield Notice(f"{folder}: cannot be read: {error.strerror or error}")
            return
        if len(listed) > MOST_ENTRIES:
            yield Notice(f"{folder}: only {MOST_ENTRIES} of its entries were looked at")
        below: list[FilePath] = []
        for entry in listed:
            path = folder / entry.name
            try:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    below.append(path)
                elif (
                    entry.name.endswith(YAML)
                    and entry.is_file()
                    and (not entry.is_symlink() or root in path.resolve().parents)
                ):
                    if entry.stat().st_size > LARGEST:
                        yield Notice(f"{path}: not read: encounters are smaller than {LARGEST // 1024} kB")
                    else:
                        yield path
            except (OSError, RuntimeError):  # a link to itself, a file that was just deleted
                continue
        for path in below if depth > 0 else ():
            yield from self._files(path, root, depth - 1)

    def _read(self, path: FilePath) -> EncounterFile | None:
        if path.name == CAMPAIGN:
            return None
        if path.parent not in self._libraries:
            self._libraries[path.parent] = Library(path.parent, self._own)
        library = self._libraries[path.parent]
        try:
            tree = library.tree(path)
            written = tree.value
            if not is_encounter(written):
                broken = written is None and _names_a_game(path)
                return EncounterFile(path, path.name, problems=_from_here(path, tree.problems)) if broken else None
            loaded = load_encounter(path, self._find_ruleset, self._own, self._known, library=library)
        except Exception as error:  # noqa: BLE001 - an error of a home-made ruleset costs this file, not the others
            message = error.message if isinstance(error, TrackerError) else f"cannot be read: {describe(error)}"
            return EncounterFile(path, path.name, problems=(Problem(str(path), message=message),))
        file = EncounterFile(path, _text(written.get("title")) or path.name, problems=_from_here(path, loaded.problems))
        if loaded.encounter is None or loaded.ruleset is None:
            return replace(file, summary=unchecked_summary(written))
        return replace(
            file,
            ruleset=loaded.ruleset.key,
            game=loaded.ruleset.title,
            size=size_words(loaded.encounter),
            playable=True,
            summary=summary_of(loaded.encounter),
        )


def _sample(path: FilePath) -> EncounterFile | None:
    """Return a sample by its title, without loading its game: a file of the program has no mistakes."""
    data = read_bytes(path, str(path))
    value = None if isinstance(data, Problem) else parse(data, path.name).value
    if not is_encounter(value):
        return None
    title, game = str(value["title"]), str(value["ruleset"])
    return EncounterFile(path, title, ruleset=game, playable=True, sample=True, summary=unchecked_summary(value))


def _names_a_game(path: FilePath) -> bool:
    """Tell whether a file that cannot be parsed was meant for this program."""
    data = read_bytes(path, str(path))
    return isinstance(data, Problem) or b"ruleset" in data


def _from_here(path: FilePath, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(replace(problem, file=os.path.normpath(path.parent / problem.file)) for problem in problems)


def size_words(encounter: Encounter) -> str:
    """Return how many combatants each side has, players first: `4 against 3–6, 2 later`."""
    sides = sorted(encounter.sides, key=lambda side: side.control != "players")
    words = " against ".join(_many(side.members) for side in sides)
    later = tuple(member for wave in encounter.waves for member in wave.members)
    return f"{words}, {_many(later)} later" if later else words


def _many(members: Sequence[Member]) -> str:
    least, most = (sum(max(0, getattr(member.count, name)) for member in members) for name in ("minimum", "maximum"))
    return str(least) if least == most else f"{least}–{most}"
