"""`tracker forecast`: the probable result of a fight, from many playouts by its rules."""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import time
from collections.abc import Iterable, Sequence

from tracker.cli.helpers import journal_path, print_error, print_json, print_text
from tracker.cli.loading import find_ruleset, load, playable, with_party
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.tactics import TACTICS, Tactics
from tracker.forecast.rows import TacticsRow, count_range_rows, forecast_header, forecast_rows
from tracker.forecast.scenario import Scenario, new_seed, seeded
from tracker.forecast.simulation import Forecast, Simulator
from tracker.forecast.summary import ForecastSummary, outlook
from tracker.forecast.variants import variants, without
from tracker.library.guard import unwrapped
from tracker.session.store.journal import Journal
from tracker.views.words.spans import Row

ENOUGH = 400
"""Playouts that give any chance to within five points."""
OTHERS = 100
"""Playouts with each of the other tactics."""
BAR = 30
SLOW = 1.0
NARROW, WIDE = 60, 110
PLAIN = str.maketrans("█▓░·×−…✗", "#+-.x-.!")
"""Replacements for streams that cannot encode the others."""


def ruleset_of(key: str) -> Ruleset:
    """Return the game itself, for a worker process."""
    ruleset = find_ruleset(key)
    if ruleset is None:
        raise TrackerError(f'there is no ruleset "{key}"', "no_such_ruleset")
    return unwrapped(ruleset)


def run(asked: argparse.Namespace) -> int:
    """Print the forecast of an encounter, or of each number of one of its members."""
    encounter, ruleset = playable(load(asked.encounter, asked.library))
    if asked.party_from is not None or asked.with_dead:
        with Journal.open(journal_path(asked.db)) as journal:
            encounter = with_party(asked, journal, ruleset, encounter)
    asked.seed = new_seed() if asked.seed is None else asked.seed
    for ref in asked.without:
        encounter = without(encounter, ref)
    with Simulator(ruleset_of) as workers:
        summaries = (_whole if asked.count is None else _by_count)(workers, ruleset, encounter, asked)
    failed = [summary for summary in summaries if summary.failed]
    for summary in failed:
        print_error(f"tracker: {summary.failed} of the fights broke the ruleset: {summary.reason}")
    return 0 if all(summary.fights for summary in failed) else 1


def _whole(
    workers: Simulator, ruleset: Ruleset, encounter: Encounter, asked: argparse.Namespace
) -> tuple[ForecastSummary, ...]:
    """Print one forecast, and if no tactics are named the chances with each of them."""
    tactics: Tactics = asked.tactics or TACTICS[0]
    summary = _forecast(workers, ruleset, encounter, tactics, asked)
    rows = [TacticsRow(tactics, summary)]
    if asked.tactics is None and asked.fights is None and summary.fights:
        rows += [
            TacticsRow(other, _forecast(workers, ruleset, encounter, other, asked, OTHERS)) for other in TACTICS[1:]
        ]
    if asked.json:
        chances = {row.name: _chance(row.summary) for row in rows}
        print_json({"seed": asked.seed, **_document(summary)} | ({"tactics": chances} if len(rows) > 1 else {}))
    else:
        print_text(_title(ruleset, encounter, f"{summary.fights} fights", tactics, asked.seed, (summary,)))
        _print(forecast_rows(rows, forecast_header(ruleset, encounter), _width()))
    return (summary,)


def _title(
    ruleset: Ruleset, encounter: Encounter, fights: str, tactics: str, seed: int, summaries: Sequence[ForecastSummary]
) -> str:
    """Return the first line of a forecast, with the error of the chances if they are not known closely enough."""
    title = f"{encounter.title} · {ruleset.title} · {fights}, both sides {tactics} · seed {seed}"
    if not all(summary.fights for summary in summaries) or all(summary.is_known for summary in summaries):
        return title
    return f"{title} · known to ±{math.ceil(100 * max(summary.error for summary in summaries))} points"


