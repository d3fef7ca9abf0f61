"""The registry: rulesets by key, each imported when it is first wanted.

They come from the entry points of group `tracker.rulesets`.

Several entry points of one target are names of the same ruleset: the one its module is called by is its key, else the
longest; the others are aliases.
"""

from __future__ import annotations

import os
import sys
from functools import cache, reduce
from importlib import import_module
from pathlib import Path

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import TrackerError
from tracker.library.guard import guarded, guarded_call
from tracker.library.ruleset_errors import describe

_PROGRAM = "encounter_tracker"
_OWN_PACKAGES = ("tracker", "rulesets")


@cache
def _distributions() -> dict[str, tuple[str, Path]]:
    """Return version and folder of every distribution by name, the first on the path that names a version."""
    found: dict[str, tuple[str, Path]] = {}
    for folder in sys.path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue  # a zip archive, or a folder that is not there
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending in (".dist-info", ".egg-info"):
                key, _, version = stem.partition("-")
                project = key.casefold().replace(".", "_")
                if project not in found or (version and not found[project][0]):
                    found[project] = (version.partition("-")[0], Path(folder, name))
    return found


def entry_points(group: str) -> dict[str, str]:
    """Return the targets of a group's entry points by name."""
    found: dict[str, str] = {}
    for _, folder in _distributions().values():
        try:
            text = (folder / "entry_points.txt").read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if f"[{group}]" in text:
            found = dict(_parsed(text, group)) | found
    if not found:
        from importlib import metadata  # slow, so only where the folders say nothing

        found = {point.name: point.value for point in metadata.entry_points(group=group)}
    return found


def _parsed(text: str, group: str) -> list[tuple[str, str]]:
    here, found = False, []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            here = line == f"[{group}]"
        elif here and "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            found.append((name.strip(), target.partition("[")[0].strip()))
    return found


@cache
def app_version() -> str:
    """Return the program's version, or "unknown"."""
    version, _ = _distributions().get(_PROGRAM, ("", None))
    if version:
        return version
    from importlib import metadata  # as above

    try:
        return metadata.version(_PROGRAM)
    except metadata.PackageNotFoundError:
        return "unknown"


GROUP = "tracker.rulesets"
LOADING = 5.0


@cache
def _points() -> dict[str, str]:
    return {_plain(name): target for name, target in sorted(entry_points(GROUP).items())}


def rulesets() -> tuple[str, ...]:
    """Return the keys of all rulesets that are installed, in alphabetical order, without importing any."""
    keys: dict[str, str] = {}
    for name, target in sorted(
        _points().items(), key=lambda point: (point[0] == point[1].partition(":")[0].rpartition(".")[2], len(point[0]))
    ):
        keys[target] = name  # the last one stays
    return tuple(sorted(keys.values()))


@cache
def find(key: str) -> Ruleset:
    """Return a ruleset by its key or an alias.

    Case, spaces and dashes do not matter.

    Raises:
        TrackerError: where there is none of that name, or it cannot be imported.
    """
    target = _points().get(_plain(key))
    if target is None:
        raise TrackerError(
            f'there is no ruleset "{key}" ({", ".join(rulesets()) or "none is installed"}){_hint(key)}',
            "no_such_ruleset",
        )
    module, _, names = target.partition(":")
    try:
        found = guarded_call(target, _imported, module, names, seconds=LOADING, allowed=())
    except Exception as error:
        raise TrackerError(
            f'the ruleset "{_plain(key)}" ({target}) cannot be loaded: {describe(error)}',
            "ruleset_broken",
        ) from error
    if not isinstance(found, Ruleset):
        raise TrackerError(
            f'the ruleset "{_plain(key)}" ({target}) is no ruleset but a {type(found).__name__}', "ruleset_broken"
        )
    return guarded(found)


def taken_name(key: str) -> str:
    """Return the package of the program's own whose name a home-made ruleset's package has too, "" for none.

    Whichever of the two is found first hides the other, and installing one writes over the files of the other.
    """
    for project, (_, folder) in _distributions().items():
        try:
            text = "" if project == _PROGRAM else (folder / "entry_points.txt").read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for name, target in _parsed(text, GROUP):
            package = target.partition(":")[0].partition(".")[0].strip()
            if _plain(name) == _plain(key) and package in _OWN_PACKAGES:
                return package
    return ""


def _imported(module: str, names: str) -> object:
    return reduce(getattr, names.split("."), import_module(module))


def _plain(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")


def _hint(key: str) -> str:
    import difflib  # only for the message

    near = difflib.get_close_matches(_plain(key), list(_points()), 1)
    return f"; did you mean {near[0]}?" if near else ""
