"""The screen with 300 combatants and 5,000 lines of log.

Run in a pseudo-terminal of 120x40, against the least app there is. `--plan FOLDER` prepares the journals there and
writes `plan.json` for an outside tool that measures terminal programs, instead of measuring here.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from tests.bench.ui_program import prepare

HOME = Path(__file__).parents[2]
KEYS = (
    "n*20 down*10 - 7 g enter u - 7 g enter u a a enter 1 4 enter enter u u u u e p r space g 3 enter x g enter"
    " ? escape b b 3 up*5 down*3 2"
)
HELD = 60
CODES = {"enter": "\r", "escape": "\x1b", "down": "\x1b[B", "up": "\x1b[A", "space": " "}
QUIET = 0.06
FRAME = 1 / 30


class Program:
    """A program in a pseudo-terminal."""

    def __init__(self, command: list[str]) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=HOME, env=environment, start_new_session=True
        )
        os.close(slave)
        self.master = master

    def read(self, quiet: float, most: float = 20.0) -> tuple[bytes, float | None]:
        """Read until nothing has come for a while; return it and when the last of it came."""
        got, last, begun = b"", None, time.perf_counter()
        while time.perf_counter() - begun < most:
            ready, _, _ = select.select([self.master], [], [], quiet)
            if not ready:
                break
            try:
                got += os.read(self.master, 65536)
            except OSError:  # it has ended
                break
            last = time.perf_counter()
        return got, last

    def ready(self, text: bytes) -> float:
        """Return how long it took until a text was on the screen."""
        got = b""
        while text not in got:
            part, _ = self.read(0.02, 0.02)
            got += part
            if time.perf_counter() - self.begun > 30 or self.process.poll() is not None:
                raise SystemExit(f"{text!r} never came:\n{got[-2000:].decode(errors='replace')}")
        return time.perf_counter() - self.begun

    def press(self, key: str) -> float | None:
        """Press a key; return how long until the screen was still again, None where nothing was drawn."""
        begun = time.perf_counter()
        os.write(self.master, CODES.get(key, key).encode())
        _, last = self.read(QUIET)
        return None if last is None else last - begun

    def hold(self, key: str, times: int) -> int:
        """Hold a key down at the pace of a keyboard; return how many frames were drawn."""
        frames = 0
        for number in range(times):
            due = time.perf_counter() + FRAME
            os.write(self.master, CODES.get(key, key).encode())
            drawn = False
            while (left := due - time.perf_counter()) > 0:
                ready, _, _ = select.select([self.master], [], [], left)
                if ready:
                    drawn = bool(os.read(self.master, 65536)) or drawn
            frames += drawn or number == times
        return frames

    def memory(self) -> float:
        """Return its resident size in MB, 0 where that cannot be seen."""
        status = Path(f"/proc/{self.process.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)

    def close(self) -> None:
        """End it."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        os.close(self.master)


def script(line: str) -> list[str]:
    keys = []
    for word in line.split():
        key, _, times = word.partition("*")
        keys += [key] * int(times or 1)
    return keys


def measure(name: str, command: list[str], text: bytes, keys: list[str], held: str, base: float) -> tuple[float, float]:
    """Measure a program and print a line, and return its start and its median key."""
    program = Program(command)
    try:
        start = program.ready(text)
        program.read(0.3)
        rest = program.memory()
        times = sorted(1000 * time for key in keys if (time := program.press(key)) is not None)
        middle, slow = statistics.median(times), times[int(len(times) * 0.95)]
        frames = program.hold(held, HELD)
        print(
            f"{name:24} start {1000 * start:6.0f} ms = {start / (base or start):4.2f} x floor"
            f"   key {middle:5.1f} ({slow:5.1f}) ms   held {frames}/{HELD}   {rest:4.0f} MB",
            flush=True,
        )
        return start, middle
    finally:
        program.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--plan", metavar="FOLDER", help="only prepare the journals there and write plan.json")
    asked = options.parse_args()
    if not (HOME / "tracker" / "ui" / "__pycache__").exists() or not list(
        (HOME / "tracker" / "ui" / "__pycache__").glob("app.*.pyc")
    ):
        print("the byte code has not been made (make .venv): every start below is slower than it need be")
    if asked.plan:
        folder = Path(asked.plan)
        folder.mkdir(parents=True, exist_ok=True)
        write_plan(folder)
        return
    with tempfile.TemporaryDirectory() as name:
        floor, _ = measure("floor", [sys.executable, "-m", "tests.bench.ui_floor"], b"READY 0", ["j"] * 30, "j", 0)
        few, many = (
            measure(label, command_of(Path(name), count, lines), b"Goblin", script(KEYS), "n", floor)
            for label, count, lines in SIZES
        )
        print(f"growth, 300 against 10 combatants: {many[1] / few[1]:.2f}   start: {many[0] / few[0]:.2f}")


SIZES = (("10 combatants", 10, 100), ("300 combatants, 5,000 lines", 300, 5000))
LADEN = "300 combatants, 20 effects each, 5,000 lines, everything shown"
# On the wide screen the stat block stands beside the panes, on the usual one in the place of the log; the odds are
# counted for the action in hand.
LADEN_KEYS = "n*10 down*10 - 7 g enter u a down down escape ? escape ctrl+p escape [ [ ] ] c escape"
LADEN_SIZES = (("200x60", LADEN_KEYS), ("120x40", f"b {LADEN_KEYS}"))


def command_of(folder: Path, count: int, lines: int, effects: int = 0) -> list[str]:
    path = folder / f"{count}-{effects}" / "fights.db"
    fight = path.with_name("fight")
    if not path.exists():
        path.parent.mkdir()
        fight.write_text(prepare(path, count, lines, effects), encoding="utf-8")
    return [sys.executable, "-m", "tests.bench.ui_program", str(path), fight.read_text(encoding="utf-8")]


def write_plan(folder: Path) -> None:
    """Write a plan.

    The floor, then the cockpit with many and few combatants, each run on a fresh copy of its journal.
    """
    plan: list[dict[str, object]] = [
        {
            "label": "floor",
            "command": [sys.executable, "-m", "tests.bench.ui_floor"],
            "cwd": str(HOME),
            "ready": "READY 0",
            "keys": "j*20",
        }
    ]
    wanted = [(label, count, lines, 0, f"{KEYS} n*{HELD}@33", "120x40") for label, count, lines in SIZES]
    wanted += [(f"{LADEN}, {size}", 300, 5000, 20, keys, size) for size, keys in LADEN_SIZES]
    for label, count, lines, effects, keys, size in wanted:
        command = command_of(folder, count, lines, effects)
        kept, used = Path(command[3]).parent, folder / f"run-{count}-{effects}"
        shutil.rmtree(used, ignore_errors=True)
        command[3] = str(used / "fights.db")
        entry = {
            "label": label,
            "command": command,
            "cwd": str(HOME),
            "ready": "Goblin",
            "keys": keys,
            "quit": "ctrl+q",
            "size": size,
        }
        plan.append({**entry, "before": f"rm -rf '{used}' && cp -r '{kept}' '{used}'"})
    (folder / "plan.json").write_text(json.dumps(plan, indent=1))
    print(folder / "plan.json")


if __name__ == "__main__":
    main()
