"""Labels, whose run reads in one way only, and words put together."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.core.terms.labels import SINGLES, next_label, read_labels
from tracker.core.terms.words import possessive

NAMES = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=200)


def labels_of(names: list[str]) -> list[str]:
    labels: list[str] = []
    for name in names:
        labels.append(next_label(labels, name))
    return labels


def test_a_name_gives_its_initials_then_the_alphabet() -> None:
    """A label is the first letter of the name, else of its other words, else the next free letter."""
    names = ["Ada", "Goblin 1", "Goblin 2", "Old Gob Rider", "Ölaf", "42", "Old One"]

    assert labels_of(names) == ["a", "g", "h", "o", "l", "b", "p"]


def test_at_most_so_many_have_one_letter() -> None:
    """The remaining letters begin the longer labels."""
    labels = labels_of(["Goblin"] * 400)

    assert [len(label) for label in labels[: SINGLES + 1]] == [1] * SINGLES + [2]
    assert {label[0] for label in labels[SINGLES:]}.isdisjoint(labels[:SINGLES])
    assert len(set(labels)) == 400


@given(NAMES)
def test_no_label_begins_another(names: list[str]) -> None:
    """Labels are unique, lower case, and none begins another."""
    labels = sorted(labels_of(names))

    assert all(label.isascii() and label.isalpha() and label.islower() for label in labels)
    assert not any(after.startswith(before) for before, after in pairwise(labels))


@given(NAMES, st.data())
def test_a_run_reads_back(names: list[str], data: st.DataObject) -> None:
    """Labels typed one after another, some in capitals, are split again."""
    labels = labels_of([*names, "Ada"])
    typed = data.draw(st.lists(st.tuples(st.sampled_from(labels), st.booleans()), max_size=12))

    run = "".join(label.upper() if loud else label for label, loud in typed)

    assert read_labels(run, labels) == tuple(typed)


@pytest.mark.parametrize("text", ["x", "ax", "a1", "a b", "uX"])
def test_what_is_no_run_of_labels_is_not_read(text: str) -> None:
    """A text with unknown letters, digits or spaces has no labels."""
    assert read_labels(text, ["a", "b", "ua"]) is None


def test_an_empty_run_names_nobody() -> None:
    """An empty text has no labels."""
    assert read_labels("", ["a"]) == ()


@pytest.mark.parametrize(("name", "whose"), [("Wolf", "Wolf's"), ("Goblins", "Goblins'"), ("Boss", "Boss'")])
def test_whose_something_is(name: str, whose: str) -> None:
    """A name that ends in s takes the apostrophe alone."""
    assert possessive(name) == whose
