"""Forecasts as rows of text, the same on the screen and on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Literal

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.encounter import Encounter
from tracker.forecast.summary import LEAST, CombatantSummary, Difference, ForecastSummary, wilson
from tracker.views.words.sides import allegiance_of
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, line, width_of, wrap_spans
from tracker.views.words.text import clean

BAR = 40
"""Cells of the longest bar."""
SHORT = 16
"""Cells of the bar of one combatant."""
SHARE = 17
"""Cells of a chance with its interval."""
CHANGE = 19
"""Cells of a change against the line above."""
NARROW = 90
LIKELY, POSSIBLE = 0.5, 0.2
LONGEST_CHANCE = len("nearly always")
MANY = 100
"""From this number of fights on, a chance is shown in percent."""
RARE = 0.03
"""Up to this chance the words are "hardly ever"."""
FEW_FALL = 0.15
"""Below this mean number of falls in a fight the words are "hardly ever one falls"."""
FRACTIONS = tuple((some, of) for of in (2, 3, 4, 5, 8, 10, 20) for some in (1, of - 1))
"""The fractions of `chance_words`."""
TRIFLE = 1e-9
_NUMBER = re.compile(r" \d+$")


class ForecastHeader(Struct, frozen=True):
    """The sides and combatants of a forecast.

    Attributes:
        sides: the name of each side, and whether it is the players'.
        acting: the words of the statuses in which a combatant can act.
        labels: the labels of the combatants, if they have any.
        round: the round of the fight now.
        unplayed: actions the forecast does not play, each with the names of its combatants; no names: of all.
        allied: the names of the sides that are friendly to the players, and the ids of their combatants.
    """

    sides: tuple[tuple[str, bool], ...]
    acting: frozenset[str] = frozenset()
    labels: Mapping[Id, str] = {}
    round: int = 0
    unplayed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    allied: frozenset[str] = frozenset()

    def style(self, key: str, own: bool) -> str:
        """Return the style word of a side, by its name, or of a combatant, by its id."""
        return "players" if own else "ally" if key in self.allied else "gm"

    @property
    def own(self) -> str:
        """The name of the players' side, or of the first side."""
        names = [name for name, own in self.sides if own] or [name for name, _ in self.sides[:1]]
        return clean(", ".join(names))


class TacticsRow(Struct, frozen=True):
    """A named forecast, one of several."""

    name: str
    summary: ForecastSummary


def forecast_header(ruleset: Ruleset, start: Encounter | State) -> ForecastHeader:
    acting = frozenset(status.word for status in ruleset.statuses if status.acts)
    sides = tuple((side.name, side.control == "players") for side in start.sides)
    unplayed = _unplayed(ruleset, start)
    if isinstance(start, State):
        labels = {one.id: one.label for one in start.combatants}
        allies = {side.id for side in start.sides if allegiance_of(ruleset, start, side.id) == "ally"}
        allied = {side.name for side in start.sides if side.id in allies}
        allied |= {one.id for one in start.combatants if one.side in allies}
        return ForecastHeader(sides, acting, labels, start.clock.round, unplayed, frozenset(allied))
    return ForecastHeader(sides, acting, unplayed=unplayed)


