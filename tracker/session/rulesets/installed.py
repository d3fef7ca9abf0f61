"""What is installed: entry points and the program's version, read from `sys.path`.

`importlib.metadata` says the same, but importing it takes longer than opening a journal; it is asked where the folders
say nothing (a zip archive).
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

__all__ = ["app_version", "entry_points"]

_PROGRAM = "encounter_tracker"


@cache
def _distributions() -> dict[str, tuple[str, Path]]:
    """Return version and folder of every distribution by name.

    The first on the path counts, a source tree that names no version only if no other.
    """
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
