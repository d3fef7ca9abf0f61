"""Widths of text in terminal cells."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.support.tables import for_each, rows
from tracker.core.terms.words import listed, named, possessive
from tracker.views.words.spans import (
    Span,
    cells,
    cut,
    cut_name,
    cut_spans,
    fit,
    join,
    spread,
    width_of,
    wrap_spans,
    wrap_text,
)
from tracker.views.words.text import clean, clean_lines, signed

TEXTS = st.text(st.characters(codec="utf-8"), max_size=40).map(clean)
WIDTHS = st.integers(0, 30)


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "cells"))
def test_cells(text: str, expected: int) -> None:
    """Wide characters take two cells, marks none, the program's own glyphs one."""
    assert cells(text) == expected


def test_the_screen_counts_the_same() -> None:
    """Every character that can reach the screen is as wide here as on it."""
    printable = filter(str.isprintable, map(chr, range(sys.maxunicode + 1)))  # nothing else passes as it is
    shown = (character for character in printable if clean(character) == character)

    assert [hex(ord(character)) for character in shown if cells(character) != cell_len(character)] == []


@pytest.mark.parametrize(("text", "width", "expected"), rows(__file__, "cut"))
def test_cut(text: str, width: int, expected: str) -> None:
    """A text that does not fit ends in an ellipsis; a wide character is never halved."""
    assert cut(text, width) == expected


def test_fit_pads_by_cells() -> None:
    """Padding counts cells, at either side."""
    assert (fit("ゴブ", 6), fit("ab", 4, "right"), fit("ゴブリン", 6)) == ("ゴブ  ", "  ab", "ゴブ… ")


@given(TEXTS, WIDTHS)
def test_fit_is_exact(text: str, width: int) -> None:
    """Whatever the text, it fills its field exactly."""
    assert cells(fit(text, width)) == width


@given(st.lists(TEXTS.map(Span), max_size=5), WIDTHS)
def test_cut_spans_never_exceeds(spans: list[Span], width: int) -> None:
    """Spans cut to a width are at most that wide, and unchanged if they fit."""
    short = cut_spans(spans, width)

    assert width_of(short) <= width
    assert short == tuple(spans) or width_of(spans) > width


def test_spread_gives_way_at_the_left() -> None:
    """Spans at the right end are cut last."""
    found = spread((Span("a long beginning"),), (Span("WN-103", "rule"),), 16)

    assert "".join(span.text for span in found) == "a long b… WN-103"


def test_join_leaves_out_what_is_empty() -> None:
    """Groups are set apart by one blank text, empty ones not at all."""
    assert [span.text for span in join(([Span("a")], [], [Span("b")]))] == ["a", "  ", "b"]


def test_wrap_between_words() -> None:
    """Lines break between words, long words within."""
    assert wrap_text("the wolf charges abcdefghijklmno", 10) == ("the wolf", "charges", "abcdefghij", "klmno")


def test_no_line_ends_with_a_bracket_that_opens() -> None:
    """It goes to the next line with its word, though the two have different styles."""
    lines = wrap_spans((Span("vs SC 92"), Span(" (", "dim"), Span("112 longsword"), Span(")", "dim")), 10)

    assert ["".join(span.text for span in line) for line in lines] == ["vs SC 92", "(112", "longsword)"]


def test_a_word_of_two_styles_is_not_parted() -> None:
    """A bracket or a full stop stays beside its word, and keeps its own style."""
    lines = wrap_spans((Span("party ("), Span("Ordwen", "players"), Span("),"), Span(" dead", "bad")), 10)

    assert lines == ((Span("party"),), (Span("("), Span("Ordwen", "players"), Span("),")), (Span("dead", "bad"),))


def test_wrap_keeps_styles_and_indents() -> None:
    """Lines after the first are indented, each piece in its own style."""
    found = wrap_spans((Span("Wolf charges "), Span("Goblin", "bad")), 14, 2)

    assert found == ((Span("Wolf charges"),), (Span("  "), Span("Goblin", "bad")))


@given(st.lists(TEXTS.map(Span), max_size=4), st.integers(2, 30), st.integers(0, 6))
def test_wrap_never_exceeds_and_loses_no_word(spans: list[Span], width: int, indent: int) -> None:
    """Wrapped lines fit, and hold every character but blanks."""
    lines = wrap_spans(spans, width, indent)

    assert all(width_of(line) <= width for line in lines)
    told = "".join(span.text for line in lines for span in line)
    assert told.replace(" ", "") == "".join(span.text for span in spans).replace(" ", "")


@for_each(("text", "expected"), [*rows(__file__, "clean"), ("\ud800", "<U+D800>")])
def test_clean(text: str, expected: str) -> None:
    """Control characters are made visible; brackets stay as typed."""
    assert clean(text) == expected


@given(st.text(st.characters(), max_size=300))
def test_clean_is_printable_and_stays(text: str) -> None:
    """Clean text holds nothing unprintable, and cleaning it again changes nothing."""
    assert clean(text).isprintable()
    assert clean(clean(text)) == clean(text)


def test_words() -> None:
    """Lines, signs, lists and owners in words."""
    assert clean_lines("a\r\nb\x1b") == ("a", "b␛")
    assert (signed(3), signed(-2), signed(0)) == ("+3", "−2", "+0")
    assert (listed(()), listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c"], 2)) == (
        "",
        "a",
        "a, b and c",
        "a, b and 1 more",
    )
    assert (possessive("Wolf"), possessive("Goblins")) == ("Wolf's", "Goblins'")
    assert named([*(f"Orc {number}" for number in (1, 2, 4, 5, 6)), "Ava"]) == "Orc 1, Orc 2, Orc 4-6 and Ava"


@pytest.mark.parametrize(("name", "width", "shown"), rows(__file__, "a_cut_name_keeps_its_number"))
def test_a_cut_name_keeps_its_number(name: str, width: int, shown: str) -> None:
    """Of many with one name each can be told by its number; a few letters have to fit beside it."""
    assert cut_name(name, width) == shown
