"""The library: stat blocks beside an encounter and in the GM's folders.

Files are read at their first use, and only files inside those folders: a path in a file never leads out of them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

from msgspec import Struct

from tracker.core.clock.joining import slug
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.labels import folded
from tracker.library.content.files import PARSERS, CampaignKeys
from tracker.library.validation.convert import convert_sound, located
from tracker.library.yaml.problems import Path, Problem, described, did_you_mean
from tracker.library.yaml.tree import Tree, load

CAMPAIGN_FILE = "campaign.yaml"
MOST_LEVELS_UP = 3
MOST_FOLDERS = 50


class Campaign(Struct, frozen=True):
    """The sound part of a campaign's file.

    Attributes:
        folder: its folder, as seen from the encounter.
    """

    folder: FilePath
    tree: Tree
    plain: Mapping[str, object]
    library: tuple[FilePath, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def carries(self) -> bool:
        """Tell whether the party goes on as its last fight left it."""
        return self.plain.get("carry") is True

    def house_rules(self, ruleset: Ruleset) -> tuple[dict[str, object], list[Problem]]:
        written, kind = self.plain.get("house_rules"), ruleset.schema.house_rules
        if not isinstance(written, dict):
            return {}, []
        if kind is None:
            return {}, [self.tree.problem(("house_rules",), "this game has no house rules")]
        _, sound, issues = convert_sound(written, kind, PARSERS)
        problems = list(located(issues, self.tree, ("house_rules",)))
        return dict(sound) if isinstance(sound, dict) else {}, problems

    def inherited(self, plain: Mapping[str, object], house_rules: Mapping[str, object]) -> dict[str, object]:
        """Return an encounter's keys with those of the campaign that it does not have itself."""
        merged = dict(plain)
        for key, own in (("house_rules", house_rules), ("screen", self.plain.get("screen"))):
            written = plain.get(key, {})
            if isinstance(own, Mapping) and own and isinstance(written, Mapping):
                merged[key] = {**own, **written}
        for key in ("dice", "clock"):
            if key not in plain and key in self.plain:
                merged[key] = self.plain[key]
        return merged


def campaign_of(home: FilePath) -> Campaign | None:
    """Return the campaign of a folder, or of the nearest of three folders above; a link is not read."""
    for folder in _above(home):
        path = folder / CAMPAIGN_FILE
        try:
            if path.is_file() and not path.is_symlink():
                return _read(path)
        except OSError:
            continue
    return None


def _above(home: FilePath) -> Iterator[FilePath]:
    yield home
    try:
        whole = home.resolve()
    except (OSError, RuntimeError):
        return
    yield from list(whole.parents)[:MOST_LEVELS_UP]


def _read(path: FilePath) -> Campaign:
    tree = load(path)
    problems = list(tree.problems)
    value = tree.value
    if not isinstance(value, dict):
        if not problems:
            problems.append(tree.problem((), f"a campaign is a block of keys, this is {described(value)}"))
        return Campaign(path.parent, tree, {}, (), tuple(problems))
    keys, plain, issues = convert_sound(value, CampaignKeys, PARSERS)
    problems += located(issues, tree)
    if keys is None or not isinstance(plain, dict):
        return Campaign(path.parent, tree, {}, (), tuple(problems))
    library = tuple(_folders(path.parent, keys.library, tree, problems))
    return Campaign(path.parent, tree, plain, library, tuple(problems))


def _folders(home: FilePath, names: str | list[Any] | None, tree: Tree, problems: list[Problem]) -> Iterator[FilePath]:
    listed = names if isinstance(names, list) else [] if names is None else [names]
    for place, name in enumerate(listed[:MOST_FOLDERS]):
        folder = home / FilePath(name).expanduser() if isinstance(name, str) and "\0" not in name else None
        if folder is not None and folder.is_dir():
            yield folder
        else:
            at: Path = ("library", place) if isinstance(names, list) else ("library",)
            message = f"there is no folder {described(name)}"
            problems.append(tree.problem(at, message, "seen from the campaign's own folder"))


YAML = (".yaml", ".yml")
MOST_FILES = 2_000
LISTS = (("characters", "pc"), ("monsters", "monster"))


class BlockEntry(Struct, frozen=True):
    """A stat block as typed in a file; `listed` is the list it is in: `pc`, `monster` or ""."""

    tree: Tree
    path: Path
    plain: dict[str, object]
    listed: str = ""

    @property
    def name(self) -> str:
        return str(self.plain.get("name") or self.plain.get("id") or "nameless")

    @property
    def ref(self) -> str:
        return str(self.plain.get("id") or slug(self.name))


