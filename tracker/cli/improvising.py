"""Fights without a file for the app: the possible parties, and the folders of the stat blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tracker.cli.loading import library_of
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.library.content.improvise import Improvised, improvise
from tracker.library.content.library import YAML, Library
from tracker.library.content.samples import samples
from tracker.session.rows import FightSummary
from tracker.session.rulesets import registry
from tracker.session.store.journal import Journal
from tracker.ui.start.catalog import PartyOption

MOST_FIGHTS, MOST_PARTIES, MOST_FILES, MOST_READ = 30, 12, 60, 200_000
NAME = "improvised.yaml"


def parties(
    journal: Journal | None, fights: Sequence[FightSummary], own: Sequence[Path], game: str = ""
) -> tuple[PartyOption, ...]:
    """Return the possible parties: of earlier fights, the last one first, then of files; if given only of a `game`."""
    options: dict[tuple[str, str], PartyOption] = {}
    for option in (*_of_fights(journal, fights, own), *_of_files(own)):
        if not game or option.ruleset.key == game:
            options.setdefault((option.ruleset.key, option.names), option)
    return tuple(options.values())[:MOST_PARTIES]


def understood(party: PartyOption, line: str, own: Sequence[Path]) -> Improvised:
    """Return the encounter of a line of foes against a party."""
    library = library_of(party.home, tuple(_folders(party.ruleset.key, own)))
    return improvise(line, party.ruleset, library, party.file)


def _folders(game: str, own: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders with stat blocks of a game: the GM's own, here, and the samples."""
    shipped = samples()
    here = (Path(), Path("encounters"), Path("encounters") / game)
    places = (*own, *here, *(() if shipped is None else (shipped / game,)))
    seen: set[Path] = set()
    for folder in places:
        if folder.is_dir() and (real := folder.resolve()) not in seen:
            seen.add(real)
            yield folder


def _of_fights(journal: Journal | None, fights: Sequence[FightSummary], own: Sequence[Path]) -> Iterator[PartyOption]:
    for fight in fights[:MOST_FIGHTS]:
        try:
            ruleset = registry.find(fight.ruleset)
            assert journal is not None
            encounter = codec_of(ruleset.schema).decode(journal.prepared(fight.id).encounter, Encounter)
        except (TrackerError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        names = [member.name for side in encounter.sides if side.control == "players" for member in side.members]
        home = next(_folders(fight.ruleset, own), None)
        if names and home is not None:
            yield PartyOption(ruleset, ", ".join(names), f'of "{fight.title}"', home / NAME, earlier=encounter)


def _of_files(own: Sequence[Path]) -> Iterator[PartyOption]:
    seen: set[Path] = set()
    for game in registry.rulesets():
        for folder in _folders(game, own):
            if folder.resolve() in seen:
                continue
            seen.add(folder.resolve())
            for path in sorted(path for path in folder.iterdir() if path.suffix in YAML)[:MOST_FILES]:
                option = _of_file(path, folder)
                if option is not None:
                    yield option


def _of_file(path: Path, folder: Path) -> PartyOption | None:
    """Return the party of a file of characters, None for any other file."""
    try:
        if path.stat().st_size > MOST_READ or b"characters:" not in path.read_bytes():
            return None
    except OSError:
        return None
    library = Library(folder)
    if library.inside(path.name) != path:
        return None
    names = [entry.name for entry in library.blocks(path) if entry.listed == "pc"]
    file = library.tree(path).value
    ruleset = _ruleset(file.get("ruleset") if isinstance(file, dict) else None)
    if ruleset is None or not names:
        return None
    return PartyOption(ruleset, ", ".join(names), str(path), folder / NAME, file=path.name)


def _ruleset(key: object) -> Ruleset | None:
    try:
        return registry.find(key) if isinstance(key, str) else None
    except TrackerError:
        return None
