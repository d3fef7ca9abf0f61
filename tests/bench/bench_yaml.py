"""Read a bestiary of a thousand monsters.

Our reader with positions and types against PyYAML's loaders, and the kept copy.

Run with `python -m tests.bench.bench_yaml`. It prints milliseconds (best and median) and ratios; it never fails.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml
from msgspec import Struct

from tracker.library.validation.convert import convert
from tracker.library.yaml.tree import load, parse

MONSTERS = 1_000
TIMES = 7
BUDGET = 250
CACHED_BUDGET = 30


class Shock(Struct, frozen=True):
    points: int
    ac: int


class Attack(Struct, frozen=True):
    name: str
    hit: int
    damage: str
    shock: Shock
    range: int
    ranged: bool
    traits: tuple[str, ...]


class Power(Struct, frozen=True):
    name: str
    uses: int
    bonus: float
    text: str


class Monster(Struct, frozen=True):
    id: str
    name: str
    kind: str
    hd: int
    hp: int
    ac: int
    morale: int
    save: str
    move: int
    stats: dict[str, int]
    tags: tuple[str, ...]
    attacks: tuple[Attack, ...]
    powers: tuple[Power, ...]
    notes: str


class Bestiary(Struct, frozen=True):
    ruleset: str
    monsters: tuple[Monster, ...]


def bestiary(monsters: int) -> bytes:
    """Return a file as a GM might have collected it; about 2,150 bytes for each monster."""
    parts = ["ruleset: worlds_without_number\nmonsters:\n"]
    for number in range(monsters):
        parts.append(
            f"  - id: goblin-{number}\n    name: Goblin Number {number}\n    kind: monster\n"
            f"    hd: {number % 9 + 1}\n    hp: {number % 50 + 3}\n"
            f"    ac: {10 + number % 8}\n    morale: 7\n    save: {15 - number % 5}+\n    move: 30\n"
            '    tags: [small, humanoid, goblin, "night sight"]\n'
            "    stats: {str: 1, dex: 0, con: -1, int: 0, wis: 2, cha: -2}\n    attacks:\n"
        )
        for attack in range(5):
            parts.append(
                f"      - name: spear {attack}\n        hit: {number % 6}\n"
                f"        damage: 1d{attack * 2 + 4}+{attack}\n"
                f"        shock: {{points: {attack}, ac: 13}}\n        range: 30\n        ranged: false\n"
                "        traits: [thrown, long]\n"
            )
        parts.append("    powers:\n")
        for power in range(3):
            parts.append(
                f"      - name: Power {power} of the goblin\n        uses: {power + 1}\n"
                "        bonus: 1.5\n        text: >-\n"
                "          The goblin does something that takes a few words to say, and then some\n"
                f"          more words to explain properly at the table, power {power}.\n"
            )
        parts.append("    notes: |\n")
        parts.extend(
            f"      A line of notes, number {line}, with [markup] in it: nothing special happens.\n"
            for line in range(4)
        )
    return "".join(parts).encode()


def timed(work: Callable[[], object], *, collecting: bool = True) -> tuple[float, float]:
    """Return the best and the median time in milliseconds."""
    times: list[float] = []
    for _ in range(TIMES):
        gc.collect()
        if not collecting:
            gc.disable()
        started = time.perf_counter()
        work()
        times.append((time.perf_counter() - started) * 1000)
        gc.enable()
    return min(times), statistics.median(times)


def main() -> None:
    """Measure and print."""
    data = bestiary(MONSTERS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bestiary.yaml"
        path.write_bytes(data)
        os.environ["XDG_CACHE_HOME"] = folder

        def ours() -> Bestiary | None:
            return convert(parse(path.read_bytes(), "bestiary.yaml").checked().value, Bestiary)[0]

        def kept() -> Bestiary | None:
            return convert(load(path).checked().value, Bestiary)[0]

        built = kept()
        tree = parse(data, "bestiary.yaml")
        if kept() != built or built is None:
            print("the kept copy is not what was read")
        wrong = parse(data.replace(b"morale: 7", b"moral: 7"), "bestiary.yaml")
        rows = {
            "ours: read, positions, types": timed(ours),
            "  of it: values and positions": timed(lambda: parse(data, "bestiary.yaml")),
            "  of it: types": timed(lambda: convert(tree.value, Bestiary)),
            "ours: a thousand mistakes": timed(lambda: convert(wrong.value, Bestiary)),
            "ours: read again, from the kept copy": timed(kept),
            "  of it: the copy": timed(lambda: load(path)),
            "CSafeLoader, no collector": timed(lambda: yaml.load(data, yaml.CSafeLoader), collecting=False),
            "CSafeLoader": timed(lambda: yaml.load(data, yaml.CSafeLoader)),
        }
    base = rows["CSafeLoader, no collector"][0]
    print(f"{MONSTERS} monsters, {len(data) / 1e6:.2f} MB; libyaml: {yaml.__with_libyaml__}")
    for name, (best, median) in rows.items():
        print(f"{name:38} {best:8.1f} ms best {median:8.1f} median   {best / base:5.2f} x CSafeLoader")
    fresh, again = rows["ours: read, positions, types"][0], rows["ours: read again, from the kept copy"][0]
    print(
        f"budgets: {BUDGET} ms read ({fresh / BUDGET:.2f} of it), "
        f"{CACHED_BUDGET} ms from the kept copy ({again / CACHED_BUDGET:.2f})"
    )


if __name__ == "__main__":
    main()
