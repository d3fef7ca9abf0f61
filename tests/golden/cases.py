"""The golden fights, and how one is played."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.cli import driver
from tracker.cli.main import main
from tracker.session.rulesets import registry

FOLDER = Path(__file__).parent
EXPECTED = "expected.jsonl"


class Case(NamedTuple):
    """One golden fight."""

    name: str
    folder: Path

    @property
    def expected(self) -> str:
        """What it printed when it was kept."""
        return (self.folder / EXPECTED).read_text(encoding="utf-8")


class Output(NamedTuple):
    """What a fight printed."""

    status: int
    out: str
    err: str


def cases() -> list[Case]:
    """Return all golden fights by name."""
    return [
        Case(path.parent.relative_to(FOLDER).as_posix(), path.parent) for path in sorted(FOLDER.glob("*/*/script.yaml"))
    ]


def words_of(case: Case) -> list[str]:
    """Return the command line that plays a golden fight."""
    words = ["run", str(case.folder / "encounter.yaml"), "--script", str(case.folder / "script.yaml")]
    seed = case.folder / "seed"
    return [*words, "--seed", seed.read_text(encoding="utf-8").strip()] if seed.exists() else words


def play(case: Case) -> Output:
    """Play a golden fight."""
    out, err = io.StringIO(), io.StringIO()
    with made_up_games(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words_of(case))
    return Output(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def made_up_games() -> Iterator[None]:
    """Put the made-up games among the real ones."""
    find, rulesets = registry.find, registry.rulesets
    registry.find, registry.rulesets = driver.find, driver.rulesets  # type: ignore[assignment]  # the real ones are cached
    try:
        yield
    finally:
        registry.find, registry.rulesets = find, rulesets
