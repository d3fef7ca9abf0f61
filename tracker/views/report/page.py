"""The report of a fight as one page of HTML without scripts, to read, keep and print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tracker.views.report.charts import bars, effects_chart, points_charts
from tracker.views.report.names import sentence
from tracker.views.report.outcome import cost, headline
from tracker.views.report.record import FightRecord
from tracker.views.report.statistics import TITLES, FightStats, Luck, cause, left_of, nobodys_words
from tracker.views.report.story import paragraphs, story
from tracker.views.words.moments import time_words
from tracker.views.words.text import clean, key_words

MARK = "encounter-tracker"
"""The generator that every page names."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --paper: #fdfcf9; --dim: #5a636b; --line: #c9c4b8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e3dc; --paper: #16191c; --dim: #a2abb3; --line: #3c4349; }
}
@media print {
  :root { --ink: #000; --paper: #fff; --dim: #444; --line: #999; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } h2, h3 { break-after: avoid; }
  svg, tr { break-inside: avoid; } tr:nth-child(-n + 2) { break-after: avoid; }
  .wide { overflow: visible; } table { overflow-wrap: anywhere; font-size: 9pt; }
}
@page { size: A4; margin: 16mm; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 Georgia, serif; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; } h3 { margin: 1.2rem 0 .3rem; }
p { margin: .2rem 0; } .lead { font-size: 1.2rem; font-weight: bold; margin: .6rem 0; }
.dim { color: var(--dim); } .note { color: var(--dim); font-style: italic; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; overflow-wrap: normal; }
td, th { padding: .2rem .5rem .2rem 0; }
th { text-align: left; border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; }
td.n + td:not(.n), th.n + th:not(.n) { padding-left: .8rem; }
.wide { overflow-x: auto; } .wide + .wide { margin-top: 1rem; }
@media screen and (max-width: 30rem) { table { font-size: .8rem; } td, th { padding-right: .3rem; }
  svg { min-width: 32rem; } }
 svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 11px sans-serif; } svg .axis { stroke: var(--line); fill: none; }
"""


def length_words(record: FightRecord) -> str:
    """Return the length of a fight: `6 rounds, 0:30`."""
    return f"{record.rounds} round{'' if record.rounds == 1 else 's'}, {time_words(record.seconds)}"


def story_text(record: FightRecord, full: bool = False, notes: bool = False) -> str:
    """Return the story as plain text: a paragraph a round, or a line for every action if it is told in full."""
    lines = [clean(record.title), headline(record)]
    for paragraph in paragraphs(story(record, full, notes)):
        lines += ["", *filter(None, [paragraph.title])]
        words = [f"({line.words})" if line.kind == "note" else line.words for line in paragraph.lines]
        lines += words if full else [" ".join(words)]
    return "\n".join((*lines, "", *cost(record), f"{length_words(record)}.")) + "\n"


def page(record: FightRecord, numbers: FightStats, mattered: Sequence[str] = (), notes: bool = False) -> str:
    """Return the page; `mattered` are the turning points of the fight in sentences."""
    title = escape(clean(record.title)) or "A fight"
    parts = (
        f"<h1>{title}</h1>",
        f'<p class="lead">{escape(headline(record))}</p>',
        *(f"<p>{escape(words)}</p>" for words in cost(record)),
        f'<p class="dim">{length_words(record)}</p>',
        _section("The story", _story(record, notes)),
        _section("What mattered", [f"<p>{escape(line)}</p>" for line in mattered]),
        _section("How it ended", _ended(record, numbers)),
        _section("Points over time", points_charts(record)),
        _section("Damage", _damage(record, numbers)),
        _section("Dice", _dice(record, numbers.luck)),
        _section("Effects", effects_chart(record)),
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{MARK}">\n<link rel="icon" href="data:,">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{chr(10).join(filter(None, parts))}\n"
        "</body>\n</html>\n"
    )


def _section(title: str, content: Iterable[str]) -> str:
    body = "\n".join(content)
    return f"<h2>{title}</h2>\n{body}" if body else ""


def _story(record: FightRecord, notes: bool) -> Iterable[str]:
    for paragraph in paragraphs(story(record, notes=notes)):
        if paragraph.title:
            yield f"<h3>{escape(paragraph.title)}</h3>"
        marked = [
            f'<span class="note">{escape(line.words)}</span>' if line.kind == "note" else escape(line.words)
            for line in paragraph.lines
        ]
        yield f"<p>{' '.join(marked)}</p>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: int, last: int = 0) -> list[str]:
    """Return a table; the columns from `numbers` on are numbers, except the `last` columns."""
    sorts = [' class="n"' if numbers <= place < len(heads) - last else "" for place in range(len(heads))]

    def row(cells: Sequence[object], tag: str) -> str:
        parts = (f"<{tag}{sort}>{escape(str(cell))}</{tag}>" for sort, cell in zip(sorts, cells, strict=True))
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    table = f"<table><thead>{row(heads, 'th')}</thead><tbody>{body}</tbody></table>"
    return [f'<div class="wide">{table}</div>'] if body else []


def _ended(record: FightRecord, numbers: FightStats) -> list[str]:
    """Return the combatants that no longer stand, and what the player characters have left."""
    rows = []
    for defeat in numbers.defeats:
        by, means = cause(record, defeat.change)
        when = "" if defeat.change is None else str(defeat.change.round or "before the first")
        name = f"{defeat.sign} {record.name(defeat.who)}"
        rows.append((name, clean(defeat.status), when, by, _label(means)))
    title = record.pool.upper() if any(one.players and one.max for one in record.people) else ""
    return [
        *_table(("Out of the fight", "", "Round", "By whom", "With"), rows, 5),
        *_table(("Left of the party", title), left_of(record), 1),
    ]


def _label(words: str) -> str:
    return clean(key_words(words))


def _damage(record: FightRecord, numbers: FightStats) -> list[str]:
    """Return the damage dealt and taken by each combatant, and the biggest hit."""
    shares = [share for share in numbers.shares if share.counts]
    columns = [name for name in TITLES if any(getattr(share, name) for share in shares)]
    rows = [
        (
            record.name(share.who),
            *(getattr(share, name) for name in columns),
            ", ".join(f"{_label(name)} {points}" for name, points in share.by),
        )
        for share in shares
    ]
    parts = bars([(record.name(share.who), share.dealt) for share in shares if share.dealt])
    parts += _table(("", *(TITLES[name] for name in columns), "by"), rows, 1, last=1)
    if words := nobodys_words(numbers):
        parts.append(f"<p>{escape(sentence(words))}</p>")
    if numbers.biggest is not None:
        parts.append(f"<p>Biggest hit: {escape(numbers.biggest.words(record))}.</p>")
    return parts


def _dice(record: FightRecord, luck: Sequence[Luck]) -> list[str]:
    """Return the dice of each player character with their sum and the expected sum."""
    rows = [
        (record.name(dice.who), f"{dice.count} d{dice.sides}", dice.total, f"{dice.expected:g}", dice.words)
        for dice in luck
    ]
    table = _table(("", "dice", "sum", "expected", ""), rows, 2, last=1)
    low = " and ".join(f"d{sides}" for sides in sorted({dice.sides for dice in luck if dice.low}))
    return [*table, f'<p class="dim">On a {low} a low number is good.</p>'] if low else table
