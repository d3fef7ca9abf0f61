"""The report of a fight as Markdown and text, and its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT
from tracker.core.terms.words import listed, possessive
from tracker.views.report.recorder import Defeat, EffectSpan, FightRecord, Milestone, Point, RecordedAction
from tracker.views.report.statistics import FightStats, Luck, left_of
from tracker.views.words.moments import time_words
from tracker.views.words.text import clean, key_words

DEAD, MISSED, BAR = "dead", "miss", "  "
SIGNS = {"fell": "†", "wave": "»"}


class StoryLine(Struct, frozen=True):
    """A line of the story.

    `kind`: a sentence "", a heading `round`, what stands out (`fell`, `wave`), the GM's `note`, or the `ended`.
    """

    words: str
    kind: str = ""
    step: int = 0


def story(told: FightRecord, notes: bool = False) -> Iterator[StoryLine]:
    """Yield the story of a fight, with the GM's notes where wanted.

    Rounds of which there is nothing to tell are one sentence.
    """
    rounds: list[StoryLine] = []
    for verse in (*_story_lines(told, notes), None):
        if verse is not None and verse.kind == "round":
            rounds.append(verse)
            continue
        if len(rounds) > 1:
            first, last = (one.words.removeprefix("Round ") for one in (rounds[0], rounds[-2]))
            between = "and" if len(rounds) == 3 else "to"
            words = f"Round {first} passes." if first == last else f"Rounds {first} {between} {last} pass."
            yield StoryLine(words, step=rounds[0].step)
        yield from rounds[-1:]
        rounds.clear()
        if verse is not None:
            yield verse


def _story_lines(told: FightRecord, notes: bool) -> Iterator[StoryLine]:
    for one in told.story:
        if isinstance(one, RecordedAction):
            words = "" if one.idle else _sentence(told, one)
            if words:
                yield StoryLine(words, step=one.step)
            for fall in one.defeats:
                yield StoryLine(defeat_words(told, fall), "fell", one.step)
        else:
            yield from _milestone(told, one, notes)


def _milestone(told: FightRecord, beat: Milestone, notes: bool) -> Iterator[StoryLine]:
    match beat.kind:
        case "opened":
            for side, name in told.sides:
                here = [person for person in told.people if person.side == side and person.since == beat.step]
                names = [clean(person.name) for person in here]
                if names:
                    yield StoryLine(f"{clean(name)}: {listed(names)}.", step=beat.step)
            if notes and beat.words:
                yield StoryLine(clean(" ".join(beat.words.split())), "note", beat.step)
        case "round":
            yield StoryLine(f"Round {beat.words}", "round", beat.step)
        case "fell":
            assert beat.defeat is not None
            yield StoryLine(defeat_words(told, beat.defeat), "fell", beat.step)
        case "wave":
            yield StoryLine(f"{clean(beat.words)}.", "wave", beat.step)
        case "note":
            if notes:
                yield StoryLine(clean(beat.words), "note", beat.step)
        case "ended":
            why = f": {clean(beat.words)}" if beat.words else ""
            yield StoryLine(f"The fight is over{why}.", "ended", beat.step)


def defeat_words(told: FightRecord, fall: Defeat) -> str:
    """Return a defeat in words: `Hedge Robber 1 is dead (Ordwen, long sword)`."""
    by = [clean(told.name(fall.by)), clean(key_words(fall.label))] if fall.by not in (None, fall.who) else []
    whose = f" ({', '.join(filter(None, by))})" if by else ""
    return f"{clean(told.name(fall.who))} is {clean(fall.word)}{whose}."


def _sentence(told: FightRecord, deed: RecordedAction) -> str:
    """Return one deed in one sentence, "" for a procedure of which nothing came."""
    clauses = _together([parts for who in _touched(deed) if (parts := _parts(told, deed, who))])
    if deed.by is None:
        return f"{listed(_plain(told, deed))}." if _plain(told, deed) else ""
    name, label = clean(told.name(deed.by)), clean(deed.label)
    means = f" ({clean(deed.means)})" if deed.means and clean(deed.means).casefold() not in label.casefold() else ""
    if not clauses and deed.results:
        results = ", ".join(f"on {clean(told.name(who))}: {clean(words)}" for who, words in deed.results)
        return f"{possessive(name)} {label}{means} {results}."
    if not clauses:
        aims = listed([clean(told.name(who)) for who in deed.targets])
        verb = "answers with" if deed.answers else "uses"
        return f"{name} {verb} {label}{means}{f' on {aims}' if aims else ''}."
    return f"{possessive(name)} {label}{means} {listed(clauses)}."


def _touched(deed: RecordedAction) -> tuple[Id, ...]:
    """Return the combatants that an action was aimed at or changed, in order."""
    others = (
        *(loss.who for loss in deed.losses),
        *(who for _, who in deed.effects),
        *(one.who for one in deed.defeats),
    )
    return tuple(dict.fromkeys((*deed.targets, *(who for who, _ in deed.results), *others)))


def _together(found: list[list[str]]) -> list[str]:
    """Return what a deed did to each as a clause.

    The same verb is said once: `takes 5 from Wick and 3 from Snag`.
    """
    clauses: list[str] = []
    said = ""
    for parts in found:
        verb, _, rest = parts[0].partition(" ")
        alone = verb if len(parts) == 1 else ""
        clauses.append(rest if alone and alone == said else " and ".join(parts))
        said = alone
    return clauses


def _parts(told: FightRecord, deed: RecordedAction, who: Id) -> list[str]:
    """Return what a deed did to one combatant, nothing where nothing is known."""
    name = "itself" if who == deed.by else clean(told.name(who))
    lost = sum(loss.points for loss in deed.losses if loss.who == who and loss.pool == told.pool)
    words = {fall.word for fall in deed.defeats if fall.who == who}
    put = [(effect, bearer) for effect, bearer in deed.effects if bearer == who != deed.by]
    effects = [clean(effect) for effect, _ in put if effect not in words]
    result = next((clean(words) for target, words in deed.results if target == who), "")
    parts = []
    if lost > 0:
        parts.append(f"takes {lost} from {name}")
    elif lost < 0:
        parts.append(f"gives {-lost} back to {name}")
    elif MISSED in result.casefold():
        parts.append(f"misses {name}")
    marks = [clean(mark) for mark, bearer in deed.marks if bearer == who and clean(mark) != result]
    if effects:
        whom = "it" if parts else name
        parts.append(
            f"puts {listed(effects)} on {whom}" if effects[0][:1].isupper() else f"leaves {whom} {listed(effects)}"
        )
    if marks:
        parts.append(f"marks {'it' if parts else name} ({listed(marks)})")
    for fall in deed.defeats:
        if fall.who == who:
            word, whom = clean(fall.word), "it" if parts else name
            if word == DEAD:
                parts.append(f"kills {whom}")
            elif parts and parts[-1].startswith("leaves "):
                parts[-1] += f" and {word}"
            else:
                parts.append(f"leaves {whom} {word}")
    return parts


def _plain(told: FightRecord, deed: RecordedAction) -> list[str]:
    """Return points and effects that no combatant's action has changed."""
    found = []
    for who in _touched(deed):
        name = clean(told.name(who))
        lost = sum(loss.points for loss in deed.losses if loss.who == who and loss.pool == told.pool)
        effects = [clean(effect) for effect, bearer in deed.effects if bearer == who]
        if lost:
            found.append(f"{name} {'loses' if lost > 0 else 'gets back'} {abs(lost)}")
        if effects:
            found.append(f"{name} is {listed(effects)} now")
    return found


