"""The squares of a map: their size, tokens, what lies over them. Nothing rests on colour."""

from __future__ import annotations

import pytest

from tracker.core.fight.board import Board, Cell, Trail
from tracker.core.terms.errors import Refusal
from tracker.views.maps.squares import Canvas, square_at
from tracker.views.maps.tokens import Token, Tokens, placed
from tracker.views.maps.viewport import Frame, MapLook, Scale, frame_of

BOARD = Board(
    "square",
    6,
    3,
    cells=(
        Cell(0, 0, "▒", "wall", "dim", fill="▒"),
        Cell(1, 0, "·", "high ground", height=5),
        Cell(2, 0, "·", "high ground", height=10),
        Cell(3, 0, "~", "difficult", "warn"),
    ),
)
SMALL, WIDE, BIG = Scale(3, 1), Scale(4, 2), Scale(6, 3)


def tokens(*listed: Token) -> Tokens:
    return placed((token.style != "dim", bool(token.label), token) for token in listed)


FOES = tokens(
    Token("a", "aa", "•", "gm", (1, 1), share=1.0),
    Token("b", "ab", "•", "gm", (2, 1), share=0.5, worst="prone", sign="°"),
    Token("c", "c", " ", "players", (3, 1), share=0.2),
    Token("d", "d", "+", "ally", (4, 1)),
    Token("e", "", "†", "dim", (5, 1)),
    Token("f", "g", "_", "dim", (5, 2), worst="dying"),
)


def drawn(look: MapLook, scale: Scale = SMALL, held: Tokens = FOES, frame: Frame | None = None) -> list[str]:
    shown = frame or Frame(scale, 0, 0, BOARD.width, BOARD.height)
    return [row.text for row in Canvas().rows(BOARD, held, look, shown, 60)]


def test_labels_never_run_together_and_foes_differ_without_colour() -> None:
    """Labels of two letters have a mark before them; the dead have no letter."""
    assert drawn(MapLook((0, 2), active="c")) == [
        "    0              5",
        " 0 ▒▒▒ ▵  ▴  ~  ·  · ",
        " 1  · •aa•ab▶c +d  † ",
        " 2 [·] ·  ·  ·  · _g ",
    ]


def test_big_squares_hold_hit_points_and_the_worst_condition() -> None:
    """Remaining points are a bar, and a condition is named; on small squares it is a sign behind the label."""
    assert drawn(MapLook((0, 2)), WIDE)[3:5] == [" 1  ·  •aa •ab° c  +d   †  ", "       ━━━ ━╸┄ ╸┄┄         "]
    assert drawn(MapLook((0, 2)), BIG)[4:7] == [
        " 1       •aa   •ab  ° c    +d          ",
        "     ·   ━━━━━ ━━╸┄┄ ━┄┄┄┄         †   ",
        "               prone                   ",
    ]


def test_creatures_of_several_squares_have_an_outline() -> None:
    """Given a giant, its squares are one box at every size."""
    giant = tokens(Token("o", "o", "•", "gm", (1, 0), 2, share=0.4, worst="prone"))

    assert [row[3:15] for row in drawn(MapLook((0, 2)), SMALL, giant)[1:3]] == ["▒▒▒┌•o──┐ ~ ", " · └────┘ · "]
    assert [row[9:21] for row in drawn(MapLook((0, 2)), BIG, giant)[1:7]] == [
        "┌──────────┐",
        "│•o        │",
        "│━━━━┄┄┄┄┄┄│",
        "│prone     │",
        "│          │",
        "└──────────┘",
    ]


def test_who_stands_below_a_giant_is_seen() -> None:
    """Its label keeps the first square, and it hides a combatant that lies below it."""
    giant = Token("o", "o", "•", "gm", (1, 0), 2, share=0.4)
    small = [Token(f"s{x}{y}", f"{x}{y}", " ", "players", (x, y)) for x, y in ((1, 0), (1, 1))]
    held = tokens(*small, giant, Token("d", "", "†", "dim", (2, 1)))

    assert [row[3:15] for row in drawn(MapLook((0, 2)), SMALL, held)[1:3]] == ["▒▒▒┌•o──┐ ~ ", " ·  11──┘ · "]
    assert held.at[2, 1] is held.at[1, 0] is giant


