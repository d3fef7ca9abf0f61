"""The list of mutants names code that exists."""

import ast
import json
from collections import Counter

import pytest

from tests.mutants.find import look_for
from tests.mutants.listed import BASELINE, SHARES, Places, normalized, read_list

MUTANTS = read_list()
KINDS = ("boolean", "call", "compare", "condition", "min_max", "not", "number")
LEAST_OF_A_KIND = 20


@pytest.fixture(scope="module")
def places() -> Places:
    """The modules, each read once."""
    return Places()


def test_every_mutant_is_found(places: Places) -> None:
    """Each is in one place, or the list says why it is gone.

    `python -m tests.mutants.find --write` follows what was only moved.
    """
    search = look_for(MUTANTS, places)

    assert search.missing == {}


def test_every_mutant_is_a_fault(places: Places) -> None:
    """Each changes something: a condition into an expression, a statement into one statement."""
    for mutant in MUTANTS:
        if not mutant.gone:
            after = ast.parse(mutant.after).body

            assert len(after) == 1, mutant.id
            assert isinstance(after[0], ast.Expr) or isinstance(places.find(mutant).node, ast.stmt), mutant.id
            assert normalized(mutant.after) != normalized(mutant.before), mutant.id


def test_mutants_are_spread() -> None:
    """Three hundred, so many of each package, of every kind."""
    groups = Counter(mutant.id.rpartition("-")[0] for mutant in MUTANTS)
    kinds = Counter(mutant.kind for mutant in MUTANTS)

    assert sum(groups.values()) == 300
    assert groups == {group: count for group, (count, _) in SHARES.items()}
    assert sorted(kinds) == sorted(KINDS)
    assert min(kinds.values()) >= LEAST_OF_A_KIND


def test_ids_are_names() -> None:
    """No two mutants have one id, and the baseline knows each that is not gone."""
    ids = [mutant.id for mutant in MUTANTS]
    known = [json.loads(line)["id"] for line in BASELINE.read_bytes().splitlines()]

    assert len(set(ids)) == len(ids)
    assert set(known) <= set(ids)
    assert {mutant.id for mutant in MUTANTS if not mutant.gone} <= set(known)
