"""Try the mutants of the list: does a test fail? Also `make mutants`.

    python -m tests.mutants.run [--only ID ...] [--jobs 2] [--seconds 60] [--out build/mutants.jsonl]

It ends with the mutants that were killed when the list was drawn and are not now. `--map` runs all tests once to see
which of them reach which mutant; this is done too where there is no map yet. `--keep` makes what is found the
baseline.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Literal

import msgspec
from msgspec import Struct

from tests.mutants.copies import ROOT, environment_of, make_copy
from tests.mutants.listed import BASELINE, Mutant, read_list
from tests.mutants.reach import MAP, Map, by_file, file_of, make_map, read_map, tree_sum
from tests.mutants.worker import DIED, ENDLESS, LOADING, Batch, Order, Verdict

MEMORY = Path("/dev/shm")
"""Where files of tests wait for no disk, on systems that have it."""


class Known(Struct):
    """A line of the baseline."""

    id: str
    result: Literal["killed", "survived"]


class Workers:
    """Workers, each with a copy of the tree."""

    def __init__(self, folder: Path, files: Path, jobs: int) -> None:
        self._started = []
        for number in range(jobs):
            (copy := folder / str(number)).mkdir()
            make_copy(copy)
            command = [sys.executable, "-m", "tests.mutants.worker", str(files / str(number))]
            self._started.append(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=copy, env=environment_of(copy)
                )
            )

    def carry_out(self, orders: Iterable[Order], shown: bool = False) -> list[Verdict]:
        """Return a verdict on each order, in no order of their own."""
        waiting: SimpleQueue[Order] = SimpleQueue()
        for order in orders:
            waiting.put(order)
        verdicts: list[Verdict] = []
        many = waiting.qsize()

        def work(started: subprocess.Popen[bytes]) -> None:
            while True:
                try:
                    order = waiting.get_nowait()
                except Empty:
                    return
                verdicts.append(verdict := ask(started, order))
                if shown:
                    about = verdict.by[0] if verdict.by else f"{verdict.tests} tests"
                    print(
                        f"{len(verdicts):3}/{many} {verdict.id} {verdict.result} in {verdict.seconds:.1f} s: {about}",
                        flush=True,
                    )

        threads = [threading.Thread(target=work, args=(started,)) for started in self._started]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if len(verdicts) < many:
            raise RuntimeError("a worker has ended before its time")
        return verdicts

    def end(self) -> None:
        """Let them end."""
        for started in self._started:
            started.communicate()


def ask(started: subprocess.Popen[bytes], order: Order) -> Verdict:
    """Let a worker carry out an order."""
    pipes: tuple[IO[bytes] | None, IO[bytes] | None] = started.stdin, started.stdout
    assert pipes[0] is not None
    assert pipes[1] is not None
    pipes[0].write(msgspec.json.encode(order) + b"\n")
    pipes[0].flush()
    return msgspec.json.decode(pipes[1].readline(), type=Verdict)


class Trials:
    """The trials of mutants.

    The test that kills a mutant is run alone afterwards, on the mutant and without it. Unless it fails the one and
    passes the other, the mutant is tried again without that test.
    """

    def __init__(self, workers: Workers, known: Map, seconds: float) -> None:
        self._workers, self._known, self._seconds = workers, known, seconds
        self._costs = {test: cost for test, cost in known.tests if (ROOT / file_of(test)).is_file()}
        self._one_of = {file_of(test): test for test in self._costs} | {test: test for test in self._costs}
        self._never: set[str] = set(dict(known.tests)) - self._costs.keys()
        self._not_on: dict[str, set[str]] = {}

    def warm_up(self, jobs: int) -> None:
        """Run some tests in every copy: they have to pass there without a mutant."""
        places = {places[0] for places in self._known.reach.values() if places}
        first = [test for test in sorted(self._known.tests[place] for place in places) if test[0] in self._costs]
        self._failing([Order(None, [by_file(first)])] * jobs)

    def carry_out(self, mutants: Iterable[Mutant]) -> dict[str, Verdict]:
        """Return the verdict on each mutant."""
        verdicts: dict[str, Verdict] = {}
        tried = list(mutants)
        while tried:
            orders = [Order(mutant, self._batches(mutant.id)) for mutant in tried]
            orders.sort(key=lambda order: -sum(cost for batch in order.batches for _, cost in batch))
            verdicts |= {verdict.id: verdict for verdict in self._workers.carry_out(orders, shown=True)}
            killed = {mutant.id: test for mutant in tried if (test := self._killer(verdicts[mutant.id]))}
            self._failing(Order(None, [self._alone(test)]) for test in sorted(set(killed.values())))
            tried = [mutant for mutant in tried if mutant.id in killed]
            orders = [Order(mutant, [self._alone(killed[mutant.id])]) for mutant in tried]
            passing = {one.id for one in self._workers.carry_out(orders) if one.result == "survived"}
            tried = [mutant for mutant in tried if mutant.id in passing or killed[mutant.id] in self._never]
            for mutant in tried:
                self._not_on.setdefault(mutant.id, set()).add(killed[mutant.id])
                print(f"{mutant.id} is tried again without {killed[mutant.id]}")
        return verdicts

    def _batches(self, mutant: str) -> list[Batch]:
        return self._known.batches(mutant, self._seconds, self._never | self._not_on.get(mutant, set()))

    def _alone(self, test: str) -> Batch:
        return [(test, self._costs[test])]

    def _killer(self, verdict: Verdict) -> str | None:
        """Return the test that killed, or one of the file that failed to load."""
        if verdict.result != "killed":
            return None
        name = verdict.by[0]
        for beginning in (LOADING, ENDLESS, DIED):
            name = name.removeprefix(beginning)
        return self._one_of.get(name)

    def _failing(self, orders: Iterable[Order]) -> None:
        """Run tests without a mutant, and take those that fail out of all trials."""
        found = {test for verdict in self._workers.carry_out(orders) for test in verdict.by}
        if strange := found - self._costs.keys():
            raise RuntimeError(f"without a mutant: {', '.join(sorted(strange))}")
        if found:
            print("fail without a mutant:", *sorted(found), sep="\n  ")
        self._never |= found


def try_all(mutants: Sequence[Mutant], known: Map, seconds: float, jobs: int) -> list[Verdict]:
    """Try mutants, in copies of the tree."""
    memory = MEMORY if MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as copies,
        tempfile.TemporaryDirectory(prefix="mutants-", dir=memory) as files,
    ):
        workers = Workers(Path(copies), Path(files), jobs)
        try:
            trials = Trials(workers, known, seconds)
            trials.warm_up(jobs)
            verdicts = trials.carry_out(mutants)
        finally:
            workers.end()
    return [verdicts[mutant.id] for mutant in mutants]


def summary(mutants: Sequence[Mutant], verdicts: Sequence[Verdict]) -> list[str]:
    """Say how many were killed and which survived."""
    results = {verdict.id: verdict.result for verdict in verdicts}
    groups: dict[str, Counter[str]] = {}
    for name, result in results.items():
        groups.setdefault(name.rpartition("-")[0], Counter())[result] += 1
    lines = [
        f"{group}: {', '.join(f'{n} {result}' for result, n in sorted(counts.items()))}"
        for group, counts in groups.items()
    ]
    lines.append(f"all: {', '.join(f'{n} {result}' for result, n in sorted(Counter(results.values()).items()))}")
    for mutant in mutants:
        if results.get(mutant.id) == "survived":
            lines.append(f"{mutant.id} survived: {mutant.path}::{mutant.function}: {mutant.before} -> {mutant.after}")
    return lines


def lost(verdicts: Sequence[Verdict]) -> list[str]:
    """Name the mutants that were killed at the baseline and are not now."""
    if not BASELINE.is_file():
        return []
    lines = BASELINE.read_bytes().splitlines()
    before = {known.id: known.result for known in (msgspec.json.decode(line, type=Known) for line in lines)}
    return [verdict.id for verdict in verdicts if before.get(verdict.id) == "killed" != verdict.result]


def main() -> int:
    """Do what the command line says; the status is 1 if a mutant of the baseline is lost."""
    parser = argparse.ArgumentParser(description="Try the mutants of the list.")
    parser.add_argument("--only", nargs="+", metavar="ID", default=[], help="only these mutants")
    parser.add_argument("--jobs", type=int, default=2, help="how many at the same time")
    parser.add_argument("--seconds", type=float, default=60, help="how long the tests of a mutant may take, by the map")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "mutants.jsonl", help="where the verdicts are kept"
    )
    parser.add_argument("--map", action="store_true", help="make the map anew: which tests reach which mutant")
    parser.add_argument("--keep", action="store_true", help="make the verdicts the baseline")
    given = parser.parse_args()
    if given.keep and given.only:
        parser.error("a baseline is of all mutants")
    begun = time.monotonic()
    everything = [mutant for mutant in read_list() if not mutant.gone]
    known = make_map(everything, given.jobs) if given.map or not MAP.is_file() else read_map()
    mutants = [mutant for mutant in everything if not given.only or mutant.id in given.only]
    verdicts = try_all(mutants, known, given.seconds, given.jobs)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_bytes(b"".join(msgspec.json.encode(verdict) + b"\n" for verdict in verdicts))
    if given.keep:
        kept = [Known(verdict.id, verdict.result) for verdict in verdicts if verdict.result != "not found"]
        BASELINE.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in kept))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes = (time.monotonic() - begun) / 60, (used.ru_utime + used.ru_stime) / 60
    print(*summary(mutants, verdicts), "{:.1f} minutes, {:.1f} of computing".format(*minutes), sep="\n")
    if known.tree != tree_sum():
        print("The map is of another tree; a new one may find more: --map")
    if missed := lost(verdicts):
        print("killed at the baseline, not now:", *missed)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
