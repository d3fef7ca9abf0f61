"""A file's block of keys, read key by key, with the place of every mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tracker.core.terms.moments.rounds import named_round
from tracker.library.yaml.problems import MOST_PROBLEMS, Path, Problem, described, did_you_mean
from tracker.library.yaml.tree import Tree

__all__ = ["FEWER", "Page"]

LAST_ROUND = 9999
MOST_LISTED = {"sides": 50, "waves": 200, "reminders": 500}
FEWER = "leave some out, or make a second encounter of them"
MOMENT_HINT = 'such as "round 3" or "end of round 2"'


class Page:
    """The keys of a file, and what is wrong with them."""

    def __init__(self, tree: Tree, plain: Mapping[str, object], problems: list[Problem]) -> None:
        self.tree, self.plain, self.problems = tree, plain, problems

    def blocks(self, name: str) -> list[tuple[Path, dict[str, object]]]:
        """Return the blocks in a list, with their paths."""
        plain = self.listed(name, "a list is wanted")
        for place, item in enumerate(plain):
            if not isinstance(item, dict):
                self.problem((name, place), f"a block of keys is wanted, this is {described(item)}")
        return [((name, place), item) for place, item in enumerate(plain) if isinstance(item, dict)]

    def listed(self, name: str, wanted: str) -> list[object]:
        """Return the entries of a list, as many as a fight can hold."""
        plain = self.plain.get(name, [])
        if not isinstance(plain, list):
            self.problem((name,), f"{wanted}, this is {described(plain)}")
            return []
        most = MOST_LISTED[name]
        if len(plain) > most:
            self.problem((name, most), f"a fight holds at most {most} {name}, these are {len(plain)}", FEWER)
        return plain[:most]

    def moment(self, path: Path, plain: Mapping[str, object]) -> str:
        """Return a moment as it is typed, or ""."""
        when = self.text(path, plain, "when")
        named = named_round(when)
        if when and (named is None or not 1 <= named.number <= LAST_ROUND):
            self.problem((*path, "when"), f"{described(when)} is no moment", MOMENT_HINT)
            return ""
        return when.casefold().strip()

    def text(self, path: Path, plain: Mapping[str, object], name: str) -> str:
        """Return a text, or a number as text."""
        value = plain.get(name)
        if value is None:
            return ""
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return str(value)
        self.problem((*path, name), f"text is wanted, this is {described(value)}")
        return ""

    def unknown(self, path: Path, plain: Mapping[str, object], known: Sequence[str]) -> None:
        """Note the keys that are not known."""
        for key in plain:
            if key not in known and len(self.problems) < MOST_PROBLEMS:
                hint = did_you_mean(key, known) or f"known: {', '.join(known)}"
                self.problems.append(self.tree.problem((*path, key), "unknown key", hint, key=True))

    def problem(self, path: Path, message: str, hint: str = "") -> None:
        """Note a problem, once."""
        if len(self.problems) >= MOST_PROBLEMS:
            return
        problem = self.tree.problem(path, message, hint)
        if problem not in self.problems:
            self.problems.append(problem)
