"""Giving the terminal to the user's editor."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from tracker.ui.desk.editor import command

if TYPE_CHECKING:
    from textual.app import App


def edit(app: App[object], path: Path, line: int) -> tuple[bool, str]:
    """Open a file at a line, and return whether it opened and what to say."""
    try:
        words = command(path, line)
        if not words:
            return False, "no editor is set; before tracker starts: export EDITOR=nano (or VISUAL)"
        # Windows starts no `code.cmd` by the name `code`.
        program = shutil.which(words[0]) or words[0]
        with app.suspend():
            ended = subprocess.run((program, *words[1:]), check=False).returncode
    except SuspendNotSupported:
        return False, "this terminal cannot be given to an editor"
    except (OSError, ValueError) as error:
        return False, f"the editor cannot be opened: {error}"
    return True, f"the editor ended with status {ended}" if ended else ""
