"""Names in the colours of their sides."""

from __future__ import annotations

from tracker.views.words.sides import Colours
from tracker.views.words.spans import Span

COLOURS = Colours(
    {"Goblin 1": "gm", "Goblin 12": "gm", "Ava": "players", "Old Ava's Hound": "ally", "Party": "players"}
)


def test_names_stand_in_their_colours() -> None:
    """The longest whole name has the colour of its side, the rest its own style."""
    assert COLOURS.spans("Goblin 12 hits Ava.", "bad") == (
        Span("Goblin 12", "gm"),
        Span(" hits ", "bad"),
        Span("Ava", "players"),
        Span(".", "bad"),
    )
    assert COLOURS.spans("Old Ava's Hound") == (Span("Old Ava's Hound", "ally"),)
    assert COLOURS.spans("Goblin 123 and Avas Partyhat") == (Span("Goblin 123 and Avas Partyhat"),)
    assert COLOURS.spans("") == (Span(""),)
    assert [COLOURS.of(name, "dim").style for name in ("Ava", "Bero")] == ["players", "dim"]
