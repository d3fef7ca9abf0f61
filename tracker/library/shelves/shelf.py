"""The shelf: stat blocks beside an encounter and in the GM's folders.

Files are read when they are first needed, and only files inside those folders: a path in a file never leads elsewhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath

from msgspec import Struct

from tracker.core.clock.joining import slug
from tracker.core.terms.labels import folded
from tracker.library.shelves.campaign import campaign_of
from tracker.library.yaml.problems import Path, did_you_mean
from tracker.library.yaml.tree import Tree, load

YAML = (".yaml", ".yml")
MOST_FILES = 2_000
LISTS = (("characters", "pc"), ("monsters", "monster"))


class Entry(Struct, frozen=True):
    """A stat block as it stands in a file.

    `listed` names the list it stands in: "pc", "monster" or "".
    """

    tree: Tree
    path: Path
    plain: dict[str, object]
    listed: str = ""

    @property
    def name(self) -> str:
        """Its name, or what stands for one."""
        return str(self.plain.get("name") or self.plain.get("id") or "nameless")

    @property
    def ref(self) -> str:
        """The id it is found by."""
        return str(self.plain.get("id") or slug(self.name))


class Shelf:
    """Stat blocks within reach of one encounter.

    `folders` are the GM's own, looked at after the encounter's and those of its campaign.
    """

    def __init__(self, home: FilePath, folders: Sequence[FilePath] = ()) -> None:
        self.campaign = campaign_of(home)
        inherited = () if self.campaign is None else (self.campaign.folder, *self.campaign.library)
        self.home, self.folders = home, (*inherited, *folders)
        self._trees: dict[FilePath, Tree] = {}
        self._entries: dict[FilePath, tuple[Entry, ...]] = {}
        self._index: dict[FilePath, dict[str, Entry]] = {}

    def tree(self, path: FilePath) -> Tree:
        """Read a file, once."""
        if path not in self._trees:
            self._trees[path] = load(path, self.shown(path))
        return self._trees[path]

    def shown(self, path: FilePath) -> str:
        """Return a path as problems name it: from the encounter's folder where it lies inside."""
        try:
            return str(path.relative_to(self.home))
        except ValueError:
            return str(path)

    def inside(self, name: str) -> FilePath | None:
        """Return the file of that name in one of the folders.

        None: there is none, or the name leads out of them.
        """
        for folder in (self.home, *self.folders):
            path = folder / name
            root = folder.resolve()
            if path.is_file() and root in path.resolve().parents:
                return path
        return None

    def blocks(self, path: FilePath) -> tuple[Entry, ...]:
        """Return the stat blocks of a file.

        It is a list of them, `characters:` and `monsters:`, or a single block.
        """
        if path not in self._entries:
            self._entries[path] = tuple(entries_in(self.tree(path)))
        return self._entries[path]

    def find(self, ref: str) -> Entry | None:
        """Return the block of that id or name, from the encounter's own folder first."""
        for folder in (self.home, *self.folders):
            found = self._by_ref(folder).get(ref) or self._by_ref(folder).get(slug(ref))
            if found is not None:
                return found
        return None

    def broken(self) -> tuple[Tree, ...]:
        """Return the files that break off, of those that were looked at."""
        return tuple(tree for tree in self._trees.values() if tree.value is None and tree.problems)

    def nearest(self, ref: str) -> str:
        """Return the hint for a ref that is not found."""
        return did_you_mean(ref, [key for folder in (self.home, *self.folders) for key in self._by_ref(folder)])

    def search(self, text: str) -> tuple[Entry, ...]:
        """Return the blocks whose name or id fits what was typed, best first.

        Best begins with it, then a word of it does, then it holds it.
        """
        wanted = folded(text)
        scored: dict[int, tuple[tuple[int, str], Entry]] = {}
        for folder in (self.home, *self.folders):
            for entry in self._by_ref(folder).values():
                name = folded(entry.name)
                score = (
                    0
                    if wanted in (name, entry.ref)
                    else 1
                    if name.startswith(wanted) or entry.ref.startswith(wanted)
                    else 2
                )
                if score == 2 and not any(word.startswith(wanted) for word in name.split()):
                    if wanted not in name:
                        continue
                    score = 3
                scored.setdefault(id(entry), ((score, name), entry))
        return tuple(entry for _, entry in sorted(scored.values(), key=lambda item: item[0]))

    def files(self) -> tuple[FilePath, ...]:
        """Return every YAML file of the folders."""
        return tuple(path for folder in (self.home, *self.folders) for path in _files(folder))

    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """Return names, times and sizes of the files, which differ when one is written."""
        found = []
        for path in self.files():
            with contextlib.suppress(OSError):  # gone in this very moment: then it will not be read either
                about = path.stat()
                found.append((str(path), about.st_mtime_ns, about.st_size))
        return tuple(found)

    def _by_ref(self, folder: FilePath) -> dict[str, Entry]:
        if folder not in self._index:
            index: dict[str, Entry] = {}
            for path in _files(folder):
                for entry in self.blocks(path):
                    index.setdefault(entry.ref, entry)
                    index.setdefault(slug(entry.name), entry)
            self._index[folder] = index
        return self._index[folder]


def _files(folder: FilePath) -> list[FilePath]:
    """Return the YAML files of a folder itself, in order.

    Links that lead out of it are left alone.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix in YAML)
        root = folder.resolve()
        return [path for path in found if path.is_file() and root in path.resolve().parents][:MOST_FILES]
    except (OSError, RuntimeError):
        return []


def entries_in(tree: Tree) -> Iterator[Entry]:
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
            yield Entry(tree, (), dict(value))


def _listed(tree: Tree, path: Path, items: Sequence[object], kind: str) -> Iterator[Entry]:
    for place, item in enumerate(items):
        if isinstance(item, dict):
            yield Entry(tree, (*path, place), item, kind)
