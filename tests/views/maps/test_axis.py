"""A line of distances: its scale, its zones, labels that never run together."""

from __future__ import annotations

from tracker.views.maps.line import LineLabel, Stretch, axis_rows

MARKS = (LineLabel(0, " f"), LineLabel(10, "•a"), LineLabel(10, "•b"), LineLabel(10.2, "▶cd"), LineLabel(20, "•g"))
ZONES = (Stretch(10, 4, "brawl 1 · 3 of 20"), Stretch(14, 1, "brawl 2"), Stretch(5, None, "brawl 3"))


def text(width: int, reach: tuple[float, float] | None = None) -> list[str]:
    rows = axis_rows(MARKS, ZONES, end=20, unit="m", width=width, reach=reach)
    assert all(sum(len(span.text) for span in row) <= width for row in rows)
    return ["".join(span.text for span in row).rstrip() for row in rows]


def test_zones_are_stretches_of_the_axis() -> None:
    """Each is below its place, with its name in it if that fits, else beside it."""
    assert text(64) == [
        "0 m   2     4     6     8     10    12    14    16    18    20",
        "┼─────┼─────┼─────┼─────┼─────┼─────┼─────┼─────┼─────┼─────┼",
        "                  ├── brawl 1 · 3 of 20 ──┤",
        "                                       ├──◆──┤ brawl 2",
        "               ◆ brawl 3",
        " f                            •a                            •g",
        "                              •b",
        "                               ▶cd",
    ]


def test_the_axis_shows_what_is_in_reach() -> None:
    """From the first metre to the last, without colour."""
    assert text(64, (0, 6))[1] == "╪═════╪═════╪═════╪─────┼─────┼─────┼─────┼─────┼─────┼─────┼"


def test_a_narrow_line_keeps_names_and_labels() -> None:
    """In a narrow pane names are cut, labels are not."""
    rows = text(24)

    assert rows[0].startswith("0 m")
    assert [row.strip() for row in rows[2:5]] == ["├───◆───┤ braw…", "brawl 2 ├◆┤", "◆ brawl 3"]
    assert sum(row.count("•") for row in rows) == 3
