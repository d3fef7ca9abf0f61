"""The GM's own editor, opened at a line of a file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

__all__ = ["command"]

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
)
_COLON = ("hx", "helix", "subl", "zed", "lite-xl")
_GOTO = ("code", "codium", "code-insiders", "cursor")


def command(path: Path, line: int, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the command that opens a file at a line in `$VISUAL` or `$EDITOR`.

    Lines count from 1, and 0 opens the file as a whole. Where neither variable is set the command is ().

    Editors that are not known get the file alone.

    Raises:
        ValueError: where the variable cannot be split into words.
    """
    words = shlex.split(environment.get("VISUAL", "").strip() or environment.get("EDITOR", ""))
    if not words:
        return ()
    # A file whose name begins with a dash is no option.
    file, program = str(path.absolute()), Path(words[0]).name
    if line and program in _PLUS:
        return (*words, f"+{line}", file)
    if line and program in _COLON:
        return (*words, f"{file}:{line}")
    if line and program in _GOTO:
        return (*words, "--goto", f"{file}:{line}")
    return (*words, file)
