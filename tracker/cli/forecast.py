"""`tracker forecast`: how a fight will probably end, played many times by the rules."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from msgspec.structs import replace

from tracker.cli.choosing import journal_path
from tracker.cli.loading import find_ruleset, load, playable
from tracker.cli.output import complain, line, say
from tracker.cli.party import begun
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.tactics import TACTICS, Tactics
from tracker.forecast.fights import Beginning, Workers
from tracker.forecast.outlook import LEAST, Outlook, outlook, wilson
from tracker.library.door.guarded import bare
from tracker.session.store.journal import Journal

__all__ = ["ruleset_of", "run"]

ENOUGH = 400
"""Fights after which any chance is known to within five points."""
OTHERS = 60
"""Fights with each of the other tactics."""
BAR = 30
SLOW = 1.0


def ruleset_of(key: str) -> Ruleset:
    """Return the game itself, for a worker process."""
    found = find_ruleset(key)
    if found is None:
        raise TrackerError(f'there is no ruleset "{key}"', "no_such_ruleset")
    return bare(found)


def run(asked: argparse.Namespace) -> int:
    """Print the forecast of an encounter, or of each number of one of its members."""
    encounter, ruleset = playable(load(asked.encounter, asked.library))
    if asked.party_from is not None or asked.with_dead:
        with Journal.open(journal_path(asked.db)) as journal:
            encounter = begun(asked, journal, ruleset, encounter)
    for ref in asked.without:
        encounter = _without(encounter, ref)
    sweep = list(_swept(encounter, asked.count)) if asked.count else [("", encounter)]
    status = 0
    with Workers(ruleset_of) as workers:
        for words, one in sweep:
            found = _forecast(workers, ruleset, one, asked.tactics or "focused", asked.fights)
            if asked.json:
                line(_document(found, words))
            elif asked.count:
                say(_swept_line(words, found))
            else:
                _print(workers, ruleset, one, found, asked)
            if found.failed:
                complain(f"tracker: {found.failed} of the fights broke the ruleset: {found.reason}")
                status = status if found.fights else 1
    return status


def _forecast(
    workers: Workers, ruleset: Ruleset, encounter: Encounter, tactics: Tactics, most: int | None, enough: int = ENOUGH
) -> Outlook:
    """Play the fights, with a progress bar where it takes longer than a second."""
    bar = _Bar(most or enough)
    beginning = Beginning(ruleset.key, encounter, usual=tactics)
    ends = workers.fights(beginning, most or enough, exactly=most is not None, told=bar.told)
    bar.gone()
    return outlook(ends)


class _Bar:
    """A progress bar on a terminal's standard error."""

    def __init__(self, most: int) -> None:
        self.most, self.since, self.drawn = most, time.monotonic(), False

    def told(self, many: int) -> None:
        """Show how many fights are played."""
        if sys.stderr.isatty() and time.monotonic() - self.since > SLOW:
            full = BAR * many // self.most
            sys.stderr.write(f"\r{'█' * full}{'·' * (BAR - full)} {many} fights")
            sys.stderr.flush()
            self.drawn = True

    def gone(self) -> None:
        """Take the bar away."""
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


# -- other encounters --------------------------------------------------------------------------------------------------


def _named(member: Member, ref: str) -> bool:
    wanted = ref.casefold()
    return wanted in (member.ref.casefold(), member.name.casefold(), member.id.casefold())


def _known(encounter: Encounter, ref: str) -> None:
    """Refuse a name that no member of the encounter has."""
    members = [member for side in encounter.sides for member in side.members]
    members += [member for wave in encounter.waves for member in wave.members]
    if not any(_named(member, ref) for member in members):
        names = ", ".join(dict.fromkeys(member.ref or member.name for member in members))
        raise TrackerError(f'there is no "{ref}" in this encounter ({names})', "no_such_member")