def story_text(told: FightRecord, notes: bool = False) -> str:
    lines = [clean(told.title), ""]
    for verse in story(told, notes):
        if verse.kind == "round":
            lines += ["", verse.words, ""]
        elif verse.kind in SIGNS:
            lines.append(f"{BAR}{SIGNS[verse.kind]} {verse.words}")
        elif verse.kind == "ended":
            lines += ["", verse.words]
        else:
            lines.append(f"({verse.words})" if verse.kind == "note" else verse.words)
    rounds = f"{told.rounds} round{'' if told.rounds == 1 else 's'}"
    return "\n".join((*lines, "", f"{rounds}, {time_words(told.seconds)}.")) + "\n"


MARK = "encounter-tracker"
"""What every page says of where it comes from."""

WIDE, HIGH, MARGIN, ROW = 640, 220, 28, 16
LABELS = 170
COLOURS = ("#1b6ca8", "#b3432b", "#2f7d4f", "#8a5a00", "#6b4fa0", "#00757a", "#a0306a", "#4d5b66")
STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --paper: #fdfcf9; --dim: #5a636b; --line: #c9c4b8; --bad: #a12d1c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e3dc; --paper: #16191c; --dim: #a2abb3; --line: #3c4349; --bad: #f0836f; }
}
body { margin: 0 auto; max-width: 46rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 Georgia, serif; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; } h3 { margin: 1.2rem 0 .3rem; }
p { margin: .2rem 0; } .dim { color: var(--dim); } .fell { color: var(--bad); font-weight: bold; }
.wave { font-style: italic; } .note { color: var(--dim); font-style: italic; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; } td, th { padding: .2rem .5rem .2rem 0; }
th { text-align: left; border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; }
.wide { overflow-x: auto; } svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 11px sans-serif; } svg .axis { stroke: var(--line); fill: none; }
"""


def page(told: FightRecord, numbers: FightStats, mattered: Sequence[str] = (), notes: bool = False) -> str:
    """Return the page.

    `mattered` are lines on what would have been without an effect or a correction.
    """
    title = escape(clean(told.title)) or "A fight"
    rounds = f"{told.rounds} round{'' if told.rounds == 1 else 's'}, {time_words(told.seconds)}"
    parts = (
        f"<h1>{title}</h1>",
        f'<p class="dim">{rounds}</p>',
        _section("How it ended", _ended(told, numbers)),
        _section("What mattered", [f"<p>{escape(line)}</p>" for line in mattered]),
        _section("Points over time", _lines(told)),
        _section("Damage", _damage(told, numbers)),
        _section("Dice", _dice(told, numbers.luck)),
        _section("Effects", _effects(told)),
        _section("The story", _story(told, notes)),
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


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: int) -> list[str]:
    """Return a table of which all columns from `numbers` on are numbers."""
    sorts = ["" if place < numbers else ' class="n"' for place in range(len(heads))]
    head = "".join(f"<th{sort}>{escape(name)}</th>" for sort, name in zip(sorts, heads, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{sort}>{escape(str(cell))}</td>" for sort, cell in zip(sorts, row, strict=True)) + "</tr>"
        for row in rows
    )
    return [f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'] if body else []


def _ended(told: FightRecord, numbers: FightStats) -> list[str]:
    """Return who fell, and what the players' side has left."""
    rows = [
        (
            clean(told.name(fall.who)),
            clean(fall.word),
            f"round {fall.round}",
            clean(told.name(fall.by)),
            _label(fall.label),
        )
        for fall in numbers.defeats
    ]
    return [
        *_table(("Who fell", "", "When", "By whom", "With"), rows, 5),
        *_table(
            ("Left of the party", told.pool.upper() if any(one.players and one.max for one in told.people) else ""),
            left_of(told),
            1,
        ),
    ]


