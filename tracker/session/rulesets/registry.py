"""The registry: rulesets by key, from the entry points of group `tracker.rulesets`, each imported at its first use.

Several entry points of one target are names of the same ruleset: the name of its module is its key, else the longest
one; the others are aliases.
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
    """Return version and folder of every distribution by name: of several the first on the path with a version."""
    distributions: dict[str, tuple[str, Path]] = {}
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
                if project not in distributions or (version and not distributions[project][0]):
                    distributions[project] = (version.partition("-")[0], Path(folder, name))
    return distributions


def entry_points(group: str) -> dict[str, str]:
    """Return the targets of a group's entry points by name."""
    targets: dict[str, str] = {}
    for _, folder in _distributions().values():
        targets = _parsed(folder, group) | targets
    if not targets:
        from importlib import metadata  # slow, so only if the folders have none

        targets = {point.name: point.value for point in metadata.entry_points(group=group)}
    return targets


def _parsed(folder: Path, group: str) -> dict[str, str]:
    """Return the targets of a group's entry points in a distribution's folder, {} if it has none."""
    try:
        text = (folder / "entry_points.txt").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    if f"[{group}]" not in text:
        return {}
    within, targets = False, {}
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            within = line == f"[{group}]"
        elif within and "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            targets[name.strip()] = target.partition("[")[0].strip()
    return targets


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

    def rank(point: tuple[str, str]) -> tuple[bool, int]:
        name, target = point
        return name == target.partition(":")[0].rpartition(".")[2], len(name)

    keys = {target: name for name, target in sorted(_points().items(), key=rank)}  # the last name of a target stays
    return tuple(sorted(keys.values()))


@cache
def find(key: str) -> Ruleset:
    """Return a ruleset by its key or an alias; case, spaces and dashes do not matter.

    Raises:
        TrackerError: if no ruleset has that name, or it cannot be imported.
    """
    target = _points().get(_plain(key))
    if target is None:
        raise TrackerError(
            f'there is no ruleset "{key}" ({", ".join(rulesets()) or "none is installed"}){_hint(key)}',
            "no_such_ruleset",
        )
    module, _, names = target.partition(":")
    label = f'the ruleset "{_plain(key)}" ({target})'
    try:
        ruleset = guarded_call(target, _imported, module, names, seconds=LOADING, allowed=())
    except Exception as error:
        raise TrackerError(f"{label} cannot be loaded: {describe(error)}", "ruleset_broken") from error
    if not isinstance(ruleset, Ruleset):
        raise TrackerError(f"{label} is no ruleset but a {type(ruleset).__name__}", "ruleset_broken")
    return guarded(ruleset)


def taken_name(key: str) -> str:
    """Return the package of this program with the same name as a home-made ruleset's package, "" for none.

    The first of the two on the path hides the other, and installing one overwrites the files of the other.
    """
    for project, (_, folder) in _distributions().items():
        if project == _PROGRAM:
            continue
        for name, target in _parsed(folder, GROUP).items():
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
