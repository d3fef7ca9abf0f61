"""The players' view as rows of text, and its map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tracker.core.fight.board import Board, Cell, Square
from tracker.views.maps.line import Mark, Stretch, axis_rows
from tracker.views.maps.squares import Canvas
from tracker.views.maps.tokens import BODY, CAMPS, LYING, Token, Tokens, in_turn, placed, plain_sign
from tracker.views.maps.viewport import Frame, MapLook, frame_of
from tracker.views.public.schema import Public, PublicBoard, PublicCombatant, PublicPool, PublicSlot
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, join, spread, width_of, wrap_spans

NOWHERE: Square = (-1, -1)
FOG = "▓"


def board_rows(view: Public, width: int, height: int, numbers: bool = True) -> list[Row]:
    """Return the map in so many columns and rows around the acting combatant, with column numbers if wanted."""
    board = view.board
    if board is None or width < 8 or height < 2:
        return []
    return _line(view, board, width, height) if board.kind == "line" else _squares(view, board, width, height, numbers)


def _squares(view: Public, board: PublicBoard, width: int, height: int, numbers: bool) -> list[Row]:
    tokens, ground = _tokens(view), _ground(board)
    middle = _middle(view, board)
    frame = _frame(ground, tokens, middle, width, height)
    active = next((one.id for one in view.combatants if one.acting), None)
    rows = Canvas().rows(ground, tokens, MapLook(NOWHERE, active=active), frame, width)
    return list(rows[0 if numbers else 1 :][:height])


def _frame(ground: Board, tokens: Tokens, middle: Square, width: int, height: int) -> Frame:
    return frame_of(ground, tokens.longest, middle, width=width, height=height, size=None, was=None, words=0)


@lru_cache(maxsize=2)
def _ground(board: PublicBoard) -> Board:
    """Return the ground, its fog as squares that are filled."""
    cells = [Cell(one.x, one.y, one.sign, one.word, one.style, one.height, one.fill) for one in board.tiles]
    cells += [Cell(x, y, FOG, "", "past", fill=FOG) for y, first, last in board.fog for x in range(first, last + 1)]
    return Board("square", board.width, board.height, board.unit, tuple(cells))


def _tokens(view: Public) -> Tokens:
    found = [one for one in view.combatants if one.at is not None and len(one.at) == 2]
    return placed((one.acts, one.present, _token(one)) for one in found)


def _token(one: PublicCombatant) -> Token:
    at = (int(one.at[0]), int(one.at[1])) if one.at is not None and len(one.at) == 2 else NOWHERE
    if not one.present:
        return Token(one.id, "", plain_sign(one.mark, BODY), "dim", at, one.space)
    if not one.acts:
        return Token(one.id, one.label, plain_sign(one.mark, LYING), "dim", at, one.space, worst=one.status)
    pool = next((pool for pool in one.pools if pool.max > 0), None)
    share = None if pool is None else max(0.0, min(1.0, pool.now / pool.max))
    worst = one.effects[0].name if one.effects else one.words if one.health in ("hurt", "badly hurt") else ""
    return Token(one.id, one.label, *_look(one), at, one.space, share, worst)


def _look(one: PublicCombatant) -> tuple[str, str]:
    """Return the mark before a label and the style of both."""
    camp = "players" if one.friend else "ally" if one.ally else "gm"
    return CAMPS[camp], camp


def _middle(view: Public, board: PublicBoard) -> Square:
    """Return the square the map is drawn around: that of the acting combatant, else the middle of all."""
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
    """Return the axis with zones and labels, then the combatants at each distance."""
    names = {one.id: one for one in view.combatants}
    placed: dict[float, list[PublicCombatant]] = {}
    for one in view.combatants:
        if one.at and one.present:
            placed.setdefault(float(one.at[0]), []).append(one)
    unit = board.unit.split(" ")[-1]
    rows = [Row(f"axis:{number}", spans) for number, spans in enumerate(_axis(board, placed, unit, width))]
    rows += [
        Row(
            "place",
            cut_spans(
                (Span(fit(f"{place:g} {unit}", 8, "right") + "  ", "dim"), *join([_named(one) for one in people])),
                width,
            ),
        )
        for place, people in sorted(placed.items())
    ]
    for zone in board.zones:
        people = [names[who] for who in zone.members if who in names]
        head = (Span(f"{zone.title}: ", "title"), *join([_named(one) for one in people]))
        rows.append(Row("zone", cut_spans(head, width)))
    return rows[:height]


def _axis(
    board: PublicBoard, placed: dict[float, list[PublicCombatant]], unit: str, width: int
) -> list[tuple[Span, ...]]:
    zones = [Stretch(zone.middle, zone.radius, zone.title, "title") for zone in board.zones if zone.middle is not None]
    marks = []
    for place, people in placed.items():
        for one in people:
            token = in_turn(_token(one)) if one.acting else _token(one)
            marks.append(Mark(place, token.mark + token.label, token.style))
    return axis_rows(marks, zones, end=float(board.width), unit=unit, width=width) if marks or zones else []


def _named(one: PublicCombatant) -> tuple[Span, ...]:
    style = "strong" if one.acting else _look(one)[1]
    return (Span(f"{one.label} ", "dim"), Span(one.name, style if one.acts else "dim"))


WIDE, VERY_WIDE = 96, 150
BAR = 10
NOW, DONE, TO_COME = "▶", "✓", "·"
MODES = {
    "paused": "the GM has paused this screen",
    "back": "the GM looks back: this is how the fight stands",
    "trial": "the GM tries something: nothing of it has happened",
}
"""What is said where the table is not live."""
HEALTH = {"unhurt": "good", "hurt": "warn", "badly hurt": "bad", "out": "dim"}


def waiting_rows(words: str, width: int, height: int) -> tuple[Row, ...]:
    lines = [Row("wait", spans) for spans in wrap_spans((Span(words, "dim"),), max(10, width - 4))]
    above = max(0, (height - len(lines)) // 2)
    middle = [Row("wait", (Span(" " * max(0, (width - width_of(row.spans)) // 2)), *row.spans)) for row in lines]
    return (*[Row("", ())] * above, *middle)[:height]


def screen_rows(view: Public, width: int, height: int) -> tuple[Row, ...]:
    head = _head(view, width)
    room = max(1, height - len(head))
    body = _columns(view, width, room) if width >= WIDE else _stack(view, width, room)
    return tuple([*head, *body][:height])


def _head(view: Public, width: int) -> list[Row]:
    rows = [
        Row(
            "title", spread((Span(f" {view.title}", "title"),), (Span(f"{view.ruleset} · {view.time} ", "dim"),), width)
        )
    ]
    following = f"then {view.order[view.next].title} " if view.next is not None and not view.over else ""
    moment = (Span(f" {NOW} {view.moment} ", "strong"),)
    line = spread(moment, (Span(following),), width)
    blanks = Span(" " * max(0, width - width_of(line)))
    rows.append(Row("moment", (*line, blanks), "current"))
    if view.table.mode in MODES:
        rows.append(Row("mode", cut_spans((Span(f" {MODES[view.table.mode]} ", "trial"),), width)))
    ask = view.table.ask
    if ask is not None:
        who = next((one.name for one in view.combatants if one.id == ask.who), "")
        rows.append(Row("ask", cut_spans((Span(f" {who} rolls {ask.dice}", "typed"), Span(f" {ask.what}")), width)))
    return [*rows, Row("", ())]


def _columns(view: Public, width: int, height: int) -> list[Row]:
    left = max(24, min(38, width * 3 // 10))
    side = [*_order(view, left - 2, max(3, height - _ends_height(view))), *_ends(view, left - 2)]
    side += _log(view, left - 2, height - len(side) - 1)
    board = None if view.board is None else view.board
    if board is None:
        return _beside(side, _people(view, width - left, height), left, height)
    if width >= VERY_WIDE:
        middle = (width - left) // 2
        ground = board_rows(view, width - left - middle - 1, height)
        people = _people(view, middle, height)
        return _beside(side, _beside(people, ground, middle + 1, height), left, height)
    ground = board_rows(view, width - left, max(4, height // 2), numbers=False)
    people = _people(view, width - left, max(1, height - len(ground) - 1))
    return _beside(side, [*people, Row("", ()), *ground], left, height)


def _stack(view: Public, width: int, height: int) -> list[Row]:
    chips = [Span(f"{_mark(slot)} {slot.title}", _slot_style(slot)) for slot in view.order]
    rows = [Row("order", spans) for spans in wrap_spans(join([(chip,) for chip in chips], "   "), width - 2, 1)][:3]
    ends = _ends(view, width)
    room = max(1, height - len(rows) - 1 - len(ends))
    people = _people(view, width, room)
    rows += [Row("", ()), *people] if rows else people
    left = height - len(rows) - len(ends) - 1
    if view.board is not None and left >= 6:
        rows += [Row("", ()), *board_rows(view, width, left, numbers=False)]
    return [*rows, *ends][:height]


def _beside(left: Sequence[Row], right: Sequence[Row], width: int, height: int) -> list[Row]:
    """Return two columns side by side, the first one padded to its width."""
    rows: list[Row] = []
    for number in range(min(height, max(len(left), len(right)))):
        one = left[number] if number < len(left) else Row("", ())
        other = right[number] if number < len(right) else Row("", ())
        spans = cut_spans(one.spans, width - 1)
        blanks = Span(" " * (width - width_of(spans)))
        rows.append(Row(other.key or one.key, (*spans, blanks, *other.spans), other.state))
    return rows


# -- the order ---------------------------------------------------------------------------------------------------------


def _mark(slot: PublicSlot) -> str:
    return {"now": NOW, "past": DONE, "later": TO_COME}[slot.when]


def _slot_style(slot: PublicSlot) -> str:
    if slot.when == "past":
        return "dim"
    return "strong" if slot.when == "now" else "players" if slot.friend else "gm" if slot.side else ""


def _order(view: Public, width: int, height: int) -> list[Row]:
    """Return the order, the slot that is now in sight."""
    rows: list[Row] = []
    for slot in view.order:
        segment = f"{slot.segment:>3} " if slot.segment is not None else ""
        spans = (Span(f" {_mark(slot)} {segment}", "dim"), Span(slot.title, _slot_style(slot)))
        rows.append(Row(f"slot:{slot.id}", cut_spans(spans, width)))
    air = len(rows) * 2 <= height
    first = max(0, min((view.now or 0) - height // 3, len(rows) - height))
    shown = rows[first : first + height]
    return [line for row in shown for line in ((row, Row("", ())) if air else (row,))]


def _ends_height(view: Public) -> int:
    return len(view.ends) * 2 + 2 if view.ends else 0


def _ends(view: Public, width: int) -> list[Row]:
    names = {one.id: one.name for one in view.combatants}
    rows: list[Row] = [Row("ends", (Span(" ends next", "title"),))] if view.ends else []
    for end in view.ends:
        words = (
            Span(f" {end.what}", "strong"),
            Span(f" · {names.get(end.who, '')}", "players"),
            Span(f" · {end.when}", "dim"),
        )
        rows += [Row("end", spans) for spans in wrap_spans(words, width, 3)]
    return rows


def _log(view: Public, width: int, height: int) -> list[Row]:
    """Return what has happened last, as much as there is room for."""
    lines = [Row("log", spans) for words in view.log for spans in wrap_spans((Span(f" {words}", "dim"),), width, 3)]
    return (
        [Row("", ()), Row("last", (Span(" just now", "title"),)), *lines[2 - height :]] if lines and height > 3 else []
    )


# -- people ------------------------------------------------------------------------------------------------------------


def _people(view: Public, width: int, height: int) -> list[Row]:
    """Return the combatants side by side with their health, the players' first."""
    groups: list[list[list[Row]]] = []
    members = {slot.id: slot for slot in view.order}
    now = next((slot for slot in members.values() if slot.when == "now"), None)
    up = frozenset(now.members if now is not None and len(now.members) == 1 else ())
    sides = sorted(view.sides, key=lambda side: not side.friend)
    column = max((cells(one.name) for one in view.combatants), default=0)
    column = min(column, max(12, width // 3))
    for side in sides:
        people = [one for one in view.combatants if one.side == side.id]
        here, gone = [one for one in people if one.present], [one for one in people if not one.present]
        head = [Row("side", (Span(f" {side.name}", "title"),))]
        blocks = [head, *[_person(one, width, column, one.acting or one.id in up) for one in here]]
        if gone:
            words = ", ".join(f"{one.name} {one.status}" for one in gone)
            blocks.append([Row("gone", spans) for spans in wrap_spans((Span(f"    {words}", "dim"),), width, 4)])
        groups.append(blocks)
    return _fitted([block for group in groups for block in [*group, [Row("", ())]]], height)


def _fitted(blocks: Sequence[Sequence[Row]], height: int) -> list[Row]:
    """Return blocks with blank lines between them if they fit, else the ones around the acting combatant."""
    rows = [row for block in blocks for row in block]
    while rows and not rows[-1].spans:
        rows.pop()
    heads = sum(bool(block) and block[0].key not in ("", "side") for block in blocks)
    if len(rows) + heads <= height:
        aired = [line for block in blocks for line in ([*block, Row("", ())] if _has_air(block) else block)]
        return aired[:height]
    if len(rows) <= height:
        return rows
    rows = [row for row in rows if row.spans]
    acting = next((place for place, row in enumerate(rows) if row.state == "current"), 0)
    first = max(0, min(acting - height // 2, len(rows) - height))
    shown = rows[first : first + height]
    left = len(rows) - first - height
    return shown if left <= 0 else [*shown[:-1], Row("more", (Span(f"    … and {left + 1} lines more", "dim"),))]


def _has_air(block: Sequence[Row]) -> bool:
    return bool(block) and block[0].key not in ("", "side")


def _person(one: PublicCombatant, width: int, column: int, up: bool) -> list[Row]:
    mark = NOW if up else one.mark or " "
    style = ("players" if one.friend else "ally" if one.ally else "gm") if one.acts else "dim"
    head = (
        Span(f" {mark} ", "strong"),
        Span(f"{fit(one.label, 2)} ", "dim"),
        Span(fit(one.name, column), "strong" if up else style),
        Span("  "),
    )
    points = [span for pool in one.pools[:1] for span in _bar(pool)]
    points += [Span(f"{pool.title} {pool.now}/{pool.max}  ", "dim") for pool in one.pools[1:]]
    words = (Span(one.words, HEALTH.get(one.health, "")),) if one.words else ()
    first = (*head, *points, *words)
    effects = [_effect_words(effect.words or effect.name, effect.until) for effect in one.effects]
    state = "current" if up else ""
    beside = join([first, *effects], "  ")
    if not effects or width_of(beside) <= width:
        return [Row(one.id, _filled(cut_spans(beside, width), width, up), state)]
    indent = 7
    below = wrap_spans((Span(" " * indent), *join(effects, " · ")), width, indent)
    return [
        Row(one.id, _filled(cut_spans(first, width), width, up), state),
        *[Row(f"{one.id}+", spans) for spans in below],
    ]


def _effect_words(words: str, until: str) -> tuple[Span, ...]:
    return (Span(words, "warn"), *((Span(f" → {until}", "dim"),) if until else ()))


def _filled(spans: tuple[Span, ...], width: int, up: bool) -> tuple[Span, ...]:
    return (*spans, Span(" " * max(0, width - width_of(spans)))) if up else spans


def _bar(pool: PublicPool) -> Iterable[Span]:
    share = 0.0 if pool.max <= 0 else max(0.0, min(1.0, pool.now / pool.max))
    full = round(share * BAR) or (1 if pool.now > 0 else 0)
    style = "good" if share > 0.5 else "warn" if share > 0.25 else "bad"
    yield Span("█" * full, style)
    yield Span("░" * (BAR - full) + " ", "dim")
    yield Span(f"{pool.now:>3}/{pool.max:<3} ", "strong")