def _by_count(
    workers: Simulator, ruleset: Ruleset, encounter: Encounter, asked: argparse.Namespace
) -> tuple[ForecastSummary, ...]:
    """Print a line for each count of a member, from equally many playouts with the same dice."""
    tactics: Tactics = asked.tactics or TACTICS[0]
    name, encounters = asked.count.name, dict(variants(encounter, asked.count))
    most = asked.fights or ENOUGH
    scenarios = [seeded(Scenario(ruleset.key, each, usual=tactics), asked.seed) for each in encounters.values()]
    forecasts: tuple[Forecast, ...] = ()
    bar = _Bar(most)
    for forecasts in workers.ranged(scenarios, most=most, seconds=math.inf, exactly=asked.fights is not None):
        bar.show(forecasts[0].outlook.fights)
    bar.clear()
    summaries = tuple(forecast.outlook for forecast in forecasts)
    if asked.json:
        for count, forecast in zip(encounters, forecasts, strict=True):
            document = {"with": f"{count} {name}", "seed": asked.seed, **_document(forecast.outlook)}
            print_json(document | _change(forecast))
        return summaries
    fights = f"{max(summary.fights for summary in summaries)} fights each"
    print_text(_title(ruleset, encounter, fights, tactics, asked.seed, summaries))
    column = len(str(max(encounters)))
    rows = [TacticsRow(f"{count:>{column}} × {name}", each) for count, each in zip(encounters, summaries, strict=True)]
    changes = [forecast.change for forecast in forecasts]
    _print(count_range_rows(rows, forecast_header(ruleset, encounter), _width(), changes))
    return summaries


def _forecast(
    workers: Simulator,
    ruleset: Ruleset,
    encounter: Encounter,
    tactics: Tactics,
    asked: argparse.Namespace,
    enough: int = ENOUGH,
) -> ForecastSummary:
    """Play the fights, with a progress bar if it takes longer than a second."""
    most: int = asked.fights or enough
    bar = _Bar(most)
    scenario = seeded(Scenario(ruleset.key, encounter, usual=tactics), asked.seed)
    ends = workers.fights(scenario, most, exactly=asked.fights is not None, on_progress=bar.show)
    bar.clear()
    return outlook(ends)


class _Bar:
    def __init__(self, most: int) -> None:
        self.most, self.since, self.drawn = most, time.monotonic(), False

    def show(self, many: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - self.since > SLOW:
            full = BAR * many // self.most
            sys.stderr.write("\r" + _plain(f"{'█' * full}{'·' * (BAR - full)} {many} fights", sys.stderr.encoding))
            sys.stderr.flush()
            self.drawn = True

    def clear(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _width() -> int:
    return max(NARROW, min(WIDE, shutil.get_terminal_size((WIDE, 24)).columns)) - 2


def _print(rows: Iterable[Row]) -> None:
    for row in rows:
        print_text(_plain(f"  {row.text}".rstrip(), sys.stdout.encoding))


def _plain(text: str, encoding: str | None) -> str:
    """Return a text in signs that a stream can encode."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(PLAIN)
    return text


def _chance(summary: ForecastSummary) -> dict[str, object]:
    low, high = summary.interval
    return {"share": round(summary.chance, 4), "low": round(low, 4), "high": round(high, 4)}


def _change(forecast: Forecast) -> dict[str, object]:
    change = forecast.change
    if change is None or not change.fights:
        return {}
    return {"change": {"mean": round(change.mean, 4), "low": round(change.low, 4), "high": round(change.high, 4)}}


def _document(summary: ForecastSummary) -> dict[str, object]:
    own = [combatant for combatant in summary.people if combatant.own]
    return {
        "fights": summary.fights,
        "won": _chance(summary),
        "left": dict(summary.left),
        "rounds": dict(zip(("median", "low", "high"), summary.rounds, strict=True)),
        "points_left": round(summary.points, 4),
        "a_character_falls": round(summary.falls / summary.fights, 4) if summary.fights else 0.0,
        "a_character_dies": round(summary.deaths / summary.fights, 4) if summary.fights else 0.0,
        "falls": {combatant.name: round(combatant.chance, 4) for combatant in own},
        "fates": {combatant.name: dict(combatant.statuses) for combatant in own},
        "undecided": summary.undecided,
        "failed": summary.failed,
        **({"reason": summary.reason} if summary.reason else {}),
    }
