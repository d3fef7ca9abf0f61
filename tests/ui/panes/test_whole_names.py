"""What gives way where a line is too long: rules and costs before names, reasons only after a second line."""

from __future__ import annotations

from tracker.core.terms.actions import ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.ui.modes.acting.picker import collapsed_rows, spec_row
from tracker.views.words.spans import Span

LEAVING = ActionSpec("leave", "Declare leaving the brawl", cost="standard", rule="SW-095")


def test_an_action_keeps_its_name_longer_than_its_rule() -> None:
    """First the rule goes, then the cost, and only then the name is cut."""
    texts = [spec_row("a", (Span("  "),), LEAVING, width).text for width in (43, 42, 33, 26)]

    assert texts == [
        "  Declare leaving the brawl standard SW-095",
        "  Declare leaving the brawl       standard",
        "  Declare leaving the brawl",
        "  Declare leaving the bra…",
    ]
    assert spec_row("a", (), LEAVING, 30).rules == ("SW-095",)


def test_reasons_take_a_second_line_where_there_is_one() -> None:
    """In one line they are cut."""
    refused = [
        ActionSpec(str(number), str(number), refusal=Refusal("no", reason))
        for number, reason in enumerate(("it is not Wolf's turn", "no target is in reach", "it is not Wolf's turn"))
    ]

    assert [row.text for row in collapsed_rows("a", refused, 40, 1)] == ["  ✗ 3 more: it is not Wolf's turn · no …"]
    assert [row.text.rstrip() for row in collapsed_rows("a", refused, 40, 2)] == [
        "  ✗ 3 more: it is not Wolf's turn · no",
        "    target is in reach",
    ]
    assert len(collapsed_rows("a", refused, 22, 2)) == 2
    assert collapsed_rows("a", refused, 22, 2)[-1].text.endswith("…")
