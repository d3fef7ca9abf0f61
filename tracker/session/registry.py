"""The registry: rulesets by key, from the entry points of group `tracker.rulesets`, each imported only when it is wanted.

Several entry points of one target are names of the same ruleset: the longest is its key, the others are aliases.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tracker.core.errors import TrackerError
from tracker.core.ruleset import Ruleset

__all__ = ["GROUP", "find", "rulesets"]

GROUP = "tracker.rulesets"


@cache
def _points() -> dict[str, EntryPoint]:
    return {_plain(point.name): point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def rulesets() -> tuple[str, ...]:
    """Return the keys of all rulesets that are installed, in alphabetical order, without importing any."""
    longest: dict[str, str] = {}
    for name, point in _points().items():
        if len(name) > len(longest.get(point.value, "")):
            longest[point.value] = name
    return tuple(sorted(longest.values()))


@cache
def find(key: str) -> Ruleset:
    """Return a ruleset by its key or an alias; case, spaces and dashes do not matter.

    Raises:
        TrackerError: where there is none of that name, or it cannot be imported.
    """
    point = _points().get(_plain(key))
    if point is None:
        raise TrackerError(f'there is no ruleset "{key}" ({", ".join(rulesets()) or "none is installed"}){_hint(key)}', "no_such_ruleset")
    try:
        found = point.load()
    except Exception as error:
        raise TrackerError(f'the ruleset "{point.name}" ({point.value}) cannot be loaded: {type(error).__name__}: {error}', "ruleset_broken") from error
    if not isinstance(found, Ruleset):
        raise TrackerError(f'the ruleset "{point.name}" ({point.value}) is no ruleset but a {type(found).__name__}', "ruleset_broken")
    return found


def _plain(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")


def _hint(key: str) -> str:
    import difflib  # only for the message

    near = difflib.get_close_matches(_plain(key), list(_points()), 1)
    return f"; did you mean {near[0]}?" if near else ""
