"""The user's editor, opened at a line of a file."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

if TYPE_CHECKING:
    from textual.app import App


_PLUS = (
    "vi",
    "vim",
    "nvim",
    "view",
    "nano",
    "emacs",
    "emacsclient",
    "micro",
    "kak",
    "joe",
    "jed",
    "ne",
    "mg",
    "mcedit",
    "vis",
    "ed",
    "gedit",
    "gvim",
)  # fmt: skip - words
_COLON = ("hx", "helix", "subl", "zed", "lite-xl")
_GOTO = ("code", "codium", "code-insiders", "cursor")


_STARTED = (".exe", ".cmd", ".bat", ".com")
"""Suffixes of programs on Windows."""


def command(
    path: Path, line: int, environment: Mapping[str, str] = os.environ, *, windows: bool = sys.platform == "win32"
) -> tuple[str, ...]:
    """Return the command of `$VISUAL` or `$EDITOR` that opens a file at a line; 0: at no line; (): neither is set.

    An unknown editor gets only the file. Raises ValueError if the variable cannot be split into words.
    """
    typed = environment.get("VISUAL", "").strip() or environment.get("EDITOR", "")
    words = _windows_words(typed) or ["notepad"] if windows else shlex.split(typed)
    if not words:
        return ()
    # The absolute path, so that a name beginning with a dash is no option.
    file, program = str(path.absolute()), _name(words[0]) if windows else Path(words[0]).name
    if line and program in _PLUS:
        return (*words, f"+{line}", file)
    if line and program in _COLON:
        return (*words, f"{file}:{line}")
    if line and program in _GOTO:
        return (*words, "--goto", f"{file}:{line}")
    return (*words, file)


def _windows_words(text: str) -> list[str]:
    """Split a command as Windows does.

    Only double quotes keep words together, and a backslash is no escape. A path with spaces and without quotes is one
    word, if the file exists.
    """
    if Path(text.strip()).is_file():
        return [text.strip()]
    split = shlex.shlex(text, posix=True)
    split.whitespace_split, split.escape, split.quotes, split.commenters = True, "", '"', ""
    return list(split)


def _name(word: str) -> str:
    program = PureWindowsPath(word)
    return program.stem.lower() if program.suffix.lower() in _STARTED else program.name.lower()


def edit(app: App[object], path: Path, line: int) -> tuple[bool, str]:
    """Open a file at a line, and return whether it opened, and a message."""
    try:
        words = command(path, line)
        if not words:
            return False, "no editor is set; before tracker starts: export EDITOR=nano (or VISUAL)"
        # Windows does not find `code.cmd` by the name `code`.
        program = shutil.which(words[0]) or words[0]
        with app.suspend():
            ended = subprocess.run((program, *words[1:]), check=False).returncode
    except SuspendNotSupported:
        return False, "this terminal cannot be given to an editor"
    except (OSError, ValueError) as error:
        return False, f"the editor cannot be opened: {error}"
    return True, f"the editor ended with status {ended}" if ended else ""