def _without(encounter: Encounter, ref: str) -> Encounter:
    """Return the encounter without a member, waves included."""
    _known(encounter, ref)

    def kept(members: tuple[Member, ...]) -> tuple[Member, ...]:
        return tuple(member for member in members if not _named(member, ref))

    sides = tuple(replace(side, members=kept(side.members)) for side in encounter.sides)
    waves = tuple(replace(wave, members=kept(wave.members)) for wave in encounter.waves)
    return replace(encounter, sides=sides, waves=waves)


def _swept(encounter: Encounter, asked: tuple[str, int, int]) -> Iterator[tuple[str, Encounter]]:
    """Yield the encounter with each number of a member, in words and as it is."""
    ref, least, most = asked
    _known(encounter, ref)
    for many in range(least, most + 1):
        sides = tuple(_counted(side, ref, many) for side in encounter.sides)
        yield f"{many} {ref}", replace(encounter, sides=sides)


def _counted(side: SideSetup, ref: str, many: int) -> SideSetup:
    members = []
    for member in side.members:
        if not _named(member, ref):
            members.append(member)
        elif many:
            members.append(replace(member, count=Dice((), many)))
    return replace(side, members=tuple(members))


# -- words -------------------------------------------------------------------------------------------------------------


def _print(workers: Workers, ruleset: Ruleset, encounter: Encounter, found: Outlook, asked: argparse.Namespace) -> None:
    """Print who wins, how long it takes, who falls, and what other tactics change."""
    tactics = asked.tactics or "focused"
    say(f"{encounter.title} · {ruleset.title} · {found.fights} fights, both sides {tactics}")
    if found.fights < LEAST:
        say("  too few fights to say anything")
        return
    width = max(len(name) for name in (*TACTICS, *(side.name for side in encounter.sides)))
    for name, many in found.left:
        say(f"  {name:{width}}  {_share(many, found.fights)}  {_bar(many / found.fights)}")
    if found.undecided:
        say(f"  undecided: {found.undecided} ({found.reason})")
    middle, low, high = found.rounds
    left = f" · {found.points:.0%} of the party's points left" if found.points else ""
    say(f"  {middle} rounds, 9 fights in 10 take {low} to {high}{left}")
    own = [one for one in found.people if one.own]
    widest = max((len(one.name) for one in own), default=0)
    for one in own:
        words = ", ".join(f"{status} {many / one.fights:.0%}" for status, many in one.statuses)
        say(f"  {one.name:{widest}}  falls {_percent(one.chance)}  ({words})")
    if asked.tactics is None and asked.fights is None:
        say("with other tactics the party wins")
        for other in TACTICS[1:]:
            seen = _forecast(workers, ruleset, encounter, other, None, OTHERS)
            say(f"  {other:{width}}  {_share(seen.won, seen.fights)}  {_bar(seen.chance)}")


def _swept_line(words: str, found: Outlook) -> str:
    return f"{words:16}  {_share(found.won, found.fights)}  {_bar(found.chance)}"


def _share(many: int, fights: int) -> str:
    low, high = wilson(many, fights)
    return f"{_percent(many / fights if fights else 0.0)} ({low:3.0%} to {high:4.0%})"


def _percent(share: float) -> str:
    return f"{share:4.0%}"


def _bar(share: float) -> str:
    return "█" * round(BAR * share)


def _document(found: Outlook, words: str) -> dict[str, object]:
    """Return a forecast for programs."""
    low, high = found.interval
    return {
        **({"with": words} if words else {}),
        "fights": found.fights,
        "won": {"share": round(found.chance, 4), "low": round(low, 4), "high": round(high, 4)},
        "left": dict(found.left),
        "rounds": {"median": found.rounds[0], "low": found.rounds[1], "high": found.rounds[2]},
        "points_left": round(found.points, 4),
        "fates": {one.name: dict(one.statuses) for one in found.people if one.own},
        "undecided": found.undecided,
        "failed": found.failed,
        **({"reason": found.reason} if found.reason else {}),
    }