def _unplayed(ruleset: Ruleset, start: Encounter | State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the actions the forecast does not play, each with the combatants that have it; () if all have it."""
    if isinstance(start, State):
        named = [(one.name, one.block) for one in start.combatants if status_of(ruleset, one.status).takes_part]
    else:
        named = [(member.name, member.block) for member in start.members]
    unplayed: dict[str, list[str]] = {}
    for name, block in named:
        for words in ruleset.unplayed(block):
            unplayed.setdefault(words, []).append(_NUMBER.sub("", name))
    return tuple(
        (words, () if len(names) == len(named) else tuple(dict.fromkeys(names))) for words, names in unplayed.items()
    )


def percent(share: float) -> str:
    """Return a share in percent; only exactly none and all are 0% and 100%."""
    words = f"{share * 100 + TRIFLE:.0f}%"
    if words == "0%" and share > 0:
        return "<1%"
    return ">99%" if words == "100%" and share < 1 else words


def chance_words(share: float) -> str:
    """Return a chance in words: `1 in 8`."""
    if share <= RARE:
        return "hardly ever" if share > 0 else "never"
    if share >= 1 - RARE:
        return "nearly always" if share < 1 else "always"
    some, of = min(FRACTIONS, key=lambda pair: abs(pair[0] / pair[1] - share))
    return f"{some} in {of}"


def _falls_words(share: float, fights: int) -> str:
    """Return a chance to fall in percent, or in words if too few fights have been played."""
    return percent(share) if fights >= MANY else chance_words(share)


# -- one forecast ------------------------------------------------------------------------------------------------------


def forecast_rows(lanes: Sequence[TacticsRow], header: ForecastHeader, width: int) -> tuple[Row, ...]:
    """Return the range of all lanes and the losses, then the first lane in full."""
    summary = lanes[0].summary
    if summary.fights < LEAST:
        return _too_few(summary, width)
    rows = [*_headline_rows(lanes, header, width), Row("", ())]
    rows += [*_side_rows(summary, header, width), *_course_rows(summary, header, width)]
    rows += [Row("", ()), *_people_rows(summary, header, width)]
    if len(lanes) > 1:
        rows += [Row("", ()), *_tactics_rows(lanes, header, width)]
    rows += _unplayed_rows(header, width)
    return tuple(rows)


def _headline_rows(lanes: Sequence[TacticsRow], header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield the chance to win by all tactics, and the chance that the players lose a character."""
    summary, known = lanes[0].summary, [lane.summary for lane in lanes if lane.summary.fights >= MANY]
    if len(known) > 1:
        words = f"{_span(known)} by the tactics of both sides"
    elif known:
        words = _share(summary.won, summary.fights).strip()
    else:
        won = "none" if not summary.won else "all" if summary.won == summary.fights else f"{summary.won}"
        words = f"{won} of {summary.fights} fights"
    yield line("headline", f"{header.own} wins {words}", width, "title")
    parts = [f"no character falls in {summary.fights} fights"]
    if summary.falls:
        parts = [f"a character falls: {chance_words(summary.falls / summary.fights)}{_mostly(summary, 'new_falls')}"]
    if summary.deaths:
        parts += [f"a character dies: {chance_words(summary.deaths / summary.fights)}{_mostly(summary, 'deaths')}"]
    for spans in wrap_spans((Span(" · ".join(parts), "strong"),), width):
        yield Row("losses", spans)


def _span(known: Sequence[ForecastSummary]) -> str:
    """Return the range of the chances to win."""
    chances = [summary.chance for summary in known]
    low, high = percent(min(chances)), percent(max(chances))
    return low if low == high else f"{low} to {high}"


def _mostly(summary: ForecastSummary, loss: Literal["new_falls", "deaths"]) -> str:
    """Return `, mostly Sefa` if one character alone has at least half of the losses."""
    own, fights = _own(summary), summary.deaths if loss == "deaths" else summary.falls
    often = [one for one in own if 2 * getattr(one, loss) >= fights]
    return f", mostly {clean(often[0].name)}" if len(often) == 1 < len(own) else ""


def _own(summary: ForecastSummary) -> list[CombatantSummary]:
    return [one for one in summary.people if one.own]


def _unplayed_rows(header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield the actions the forecast does not play, with their combatants."""
    if not header.unplayed:
        return
    alike: dict[tuple[str, ...], list[str]] = {}
    for words, names in header.unplayed:
        alike.setdefault(names, []).append(words)
    parts = [f"{', '.join(words)} ({', '.join(names) if names else 'anyone'})" for names, words in alike.items()]
    yield Row("", ())
    for spans in wrap_spans((Span(clean(f"not played: {'; '.join(parts)}"), "dim"),), width, 2):
        yield Row("unplayed", spans)


def _too_few(summary: ForecastSummary, width: int) -> tuple[Row, ...]:
    """Return that too few fights have been played, and why fights failed."""
    rows = [line("few", f"{summary.fights} fights played: fewer than {LEAST} say nothing", width, "dim")]
    return (*rows, *_failed_rows(summary, width))


def _failed_rows(summary: ForecastSummary, width: int) -> Iterable[Row]:
    if summary.failed:
        words = f"{summary.failed} of the fights broke the ruleset: {clean(summary.reason)}"
        for spans in wrap_spans((Span("✗ ", "bad"), Span(words, "bad")), width, 2):
            yield Row("failed", spans)


def _side_rows(summary: ForecastSummary, header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield the chance of each side to win."""
    left = dict(summary.left)
    yield line("wins", "wins", width, "title")
    column = _column((clean(name) for name, _ in header.sides), width)
    for name, own in header.sides:
        style = header.style(name, own)
        yield _chance_row(f"side:{name}", clean(name), left.get(name, 0), summary.fights, column, width, style=style)
    if summary.undecided:
        yield line("undecided", f"undecided: {summary.undecided} ({clean(summary.reason)})", width, "warn")


def _course_rows(summary: ForecastSummary, header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield the rounds, the falls and the points left."""
    parts = [_rounds(summary, header)]
    own = _own(summary)
    if own:
        parts.append(_falling_words(own, summary.fights, " characters" if len(own) > 1 else " character"))
    if any(one.full for one in own):
        parts.append(f"{percent(summary.points)} of {header.own}'s points left")
    for spans in wrap_spans((Span(" · ".join(parts)),), width):
        yield Row("course", spans)
    yield from _failed_rows(summary, width)


def _rounds(summary: ForecastSummary, header: ForecastHeader) -> str:
    middle, low, high = (max(0, number - header.round) for number in summary.rounds)
    noun = f"{'more ' if header.round else ''}round{'' if middle == 1 else 's'}"
    return f"{middle} {noun} ({low} to {high} in 9 of 10 fights)"


def _falling(people: Sequence[CombatantSummary], fights: int) -> float:
    """Return the mean number of falls in one fight."""
    return sum(one.falls for one in people) / fights


def _falling_words(people: Sequence[CombatantSummary], fights: int, noun: str = "") -> str:
    """Return the mean numbers of falls and of combatants in one fight."""
    falls = _falling(people, fights)
    if falls < FEW_FALL:
        return "hardly ever one falls" if falls else "none falls"
    return f"{falls:.1f} of {_coming(people, fights)}{noun} fall"


def _coming(people: Sequence[CombatantSummary], fights: int) -> str:
    """Return the mean number of combatants in one fight: whole if all are in each, else with a decimal."""
    if all(one.fights == fights for one in people):
        return f"{len(people)}"
    return f"{sum(one.fights for one in people) / fights:.1f}"


def _people_rows(summary: ForecastSummary, header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield a row for each character, and for each kind of other combatants."""
    kinds: dict[str, list[CombatantSummary]] = {}
    for one in summary.people:
        always = one.own and one.fights == summary.fights
        kind = one.id if always else f"{'own' if one.own else 'foe'} {_NUMBER.sub('', one.name)}"
        kinds.setdefault(kind, []).append(one)
    named = [(_name(combatants, header, summary.fights), combatants) for combatants in kinds.values()]
    column = _column((name for name, _ in named), width)
    for own in (True, False):
        for name, combatants in named:
            if combatants[0].own is own:
                yield _person_row(name, combatants, header, summary.fights, column, width)


def _name(combatants: Sequence[CombatantSummary], header: ForecastHeader, fights: int) -> str:
    one = combatants[0]
    if len(combatants) > 1:
        return f"{_coming(combatants, fights)} × {clean(_NUMBER.sub('', one.name))}"
    label = header.labels.get(one.id, "")
    return f"{label} {clean(one.name)}" if label else clean(one.name)


def _person_row(
    name: str, combatants: Sequence[CombatantSummary], header: ForecastHeader, fights: int, column: int, width: int
) -> Row:
    """Return the chance of a character to fall, or the falls of a kind."""
    one, came = combatants[0], sum(each.fights for each in combatants)
    falls = sum(each.falls for each in combatants) / came
    style = "" if not one.own or falls < POSSIBLE else "bad" if falls >= LIKELY else "warn"
    low, high = one.interval if len(combatants) == 1 else (falls, falls)
    head = (Span(fit(name, column), header.style(one.id, one.own)), Span("  falls "))
    words = _falls_words(falls, fights)
    chance = (
        Span(f"{words:>4}" if fights >= MANY else f"{words:<{LONGEST_CHANCE}}", style),
        Span("  "),
        *_bar(falls, low, high, SHORT if width > NARROW else SHORT // 2, style or "dim"),
    )
    if len(combatants) > 1:
        parts = [_falling_words(combatants, fights)]
    else:
        parts = [f"comes {_falls_words(came / fights, fights)}"] if came < fights else []
        parts += [
            f"{word} {_falls_words(many / came, fights)}" for word, many in one.statuses if word not in header.acting
        ]
        parts += [f"{one.left:.0f}/{one.full} left"] if one.full else []
    return Row(f"person:{one.id}", cut_spans((*head, *chance, Span("  " + clean(" · ".join(parts)), "dim")), width))


def _tactics_rows(lanes: Sequence[TacticsRow], header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield the chance by each lane's tactics."""
    yield line("range", f"{header.own} wins, by the tactics of both sides", width, "title")
    column = max(cells(lane.name) for lane in lanes)
    for lane in lanes:
        if lane.summary.fights < LEAST:
            text = f"{fit(lane.name, column)}  {lane.summary.fights} fights so far"
            yield line(f"lane:{lane.name}", text, width, "dim")
        else:
            yield _lane_row(lane, column, width)


# -- two forecasts -----------------------------------------------------------------------------------------------------


def compared_rows(
    one: TacticsRow, other: TacticsRow, change: Difference, header: ForecastHeader, width: int
) -> tuple[Row, ...]:
    """Return two forecasts and their difference; the second is that of the tried action."""
    lanes = (one, other)
    few = [lane for lane in lanes if lane.summary.fights < LEAST]
    if few:
        return _too_few(few[0].summary, width)
    column = _column([*(clean(lane.name) for lane in lanes), "difference"], width)
    return (
        line("wins", f"{header.own} wins", width, "title"),
        *(_lane_row(lane, column, width) for lane in lanes),
        _difference_row(change, column, width),
        *(row for lane in lanes for row in _failed_rows(lane.summary, width)),
        Row("", ()),
        *_beside_rows(lanes, header, width),
    )


def _difference_row(change: Difference, column: int, width: int) -> Row:
    """Return how much more often the players win in the second forecast."""
    if not change.fights:
        return line("difference", "", width)
    style = "good" if change.low > 0 else "bad" if change.high < 0 else ""
    words = _change_words(change, " points")
    sure = "" if style else "  it may make no difference"
    spans = (Span(fit("difference", column), "strong"), Span("  "), Span(words, style or "strong"), Span(sure, "dim"))
    return Row("difference", cut_spans(spans, width))


def _change_words(change: Difference, noun: str = "") -> str:
    """Return a difference with its interval: `−4 (−9 to +1)`."""
    return f"{_points(change.mean)}{noun} ({_points(change.low)} to {_points(change.high)})"


def _points(share: float) -> str:
    number = round(share * 100)
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def _beside_rows(lanes: Sequence[TacticsRow], header: ForecastHeader, width: int) -> Iterable[Row]:
    """Yield rounds, points and each character's chance to fall, in two columns."""
    people = {one.id: one for lane in lanes for one in _own(lane.summary)}
    names = {key: _name([one], header, one.fights) for key, one in people.items()}
    column = _column(("points left", "more rounds", *names.values()), width)
    each = max(12, min(SHORT + 8, (width - column - 2) // 2))
    heads = "".join(fit(clean(lane.name), each - 2) + "  " for lane in lanes)
    yield Row("heads", cut_spans((Span(" " * (column + 2)), Span(heads, "dim")), width))
    rounds = [f"{max(0, lane.summary.rounds[0] - header.round)}" for lane in lanes]
    yield _pair_row("rounds", "more rounds" if header.round else "rounds", rounds, column, each, width)
    points = [_points_left(lane.summary) for lane in lanes]
    yield _pair_row("points", "points left", points, column, each, width)
    for key, name in names.items():
        spans = [Span(fit(name, column), "players"), Span("  ")]
        for lane in lanes:
            one = next((one for one in lane.summary.people if one.id == key), None)
            spans += _falls(one, lane.summary.fights, each)
        yield Row(f"person:{key}", cut_spans((*spans, Span("falls", "dim")), width))


def _falls(one: CombatantSummary | None, fights: int, each: int) -> tuple[Span, ...]:
    if one is None:
        return (Span(fit("–", each), "dim"),)
    style = "bad" if one.chance >= LIKELY else "warn" if one.chance >= POSSIBLE else ""
    words = f"{_falls_words(one.chance, fights):>4}  "
    bar = _bar(one.chance, *one.interval, max(0, each - 2 - cells(words)), style or "dim")
    return (Span(words, style), *bar, Span("  "))


def _points_left(summary: ForecastSummary) -> str:
    """Return the share of points the players have left, or – if their combatants have none."""
    return percent(summary.points) if any(one.full for one in _own(summary)) else "–"


def _pair_row(key: str, name: str, values: Sequence[str], column: int, each: int, width: int) -> Row:
    text = "".join(fit(f"{value:>4}", each) for value in values)
    return Row(key, cut_spans((Span(fit(name, column) + "  "), Span(text)), width))


# -- a sweep -----------------------------------------------------------------------------------------------------------


def count_range_rows(
    lanes: Sequence[TacticsRow], header: ForecastHeader, width: int, changes: Sequence[Difference | None] = ()
) -> tuple[Row, ...]:
    """Return a row for each count of a member, with its change against the row above, under a heading."""
    column = max((cells(lane.name) for lane in lanes), default=0)
    changes = changes if any(changes) else ()
    head = f"{' ' * column}  {fit(f'{header.own} wins', SHARE)}  fall  left  rounds"
    rows = [line("heads", f"{head}  points more or less" if changes else head, width, "dim")]
    for lane, change in zip_longest(lanes, changes[: len(lanes)]):
        summary: ForecastSummary = lane.summary
        if summary.fights < LEAST:
            why = f" · {clean(summary.reason)}" if summary.failed else ""
            text = f"{fit(lane.name, column)}  {summary.fights} fights played{why}"
            rows.append(line(f"sweep:{lane.name}", text, width, "bad" if summary.failed else "dim"))
            continue
        falling = _falling(_own(summary), summary.fights)
        numbers = f"  {falling:4.1f}  {_points_left(summary):>4}  {summary.rounds[0]:6}  "
        if changes:
            more = "" if change is None or not change.fights else _change_words(change)
            numbers += fit(more, CHANGE) + "  "
        start = (
            Span(fit(lane.name, column), "strong"),
            Span(f"  {_share(summary.won, summary.fights)}"),
            Span(numbers),
        )
        bar = _bar(summary.chance, *summary.interval, max(0, min(BAR, width - width_of(start))), "players")
        rows.append(Row(f"sweep:{lane.name}", cut_spans((*start, *bar), width)))
    return tuple(rows)


# -- parts of a line ---------------------------------------------------------------------------------------------------


def _column(names: Iterable[str], width: int) -> int:
    """Return the width of a column of names, at most a third of the line."""
    return min(max((cells(name) for name in names), default=0), max(8, width // 3))


def _share(many: int, fights: int) -> str:
    """Return a chance with its interval, ` 71% (66 to 76%)`, or for few fights the interval alone, `55 to 87%`."""
    low, high = (f"{bound * 100 + TRIFLE:.0f}" for bound in wilson(many, fights))
    words = f"{percent(many / fights):>4} ({low} to {high}%)" if fights >= MANY else f"{low} to {high}%"
    return words.ljust(SHARE)


def _lane_row(lane: TacticsRow, column: int, width: int) -> Row:
    return _chance_row(f"lane:{lane.name}", clean(lane.name), lane.summary.won, lane.summary.fights, column, width)


def _chance_row(key: str, name: str, many: int, fights: int, column: int, width: int, *, style: str = "") -> Row:
    share, (low, high) = many / fights, wilson(many, fights)
    start = (Span(fit(name, column), style or "strong"), Span(f"  {_share(many, fights)}  "))
    bar = _bar(share, low, high, max(0, min(BAR, width - width_of(start))), style or "players")
    return Row(key, cut_spans((*start, *bar), width))


def _bar(share: float, low: float, high: float, room: int, style: str) -> tuple[Span, ...]:
    """Return a bar: full up to the low end of the interval, shaded up to its high end."""
    sure, here, may = round(low * room), round(share * room), round(high * room)
    return (
        Span("█" * sure + "▓" * (here - sure) + "░" * (may - here), style),
        Span("·" * (room - may), "dim"),
    )
