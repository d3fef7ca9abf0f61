"""Figures of the long runs: a table of harnesses, cases, failures, seeds and seconds.

A plug-in of pytest that writes a line for each test of a harness into the file named by `TRACKER_FIGURES`. Run as a
program, it makes one table of that file's lines, writes it beside them, and prints it:

    python -m tests.faults.long_runs.figures FILE
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

__all__ = ["Figures", "Harness", "table"]

CASES = "cases"
"""The property by which a test says how many cases it was: `record_property("cases", 400)`."""
OTHERS = "all other tests"
HOME = Path(__file__).parents[3]


class Harness(Struct):
    """What one harness has done. `cases`: those it names itself, else one for each test."""

    name: str
    cases: int = 0
    failures: int = 0
    skipped: int = 0
    seeds: list[str] = []
    seconds: float = 0.0

    def add(self, other: Harness) -> None:
        """Add what the same harness has done elsewhere."""
        self.cases += other.cases
        self.failures += other.failures
        self.skipped += other.skipped
        self.seconds += other.seconds
        self.seeds.extend(seed for seed in other.seeds if seed not in self.seeds)


class Figures:
    """The plug-in."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._others = Harness(OTHERS)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: object) -> object:
        """Note what came of a test."""
        report: pytest.TestReport = yield
        if report.when == "call" or report.failed or (report.skipped and report.when == "setup"):
            self._note(item, report)
        return report

    def _note(self, item: pytest.Item, report: pytest.TestReport) -> None:
        tried = item.get_closest_marker("long") is not None or hasattr(getattr(item, "obj", None), "hypothesis")
        name = item.nodeid.partition("[")[0] if tried else OTHERS
        said = [value for key, value in report.user_properties if key == CASES]
        seeds = getattr(item, "callspec", None)
        seed = "" if not tried or seeds is None else str(seeds.params.get("seed", ""))
        found = Harness(
            name,
            cases=0 if report.skipped else sum(map(int, said)) or 1,
            failures=int(report.failed),
            skipped=int(report.skipped),
            seeds=[seed] if seed else [],
            seconds=report.duration,
        )
        if tried:
            self._write(found)  # at once: a long run may be ended
        else:
            self._others.add(found)

    def pytest_sessionfinish(self) -> None:
        """Write down what all other tests found, behind what is there."""
        if self._others.cases or self._others.failures or self._others.skipped:
            self._write(self._others)

    def _write(self, found: Harness) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as lines:
            lines.write(msgspec.json.encode(found) + b"\n")


def pytest_configure(config: pytest.Config) -> None:
    path = os.environ.get("TRACKER_FIGURES")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Figures(Path(path)), "figures")


def table(text: bytes, commit: str) -> str:
    """Return the table of all lines, as Markdown."""
    found: dict[str, Harness] = {}
    for line in text.splitlines():
        one = msgspec.json.decode(line, type=Harness)
        found.setdefault(one.name, Harness(one.name)).add(one)
    rows = [
        f"Commit {commit}",
        "",
        "| Harness | Cases | Failures | Skipped | Seeds | Seconds |",
        "|---|---|---|---|---|---|",
    ]
    for one in sorted(found.values(), key=lambda one: (one.name == OTHERS, one.name)):
        seeds = " ".join(one.seeds)
        rows.append(f"| {one.name} | {one.cases} | {one.failures} | {one.skipped} | {seeds} | {one.seconds:.0f} |")
    failures = sum(one.failures for one in found.values())
    rows += ["", f"{sum(one.cases for one in found.values())} cases, {failures} failures"]
    return "\n".join(rows) + "\n"


def _commit() -> str:
    ran = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=HOME, capture_output=True, text=True, check=False
    )
    return ran.stdout.strip() or "unknown"


if __name__ == "__main__":
    lines = Path(sys.argv[1])
    made = table(lines.read_bytes() if lines.exists() else b"", _commit())
    lines.with_suffix(".md").write_text(made, encoding="utf-8")
    print(made)