def _label(words: str) -> str:
    return clean(key_words(words))


def _damage(told: FightRecord, numbers: FightStats) -> list[str]:
    """Return who dealt and took how much, and the biggest blow."""
    shares = [share for share in numbers.shares if share.dealt or share.taken or share.healed or share.felled]
    rows = [
        (
            clean(told.name(share.who)),
            share.dealt,
            share.taken,
            share.healed,
            share.felled,
            ", ".join(f"{_label(name)} {points}" for name, points in share.by),
        )
        for share in shares
    ]
    found = _bars([(clean(told.name(share.who)), share.dealt) for share in shares if share.dealt])
    found += _table(("", "dealt", "taken", "got back", "felled", "by"), rows, 1)
    if (blow := numbers.biggest) is not None:
        words = f"{told.name(blow.by)} ({_label(blow.label)}) took {blow.points} from {told.name(blow.target)}"
        found.append(f"<p>Biggest blow: {escape(clean(words))} in round {blow.round}.</p>")
    return found


def _dice(told: FightRecord, luck: Sequence[Luck]) -> list[str]:
    """Return each player's dice against what is to be expected."""
    rows = [
        (
            clean(told.name(one.who)),
            f"{one.count} d{one.sides}",
            one.total,
            f"{one.expected:g}",
            f"{one.below:.0%}",
        )
        for one in luck
    ]
    found = _table(("", "dice", "sum", "expected", "less in"), rows, 2)
    return [*found, '<p class="dim">"Less in": how often the same dice show a smaller sum.</p>'] if found else []


def _story(told: FightRecord, notes: bool) -> Iterable[str]:
    for verse in story(told, notes):
        tag = "h3" if verse.kind == "round" else "p"
        sort = f' class="{verse.kind}"' if verse.kind in ("fell", "wave", "note") else ""
        yield f"<{tag}{sort}>{escape(verse.words)}</{tag}>"


# -- charts ------------------------------------------------------------------------------------------------------------


