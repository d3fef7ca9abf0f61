"""The lines of whole fights keep the rules of docs/log-lines.md that can be counted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.golden.cases import Case, cases
from tests.support.tables import for_each

CASES = cases()
WIDTH = 100


def logs(case: Case) -> list[list[str]]:
    """Return the lines of each entry of a golden fight."""
    return [document["log"] for document in map(json.loads, case.expected.splitlines()) if document.get("log")]


def names(case: Case) -> list[str]:
    """Return the names of the combatants and sides of a golden fight."""
    state = json.loads(case.expected.splitlines()[-1])["state"]
    return [*(one["name"] for one in state["combatants"].values()), *(side["name"] for side in state["sides"])]


def deeds(case: Case) -> tuple[str, ...]:
    """Return the labels of the actions of a golden fight."""
    documents = map(json.loads, case.expected.splitlines())
    events = [event for document in documents for event in document.get("events", ())]
    return tuple({event["label"] for event in events if event["type"] == "ActionTaken"})


def has_doubled_subject(line: str) -> bool:
    """Tell whether a line names its subject twice: `Gnoll: Gnoll: ...`."""
    return re.search(r"(?:^|; |: )(.{2,40}?): \1(?: |: |$)", line) is not None


def has_odd_blanks(line: str) -> bool:
    """Tell whether blanks replace a missing word; two blanks are allowed only between a number and its result."""
    rest = re.sub(r"(?<=[\d✎)])  (?=\S)", " ", line)
    return rest != rest.strip() or "  " in rest or "()" in rest or " ," in rest


def has_key(line: str) -> bool:
    """Tell whether a line shows a key of the program's: `r1/party`, `goblin-2`."""
    return re.search(r"\br\d+/|\b\w+_\w+|\b[a-z]+:[a-z]+[-/][a-z0-9]+|(?<![\w-])[a-z]+-\d+\b", line) is not None


def has_number_twice(line: str) -> bool:
    """Tell whether the number to reach is shown twice: `vs 3 or less 3`."""
    return re.search(r"vs (?:\D*\b)?(\d+) [a-z ]*\b\1\b", line) is not None


def has_bare_part(line: str) -> bool:
    """Tell whether the label of a part begins with a number: `+4 2 others`."""
    return re.search(r"[+−]\d+ \d", line.replace("✎", "")) is not None


def adds_apart(line: str) -> bool:
    """Tell whether two d20, of which one counts, are added."""
    return re.search(r"\b2d20 \d+\+\d+ =", line) is not None


def is_counted_end(line: str) -> bool:
    """Tell whether an end is told as a count of turns, not as a round."""
    return re.search(r"until .*, \d+ times\b", line) is not None


COUNTED: tuple[Callable[[str], bool], ...] = (
    has_doubled_subject,
    has_odd_blanks,
    has_key,
    has_number_twice,
    has_bare_part,
    adds_apart,
    is_counted_end,
)


@for_each("case", CASES)
@for_each("breaks", COUNTED)
def test_no_line_breaks_a_rule(case: Case, breaks: Callable[[str], bool]) -> None:
    """Every line of every golden fight keeps it."""
    assert [line for lines in logs(case) for line in lines if breaks(line)] == []


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_no_line_says_what_the_one_before_said(case: Case) -> None:
    """Neighbouring lines of one step differ."""
    assert [first for lines in logs(case) for first, second in pairwise(lines) if first == second] == []


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_short_consequence_joins_its_deed(case: Case) -> None:
    """Results for the actor are in the line of the action if 100 columns are enough."""
    found = []
    labels = deeds(case)
    for lines in logs(case):
        for deed, more in pairwise(lines):
            actor = next(
                (name for name in names(case) if deed.startswith(f"{name}: ") and more.startswith(f"{name}: ")), ""
            )
            rest = more.removeprefix(f"{actor}: ")
            is_deed = deed.removeprefix(f"{actor}: ").startswith(labels)
            if actor and is_deed and rest[:1].islower() and len(deed) + len(rest) + 2 <= WIDTH and " ✎" not in more:
                found.append((deed, more))

    assert found == []


@for_each(
    ("breaks", "line"),
    [
        (has_doubled_subject, "Gnoll: Gnoll: flees"),
        (has_odd_blanks, "Wolf: level  level 3"),
        (has_key, "left of the turn: Ilse main:r1/party:ilse 1"),
        (has_key, "Goblin 1: melee_attack"),
        (has_key, "Wolf strikes goblin-2"),
        (has_number_twice, "d20 4 vs 3 or less 3  fails"),
        (has_bare_part, "d20 13 +2 to hit +4 2 others = 19 vs AC 17  hit"),
        (adds_apart, "attack: 2d20 17+10 = 27"),
        (is_counted_end, "Boss: dazed, until start of Boss' next turn, 3 times"),
    ],
)
def test_the_rules_find_what_breaks_them(breaks: Callable[[str], bool], line: str) -> None:
    """Each rule sees the line it was made for."""
    assert breaks(line)
