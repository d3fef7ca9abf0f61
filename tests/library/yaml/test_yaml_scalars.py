"""What an unquoted word in a file stands for."""

from tests.support.tables import for_each, rows
from tracker.library.yaml.builder import plain_value
from tracker.library.yaml.tree import parse

VALUES = rows(__file__, "values")

TEXTS = rows(__file__, "texts")


@for_each(("text", "expected"), VALUES)
def test_a_word_of_the_core_schema_is_its_value(text: str, expected: object) -> None:
    """Only true, false, null, ~, nothing and decimal numbers are more than text."""
    value = plain_value(text)

    assert (expected, type(expected)) == (value, type(value))


@for_each("text", TEXTS)
def test_every_other_word_is_the_text_that_was_typed(text: str) -> None:
    """No surprises: what looks like text stays text."""
    assert text == plain_value(text)


@for_each("text", [text for text, _ in VALUES] + [text for text in TEXTS if "'" not in text])
@for_each("pure", [False, True])
def test_quotes_make_text_of_anything(text: str, pure: bool) -> None:
    """A quoted scalar is text, whatever it looks like; so are block texts."""
    tree = parse(f"a: '{text}'\nb: \"{text}\"\nc: |-\n  {text}\n".encode(), "a.yaml", pure=pure)

    assert {"a": text, "b": text, "c": text} == tree.value


def test_keys_are_always_text() -> None:
    """A key is never a number, a truth value or nothing."""
    tree = parse(b"1: a\ntrue: b\nnull: c\n1.5: d\n012: e\n~: f\n", "a.yaml")

    assert list(tree.value if isinstance(tree.value, dict) else ()) == ["1", "true", "null", "1.5", "012", "~"]
