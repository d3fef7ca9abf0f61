"""Files for the commands: encounters with their ruleset, and the stat blocks a script inserts."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from tracker.cli.helpers import fight_named, print_error
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.content.encounters import Loaded, load_encounter
from tracker.library.content.library import BlockEntry, Library
from tracker.library.content.members import BlockSource, member_of
from tracker.library.yaml.problems import Problem
from tracker.script.entries import Plain
from tracker.script.names import FindMembers
from tracker.session.party import Party, continued_by, last_party, party_of, with_conditions
from tracker.session.rulesets import registry
from tracker.session.store.journal import Journal
from tracker.views.words.values import condition_words

VARIABLE = "TRACKER_LIBRARY"
MOST_FOUND, MOST_KEPT = 20, 4000
LOOKED = 1.0


def folders(given: Sequence[str]) -> tuple[Path, ...]:
    """Return the game master's own folders: of the command line, then of the environment.

    Raises:
        BadData: where one of the command line is no folder.
    """
    if missing := [
        Problem(str(folder), message="there is no such folder") for folder in map(_folder, given) if not folder.is_dir()
    ]:
        raise BadData(missing)
    return tuple(folder for folder in _wanted(given) if folder.is_dir())


def _wanted(given: Sequence[str]) -> tuple[Path, ...]:
    return tuple(_folder(name) for name in (*given, *os.environ.get(VARIABLE, "").split(os.pathsep)) if name)


def _folder(name: str) -> Path:
    return Path(name).expanduser()


def find_ruleset(key: str) -> Ruleset | None:
    """Return a ruleset, or None if it does not exist; one that cannot be loaded is an error."""
    try:
        return registry.find(key)
    except TrackerError as error:
        if error.reason == "no_such_ruleset":
            return None
        raise


def load(encounter: str, library: Sequence[str] = ()) -> Loaded:
    return load_encounter(Path(encounter), find_ruleset, folders(library), registry.rulesets())


def playable(loaded: Loaded) -> tuple[Encounter, Ruleset]:
    """Return an encounter without fault, with its ruleset.

    Raises:
        BadData: where anything is wrong with it.
    """
    if loaded.problems or loaded.encounter is None or loaded.ruleset is None:
        raise BadData(loaded.problems)
    return loaded.encounter, loaded.ruleset


def stat_blocks(ruleset: Ruleset, home: Path | None, library: Sequence[str], text: str) -> tuple[Member, ...]:
    """Return the stat blocks that fit what was typed, best first.

    They come from the encounter's folder and the game master's own; broken ones are left out.

    At most `MOST_FOUND`. The files are read when they are first needed, and again when they have changed.
    """
    own = tuple(folder for folder in _wanted(library) if folder.is_dir())
    if home is None and not own:
        return ()
    shelf = _library(own[0] if home is None else home, own)
    sound = (member for entry in shelf.search(text) if (member := _sound(ruleset, entry)) is not None)
    return tuple(islice(sound, MOST_FOUND))


_made: dict[tuple[str, int], tuple[BlockEntry, Member | None]] = {}


def _sound(ruleset: Ruleset, entry: BlockEntry) -> Member | None:
    """Return a stat block as a member, None if it is broken; each is made once, however many letters are typed."""
    known = _made.get((ruleset.key, id(entry)))
    if known is None:
        if len(_made) >= MOST_KEPT:
            _made.clear()
        known = _made[ruleset.key, id(entry)] = (entry, _member_of(ruleset, entry))
    return known[1]


def _member_of(ruleset: Ruleset, entry: BlockEntry) -> Member | None:
    try:
        member, problems = member_of(ruleset, BlockSource(entry, {"count": 1}), "gm")
    except BadData:
        return None
    return None if problems else member


class _Held(Struct, frozen=True):
    """A shelf, its stamp, and when its files were looked at last."""

    library: Library
    stamp: object
    looked: float


_libraries: dict[tuple[Path, tuple[Path, ...]], _Held] = {}


def _library(home: Path, own: tuple[Path, ...]) -> Library:
    """Return the shelf of these folders, a new one when a file has changed.

    That is looked at while people type, so not at every letter.
    """
    held = _libraries.get((home, own))
    if held is not None and time.monotonic() - held.looked < LOOKED:
        return held.library
    fresh = Library(home, own)
    stamp = fresh.stamp()
    shelf = held.library if held is not None and held.stamp == stamp else fresh
    _libraries[home, own] = _Held(shelf, stamp, time.monotonic())
    return shelf


def member_loader(ruleset: Ruleset, shelf: Library) -> FindMembers:
    """Return what finds the stat blocks a script names.

    A script names an id or a name, `{ref: goblin, count: 2}` with fields to change, or a list of these.
    """

    def enlist(plain: Plain) -> tuple[Member, ...]:
        wanted = plain if isinstance(plain, tuple) else (plain,)
        return tuple(_member(ruleset, shelf, part) for part in wanted)

    return enlist


def _member(ruleset: Ruleset, shelf: Library, plain: Plain) -> Member:
    typed: dict[str, object] = (
        {key: value for key, value in plain.items() if key != "ref"} if isinstance(plain, Mapping) else {}
    )
    ref = plain.get("ref") if isinstance(plain, Mapping) else plain
    if not isinstance(ref, str):
        raise ValueError("a stat block is named by its id, or as {ref: ..., count: ...}")
    entry = shelf.find(ref)
    if entry is None:
        raise ValueError(f'there is no stat block "{ref}"')
    member, problems = member_of(ruleset, BlockSource(entry, typed), "gm")
    if problems:
        raise ValueError("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
    return member


def with_party(
    asked: argparse.Namespace, journal: Journal, ruleset: Ruleset, encounter: Encounter, *, carries: bool = False
) -> Encounter:
    """Return the encounter as the command line wants it begun, and say what comes along.

    `carries`: its campaign wants the party as the last fight left it.

    Raises:
        TrackerError: see `party_from`; or where the dead are let in without a fight they could come from.
    """
    if asked.party_from is None:
        if carries and not asked.rested:
            return _gone_on(journal, ruleset, encounter)
        if asked.with_dead:
            raise TrackerError(
                "--with-dead says who comes along with --party-from FIGHT, which is missing", "bad_options"
            )
        return encounter
    encounter, said = party_from(journal, ruleset, encounter, asked.party_from, dead=asked.with_dead)
    print_error(said)
    return encounter


def _gone_on(journal: Journal, ruleset: Ruleset, encounter: Encounter) -> Encounter:
    """Return the encounter with its party as the last fight left it."""
    party = last_party(journal, ruleset, encounter)
    if party is None:
        return encounter
    print_error(_line(ruleset, party, dead=False))
    return continued_by(ruleset, encounter, party)


def party_from(
    journal: Journal, ruleset: Ruleset, encounter: Encounter, name: str, *, dead: bool
) -> tuple[Encounter, str]:
    """Return the encounter with its characters as that fight left them, and one line.

    `dead`: characters who would stay out come as in the file.

    Raises:
        TrackerError: where there is no such fight, it is of another game, or nobody of the party took part.
    """
    fights = (*journal.fights(), *journal.fights(discarded=True))
    key = fight_named(name, fights)
    fight = next(fight for fight in fights if fight.id == key)
    party = party_of(journal, ruleset, encounter, fight)
    if party is None:
        raise TrackerError(f'nobody of the party took part in "{fight.title}"', "no_party")
    returning = tuple(person.who for person in party.people if dead)
    return with_conditions(encounter, party, returning), _line(ruleset, party, dead=dead)


def _line(ruleset: Ruleset, party: Party, *, dead: bool) -> str:
    told = []
    for person in party.people:
        if not person.out:
            told.append(f"{person.name} {condition_words(ruleset, party.state, person.who, person.condition)}")
        else:
            told.append(f"{person.name} {'comes as in the file' if dead else 'stays out'}: {person.out}")
    return f"from {party.fight.title}: {', '.join(told)}"
