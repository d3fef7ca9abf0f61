"""The end of a fight in rows: the outcome, defeats, damage, dice, points left; and the story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.core.fight.slots import Id
from tracker.views.report.outcome import cost, headline
from tracker.views.report.record import FightRecord
from tracker.views.report.statistics import TITLES, FightStats, Luck, cause, left_of, nobodys_words
from tracker.views.report.story import paragraphs, story
from tracker.views.words.sides import Colours
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, width_of, wrap_spans
from tracker.views.words.text import clean, key_words

NUMBER = 7
ORDER = ("dealt", "taken", "marked", "marks", "felled", "healed")
NAME_AT_MOST = 28
PLAIN = Colours({})
STYLES = {"wave": "strong", "note": "dim"}


def outcome_rows(record: FightRecord, width: int, colours: Colours = PLAIN) -> list[Row]:
    """Return the headline, and the end of each side's combatants."""
    lines = [(headline(record), "strong"), *((words, "") for words in cost(record))]
    return [
        Row("outcome", spans)
        for words, style in lines
        if words
        for spans in wrap_spans(colours.spans(words, style), width, 2)
    ]


def ending_rows(record: FightRecord, numbers: FightStats, width: int, colours: Colours = PLAIN) -> list[Row]:
    return [
        *_under("Out of the fight", [*_defeats(record, numbers, width, colours)], width),
        *_under("Damage", [*_shares(record, numbers, width, colours)], width),
        *_under("Dice", [*_luck(record, numbers.luck, width, colours)], width),
        *_under("Left of the party", [*_left(record, width, colours)], width),
    ]


def _under(title: str, rows: list[Row], width: int) -> list[Row]:
    return [Row("", cut_spans((Span(title, "title"),), width), "head"), *rows, Row("", ())] if rows else []


def _defeats(record: FightRecord, numbers: FightStats, width: int, colours: Colours) -> Iterator[Row]:
    for defeat in numbers.defeats:
        by = ", ".join(filter(None, cause(record, defeat.change)))
        words = f" {record.name(defeat.who)}: {clean(defeat.status)}{f' ({by})' if by else ''}"
        lead = "" if defeat.change is None else f"R{defeat.change.round}"
        style = "" if defeat.ending in ("fled", "broken") else "bad"
        sign = (Span(f"{lead:>4}  ", "dim"), Span(defeat.sign, style))
        yield Row("", cut_spans((*sign, *colours.spans(words)), width))


def _column(record: FightRecord, who: Sequence[Id]) -> int:
    return min(NAME_AT_MOST, max((cells(record.name(each)) for each in who), default=0))


def _named(record: FightRecord, who: Id, column: int, colours: Colours) -> Span:
    name = record.name(who)
    return Span(fit(name, column + 2), colours.of(name).style)


def _shares(record: FightRecord, numbers: FightStats, width: int, colours: Colours) -> Iterator[Row]:
    shares = [share for share in numbers.shares if share.counts]
    if not shares:
        return
    column = _column(record, [share.who for share in shares])
    columns = [
        (name, max(NUMBER, len(TITLES[name]) + 1)) for name in ORDER if any(getattr(share, name) for share in shares)
    ]
    titles = "".join(f"{TITLES[name]:>{size}}" for name, size in columns)
    yield Row("", cut_spans((Span(" " * (column + 2) + titles, "dim"),), width))
    for share in shares:
        shown = "".join(f"{getattr(share, name) or '·':>{size}}" for name, size in columns)
        by = ", ".join(f"{clean(key_words(name)) or 'other'} {points}" for name, points in share.by)
        spans = (_named(record, share.who, column, colours), Span(shown))
        if width_of(spans) + 3 + cells(by) <= width:
            yield Row("", (*spans, Span(f"   {by}" if by else "", "dim")))
            continue
        yield Row("", cut_spans(spans, width))
        below = (Span(" " * (column + 2)), Span(by, "dim"))
        yield from (Row("", line) for line in wrap_spans(below, width, column + 2))
    if words := nobodys_words(numbers):
        yield Row("", cut_spans((Span(words, "dim"),), width))
    if numbers.biggest is not None:
        words = f"biggest hit: {numbers.biggest.words(record)}"
        yield Row("", cut_spans(colours.spans(words, "strong"), width))


def _luck(record: FightRecord, luck: tuple[Luck, ...], width: int, colours: Colours) -> Iterator[Row]:
    column = _column(record, [dice.who for dice in luck])
    for dice in luck:
        words = f"{f'{dice.count} d{dice.sides}':>9}: {dice.total} ({dice.expected:g} expected)"
        name = _named(record, dice.who, column, colours)
        yield Row("", cut_spans((name, Span(words), Span(f"  {dice.words}", "dim")), width))


def _left(record: FightRecord, width: int, colours: Colours) -> Iterator[Row]:
    words = " · ".join(f"{name}{': ' if left[:1].isalpha() else ' '}{left}" for name, left in left_of(record))
    if words:
        yield from (Row("", spans) for spans in wrap_spans(colours.spans(words), width, 2))


def story_rows(record: FightRecord, notes: bool, width: int, colours: Colours = PLAIN, full: bool = False) -> list[Row]:
    """Return the story: a paragraph a round, or a line for every action if it is told in full."""
    rows: list[Row] = []
    for paragraph in paragraphs(story(record, full, notes)):
        if rows:
            rows.append(Row("", ()))
        if paragraph.title:
            rows.append(Row("round", cut_spans((Span(paragraph.title, "title"),), width)))
        spans = [colours.spans(line.words, STYLES.get(line.kind, "")) for line in paragraph.lines]
        if full:
            rows += [Row("", line) for one in spans for line in wrap_spans(one, width, 2)]
        else:
            joined = tuple(span for one in spans for span in (*one, Span(" ")))
            rows += [Row("", line) for line in wrap_spans(joined, width)]
    return rows
