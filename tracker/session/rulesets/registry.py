"""The registry: rulesets by key, each imported when it is first wanted.

They come from the entry points of group `tracker.rulesets`.

Several entry points of one target are names of the same ruleset: the one its module is called by is its key, else the
longest; the others are aliases.
"""

from __future__ import annotations

from functools import cache, reduce
from importlib import import_module

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import TrackerError
from tracker.library.guard import guarded, guarded_call
from tracker.library.slips import told
from tracker.session.rulesets.installed import entry_points

__all__ = ["GROUP", "find", "rulesets"]

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
        found = guarded_call(target, _imported, module, names, seconds=LOADING, lets=())
    except Exception as error:
        raise TrackerError(
            f'the ruleset "{_plain(key)}" ({target}) cannot be loaded: {told(error)}',
            "ruleset_broken",
        ) from error
    if not isinstance(found, Ruleset):
        raise TrackerError(
            f'the ruleset "{_plain(key)}" ({target}) is no ruleset but a {type(found).__name__}', "ruleset_broken"
        )
    return guarded(found)


def _imported(module: str, names: str) -> object:
    return reduce(getattr, names.split("."), import_module(module))


def _plain(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")


def _hint(key: str) -> str:
    import difflib  # only for the message

    near = difflib.get_close_matches(_plain(key), list(_points()), 1)
    return f"; did you mean {near[0]}?" if near else ""
