"""Say which mutants are no longer found in the code: `python -m tests.mutants.find [--write]`.

Where the same text stands in one other function only, or in the same function of one other module, that is named, and
with `--write` noted in the list. What is found nowhere has been rewritten: put its new text into the list by hand, or
say in `gone` why there is none.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from tests.mutants.copies import ROOT
from tests.mutants.listed import SHARES, Missing, Mutant, Places, normalized, read_list, write_list

TELLING = 25
"""The letters of a text that is recognized in another function of another module."""


@dataclass
class Search:
    """What a search found: why mutants are missing, and their probable places now."""

    missing: dict[str, str]
    moved: dict[str, Mutant]


def look_for(mutants: Iterable[Mutant], places: Places) -> Search:
    """Look for mutants in the code."""
    search = Search({}, {})
    index: dict[str, Counter[tuple[str, str]]] = {}
    for mutant in mutants:
        if mutant.gone:
            continue
        try:
            places.find(mutant)
        except Missing as error:
            search.missing[mutant.id] = str(error)
            index = index or index_of(places)
            if moved := elsewhere(mutant, index):
                search.moved[mutant.id] = moved
    return search


def index_of(places: Places) -> dict[str, Counter[tuple[str, str]]]:
    """Return how often each text is in which function of which module."""
    index: dict[str, Counter[tuple[str, str]]] = {}
    for path in all_modules():
        for unit in places.units(path):
            index.setdefault(unit.text, Counter())[path, unit.function] += 1
    return index


def elsewhere(mutant: Mutant, index: dict[str, Counter[tuple[str, str]]]) -> Mutant | None:
    """Return the mutant with its present place, None if that is not clear."""
    text = normalized(mutant.before)
    many = index.get(text, Counter())
    fitting = [
        place for place, count in many.items() if (count >= mutant.occurrence if mutant.occurrence else count == 1)
    ]
    name = mutant.function.rpartition(".")[2]
    for alike in (
        [place for place in fitting if place[1] == mutant.function],
        [place for place in fitting if place[1].rpartition(".")[2] == name],
        [place for place in fitting if place[0] == mutant.path],
        fitting if len(text) >= TELLING else [],
    ):
        if alike:
            return replace(mutant, path=alike[0][0], function=alike[0][1]) if len(alike) == 1 else None
    return None


def all_modules() -> list[str]:
    """Return the modules that mutants are drawn from."""
    folders = [ROOT / folder for _, several in SHARES.values() for folder in several]
    return [path.relative_to(ROOT).as_posix() for folder in folders for path in sorted(folder.rglob("*.py"))]


def main() -> int:
    """Say what is missing."""
    parser = argparse.ArgumentParser(description="Find mutants that are no longer found in the code.")
    parser.add_argument("--write", action="store_true", help="note in the list where they are now")
    given = parser.parse_args()
    mutants = read_list()
    search = look_for(mutants, Places())
    for name, why in search.missing.items():
        moved = search.moved.get(name)
        print(why, *([f"    now {moved.path}::{moved.function}"] if moved else []), sep="\n")
    print(f"{len(search.missing)} missing, {len(search.moved)} of them found elsewhere")
    if given.write:
        write_list([search.moved.get(mutant.id, mutant) for mutant in mutants])
        return 1 if len(search.missing) > len(search.moved) else 0
    return 1 if search.missing else 0


if __name__ == "__main__":
    sys.exit(main())
