"""The players' map as rows: squares with tokens, or a line of distances."""

from __future__ import annotations

from tracker.views.public.shape import Public, PublicBoard, PublicCombatant
from tracker.views.words.spans import Row, Span, cut_spans, fit, join

__all__ = ["board_rows"]

FLOOR = "·"
CELL = 2


def board_rows(view: Public, width: int, height: int) -> list[Row]:
    """Return the map in so many columns and rows, around the one that acts."""
    board = view.board
    if board is None or width < 8 or height < 2:
        return []
    return _line(view, board, width, height) if board.kind == "line" else _squares(view, board, width, height)


def _squares(view: Public, board: PublicBoard, width: int, height: int) -> list[Row]:
    columns, lines = min(board.width, width // CELL), min(board.height, height)
    x, y = _middle(view, board)
    left = max(0, min(x - columns // 2, board.width - columns))
    top = max(0, min(y - lines // 2, board.height - lines))
    tokens, tiles = _tokens(view), {(tile.x, tile.y): tile for tile in board.tiles}
    rows: list[Row] = []
    for row in range(top, top + lines):
        spans: list[Span] = []
        for column in range(left, left + columns):
            one, tile = tokens.get((column, row)), tiles.get((column, row))
            if one is not None:
                spans.append(Span(fit(f" {one.label}" if len(one.label) == 1 else one.label, CELL), _style(one)))
            elif tile is not None:
                spans.append(Span(fit(f" {tile.sign}", CELL), tile.style))
            else:
                spans.append(Span(fit(f" {FLOOR}", CELL), "dim"))
        rows.append(Row(f"row:{row}", tuple(spans)))
    return rows


def _style(one: PublicCombatant) -> str:
    if one.acting:
        return "cursor"
    return ("players" if one.friend else "gm") if one.acts else "dim"


def _tokens(view: Public) -> dict[tuple[int, int], PublicCombatant]:
    """Return who is drawn where: those who act before those who lie."""
    found: dict[tuple[int, int], PublicCombatant] = {}
    for one in view.combatants:
        if one.at is None or len(one.at) != 2 or not one.present:
            continue
        for dy in range(one.space):
            for dx in range(one.space):
                square = (int(one.at[0]) + dx, int(one.at[1]) + dy)
                held = found.get(square)
                if held is None or (one.acts and not held.acts):
                    found[square] = one
    return found


def _middle(view: Public, board: PublicBoard) -> tuple[int, int]:
    """Return the square the map is drawn around.

    Where the one that acts stands, else among all."""
    placed = [one for one in view.combatants if one.at is not None and len(one.at) == 2 and one.present]
    acting = [one for one in placed if one.acting] or placed
    if not acting:
        return board.width // 2, board.height // 2
    places = [one.at for one in acting if one.at is not None]
    return (
        int(sum(place[0] for place in places) / len(places)),
        int(sum(place[1] for place in places) / len(places)),
    )


def _line(view: Public, board: PublicBoard, width: int, height: int) -> list[Row]:
    names = {one.id: one for one in view.combatants}
    placed: dict[float, list[PublicCombatant]] = {}
    for one in view.combatants:
        if one.at and one.present:
            placed.setdefault(float(one.at[0]), []).append(one)
    unit = board.unit.split(" ")[-1]
    rows = [
        Row(
            "place",
            cut_spans(
                (Span(fit(f"{place:g} {unit}", 8, "right") + "  ", "dim"), *join([_token(one) for one in people])),
                width,
            ),
        )
        for place, people in sorted(placed.items())
    ]
    for zone in board.zones:
        people = [names[who] for who in zone.members if who in names]
        where = f" at {zone.middle:g} {unit}" if zone.middle is not None else ""
        head = (Span(f"{zone.title}{where}: ", "title"), *join([_token(one) for one in people]))
        rows.append(Row("zone", cut_spans(head, width)))
    return rows[:height]


def _token(one: PublicCombatant) -> tuple[Span, ...]:
    return (Span(f"{one.label} ", "dim"), Span(one.name, _style(one)))
