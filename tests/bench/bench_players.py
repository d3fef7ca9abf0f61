"""The players' page: a step until it is painted on five phones, and the keys of the cockpit with 20 viewers.

Run with `python -m tests.bench.bench_players`. It prints medians, 95th percentiles and ratios of one run; it never
fails. Without Chromium the phones are left out. Phones and viewers run on this computer too, so their work counts as
well; the processor time of the server and of the browser is printed beside.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.bench.bench_ui import Program
from tests.bench.ui_program import prepare
from tests.serve.browser import CHROMIUM, OPTIONS
from tests.serve.conftest import FIGHTS, begun
from tests.serve.site import Site
from tracker.core.terms.actions import action
from tracker.session.intents import Do, RollRest
from tracker.session.store.journal import Journal

PHONES, STEPS, PAUSE = 5, 60, 0.25
"""Phones, steps, and seconds between two steps, as at a table where each has its turn."""
VIEWERS, BLOCKS = 20, 4
KEYS = [*"n" * 10, *"-7g", "enter", "u", *"n" * 10, *"-7g", "enter", "u", *"bb"]
PAINTED = """() => {
  window.painted = [];
  const kept = show;
  show = () => {
    kept();
    requestAnimationFrame(() => setTimeout(() => painted.push(performance.timeOrigin + performance.now())));
  };
}"""
"""Notes the time after the picture that follows each change."""


def seconds_used(process: int) -> float:
    """Return the processor time of a process and all below it; 0 where that cannot be seen."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        tree = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                words = stat.read_text().rpartition(")")[2].split()
                tree[int(stat.parent.name)] = (int(words[1]), int(words[11]) + int(words[12]))
        below, found = [process], 0
        while below:
            one = below.pop()
            found += tree[one][1] if one in tree else 0
            below += [other for other, (parent, _) in tree.items() if parent == one]
        return found / os.sysconf("SC_CLK_TCK")
    return 0.0


def spread(name: str, milliseconds: list[float]) -> str:
    ordered = sorted(milliseconds)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{name:34} median {statistics.median(ordered):6.1f}   p95 {late:6.1f} ms"


def phones(folder: Path, path: Path) -> None:
    """Measure how long a step takes until each of five phones has painted it."""
    with Journal.open(folder / f"{path.stem}.db") as journal, begun(journal, path) as session:
        while session.model.pending is not None:
            session.dispatch(RollRest())
        who = next(one.id for one in session.model.state.combatants if one.side == "party")
        with contextlib.closing(Site(journal.path, "--rolls")) as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
            pages = [opened(browser.new_context(viewport={"width": 390, "height": 844}).new_page(), site.url)]
            pages += [
                opened(browser.new_context(viewport={"width": 390, "height": 844}).new_page(), site.url)
                for _ in range(PHONES - 1)
            ]
            time.sleep(1)
            served, shown = seconds_used(site.process.pid), seconds_used(os.getpid())
            own = time.process_time()
            sent: list[float] = []
            for number in range(STEPS):
                deed = action("heal" if number % 2 else "damage", amount=2, targets=(who,))
                sent.append(1000 * time.time())
                session.dispatch(Do((deed,)))
                time.sleep(PAUSE)
            time.sleep(1)
            served, own = seconds_used(site.process.pid) - served, time.process_time() - own
            shown = seconds_used(os.getpid()) - shown - served - own
            painted = [page.evaluate("painted") for page in pages]
            browser.close()
    lasts = [
        min((at for at in times if at > begin), default=begin + 9e9) - begin for times in painted for begin in sent
    ]
    shares = " and ".join(
        f"{who} {1000 * used / STEPS:.0f} ms" for who, used in (("server", served), ("browser", shown))
    )
    print(f"{spread(f'painted on {PHONES} phones, {path.stem}', lasts)}   a step costs the {shares}", flush=True)


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    page.wait_for_selector(".one")
    page.evaluate(PAINTED)
    return page


def view(port: int, path: str, ready: Event, done: Event) -> None:
    """Read what the server tells so many pages, until it is over."""
    with selectors.DefaultSelector() as selector:
        for _ in range(VIEWERS):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.sendall(f"GET {path}events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            connection.setblocking(False)
            selector.register(connection, selectors.EVENT_READ)
        ready.set()
        while not done.is_set():
            for key, _ in selector.select(0.2):
                if isinstance(key.fileobj, socket.socket):
                    key.fileobj.recv(1 << 20)


@contextlib.contextmanager
def viewers(site: Site) -> Iterator[None]:
    ready, done = multiprocessing.Event(), multiprocessing.Event()
    process = multiprocessing.Process(target=view, args=(site.port, f"/{site.token}/", ready, done), daemon=True)
    process.start()
    ready.wait(20)
    time.sleep(0.5)
    try:
        yield
    finally:
        done.set()
        process.join()


def keys(folder: Path, people: int) -> None:
    """Measure the keys of the cockpit by turns without a server and with one that 20 pages look at."""
    path = folder / str(people) / "fights.db"
    path.parent.mkdir()
    fight = prepare(path, people, 100)
    times: dict[bool, list[float]] = {False: [], True: []}
    program = Program([sys.executable, "-m", "tests.bench.ui_program", str(path), fight])
    try:
        program.ready(b"Goblin")
        program.read(0.5)
        for number in range(2 * BLOCKS):
            looked_at = number % 2 == 1
            with contextlib.ExitStack() as stack:
                if looked_at:
                    stack.enter_context(viewers(stack.enter_context(contextlib.closing(Site(path, "--rolls")))))
                times[looked_at] += [1000 * used for key in KEYS if (used := program.press(key)) is not None]
    finally:
        program.close()
    for looked_at, found in times.items():
        print(spread(f"keys, {people} combatants, {VIEWERS if looked_at else 0} viewers", found))
    ratio = statistics.median(times[True]) / statistics.median(times[False])
    print(f"with {VIEWERS} viewers against none: {ratio:.2f}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for people in (10, 35):
            keys(Path(name), people)
        if CHROMIUM is None:
            print("Chromium is not installed: no phones")
            return
        for path in (FIGHTS / "worlds_without_number" / "first_fight.yaml", FIGHTS / "sovereign" / "gate_brawl.yaml"):
            phones(Path(name), path)


if __name__ == "__main__":
    main()
