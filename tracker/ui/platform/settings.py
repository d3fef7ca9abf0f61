"""The settings that persist between runs: command lines, theme, panes, and the GM's effects.

Lines, theme and panes are files in the user's state folder. If they cannot be read or written, no error is shown, and
the settings last until the program ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.core.game.ruleset import Ruleset
from tracker.library.private_files import make_folder, private
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.library.content.effect_presets import EffectPreset


MOST_LINES = 200
LONGEST = 2000
LARGEST = 1_000_000
LINES, THEME, PANES = "lines.txt", "theme.txt", "panes.txt"


def memory_path() -> Path:
    import platformdirs  # not needed before the first frame

    return platformdirs.user_state_path("encounter-tracker", appauthor=False)


class UiState:
    """The earlier command lines, theme and panes, saved in a folder; without one they last until the program ends."""

    def __init__(self, folder: Callable[[], Path] | None = None) -> None:
        self._folder = folder
        self._lines: tuple[str, ...] | None = None
        self._panes: str | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        if self._lines is None:
            lines = (clean(line).strip()[:LONGEST] for line in self._read(LINES).splitlines())
            self._lines = tuple(filter(None, lines))[-MOST_LINES:]
        return self._lines

    def add(self, line: str) -> None:
        text = clean(line).strip()[:LONGEST]
        if text:
            self._lines = (*(other for other in self.lines if other != text), text)[-MOST_LINES:]
            self._write(LINES, "\n".join(self._lines) + "\n")

    @property
    def theme(self) -> str:
        return self._read(THEME).strip()

    @theme.setter
    def theme(self, name: str) -> None:
        self._write(THEME, name + "\n")

    @property
    def panes(self) -> str:
        if self._panes is None:
            self._panes = clean(self._read(PANES).strip())[:LONGEST]
        return self._panes

    @panes.setter
    def panes(self, memo: str) -> None:
        self._panes = memo
        self._write(PANES, memo + "\n")

    def _read(self, name: str) -> str:
        if self._folder is None:
            return ""
        try:
            with (self._folder() / name).open(encoding="utf-8", errors="replace") as stream:
                return stream.read(LARGEST)
        except (OSError, ValueError):
            return ""

    def _write(self, name: str, text: str) -> None:
        if self._folder is None:
            return
        try:
            folder = self._folder()
            make_folder(folder)
            fresh = folder / f"{name}.{os.getpid()}"
            with open(fresh, "w", encoding="utf-8", errors="replace", opener=private) as stream:
                stream.write(text)
            fresh.replace(folder / name)
        except (OSError, ValueError):
            return


Offered = tuple[tuple["EffectPreset", ...], tuple[str, ...]]
"""The effects for a game, and the problems of the file, one line each."""


class EffectPresets:
    """The GM's effects in a file; without a path there are none, and none can be saved."""

    def __init__(self, path: Callable[[], Path] | None = None) -> None:
        self._path = path
        self._seen: tuple[str, tuple[int, int] | None] = ("", None)
        self._offered: Offered = ((), ())

    def offered(self, ruleset: Ruleset) -> Offered:
        if self._path is None:
            return (), ()
        path = self._path()
        try:
            status = path.stat()
        except (OSError, ValueError):
            return (), ()
        seen = (ruleset.key, (status.st_mtime_ns, status.st_size))
        if seen != self._seen:
            from tracker.library.content.effect_presets import read_presets  # not needed before the first effect

            kept, problems = read_presets(path, ruleset)
            self._seen, self._offered = seen, (kept, tuple(problem.render() for problem in problems))
        return self._offered

    def keep(self, kept: EffectPreset) -> str:
        """Add an effect to the file, and return an error or ""."""
        if self._path is None:
            return "effects cannot be kept here"
        from tracker.library.content.effect_presets import add_preset

        try:
            add_preset(self._path(), kept)
        except ValueError as error:
            return str(error)
        except OSError as error:
            return f"{self._path()} cannot be written: {error.strerror or error}"
        return ""
