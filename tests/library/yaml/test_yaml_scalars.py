"""What an unquoted word in a file stands for."""

import pytest

from tracker.library.yaml.builder import plain_value
from tracker.library.yaml.tree import parse

VALUES: tuple[tuple[str, object], ...] = (
    ("", None),
    ("~", None),
    ("null", None),
    ("true", True),
    ("false", False),
    ("0", 0),
    ("7", 7),
    ("+5", 5),
    ("-12", -12),
    ("-0", 0),
    ("1.5", 1.5),
    (".5", 0.5),
    ("-2.25", -2.25),
    ("1e3", 1000.0),
    ("999999999999999999", 999999999999999999),
)

TEXTS = (
    # YAML 1.1 made truth values of these
    *(
        "No",
        "no",
        "NO",
        "yes",
        "Yes",
        "on",
        "On",
        "OFF",
        "off",
        "y",
        "n",
        "True",
        "FALSE",
        "TRUE",
        "Null",
        "NULL",
        "None",
    ),
    # ... numbers of base 60, 8, 16 and 2, numbers with underscores, not-numbers
    *(
        "1:30",
        "190:20:30",
        "012",
        "007",
        "-01",
        "0o17",
        "0x1F",
        "0b11",
        "1_000",
        "1,000",
        ".inf",
        "-.INF",
        ".nan",
        ".",
        "+",
        "-",
        "1.2.3",
        "012.5",
    ),
    # ... and dates
    *("2024-01-31", "2024-01-31 10:00:00", "2001-12-14t21:59:43.10-05:00"),
    # what rule books print
    *("1d6", "13+", "2-6", "15a", "1/15", "5/-", "10/30", "+6 x2", "40' fly", "0-5,0", "1e999", "½"),
    # 64 bits could not hold it
    *("9" * 19, "9" * 5000),
)


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_a_word_of_the_core_schema_is_its_value(text: str, expected: object) -> None:
    """Only true, false, null, ~, nothing and decimal numbers are more than text."""
    value = plain_value(text)

    assert (expected, type(expected)) == (value, type(value))


@pytest.mark.parametrize("text", TEXTS)
def test_every_other_word_is_the_text_that_was_typed(text: str) -> None:
    """No surprises: what looks like text stays text."""
    assert text == plain_value(text)


@pytest.mark.parametrize("text", [text for text, _ in VALUES] + [text for text in TEXTS if "'" not in text])
@pytest.mark.parametrize("pure", [False, True])
def test_quotes_make_text_of_anything(text: str, pure: bool) -> None:
    """A quoted scalar is text, whatever it looks like.

    So are block texts.
    """
    tree = parse(f"a: '{text}'\nb: \"{text}\"\nc: |-\n  {text}\n".encode(), "a.yaml", pure=pure)

    assert {"a": text, "b": text, "c": text} == tree.value


def test_keys_are_always_text() -> None:
    """A key is never a number, a truth value or nothing."""
    tree = parse(b"1: a\ntrue: b\nnull: c\n1.5: d\n012: e\n~: f\n", "a.yaml")

    assert list(tree.value if isinstance(tree.value, dict) else ()) == ["1", "true", "null", "1.5", "012", "~"]