def test_what_lies_over_the_ground_has_signs() -> None:
    """Reach, threat, a way, an area and a ruler are told without colour."""
    way = Trail(((1, 2), (2, 2), (3, 2)), 15, provokes=("a",), struck=((1, 2),))
    look = MapLook((3, 2), "c", reach=frozenset({(0, 1), (4, 2)}), threat=frozenset({(0, 1), (3, 0)}), trail=way)

    assert drawn(look)[1:] == [" 0 ▒▒▒ ▵  ▴  ~  ·  · ", " 1  × •aa•ab c +d  † ", " 2  · !→  → [→] ◦ _g "]
    laid = drawn(MapLook((5, 0), area=frozenset({(4, 0), (5, 0), (4, 1)}), ruler=((0, 1), (0, 2))))
    assert laid[1:] == [" 0 ▒▒▒ ▵  ▴  ~ ░░░[░]", " 1  * •aa•ab c +d  † ", " 2  *  ·  ·  ·  · _g "]


def test_a_way_too_long_looks_refused() -> None:
    """Given a refusal, no step of the way looks allowed."""
    way = Trail(((1, 2),), 50, refusal=Refusal("too_far", "too far"))
    rows = Canvas().rows(BOARD, FOES, MapLook((0, 2), trail=way), Frame(SMALL, 0, 0, 6, 3), 60)

    assert [span.style for span in rows[3].spans if "→" in span.text or "•" in span.text] == ["bad"]


def test_the_frame_says_who_is_out_of_sight() -> None:
    """Combatants outside a window of two squares are named on its edges."""
    held = tokens(
        *(
            Token(str(number), label, "•", "gm", at)
            for number, (label, at) in enumerate(
                [
                    ("a", (0, 1)),
                    ("b", (5, 1)),
                    ("c", (4, 1)),
                    ("d", (2, 0)),
                    ("e", (5, 0)),
                    ("g", (0, 2)),
                    ("h", (1, 2)),
                ]
            )
        )
    )
    frame = Frame(Scale(2, 1), 2, 1, 2, 1, edge=3)

    assert drawn(MapLook((2, 1)), held=held, frame=frame)[1:] == [" ↑    d e▸", " 1 ◂a [· · c+▸", " ↓    ◂h+1"]


@pytest.mark.parametrize(("room", "scale"), [((90, 20), 1), ((30, 20), 0), ((90, 30), 2), ((90, 45), 3), ((20, 9), 0)])
def test_squares_are_as_big_as_the_whole_map_allows(room: tuple[int, int], scale: int) -> None:
    """Given a map of 12 x 12, the size of its squares follows the room."""
    board = Board("square", 12, 12)
    frame = frame_of(board, 1, (0, 0), width=room[0], height=room[1], size=None, was=None)

    assert frame.scale == (Scale(2, 1), Scale(3, 1), Scale(4, 2), Scale(6, 3))[scale]
    assert frame.rows * frame.scale.high + 1 <= room[1]
    assert 3 + 2 * frame.edge + frame.columns * frame.scale.wide <= room[0]


def test_the_window_stays_until_the_cursor_leaves_it() -> None:
    """A step inside the window moves nothing; one to its edge moves it by half."""
    board, frame = Board("square", 60, 60), None
    lefts = []
    for x in range(30, 60):
        frame = frame_of(board, 2, (x, 30), width=80, height=20, size=None, was=frame)
        assert frame.left <= x < frame.left + frame.columns
        lefts.append(frame.left)
    assert len(set(lefts)) <= 4
    assert lefts[-1] + frame.columns == 60 if frame is not None else False


def test_a_click_finds_its_column() -> None:
    """A place of a line belongs to the square drawn there."""
    frame = Frame(WIDE, 10, 0, 3, 3, edge=3)

    assert [square_at(frame, across) for across in (5, 6, 9, 10, 17, 18)] == [None, 10, 10, 11, 12, None]


def test_rows_that_show_the_same_are_the_same_objects() -> None:
    """A step of the cursor draws only the rows it touches."""
    canvas, frame = Canvas(), Frame(SMALL, 0, 0, 6, 3)
    before = canvas.rows(BOARD, FOES, MapLook((0, 0)), frame, 60)
    after = canvas.rows(BOARD, FOES, MapLook((1, 0)), frame, 60)

    assert [one is other for one, other in zip(before, after, strict=True)][2:] == [True, True]
    assert before[1] != after[1]
