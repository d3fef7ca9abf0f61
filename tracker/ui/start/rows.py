"""The rows of the start screen: fights to resume and encounters to begin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from tracker.ui.widgets.lines import RowsWidget
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, line, spread, wrap_spans
from tracker.views.words.text import clean, clean_lines

if TYPE_CHECKING:
    from tracker.library.content.discovery import EncounterFile
    from tracker.library.yaml.problems import Problem
    from tracker.session.rows import FightSummary


NUMBER, WHEN, GAME = 4, 18, 22
ONE_LINE = 100
FIRST = ("worlds_without_number", "first_fight")
"""Game and file of the fight for learning the program."""
FIRST_MARK = "◆ begin here"
FIRST_WORDS = "The fight to learn with; the README goes through its first round key by key. Nothing is lost by leaving."
LONGEST_TITLE = 35
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)  # fmt: skip - words


def when_words(at: str, now: datetime) -> str:
    """Return a time as `today 19:40`, `yesterday 21:05`, `3 days ago` or `12 March 2026`, in the zone of `now`."""
    try:
        moment = datetime.fromisoformat(at).astimezone(now.tzinfo)
    except ValueError:
        return clean(at)
    days = (now.date() - moment.date()).days
    if days in (0, 1):
        return f"{'yesterday' if days else 'today'} {moment:%H:%M}"
    return f"{days} days ago" if 1 < days < 14 else f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def game_words(key: str) -> str:
    return clean(key.replace("_", " ").title())


def stands_words(fight: FightSummary) -> str:
    words = [(fight.up or "over") if fight.over else f"round {fight.round}" if fight.round else "set-up"]
    words += ["what-if open"] if fight.trying else []
    words += [f"up: {fight.up}"] if fight.up and not fight.over and fight.up.casefold() not in words else []
    words += [f"asks: {fight.pending}"] if fight.pending else []
    return clean(" · ".join(words))


def fight_rows(
    key: str, number: int, fight: FightSummary, width: int, *, game: str, now: datetime, same: bool = False
) -> tuple[Row, ...]:
    """Return a fight as one or two rows; `same`: other fights have its title, so it shows when it began."""
    when, situation, state = when_words(fight.at, now), stands_words(fight), "done" if fight.discarded else ""
    if fight.discarded:
        situation = f"put away · {situation}"
    if same:
        situation = f"begun {when_words(fight.created, now)} · {situation}"
    item = _Item(key, number, title=clean(fight.title), game=game, middle=situation, end=when, state=state)
    return _listed(item, width)


def fight_height(width: int) -> int:
    return 1 if width >= ONE_LINE else 2


def is_first(found: EncounterFile) -> bool:
    return (found.ruleset, found.path.stem) == FIRST and not found.problems


def found_height(found: EncounterFile, width: int) -> int:
    return 2 if found.problems else fight_height(width)


def found_rows(key: str, number: int, found: EncounterFile, width: int, *, game: str) -> tuple[Row, ...]:
    if not found.problems:
        title, size = clean(found.title), clean(found.size)
        end = FIRST_MARK if is_first(found) else clean(found.path.stem)
        return _listed(_Item(key, number, title=title, game=game, middle=size, end=end), width)
    many = f"{len(found.problems)} problem{'' if len(found.problems) == 1 else 's'}"
    start = (Span(fit(str(number), NUMBER - 1, "right") + " ", "dim"), Span(clean(found.title), "strong"))
    head = spread(start, (Span(f"✗ {many}", "bad"),), width)
    first = Span(clean(found.problems[0].render()), "warn")
    return (Row(key, head), Row(key, cut_spans((Span(" " * NUMBER), first), width)))


class _Item(Struct, frozen=True):
    """The texts of a list item: title, game, state, and time or place."""

    key: str
    number: int
    title: str
    game: str
    middle: str
    end: str
    state: str = ""


def _listed(item: _Item, width: int) -> tuple[Row, ...]:
    key, state, game, end = item.key, item.state, item.game, item.end
    head = Span(fit(str(item.number), NUMBER - 1, "right") + " ", "dim")
    look = "good" if end == FIRST_MARK else "dim"
    if width < ONE_LINE:
        first = spread((head, Span(item.title, "strong")), (Span(_end(end, width // 2), look),), width)
        second = cut_spans((Span(" " * NUMBER), Span(f"{game} · " if game else "", "dim"), Span(item.middle)), width)
        return (Row(key, first, state), Row(key, second, state))
    left = width - NUMBER - GAME - 6
    last, name = WHEN, min(LONGEST_TITLE, (left - WHEN) * 3 // 5)
    end = _end(end, last)
    words = (Span(fit(item.title, name), "strong"), Span("  "), Span(fit(game, GAME), "dim"), Span("  "))
    spans = (head, *words, Span(fit(item.middle, left - name - cells(end))), Span("  "), Span(end, look))
    return (Row(key, spans, state),)


def _end(text: str, width: int) -> str:
    """Return the end of a text: of a path, the end says more than the beginning."""
    while cells(text) > width:
        text = "…" + text[2:] if text.startswith("…") else "…" + text[1:]
    return text


def problem_rows(problems: Sequence[Problem], excerpts: Sequence[tuple[str, str]], width: int) -> tuple[Row, ...]:
    """Return every problem with its line of the file and a mark under its column."""
    rows: list[Row] = []
    for number, (problem, (text, mark)) in enumerate(zip(problems, excerpts, strict=True)):
        rows += [Row(str(number), spans) for spans in wrap_spans((Span(clean(problem.render()), "warn"),), width, 2)]
        if text:
            shift = max(0, len(mark) + 8 - width)
            rows.append(line(str(number), f"  {clean(text)[shift:]}", width, "dim"))
            rows.append(Row(str(number), (Span("  " + mark[shift:], "bad"),)))
        rows.append(Row("", ()))
    return tuple(rows)


WIDEST_LABEL = 22
PREVIEW = "Preview"
ALWAYS, BY_HAND = "always", "by hand"


class PreviewPane(RowsWidget):
    """The sides, waves and notes of an encounter, or the last state of a fight."""

    def __init__(self) -> None:
        super().__init__(0, PREVIEW, "preview")
        self._title = ""
        self._lines: tuple[tuple[str, Span], ...] = ()
        self._made: tuple[int, list[Row]] = (0, [])

    def tell(self, title: str, lines: tuple[tuple[str, Span], ...]) -> None:
        if (title, lines) != (self._title, self._lines):
            self._title, self._lines, self._made, self.top = title, lines, (0, []), 0
            self.say(title=clean(title) or PREVIEW)
            self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self._made[0] != width:
            column = min(WIDEST_LABEL, max((cells(label) for label, _ in self._lines), default=0))
            rows = [row for label, words in self._lines for row in _rows(label, words, column, width)]
            self._made = (width, rows)
        rows = self._made[1]
        self.top = max(0, min(self.top, len(rows) - height))
        return rows[self.top : self.top + height], -1, len(rows)

    def move(self, by: int) -> None:
        self.top += by
        self.update()


def _rows(label: str, words: Span, column: int, width: int) -> list[Row]:
    parts = wrap_spans((words,), max(8, width - column - 2), 0)
    return [
        Row(label, (Span(fit(label if not number else "", column) + "  ", "dim"), *part))
        for number, part in enumerate(parts)
    ]


def fight_preview(
    fight: FightSummary, now: datetime, sides: Sequence[str] = (), last: str = ""
) -> tuple[tuple[str, Span], ...]:
    steps = f"{fight.steps} step{'' if fight.steps == 1 else 's'}"
    return (
        ("stood", Span(stands_words(fight), "strong")),
        ("played last", Span(f"{when_words(fight.at, now)}, {steps}")),
        ("begun", Span(when_words(fight.created, now))),
        *((("put away", Span(when_words(fight.discarded, now))),) if fight.discarded else ()),
        *((("" if number else "sides", Span(clean(words))) for number, words in enumerate(sides))),
        *((("last", Span(clean(last))),) if last else ()),
    )


def found_preview(found: EncounterFile) -> tuple[tuple[str, Span], ...]:
    outline = found.summary
    lines = [("problem", Span(clean(problem.render()), "warn")) for problem in found.problems]
    lines += [("begin", Span(FIRST_WORDS, "good"))] if is_first(found) else []
    lines += [(clean(name), Span(clean(members))) for name, members in outline.sides]
    lines += [(clean(when) or BY_HAND, Span(f"comes: {clean(who)}")) for when, who in outline.waves]
    lines += [(clean(when) or ALWAYS, Span(clean(text))) for when, text in outline.reminders]
    notes = clean_lines(outline.notes.strip()) if outline.notes.strip() else ()
    lines += [("notes" if not number else "", Span(line, "dim")) for number, line in enumerate(notes)]
    lines.append(("file", Span(clean(str(found.path)), "dim")))
    return tuple(lines)
