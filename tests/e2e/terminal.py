"""The installed program in a real terminal: tmux on a socket of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["TMUX", "Terminal", "anew", "still"]

TMUX = shutil.which("tmux")
PATIENCE = 20.0


class Terminal:
    """A terminal with the program in it, started in a folder.

    Every look waits for a text, none for a time.
    """

    def __init__(
        self, place: Path, environment: Mapping[str, str], size: tuple[int, int] = (120, 40), folder: Path | None = None
    ) -> None:
        self._socket, self._environment, self._size = place / "tmux-0", dict(environment), size
        self.folder, self._starts = place, 0
        self.program = Path(sys.executable).parent / "tracker"
        self._home = folder or place

    def _tmux(self, *words: str) -> str:
        command = [str(TMUX), "-S", str(self._socket), "-f", "/dev/null", *words]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=True, timeout=30
        ).stdout

    def start(self, *arguments: str) -> None:
        """Start the program with these arguments in a fresh terminal.

        Its end and status stay on the screen.
        """
        self._starts += 1
        self._socket = self.folder / f"tmux-{self._starts}"  # the server before may still be closing
        line = " ".join(f"'{word}'" for word in (str(self.program), *arguments))
        script = f"cd '{self._home}'; echo $$ > {self.folder}/pid; {line}; echo ended with $?; sleep 60"
        self._tmux("new-session", "-d", "-x", str(self._size[0]), "-y", str(self._size[1]), "sh", "-c", script)

    def keys(self, *keys: str) -> None:
        """Press keys."""
        self._tmux("send-keys", *keys)

    def narrow(self, cells: int = 0) -> None:
        """Take so many cells off the width it began with."""
        self.resize(self._size[0] - cells, self._size[1])

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def coloured(self) -> str:
        """Return what is on the screen, with its colours."""
        return self._tmux("capture-pane", "-p", "-e")

    def screen(self) -> str:
        """Return what is on the screen."""
        return self._tmux("capture-pane", "-p")

    def wait(self, *texts: str) -> str:
        """Wait until all of these are on the screen, and return it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            screen = self.screen()
            if all(text in screen for text in texts):
                return screen
            if time.monotonic() > deadline:
                raise AssertionError(f"{texts} did not come:\n{screen}")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill the program as `kill -9` would, and the terminal with it."""
        shell = int((self.folder / "pid").read_text())
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(shell)], capture_output=True, text=True, check=True
        ).stdout
        for child in re.findall(r"\d+", children):
            os.kill(int(child), signal.SIGKILL)
        self.wait("ended with 137")
        self.close()

    def close(self) -> None:
        """Close the terminal."""
        subprocess.run(
            [str(TMUX), "-S", str(self._socket), "kill-server"], capture_output=True, check=False, timeout=30
        )


def still(terminals: Sequence[Terminal]) -> list[str]:
    """Return what is on these screens, with the colours, once none of them changes."""
    before, deadline = list[str](), time.monotonic() + PATIENCE
    while (now := [terminal.coloured() for terminal in terminals]) != before:
        assert time.monotonic() < deadline, f"the screens do not come to rest:\n{now}"
        before = now
        time.sleep(0.1)
    return now


def anew(terminals: Sequence[Terminal]) -> list[str]:
    """Have everything drawn anew, by another size and back, and return it."""
    for cells in (1, 0):
        for terminal in terminals:
            terminal.narrow(cells)
        still(terminals)
    return still(terminals)  # the terminal's own answer to the new size may have come before the program's
