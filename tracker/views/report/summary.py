"""The end of a fight in rows: falls, damage, dice, what is left."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.core.fight.slots import Id
from tracker.views.report.page import SIGNS, defeat_words, story
from tracker.views.report.recorder import FightRecord
from tracker.views.report.statistics import FightStats, Luck, left_of
from tracker.views.words.moments import time_words
from tracker.views.words.sides import Colours
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, wrap_spans
from tracker.views.words.text import clean, key_words

NUMBER = 7
NAME_AT_MOST = 28
PLAIN = Colours({})
STYLES = {"round": "title", "fell": "bad", "wave": "strong", "note": "dim", "ended": "strong"}


def length_words(told: FightRecord) -> str:
    """Return how long a fight was: `6 rounds, 0:30`."""
    return f"{told.rounds} round{'' if told.rounds == 1 else 's'}, {time_words(told.seconds)}"


def ending_rows(told: FightRecord, numbers: FightStats, width: int, colours: Colours = PLAIN) -> list[Row]:
    rows = [
        _line(f"{SIGNS['fell']} {defeat_words(told, fall)}", f"R{fall.round}", width, colours)
        for fall in numbers.defeats
    ]
    return [
        *_under("Who fell", rows, width),
        *_under("Damage", [*_shares(told, numbers, width, colours)], width),
        *_under("Dice against expectation", [*_luck(told, numbers.luck, width, colours)], width),
        *_under("Left of the party", [*_left(told, width, colours)], width),
    ]


def _under(title: str, rows: list[Row], width: int) -> list[Row]:
    return [Row("", cut_spans((Span(title, "title"),), width), "head"), *rows, Row("", ())] if rows else []


def _line(words: str, lead: str, width: int, colours: Colours) -> Row:
    return Row("", cut_spans((Span(f"{lead:>4}  ", "dim"), *colours.spans(words, "bad")), width))


def _column(told: FightRecord, who: tuple[Id, ...]) -> int:
    return min(NAME_AT_MOST, max((cells(clean(told.name(one))) for one in who), default=0))


def _named(told: FightRecord, who: Id, column: int, colours: Colours) -> Span:
    name = clean(told.name(who))
    return Span(fit(name, column + 2), colours.of(name).style)


def _shares(told: FightRecord, numbers: FightStats, width: int, colours: Colours) -> Iterator[Row]:
    shares = [share for share in numbers.shares if share.dealt or share.taken or share.healed or share.felled]
    if not shares:
        return
    column = _column(told, tuple(share.who for share in shares))
    heads = ("dealt", "taken", "felled", "got back")
    widths = tuple(max(NUMBER, len(head) + 1) for head in heads)
    titles = "".join(f"{head:>{size}}" for head, size in zip(heads, widths, strict=True))
    yield Row("", cut_spans((Span(" " * (column + 2) + titles, "dim"),), width))
    for share in shares:
        values = (share.dealt, share.taken, share.felled, share.healed)
        shown = "".join(f"{value or '·':>{size}}" for value, size in zip(values, widths, strict=True))
        by = ", ".join(f"{clean(key_words(name))} {points}" for name, points in share.by)
        name = _named(told, share.who, column, colours)
        yield Row("", cut_spans((name, Span(shown), Span(f"   {by}", "dim")), width))
    if (blow := numbers.biggest) is not None:
        names = clean(told.name(blow.by)), clean(told.name(blow.target))
        words = (
            f"biggest blow: {blow.points}, {names[0]} ({clean(key_words(blow.label))}) → {names[1]}, round {blow.round}"
        )
        yield Row("", cut_spans(colours.spans(words, "strong"), width))


def _luck(told: FightRecord, luck: tuple[Luck, ...], width: int, colours: Colours) -> Iterator[Row]:
    column = _column(told, tuple(one.who for one in luck))
    for one in luck:
        dice = f"{f'{one.count} d{one.sides}':>9}: {one.total} ({one.expected:g} expected)"
        yield Row(
            "",
            cut_spans(
                (_named(told, one.who, column, colours), Span(dice), Span(f"  less in {one.below:.0%}", "dim")), width
            ),
        )


def _left(told: FightRecord, width: int, colours: Colours) -> Iterator[Row]:
    words = " · ".join(f"{name} {left}" for name, left in left_of(told))
    if words:
        yield from (Row("", spans) for spans in wrap_spans(colours.spans(words), width, 2))


def story_rows(told: FightRecord, notes: bool, width: int, colours: Colours = PLAIN) -> list[Row]:
    rows: list[Row] = []
    for verse in story(told, notes):
        if verse.kind == "round" and rows:
            rows.append(Row("", ()))
        sign = f"{SIGNS[verse.kind]} " if verse.kind in SIGNS else ""
        spans = colours.spans(f"{sign}{verse.words}", STYLES.get(verse.kind, ""))
        rows += [Row(verse.kind, line) for line in wrap_spans(spans, width, 2)]
    return rows
