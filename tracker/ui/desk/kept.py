"""The GM's own effects, read for the first effect and when their file changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.core.game.ruleset import Ruleset

if TYPE_CHECKING:
    from tracker.library.shelves.effects import Kept

Offered = tuple[tuple["Kept", ...], tuple[str, ...]]
"""What a game is offered, and what is wrong with the file, one line each."""


class KeptEffects:
    """The effects of a file.

    Without a file there are none, and none can be kept.
    """

    def __init__(self, path: Callable[[], Path] | None = None) -> None:
        self._path = path
        self._seen: tuple[str, tuple[int, int] | None] = ("", None)
        self._offered: Offered = ((), ())

    def offered(self, ruleset: Ruleset) -> Offered:
        """Return what the file offers in a game."""
        if self._path is None:
            return (), ()
        path = self._path()
        try:
            found = path.stat()
        except (OSError, ValueError):
            return (), ()
        seen = (ruleset.key, (found.st_mtime_ns, found.st_size))
        if seen != self._seen:
            from tracker.library.shelves.effects import read_kept  # nobody needs it before the first effect

            kept, problems = read_kept(path, ruleset)
            self._seen, self._offered = seen, (kept, tuple(problem.render() for problem in problems))
        return self._offered

    def keep(self, kept: Kept) -> str:
        """Add an effect to the file, and return what went wrong or ""."""
        if self._path is None:
            return "effects cannot be kept here"
        from tracker.library.shelves.effects import keep

        try:
            keep(self._path(), kept)
        except ValueError as error:
            return str(error)
        except OSError as error:
            return f"{self._path()} cannot be written: {error.strerror or error}"
        return ""
