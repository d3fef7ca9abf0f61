"""Files for the commands: encounters with their ruleset, and stat blocks for combatants that join."""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from tracker.cli.helpers import all_fights, fight_named, print_error
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
        BadData: if one of the command line does not exist.
    """
    missing = [path for name in given if not (path := Path(name).expanduser()).is_dir()]
    if missing:
        raise BadData([Problem(str(path), message="there is no such folder") for path in missing])
    return _folders(given)


def _folders(given: Sequence[str]) -> tuple[Path, ...]:
    names = (*given, *os.environ.get(VARIABLE, "").split(os.pathsep))
    return tuple(path for name in names if name and (path := Path(name).expanduser()).is_dir())


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
    """Return an encounter and its ruleset, or raise BadData if it has any problem."""
    if loaded.problems or loaded.encounter is None or loaded.ruleset is None:
        raise BadData(loaded.problems)
    return loaded.encounter, loaded.ruleset


def stat_blocks(ruleset: Ruleset, home: Path | None, library: Sequence[str], text: str) -> tuple[Member, ...]:
    """Return the sound stat blocks that match a typed text, best first, at most `MOST_FOUND`.

    They come from the encounter's folder and the game master's own, read at the first use and after changes.
    """
    own = _folders(library)
    if home is None and not own:
        return ()
    entries = library_of(own[0] if home is None else home, own).search(text)
    return tuple(islice((member for entry in entries if (member := _sound(ruleset, entry)) is not None), MOST_FOUND))


_members: dict[tuple[str, int], tuple[BlockEntry, Member | None]] = {}


def _sound(ruleset: Ruleset, entry: BlockEntry) -> Member | None:
    """Return a stat block as a member, None if it is broken; the cache saves making it for each typed letter."""
    cached = _members.get((ruleset.key, id(entry)))
    if cached is None:
        if len(_members) >= MOST_KEPT:
            _members.clear()
        sound: Member | None = None
        with contextlib.suppress(BadData):
            member, problems = member_of(ruleset, BlockSource(entry, {"count": 1}), "gm")
            sound = None if problems else member
        cached = _members[ruleset.key, id(entry)] = (entry, sound)
    return cached[1]


_libraries: dict[tuple[Path, tuple[Path, ...]], tuple[Library, object, float]] = {}
"""Libraries, each with the stamp of its files and the time of their last check."""


def library_of(home: Path, own: tuple[Path, ...]) -> Library:
    """Return the library of these folders, a new one if a file has changed; checked at most every `LOOKED` seconds."""
    library, stamp, checked_at = _libraries.get((home, own), (None, None, 0.0))
    if library is not None and time.monotonic() - checked_at < LOOKED:
        return library
    fresh = Library(home, own)
    new_stamp = fresh.stamp()
    library = fresh if library is None or new_stamp != stamp else library
    _libraries[home, own] = (library, new_stamp, time.monotonic())
    return library


def member_loader(ruleset: Ruleset, library: Library) -> FindMembers:
    """Return a finder of a script's stat blocks.

    A script names them by id or name, as `{ref: goblin, count: 2}` with fields to change, or in a list of these.
    """

    def find(plain: Plain) -> tuple[Member, ...]:
        return tuple(_member(ruleset, library, part) for part in (plain if isinstance(plain, tuple) else (plain,)))

    return find


def _member(ruleset: Ruleset, library: Library, plain: Plain) -> Member:
    keys: dict[str, object] = dict(plain) if isinstance(plain, Mapping) else {"ref": plain}
    ref = keys.pop("ref", None)
    if not isinstance(ref, str):
        raise ValueError("a stat block is named by its id, or as {ref: ..., count: ...}")
    entry = library.find(ref)
    if entry is None:
        raise ValueError(f'there is no stat block "{ref}"')
    member, problems = member_of(ruleset, BlockSource(entry, keys), "gm")
    if problems:
        raise ValueError("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
    return member


def with_party(
    asked: argparse.Namespace, journal: Journal, ruleset: Ruleset, encounter: Encounter, *, carries: bool = False
) -> Encounter:
    """Return the encounter with the party that the command line names, and print that party.

    `carries`: its campaign carries the party on from its last fight.

    Raises:
        TrackerError: see `_party_from`; or if the dead are named without a fight.
    """
    if asked.party_from is not None:
        return _party_from(journal, ruleset, encounter, asked.party_from, dead=asked.with_dead)
    if carries and not asked.rested:
        party = last_party(journal, ruleset, encounter)
        if party is None:
            return encounter
        print_error(_line(ruleset, party, dead=False))
        return continued_by(ruleset, encounter, party)
    if asked.with_dead:
        raise TrackerError("--with-dead says who comes along with --party-from FIGHT, which is missing", "bad_options")
    return encounter


def _party_from(journal: Journal, ruleset: Ruleset, encounter: Encounter, name: str, *, dead: bool) -> Encounter:
    """Return the encounter with its characters as that fight left them; with `dead`, dead ones are as in the file.

    Raises:
        TrackerError: if there is no such fight, it is of another game, or no character took part.
    """
    fights = all_fights(journal)
    key = fight_named(name, fights)
    fight = next(fight for fight in fights if fight.id == key)
    party = party_of(journal, ruleset, encounter, fight)
    if party is None:
        raise TrackerError(f'nobody of the party took part in "{fight.title}"', "no_party")
    print_error(_line(ruleset, party, dead=dead))
    return with_conditions(encounter, party, tuple(person.who for person in party.people if dead))


def _line(ruleset: Ruleset, party: Party, *, dead: bool) -> str:
    out = "comes as in the file" if dead else "stays out"
    words = [
        f"{person.name} {out}: {person.out}"
        if person.out
        else f"{person.name} {condition_words(ruleset, party.state, person.who, person.condition)}"
        for person in party.people
    ]
    return f"from {party.fight.title}: {', '.join(words)}"
