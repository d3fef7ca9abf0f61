"""A worker: runs tests on one mutant after the other, in its copy.

It reads orders as lines of JSON and writes verdicts. Other packages are imported once, and each run of tests is a fork.
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, NoReturn

import msgspec
import pytest
from msgspec import Struct

from tests.mutants.listed import Missing, Mutant, Places

PACKAGES = (
    "asyncio",
    "concurrent.futures.process",
    "email.message",
    "hypothesis.extra.pytestplugin",
    "hypothesis.stateful",
    "multiprocessing.pool",
    "platformdirs",
    "pytest_textual_snapshot",
    "rich.syntax",
    "sqlite3",
    "textual.app",
    "textual.widgets",
    "unittest.mock",
    "xdist.plugin",
    "yaml",
)
"""What most tests need, imported before the forks."""
OURS = ("tracker", "rulesets", "tests", "three_actions", "fifth_edition")
PATIENCE, SLOWER = 20.0, 10
"""The seconds a test may always compute, and how many times its own besides; then it is taken for endless."""
BEFORE_TESTS = 90.0
"""The seconds until the first test."""
LOOK, WAITING = 0.5, 8
"""How often a fork is looked at, and how many times as long it may wait as compute."""

MEMORY = 4 * 2**30
"""The bytes that a fork may take: a fault may let it collect things without end."""
END = b"end"
LOADING, ENDLESS, DIED = "loading ", "endless in ", "died in "
"""What stands before the name of a file that cannot be loaded, and of a test that does not end or ends the fork."""

Batch = list[tuple[str, float]]


class Order(Struct):
    """Batches of tests to run on a mutant, or without one.

    On a mutant the first failure ends them; without one all tests are run.
    """

    mutant: Mutant | None
    batches: list[Batch]


class Verdict(Struct):
    """The result of an order.

    Attributes:
        by: the tests that failed, or why it was not tried.
        tests: how many were run at most.
    """

    id: str
    result: Literal["killed", "survived", "not found"]
    by: list[str]
    tests: int
    seconds: float


class Chosen:
    """A plug-in of pytest: runs the chosen tests in their order, reports at once."""

    def __init__(self, tests: Batch, tell: Callable[[str, str], None]) -> None:
        self._places = {test: place for place, (test, _) in enumerate(tests)}
        self._tell = tell
        self.failed = False

    def pytest_configure(self) -> None:
        from hypothesis import Phase, settings  # after the tests' own settings

        name = settings.get_current_profile_name()
        phases = (Phase.explicit, Phase.reuse, Phase.generate)  # a failure is enough, the least one is not sought
        settings.register_profile(name, settings.get_profile(name), phases=phases)
        settings.load_profile(name)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._places), key=lambda item: self._places[item.nodeid]
        )

    def pytest_collection_finish(self) -> None:
        here = Path.cwd()
        for name, module in sorted(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file and name.partition(".")[0] in OURS and here not in Path(file).parents:
                raise RuntimeError(f"{name} is imported from {file}, not from the copy in {here}")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell("begin", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = True
            self._tell("failed", report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = True
            self._tell("failed", LOADING + report.nodeid)


def carry_out(order: Order, number: int) -> Verdict:
    """Do what an order says, in the copy."""
    begun = time.monotonic()
    tests = sum(map(len, order.batches))
    if order.mutant is None:
        failed = [test for batch in order.batches for test in failures(batch, goes_on=True)]
        return Verdict("", "killed" if failed else "survived", failed, tests, time.monotonic() - begun)
    try:
        mutated = Places(Path.cwd()).mutated(order.mutant)
    except Missing as error:
        return Verdict(order.mutant.id, "not found", [str(error)], 0, 0.0)
    module = Path(order.mutant.path)
    kept, times = module.read_bytes(), module.stat()
    write(module, mutated, int(times.st_mtime) + number)
    try:
        failed = next((found for batch in order.batches if (found := failures(batch, goes_on=False))), [])
    finally:
        write(module, kept, times.st_mtime)
    return Verdict(
        order.mutant.id, "killed" if failed else "survived", failed, tests, round(time.monotonic() - begun, 2)
    )


def write(module: Path, text: bytes, changed: float) -> None:
    """Write a module, with a time that no byte code of another text has."""
    module.write_bytes(text)
    os.utime(module, (changed, changed))


def failures(tests: Batch, goes_on: bool) -> list[str]:
    """Run tests in a fork and return those that fail; only the first, unless it goes on after it."""
    said, saying = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(said)
        run(tests, goes_on, saying)
    os.close(saying)
    watch = Watch(child, dict(tests))
    watch.listen(said)
    os.close(said)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return watch.failed


class Watch:
    """The reports of a fork: the tests that failed, and the one under way.

    A test is measured by what the fork computes, so a busy machine ends none. One that only waits is ended much later.
    """

    def __init__(self, child: int, seconds: dict[str, float]) -> None:
        self.failed: list[str] = []
        self._child, self._seconds = child, seconds
        self._begin("loading", BEFORE_TESTS)

    def listen(self, pipe: int) -> None:
        """Listen until the fork has ended or takes too long."""
        rest = b""
        while computed(self._child) < self._computed and time.monotonic() < self._waited:
            if not select.select([pipe], [], [], LOOK)[0]:
                continue
            if not (read := os.read(pipe, 65536)):
                self.failed = self.failed or [DIED + self._test]
                return
            *lines, rest = (rest + read).split(b"\n")
            for line in lines:
                if line == END:
                    return
                self._take(line.decode())
        self.failed = self.failed or [ENDLESS + self._test]

    def _take(self, line: str) -> None:
        what, _, name = line.partition(" ")
        if what == "failed":
            self.failed.append(name)
        else:
            self._begin(name, PATIENCE + SLOWER * self._seconds[name])

    def _begin(self, test: str, seconds: float) -> None:
        self._test = test
        self._computed, self._waited = computed(self._child) + seconds, time.monotonic() + WAITING * seconds


def computed(process: int) -> float:
    """Return the seconds that a process and its ended children have computed.

    Where the system does not say it, the time of a clock.
    """
    try:
        told = Path("/proc", str(process), "stat").read_text(encoding="utf-8")
    except OSError:
        return time.monotonic()
    return sum(map(int, told.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def run(tests: Batch, goes_on: bool, saying: int) -> NoReturn:
    """Run tests in this fork, tell what happens, and end it."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)

    def tell(what: str, name: str) -> None:
        os.write(saying, f"{what} {name}\n".encode())

    files = list(dict.fromkeys(test.partition("::")[0] for test, _ in tests))
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", "--basetemp", sys.argv[1]]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # the plug-ins have been imported before the fork
    try:
        chosen = Chosen(tests, tell)
        status = pytest.main([*options, *([] if goes_on else ["-x"]), *files], plugins=[chosen])
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not chosen.failed:
            tell("failed", f"pytest ended with {status!s}")
        os.write(saying, END + b"\n")
    finally:
        os._exit(0)


def main() -> None:
    """Carry out orders until there are no more."""
    for name in PACKAGES:
        with suppress(ImportError):
            importlib.import_module(name)
    if loaded := [name for name in sys.modules if name.partition(".")[0] in ("tracker", "rulesets")]:
        raise RuntimeError(f"{loaded[0]} was imported before the first mutant")
    gc.freeze()
    for number, line in enumerate(sys.stdin.buffer, 1):
        verdict = carry_out(msgspec.json.decode(line, type=Order), number)
        sys.stdout.buffer.write(msgspec.json.encode(verdict) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
