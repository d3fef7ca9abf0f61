"""The players' view as rows of text, and its map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, islice, zip_longest

from tracker.core.fight.board import Board, Cell, Square
from tracker.core.terms.words import listed
from tracker.views.maps.line import LineLabel, Stretch, axis_rows
from tracker.views.maps.squares import Canvas
from tracker.views.maps.tokens import BODY, LYING, Token, chip, in_turn, placed, plain_sign
from tracker.views.maps.viewport import MapLook, frame_of
from tracker.views.panes.roster import danger
from tracker.views.public.schema import Public, PublicBoard, PublicCombatant, PublicPool, PublicSlot
from tracker.views.words.sides import CAMPS, Allegiance
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, join, spread, width_of, wrap_spans

NOWHERE: Square = (-1, -1)
BLANK = Row("", ())
FOG = "▓"


def board_rows(view: Public, width: int, height: int, numbers: bool = True) -> list[Row]:
    """Return the map in `width` columns and `height` rows around the acting combatant; `numbers`: of the columns."""
    board = view.board
    if board is None or width < 8 or height < 2:
        return []
    return _line(view, board, width, height) if board.kind == "line" else _squares(view, board, width, height, numbers)


def _squares(view: Public, board: PublicBoard, width: int, height: int, numbers: bool) -> list[Row]:
    on_map = [one for one in view.combatants if one.at is not None and len(one.at) == 2]
    tokens, ground = placed((one.acts, one.present, _token(one)) for one in on_map), _ground(board)
    middle = _middle([one for one in on_map if one.present], board)
    frame = frame_of(ground, tokens.longest, middle, width=width, height=height, size=None, was=None, words=0)
    active = next((one.id for one in view.combatants if one.acting), None)
    rows = Canvas().rows(ground, tokens, MapLook(NOWHERE, active=active), frame, width)
    return list(rows[0 if numbers else 1 :][:height])


@lru_cache(maxsize=2)
def _ground(board: PublicBoard) -> Board:
    """Return the ground, with its fog as filled squares."""
    cells = [Cell(one.x, one.y, one.sign, one.word, one.style, one.height, one.fill) for one in board.tiles]
    cells += [Cell(x, y, FOG, "", "past", fill=FOG) for y, first, last in board.fog for x in range(first, last + 1)]
    return Board("square", board.width, board.height, board.unit, tuple(cells))


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
    camp: Allegiance = "players" if one.friend else "ally" if one.ally else "gm"
    return CAMPS[camp], camp


def _middle(people: Sequence[PublicCombatant], board: PublicBoard) -> Square:
    """Return the square in the middle of the map: that of the acting combatant, else the middle of all."""
    places = [one.at for one in people if one.acting and one.at] or [one.at for one in people if one.at]
    if not places:
        return board.width // 2, board.height // 2
    x, y = (sum(place[axis] for place in places) / len(places) for axis in (0, 1))
    return int(x), int(y)


def _line(view: Public, board: PublicBoard, width: int, height: int) -> list[Row]:
    """Return the axis with zones and labels, then the combatants at each distance."""
    by_id = {one.id: one for one in view.combatants}
    people: dict[float, list[PublicCombatant]] = {}
    for one in view.combatants:
        if one.at and one.present:
            people.setdefault(float(one.at[0]), []).append(one)
    unit = board.unit.split(" ")[-1]
    rows = [Row(f"axis:{number}", spans) for number, spans in enumerate(_axis(board, people, unit, width))]
    for place, group in sorted(people.items()):
        head = Span(fit(f"{place:g} {unit}", 8, "right") + "  ", "dim")
        rows.append(Row("place", cut_spans((head, *join(map(_named, group))), width)))
    for zone in board.zones:
        members = [by_id[who] for who in zone.members if who in by_id]
        rows.append(Row("zone", cut_spans((Span(f"{zone.title}: ", "title"), *join(map(_named, members))), width)))
    return rows[:height]


def _axis(
    board: PublicBoard, people: dict[float, list[PublicCombatant]], unit: str, width: int
) -> list[tuple[Span, ...]]:
    zones = [Stretch(zone.middle, zone.radius, zone.title, "title") for zone in board.zones if zone.middle is not None]
    tokens = [
        (place, in_turn(_token(one)) if one.acting else _token(one)) for place, group in people.items() for one in group
    ]
    marks = [LineLabel(place, token.mark + token.label, chip(token.style)) for place, token in tokens]
    return axis_rows(marks, zones, end=float(board.width), unit=unit, width=width) if marks or zones else []


def _named(one: PublicCombatant) -> tuple[Span, ...]:
    style = "strong" if one.acting else _look(one)[1]
    return (Span(f"{one.label} ", "dim"), Span(one.name, style if one.acts else "dim"))


WIDE, VERY_WIDE = 96, 150
BAR = 10
RESULTS, FEW_RESULTS = 5, 2
"""Lines of the latest events on a high screen, and on a low one."""
NOW, DONE, TO_COME = "▶", "✓", "·"
MODES = {
    "paused": "the GM has paused this screen",
    "back": "the GM looks back: this is how the fight stands",
    "trial": "the GM tries something: nothing of it has happened",
}
"""The words for a view that is not live."""
HEALTH = {"unhurt": "dim", "hurt": "good", "badly hurt": "warn", "out": "dim"}


def waiting_rows(words: str, width: int, height: int) -> tuple[Row, ...]:
    lines = wrap_spans((Span(words, "dim"),), max(10, width - 4))
    above = [BLANK] * max(0, (height - len(lines)) // 2)
    rows = [Row("wait", (Span(" " * max(0, (width - width_of(spans)) // 2)), *spans)) for spans in lines]
    return (*above, *rows)[:height]


def screen_rows(view: Public, width: int, height: int, first: int = 0) -> tuple[Row, ...]:
    """Return the whole screen; after the fight it has the story from line `first` on."""
    if view.table.mode == "setup":
        return waiting_rows(f"{view.moment} (P shows the fight)", width, height)
    head = _head(view, width)
    room = max(1, height - len(head))
    if view.story:
        body = _ended(view, width, room, first)
    else:
        body = _columns(view, width, room) if width >= WIDE else _stack(view, width, room)
    return tuple([*head, *body][:height])


def story_length(view: Public, width: int) -> int:
    """Return the number of lines of the story."""
    return len(_story(view, _story_width(width)))


def _story_width(width: int) -> int:
    return width if width < WIDE else width - max(44, width * 3 // 10)


def _story(view: Public, width: int) -> list[Row]:
    """Return the story: the headline, a paragraph a round, the end of each side."""
    rows: list[Row] = []
    for number, (title, words) in enumerate(view.story):
        rows += [BLANK] if rows else []
        rows += [Row("round", cut_spans((Span(f" {title}", "title"),), width))] if title else []
        style = "" if number else "strong"
        rows += [Row("story", spans) for spans in wrap_spans((Span(f" {words}", style),), width - 1, 1)]
    return rows


def _ended(view: Public, width: int, height: int, first: int) -> list[Row]:
    """Return the story, beside the combatants if there is room."""
    story_width = _story_width(width)
    rows = _story(view, story_width)
    first = max(0, min(first, len(rows) - height))
    shown, left = rows[first : first + height], len(rows) - first - height
    if left > 0:
        shown = [*shown[:-1], Row("more", (Span(f" … and {left + 1} lines more (↓)", "dim"),))]
    if width < WIDE:
        return shown
    return _beside(_people(view, width - story_width - 1, height), shown, width - story_width, height)


def _head(view: Public, width: int) -> list[Row]:
    title, about = Span(f" {view.title}", "title"), Span(f"{view.ruleset} · {view.time} ", "dim")
    following = f"then {view.order[view.next].title} " if view.next is not None and not view.over else ""
    moment = spread((Span(f" {NOW} {view.moment} ", "strong"),), (Span(following),), width)
    rows = [Row("title", spread((title,), (about,), width)), Row("moment", _padded(moment, width), "current")]
    if view.table.mode in MODES:
        rows.append(Row("mode", cut_spans((Span(f" {MODES[view.table.mode]} ", "trial"),), width)))
    for (dice, what), asks in groupby(view.table.asks, lambda ask: (ask.dice, ask.what)):
        names = [ask.name for ask in asks]
        verb = "rolls" if len(names) == 1 else "roll"
        rows.append(Row("ask", cut_spans((Span(f" {listed(names)} {verb} {dice}", "typed"), Span(f" {what}")), width)))
    if view.over:
        rows += [Row("outcome", spans) for spans in wrap_spans((Span(f" {_outcome(view)}", "strong"),), width, 1)]
    return [*rows, BLANK]


def _outcome(view: Public) -> str:
    """Return the end of a fight as players see it."""
    ours = [one for one in view.combatants if one.friend]
    foes = [one for one in view.combatants if not one.friend and not one.ally]
    lost = [f"{one.name} {one.status}" for one in ours if not (one.acts and one.present)]
    out = sum(not (one.acts and one.present) for one in foes)
    rounds = "1 round" if view.round == 1 else f"{view.round} rounds"
    stand = f"After {rounds}: {len(ours) - len(lost)} of {len(ours)} of yours stand"
    return " · ".join((stand, *lost, f"{out} of {len(foes)} foes are out"))


def _columns(view: Public, width: int, height: int) -> list[Row]:
    """Return the order at the left, then the combatants and the map."""
    left = max(24, min(38, width * 3 // 10))
    ends_height = len(view.ends) * 2 + 2 if view.ends else 0
    log_height = min(RESULTS, len(view.log)) + 2 if view.log and height >= RESULTS * 4 else 0
    side = [*_order(view, left - 2, max(3, height - ends_height - log_height)), *_ends(view, left - 2)]
    side += _log(view, left - 2, height - len(side) - 1)
    if view.board is None:
        return _beside(side, _people(view, width - left, height), left, height)
    if width >= VERY_WIDE:
        middle = (width - left) // 2
        ground = board_rows(view, width - left - middle - 1, height)
        people = _people(view, middle, height)
        return _beside(side, _beside(people, ground, middle + 1, height), left, height)
    ground = board_rows(view, width - left, max(4, height // 2), numbers=False)
    people = _people(view, width - left, max(1, height - len(ground) - 1))
    return _beside(side, [*people, BLANK, *ground], left, height)


def _stack(view: Public, width: int, height: int) -> list[Row]:
    """Return everything in one column."""
    chips = join([(Span(f"{_mark(slot)} {slot.title}", _slot_style(slot)),) for slot in view.order], "   ")
    rows = [Row("order", spans) for spans in wrap_spans(chips, width - 2, 1)][:3]
    ends = _ends(view, width)
    log = _log(view, width, min(RESULTS, len(view.log)) + 2) if height >= RESULTS * 4 else []
    people = _people(view, width, max(1, height - len(rows) - 1 - len(ends) - len(log)))
    if people and people[-1].key == "more":  # combatants come first, with the ends of their effects
        ends, log = [], log and _log(view, width, min(FEW_RESULTS, len(view.log)) + 2)
        people = _people(view, width, max(1, height - len(rows) - 1 - len(log)))
    rows += [BLANK, *people] if rows else people
    left = height - len(rows) - len(ends) - len(log) - 1
    if view.board is not None and left >= 6:
        rows += [BLANK, *board_rows(view, width, left, numbers=False)]
    return [*rows, *ends, *log][:height]


def _beside(left: Sequence[Row], right: Sequence[Row], width: int, height: int) -> list[Row]:
    """Return two columns of rows side by side; `width`: of the left one."""
    rows: list[Row] = []
    for first, second in islice(zip_longest(left, right, fillvalue=BLANK), height):
        spans = _padded(cut_spans(first.spans, width - 1), width)
        rows.append(Row(second.key or first.key, (*spans, *second.spans), second.state))
    return rows


# -- the order ---------------------------------------------------------------------------------------------------------


def _mark(slot: PublicSlot) -> str:
    return {"now": NOW, "past": DONE, "later": TO_COME}[slot.when]


def _slot_style(slot: PublicSlot) -> str:
    if slot.when == "past":
        return "dim"
    return "strong" if slot.when == "now" else "players" if slot.friend else "gm" if slot.side else ""


def _order(view: Public, width: int, height: int) -> list[Row]:
    """Return the part of the order that has the current slot."""
    rows: list[Row] = []
    for slot in view.order:
        segment = f"{slot.segment:>3} " if slot.segment is not None else ""
        spans = (Span(f" {_mark(slot)} {segment}", "dim"), Span(slot.title, _slot_style(slot)))
        rows.append(Row(f"slot:{slot.id}", cut_spans(spans, width)))
    has_air = len(rows) * 2 <= height
    first = max(0, min((view.now or 0) - height // 3, len(rows) - height))
    return [line for row in rows[first : first + height] for line in ((row, BLANK) if has_air else (row,))]


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
    """Return the latest events that fit."""
    lines = [Row("log", spans) for words in view.log for spans in wrap_spans((Span(f" {words}", "dim"),), width, 3)]
    head = [BLANK, Row("last", (Span(" just now", "title"),))]
    return [*head, *lines[2 - height :]] if lines and height > 3 else []


# -- people ------------------------------------------------------------------------------------------------------------


def _people(view: Public, width: int, height: int) -> list[Row]:
    """Return the combatants with their health side by side, the players' first."""
    blocks: list[list[Row]] = []
    now = next((slot.members for slot in view.order if slot.when == "now"), ())
    column = max((cells(one.name) for one in view.combatants), default=0)
    column = min(column, max(12, width // 3))
    for side in sorted(view.sides, key=lambda side: not side.friend):
        people = [one for one in view.combatants if one.side == side.id]
        blocks.append([Row("side", (Span(f" {side.name}", "title"),))])
        blocks += [_person(one, width, column, one.acting or now == (one.id,)) for one in people if one.present]
        if gone := ", ".join(f"{one.label} {one.name} {one.status}" for one in people if not one.present):
            blocks.append([Row("gone", spans) for spans in wrap_spans((Span(f"    {gone}", "dim"),), width, 4)])
        blocks.append([BLANK])
    return _fitted(blocks, height)


def _fitted(blocks: Sequence[Sequence[Row]], height: int) -> list[Row]:
    """Return blocks of rows, with blank lines between them if they fit, else the rows around the acting combatant."""
    rows = [row for block in blocks for row in block]
    while rows and not rows[-1].spans:
        rows.pop()
    has_air = [block[0].key not in ("", "side") for block in blocks]
    if len(rows) + sum(has_air) <= height:
        aired = [row for block, air in zip(blocks, has_air, strict=True) for row in (*block, *[BLANK] * air)]
        return aired[:height]
    if len(rows) <= height:
        return rows
    rows = [row for row in rows if row.spans]
    acting = next((place for place, row in enumerate(rows) if row.state == "current"), 0)
    first = max(0, min(acting - height // 2, len(rows) - height))
    shown = rows[first : first + height]
    left = len(rows) - first - height
    return shown if left <= 0 else [*shown[:-1], Row("more", (Span(f"    … and {left + 1} lines more", "dim"),))]


def _person(one: PublicCombatant, width: int, column: int, up: bool) -> list[Row]:
    """Return the line of a combatant, with its effects below if they do not fit in it; `up`: its turn is now."""
    style = _look(one)[1] if one.acts else "dim"
    head = (
        Span(f" {NOW if up else one.mark or ' '} ", "strong"),
        Span(f"{fit(one.label, 2)} ", "dim"),
        Span(fit(one.name, column), "strong" if up else style),
        Span("  "),
    )
    points = [span for pool in one.pools[:1] for span in _bar(pool)]
    points += [Span(f"{pool.title} {pool.now}{f'/{pool.max}' if pool.max else ''}  ", "dim") for pool in one.pools[1:]]
    words = (Span(one.words, HEALTH.get(one.health, "")),) if one.words else ()
    first = (*head, *points, *words)
    effects = [
        (Span(effect.words or effect.name, "warn"), *((Span(f" → {effect.until}", "dim"),) if effect.until else ()))
        for effect in one.effects
    ]
    one_line = join([first, *effects], "  ")
    fits = not effects or width_of(one_line) <= width
    spans = cut_spans(one_line if fits else first, width)
    rows = [Row(one.id, _padded(spans, width) if up else spans, "current" if up else "")]
    below = () if fits else wrap_spans((Span(" " * 7), *join(effects, " · ")), width, 7)
    return [*rows, *[Row(f"{one.id}+", spans) for spans in below]]


def _padded(spans: tuple[Span, ...], width: int) -> tuple[Span, ...]:
    return (*spans, Span(" " * max(0, width - width_of(spans))))


def _bar(pool: PublicPool) -> Iterable[Span]:
    share = 0.0 if pool.max <= 0 else max(0.0, min(1.0, pool.now / pool.max))
    full = round(share * BAR) or (1 if pool.now > 0 else 0)
    yield Span("█" * full, danger(pool.now, pool.max))
    yield Span("░" * (BAR - full) + " ", "dim")
    if pool.title:
        yield Span(f"{pool.now:>3}/{pool.max:<3} ", "strong")
