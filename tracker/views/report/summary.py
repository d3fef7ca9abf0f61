"""The end of a fight in rows: the outcome, who fell, damage, dice, what is left; and the story."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.core.fight.slots import Id
from tracker.core.terms.words import possessive
from tracker.views.report.names import in_round
from tracker.views.report.outcome import cost, headline
from tracker.views.report.record import FightRecord
from tracker.views.report.statistics import FightStats, Luck, cause, left_of, nobodys_words
from tracker.views.report.story import paragraphs, story
from tracker.views.words.sides import Colours
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, width_of, wrap_spans
from tracker.views.words.text import clean, key_words

NUMBER = 7
NAME_AT_MOST = 28
PLAIN = Colours({})
STYLES = {"wave": "strong", "note": "dim"}


def outcome_rows(record: FightRecord, width: int, colours: Colours = PLAIN) -> list[Row]:
    """Return who won, and how each side stands."""
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
    for fall in numbers.defeats:
        by = ", ".join(filter(None, cause(record, fall.change)))
        words = f" {clean(record.name(fall.who))}: {clean(fall.status)}{f' ({by})' if by else ''}"
        lead = "" if fall.change is None else f"R{fall.change.round}"
        style = "" if fall.ending in ("fled", "broken") else "bad"
        sign = (Span(f"{lead:>4}  ", "dim"), Span(fall.sign, style))
        yield Row("", cut_spans((*sign, *colours.spans(words)), width))


def _column(record: FightRecord, who: tuple[Id, ...]) -> int:
    return min(NAME_AT_MOST, max((cells(clean(record.name(one))) for one in who), default=0))


def _named(record: FightRecord, who: Id, column: int, colours: Colours) -> Span:
    name = clean(record.name(who))
    return Span(fit(name, column + 2), colours.of(name).style)


def _shares(record: FightRecord, numbers: FightStats, width: int, colours: Colours) -> Iterator[Row]:
    shares = [share for share in numbers.shares if share.counts]
    if not shares:
        return
    column = _column(record, tuple(share.who for share in shares))
    every = [(share.dealt, share.taken, share.marked, share.marks, share.felled, share.healed) for share in shares]
    heads = ("dealt", "taken", "marks dealt", "marks taken", "felled", "got back")
    told = [
        (head, max(NUMBER, len(head) + 1), values) for head, *values in zip(heads, *every, strict=True) if any(values)
    ]
    titles = "".join(f"{head:>{size}}" for head, size, _ in told)
    yield Row("", cut_spans((Span(" " * (column + 2) + titles, "dim"),), width))
    for number, share in enumerate(shares):
        shown = "".join(f"{values[number] or '·':>{size}}" for _, size, values in told)
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
    if (hit := numbers.biggest) is not None:
        whose = f"{possessive(clean(record.name(hit.by)))} {clean(key_words(hit.label))}"
        unit = " marks" if hit.marks else ""
        words = (
            f"biggest hit: {whose} took {hit.points}{unit} from {clean(record.name(hit.target))} {in_round(hit.round)}"
        )
        yield Row("", cut_spans(colours.spans(words, "strong"), width))


def _luck(record: FightRecord, luck: tuple[Luck, ...], width: int, colours: Colours) -> Iterator[Row]:
    column = _column(record, tuple(one.who for one in luck))
    for one in luck:
        dice = f"{f'{one.count} d{one.sides}':>9}: {one.total} ({one.expected:g} expected)"
        name = _named(record, one.who, column, colours)
        yield Row("", cut_spans((name, Span(dice), Span(f"  {one.words}", "dim")), width))


def _left(record: FightRecord, width: int, colours: Colours) -> Iterator[Row]:
    words = " · ".join(f"{name} {left}" for name, left in left_of(record))
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
