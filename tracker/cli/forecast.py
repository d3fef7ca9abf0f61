"""`tracker forecast`: how a fight will probably end, played many times by the rules."""

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
from tracker.forecast.variants import CountRange, variants, without
from tracker.library.guard import unwrapped
from tracker.session.store.journal import Journal
from tracker.views.words.spans import Row

ENOUGH = 400
"""Fights after which any chance is known to within five points."""
OTHERS = 100
"""Fights with each of the other tactics."""
BAR = 30
SLOW = 1.0
NARROW, WIDE = 60, 110
PLAIN = str.maketrans("█▓░·×−…✗", "#+-.x-.!")
"""Signs for streams that cannot hold the others."""


def ruleset_of(key: str) -> Ruleset:
    """Return the game itself, for a worker process."""
    found = find_ruleset(key)
    if found is None:
        raise TrackerError(f'there is no ruleset "{key}"', "no_such_ruleset")
    return unwrapped(found)


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
        if asked.count is not None:
            found = _sweep(workers, ruleset, encounter, asked.count, asked)
        else:
            found = _whole(workers, ruleset, encounter, asked)
    broken = [one for one in found if one.failed]
    for one in broken:
        print_error(f"tracker: {one.failed} of the fights broke the ruleset: {one.reason}")
    return 1 if any(not one.fights for one in broken) else 0


def _whole(
    workers: Simulator, ruleset: Ruleset, encounter: Encounter, asked: argparse.Namespace
) -> tuple[ForecastSummary, ...]:
    """Print one forecast, and what other tactics change where none are named."""
    tactics: Tactics = asked.tactics or TACTICS[0]
    found = _forecast(workers, ruleset, encounter, tactics, asked)
    rows = [TacticsRow(tactics, found)]
    if asked.tactics is None and asked.fights is None and found.fights:
        rows += [
            TacticsRow(other, _forecast(workers, ruleset, encounter, other, asked, OTHERS)) for other in TACTICS[1:]
        ]
    if asked.json:
        chances = {row.name: _chance(row.found) for row in rows}
        print_json({"seed": asked.seed, **_document(found)} | ({"tactics": chances} if len(rows) > 1 else {}))
    else:
        sure = _how_sure((found,))
        print_text(
            f"{encounter.title} · {ruleset.title} · {found.fights} fights, both sides {tactics}"
            f" · seed {asked.seed}{sure}"
        )
        _print(forecast_rows(rows, forecast_header(ruleset, encounter), _width()))
    return (found,)


def _how_sure(found: Sequence[ForecastSummary]) -> str:
    """Return how far winning or a character's fall may be off where that is not known closely enough."""
    if not all(one.fights for one in found) or all(one.is_known for one in found):
        return ""
    return f" · known to ±{math.ceil(100 * max(one.error for one in found))} points"


def _sweep(
    workers: Simulator, ruleset: Ruleset, encounter: Encounter, sweep: CountRange, asked: argparse.Namespace
) -> tuple[ForecastSummary, ...]:
    """Print a line for each number of a member: as many fights of each, with the same dice."""
    tactics: Tactics = asked.tactics or TACTICS[0]
    every = list(variants(encounter, sweep))
    most = asked.fights or ENOUGH
    beginnings = [seeded(Scenario(ruleset.key, one, usual=tactics), asked.seed) for _, one in every]
    forecasts: tuple[Forecast, ...] = ()
    bar = _Bar(most)
    for forecasts in workers.ranged(beginnings, most=most, seconds=math.inf, exactly=asked.fights is not None):
        bar.show(forecasts[0].outlook.fights)
    bar.gone()
    found = tuple(one.outlook for one in forecasts)
    if asked.json:
        for (many, _), one in zip(every, forecasts, strict=True):
            print_json({"with": f"{many} {sweep.name}", "seed": asked.seed, **_document(one.outlook), **_change(one)})
        return found
    sure = _how_sure(found)
    fights = max(one.fights for one in found)
    print_text(
        f"{encounter.title} · {ruleset.title} · {fights} fights each, both sides {tactics} · seed {asked.seed}{sure}"
    )
    column = len(str(every[-1][0]))
    lanes = [TacticsRow(f"{many:>{column}} × {sweep.name}", one) for (many, _), one in zip(every, found, strict=True)]
    changes = [one.change for one in forecasts]
    _print(count_range_rows(lanes, forecast_header(ruleset, encounter), _width(), changes))
    return found


def _forecast(
    workers: Simulator,
    ruleset: Ruleset,
    encounter: Encounter,
    tactics: Tactics,
    asked: argparse.Namespace,
    enough: int = ENOUGH,
) -> ForecastSummary:
    """Play the fights, with a progress bar where it takes longer than a second."""
    most: int | None = asked.fights
    bar = _Bar(most or enough)
    beginning = seeded(Scenario(ruleset.key, encounter, usual=tactics), asked.seed)
    ends = workers.fights(beginning, most or enough, exactly=most is not None, on_progress=bar.show)
    bar.gone()
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

    def gone(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _width() -> int:
    return max(NARROW, min(WIDE, shutil.get_terminal_size((WIDE, 24)).columns)) - 2


def _print(rows: Iterable[Row]) -> None:
    for row in rows:
        print_text(_plain(f"  {row.text}".rstrip(), sys.stdout.encoding))


def _plain(text: str, encoding: str | None) -> str:
    """Return a text in signs that a stream can hold."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(PLAIN)
    return text


def _chance(found: ForecastSummary) -> dict[str, object]:
    low, high = found.interval
    return {"share": round(found.chance, 4), "low": round(low, 4), "high": round(high, 4)}


def _change(found: Forecast) -> dict[str, object]:
    change = found.change
    if change is None or not change.fights:
        return {}
    return {"change": {"mean": round(change.mean, 4), "low": round(change.low, 4), "high": round(change.high, 4)}}


def _document(found: ForecastSummary) -> dict[str, object]:
    own = [one for one in found.people if one.own]
    return {
        "fights": found.fights,
        "won": _chance(found),
        "left": dict(found.left),
        "rounds": {"median": found.rounds[0], "low": found.rounds[1], "high": found.rounds[2]},
        "points_left": round(found.points, 4),
        "a_character_falls": round(found.falls / found.fights, 4) if found.fights else 0.0,
        "a_character_dies": round(found.deaths / found.fights, 4) if found.fights else 0.0,
        "falls": {one.name: round(one.chance, 4) for one in own},
        "fates": {one.name: dict(one.statuses) for one in own},
        "undecided": found.undecided,
        "failed": found.failed,
        **({"reason": found.reason} if found.reason else {}),
    }