class Library:
    """The stat blocks that an encounter may use.

    `folders` are the GM's own, searched after the encounter's folder and those of its campaign.
    """

    def __init__(self, home: FilePath, folders: Sequence[FilePath] = ()) -> None:
        self.campaign = campaign_of(home)
        inherited = () if self.campaign is None else (self.campaign.folder, *self.campaign.library)
        self.home, self.folders = home, (*inherited, *folders)
        self._trees: dict[FilePath, Tree] = {}
        self._entries: dict[FilePath, tuple[BlockEntry, ...]] = {}
        self._index: dict[FilePath, dict[str, BlockEntry]] = {}

    def tree(self, path: FilePath) -> Tree:
        if path not in self._trees:
            self._trees[path] = load(path, self.shown(path))
        return self._trees[path]

    def shown(self, path: FilePath) -> str:
        try:
            return str(path.relative_to(self.home))
        except ValueError:
            return str(path)

    def inside(self, name: str) -> FilePath | None:
        """Return the file of that name in one of the folders; None: there is none, or it is outside of them."""
        folders = (self.home, *self.folders)
        roots = [folder.resolve() for folder in folders]
        for folder in folders:
            path = folder / name
            if path.is_file() and any(root in path.resolve().parents for root in roots):
                return path
        return None

    def is_outside(self, name: str) -> bool:
        """Tell whether a file of that name exists outside of the folders, so that it is not read."""
        return self.inside(name) is None and (self.home / name).is_file()

    def blocks(self, path: FilePath) -> tuple[BlockEntry, ...]:
        """Return the stat blocks of a file: a list, `characters:` and `monsters:`, or a single block."""
        if path not in self._entries:
            self._entries[path] = tuple(entries_in(self.tree(path)))
        return self._entries[path]

    def find(self, ref: str) -> BlockEntry | None:
        """Return the block of that id or name, from the encounter's own folder first."""
        for folder in (self.home, *self.folders):
            entry = self._by_ref(folder).get(ref) or self._by_ref(folder).get(slug(ref))
            if entry is not None:
                return entry
        return None

    def broken(self) -> tuple[Tree, ...]:
        """Return the files read so far that cannot be parsed."""
        return tuple(tree for tree in self._trees.values() if tree.value is None and tree.problems)

    def nearest(self, ref: str) -> str:
        return did_you_mean(ref, [key for folder in (self.home, *self.folders) for key in self._by_ref(folder)])

    def search(self, text: str) -> tuple[BlockEntry, ...]:
        """Return the blocks whose name or id begins with a text, has such a word, or contains it, in that order."""
        wanted = folded(text)
        scored: dict[int, tuple[tuple[int, str], BlockEntry]] = {}
        for folder in (self.home, *self.folders):
            for entry in self._by_ref(folder).values():
                name = folded(entry.name)
                tests = (
                    wanted in (name, entry.ref),
                    name.startswith(wanted) or entry.ref.startswith(wanted),
                    any(word.startswith(wanted) for word in name.split()),
                    wanted in name,
                )
                if any(tests):
                    scored.setdefault(id(entry), ((tests.index(True), name), entry))
        return tuple(entry for _, entry in sorted(scored.values(), key=lambda item: item[0]))

    def files(self) -> tuple[FilePath, ...]:
        return tuple(path for folder in (self.home, *self.folders) for path in _files(folder))

    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        stamps = []
        for path in self.files():
            with contextlib.suppress(OSError):  # it was just deleted
                status = path.stat()
                stamps.append((str(path), status.st_mtime_ns, status.st_size))
        return tuple(stamps)

    def _by_ref(self, folder: FilePath) -> dict[str, BlockEntry]:
        if folder not in self._index:
            index: dict[str, BlockEntry] = {}
            for path in _files(folder):
                for entry in self.blocks(path):
                    index.setdefault(entry.ref, entry)
                    index.setdefault(slug(entry.name), entry)
            self._index[folder] = index
        return self._index[folder]


def _files(folder: FilePath) -> list[FilePath]:
    """Return the YAML files of a folder itself in order, without links that lead out of it."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in YAML)
        root = folder.resolve()
        return [path for path in paths if path.is_file() and root in path.resolve().parents][:MOST_FILES]
    except (OSError, RuntimeError):
        return []


def entries_in(tree: Tree) -> Iterator[BlockEntry]:
    """Yield the stat blocks of a file, listed or single."""
    value = tree.value
    if isinstance(value, list):
        yield from _listed(tree, (), value, "")
    elif isinstance(value, Mapping):
        if any(name in value for name in ("sides", "party", "title")):
            return
        lists = [(name, kind, items) for name, kind in LISTS if isinstance(items := value.get(name), list)]
        for name, kind, items in lists:
            yield from _listed(tree, (name,), items, kind)
        if not lists and "name" in value:
            yield BlockEntry(tree, (), {key: part for key, part in value.items() if key != "ruleset"})


def _listed(tree: Tree, path: Path, items: Sequence[object], kind: str) -> Iterator[BlockEntry]:
    for place, item in enumerate(items):
        if isinstance(item, dict):
            yield BlockEntry(tree, (*path, place), item, kind)
