"""The installed program in a real terminal: tmux on a socket of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

__all__ = ["NEEDS_TMUX", "TMUX", "Terminal", "anew", "apart", "begin", "still"]

TMUX = shutil.which("tmux")
NEEDS_TMUX = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]
PATIENCE = 120.0
LOOKS = 3
SHIPPED = Path(__file__).parents[2] / "encounters"
FIRST_FIGHT = SHIPPED / "worlds_without_number" / "first_fight.yaml"
SIGNS = {"⏎": "Enter", "⎋": "Escape", "⇥": "Tab", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right"}
SIGNS |= {" ": "Space", ";": "\\;"}


def apart(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program with a home of its own."""
    home.mkdir(exist_ok=True)
    unset = ("VISUAL", "TRACKER_LIBRARY", "TEXTUAL_THEME", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    folders = {f"XDG_{name.upper()}_HOME": str(home / name) for name in ("config", "data", "state")}
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    return kept | folders | terminal | {"HOME": str(home)} | more


class Terminal:
    """A terminal with the program in it, started in a folder; every look waits for a text, none for a time."""

    def __init__(
        self, place: Path, environment: Mapping[str, str], size: tuple[int, int] = (120, 40), folder: Path | None = None
    ) -> None:
        self._socket, self._environment, self.size = place / "tmux-0", dict(environment), size
        self.folder, self._starts = place, 0
        self.program = Path(sys.executable).parent / "tracker"
        self._home = folder or place

    def _tmux(self, *words: str) -> str:
        command = [str(TMUX), "-S", str(self._socket), "-f", "/dev/null", *words]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=True, timeout=PATIENCE
        ).stdout

    def start(self, *arguments: str) -> None:
        """Start the program with these arguments in a fresh terminal; its end and status stay on the screen."""
        self._starts += 1
        self._socket = self.folder / f"tmux-{self._starts}"  # the server before may still be closing
        line = " ".join(f"'{word}'" for word in (str(self.program), *arguments))
        script = f"cd '{self._home}'; echo $$ > {self.folder}/pid; {line}; echo ended with $?; sleep 300"
        self._tmux("new-session", "-d", "-x", str(self.size[0]), "-y", str(self.size[1]), "sh", "-c", script)

    def keys(self, *keys: str) -> None:
        """Press keys."""
        self._tmux("send-keys", *keys)

    def press(self, line: str, *expected: str) -> int:
        """Press a key for each character, wait for what they bring about, and return how many they were."""
        self.keys(*[SIGNS.get(letter, letter) for letter in line])
        self.wait(*expected)
        return len(line)

    def quit(self) -> None:
        """Leave the program."""
        self.keys("C-q")
        self.wait("ended with 0")

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
        return self._until(lambda screen: all(text in screen for text in texts), f"{texts} did not come")

    def _until(self, holds: Callable[[str], bool], otherwise: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while not holds(screen := self.screen()):
            assert time.monotonic() < deadline, f"{otherwise}:\n{screen}"
            time.sleep(0.02)
        return screen

    def wait_for_width(self, width: int) -> None:
        """Wait until the footer, which is drawn last, ends where it does at this width."""

        def drawn(screen: str) -> bool:
            footer = screen.splitlines()[-1]
            return len(footer) == width - 2 and footer.endswith("ctrl+q quit")

        self._until(drawn, f"the screen was not drawn for a width of {width}")

    def kill(self) -> None:
        """Kill the program as `kill -9` would, and the terminal with it."""
        for child in re.findall(r"\d+", self._program("pid")):
            os.kill(int(child), signal.SIGKILL)
        self.wait("ended with 137")
        self.close()

    def busy(self) -> bool:
        """Tell whether the program computes, or waits for a processor to do so."""
        return "R" in self._program("stat", "-L")

    def _program(self, about: str, *options: str) -> str:
        shell = (self.folder / "pid").read_text().strip()
        command = ["ps", *options, "-o", f"{about}=", "--ppid", shell]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def close(self) -> None:
        """Close the terminal."""
        subprocess.run(
            [str(TMUX), "-S", str(self._socket), "kill-server"], capture_output=True, check=False, timeout=PATIENCE
        )


def begin(terminal: Terminal, journal: Path, *said: str) -> None:
    """Open the first fight and type the party's initiative: it goes first."""
    terminal.start("play", str(FIRST_FIGHT), "--db", str(journal))
    terminal.wait("is a side caught entirely unaware", *said)
    terminal.press("⏎", "roll 1d8 for Party: initiative")
    terminal.press("7⏎", "Round 1 · Party's turn")


def still(terminals: Sequence[Terminal]) -> list[str]:
    """Return what is on these screens, with the colours, once several looks at idle programs have seen the same."""
    looks, deadline = list[list[str]](), time.monotonic() + PATIENCE
    while len(looks) < LOOKS or any(look != looks[-1] for look in looks[-LOOKS:]):
        assert time.monotonic() < deadline, "the screens do not come to rest:\n" + "\n".join(looks[-1] if looks else ())
        if any(terminal.busy() for terminal in terminals):
            looks.clear()
        else:
            looks.append([terminal.coloured() for terminal in terminals])
        time.sleep(0.05)
    return looks[-1]


def anew(terminals: Sequence[Terminal]) -> list[str]:
    """Have everything drawn anew, by another size and back, and return it."""
    for cells in (1, 0):
        for terminal in terminals:
            terminal.resize(terminal.size[0] - cells, terminal.size[1])
        for terminal in terminals:
            terminal.wait_for_width(terminal.size[0] - cells)
    return still(terminals)