def _svg(height: float, what: str, marks: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {height:g}" role="img" aria-label="{escape(what)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(marks)}</svg>'
    )


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _steps(told: FightRecord) -> int:
    return max([1, *(one.step for one in told.story), *(point.step for point in told.points)])


def _across(step: int, steps: int, left: float) -> float:
    return left + step / steps * (WIDE - left - MARGIN)


def _rounds(told: FightRecord, left: float, bottom: float) -> list[str]:
    """Return a mark where each round begins."""
    steps = _steps(told)
    found = []
    for one in told.story:
        if getattr(one, "kind", "") == "round":
            x = _across(one.step, steps, left)
            found.append(f'<path class="axis" d="M{x:.1f} 0V{bottom:g}"/>{_text(x + 2, bottom + 12, f"R{one.round}")}')
    return found


def _lines(told: FightRecord) -> list[str]:
    """Return the points of each side's combatants over the steps, a chart a side."""
    charts = []
    for side, name in told.sides:
        people = [person for person in told.people if person.side == side and person.max]
        if people:
            charts.append(f"<h3>{escape(clean(name))}</h3>")
            charts.append(_chart(told, [person.id for person in people], clean(name)))
    return charts


def _chart(told: FightRecord, people: Sequence[Id], name: str) -> str:
    steps, most = _steps(told), max(person.max for person in told.people if person.id in people)
    marks = _rounds(told, MARGIN, HIGH)
    marks += [_text(MARGIN - 4, 10, str(most), "end"), _text(MARGIN - 4, HIGH, "0", "end")]
    for place, who in enumerate(people):
        colour = COLOURS[place % len(COLOURS)]
        points = [point for point in told.points if point.who == who]
        path = _path(points, steps, most)
        dashes = ' stroke-dasharray="5 3"' if place >= len(COLOURS) else ""
        marks.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        x, y = MARGIN + place % 4 * 150, HIGH + 30 + place // 4 * ROW
        marks.append(f'<path d="M{x} {y - 4}h16" stroke="{colour}" stroke-width="3"{dashes}/>')
        marks.append(_text(x + 20, y, clean(told.name(who))))
    return _svg(HIGH + 30 + (len(people) + 3) // 4 * ROW, f"points of {name} over time", marks)


def _path(points: Sequence[Point], steps: int, most: int) -> str:
    """Return a line that goes on level until the next change."""
    drawn: list[str] = []
    for step, group in groupby(points, key=lambda point: point.step):
        x, y = _across(step, steps, MARGIN), HIGH - max(0, list(group)[-1].now) / most * (HIGH - 12)
        drawn.append(f"M{x:.1f} {y:.1f}" if not drawn else f"H{x:.1f}V{y:.1f}")
    return "".join((*drawn, f"H{WIDE - MARGIN}"))


def _bars(values: Sequence[tuple[str, int]]) -> list[str]:
    if not values:
        return []
    most = max(value for _, value in values)
    marks = []
    for place, (name, value) in enumerate(values):
        y, length = place * ROW, value / most * (WIDE - LABELS - 60)
        marks.append(_text(LABELS - 6, y + 12, name, "end"))
        marks.append(f'<rect x="{LABELS}" y="{y + 3}" width="{length:.1f}" height="10" fill="{COLOURS[0]}"/>')
        marks.append(_text(LABELS + length + 4, y + 12, str(value)))
    return [_svg(len(values) * ROW, "damage dealt", marks)]


def _effects(told: FightRecord) -> list[str]:
    """Return every effect as a bar over the steps it held."""
    holds = sorted((hold for hold in told.effects if hold.bearer != FIGHT), key=lambda hold: hold.since)
    if not holds:
        return []
    steps, bottom = _steps(told), len(holds) * ROW
    marks = _rounds(told, LABELS, bottom)
    for place, hold in enumerate(holds):
        until = hold.until[0] if hold.until is not None else steps
        x, y = _across(hold.since[0], steps, LABELS), place * ROW
        length = max(2.0, _across(until, steps, LABELS) - x)
        marks.append(_text(LABELS - 6, y + 12, _held_words(told, hold), "end"))
        colour = COLOURS[place % len(COLOURS)]
        marks.append(f'<rect x="{x:.1f}" y="{y + 3}" width="{length:.1f}" height="10" fill="{colour}"/>')
    return [_svg(bottom + 16, "effects over time", marks)]


def _held_words(told: FightRecord, hold: EffectSpan) -> str:
    words = f"{clean(told.name(hold.bearer))}: {clean(hold.effect)}"
    return words if len(words) <= 28 else f"{words[:27]}…"
