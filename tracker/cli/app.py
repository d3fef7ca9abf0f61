"""`tracker`, `tracker FIGHT`, `tracker play ENCOUNTER`: the app.

The interface is imported last, after all checks.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.cli.helpers import all_fights, fight_named, journal_path, print_error
from tracker.cli.main import COMMANDS
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import folded
from tracker.session.rows import FightSummary
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal
from tracker.ui.platform.terminal import need_terminal
from tracker.ui.start.catalog import Find, PartyOption, Prepared

APP = "the app"


def run(asked: argparse.Namespace) -> int:
    """Open the app: on a new fight, an old one, or the start screen.

    Mistakes in the command line or a file are reported first, then a missing terminal, both before a fight begins.
    """
    with AppContext(journal_path(asked.db), asked.library) as context:
        if asked.command == "play":
            _play(context, asked)
        elif asked.command == "improvise":
            _improvise(context, asked.game)
        elif asked.fight is not None:
            _resume(context, asked.fight)
        else:
            context.fights()  # reports a broken journal
            need_terminal(APP)
        from tracker.ui import app  # slow, so after all checks

        app.run(context)
    return 0


def _play(context: AppContext, asked: argparse.Namespace) -> None:
    prepared = context.prepare(Path(asked.encounter))
    encounter = prepared.encounter
    carries = prepared.carries and bool(context.fights())
    if asked.party_from is not None or asked.with_dead or carries:
        from tracker.cli.loading import with_party  # few fights need it

        encounter = with_party(asked, context.journal, prepared.ruleset, encounter, carries=carries)
    need_terminal(APP)
    context.begin(prepared, encounter)


def _improvise(context: AppContext, game: str) -> None:
    if game:
        registry.find(game)
    context.game, context.improvises = game, True
    need_terminal(APP)


def _resume(context: AppContext, name: str) -> None:
    fight = fight_named(name, context.fights(), COMMANDS)  # a mistyped word makes no journal
    need_terminal(APP)
    context.resume(fight)


if TYPE_CHECKING:
    from tracker.library.content.discovery import EncounterFile, Notice, SearchPath
    from tracker.library.content.improvise import Improvised
    from tracker.library.yaml.problems import Problem
    from tracker.session.party import Party


HERE, BELOW = Path(), Path("encounters")


class AppContext:
    """The app's fights and files, see `tracker.ui.start.catalog`.

    The journal is made when the first fight begins; problems of a fight's files are printed at the end.
    """

    def __init__(self, path: Path, library: Sequence[str] = ()) -> None:
        self.path, self.library = path, tuple(library)
        self.session: Session | None = None
        self.find: Find = lambda text: ()
        self.home: Path | None = None
        self._journal: Journal | None = None
        self._problems: dict[Problem, None] = {}
        self._held = False
        self.game = ""
        self.improvises = False
        if self.library:
            self._folders()  # reports a missing folder

    def _folders(self) -> tuple[Path, ...]:
        """Return the GM's own folders."""
        from tracker.cli.loading import folders

        return folders(self.library)

    def __enter__(self) -> AppContext:
        return self

    def __exit__(self, *error: object) -> None:
        self.leave()
        if self._journal is not None:
            self._journal.close()
            if self._journal.notice:
                print_error(f"tracker: {self._journal.notice}")
        for problem in self._problems:
            print_error(problem.render())

    @property
    def journal(self) -> Journal:
        if self._journal is None:
            self._journal = Journal.open(self.path)
        return self._journal

    def now(self) -> datetime:
        return datetime.now().astimezone()

    def notice(self) -> str:
        return "" if self._journal is None else self._journal.notice

    def fights(self) -> tuple[FightSummary, ...]:
        """Return every fight, none if there is no journal yet."""
        if self._journal is None and not self.path.exists():
            return ()
        return all_fights(self.journal)

    def put_away(self, fight: str, away: bool) -> None:
        self.journal.discard(fight, away)

    def where(self) -> tuple[str, ...]:
        """Return the folders that are searched, in words."""
        own = (place.folder for place in self._places() if not place.sample)
        return tuple("this folder" if folder == HERE else str(folder) for folder in own)

    def _places(self) -> list[SearchPath]:
        from tracker.library.content.discovery import SearchPath
        from tracker.library.content.samples import samples

        places = [*map(SearchPath, self._folders()), SearchPath(HERE, 0)]
        places += [SearchPath(BELOW)] if BELOW.is_dir() else []
        shipped = samples()
        return places if shipped is None else [*places, SearchPath(shipped, 1, sample=True)]

    def encounters(self, first: Path | None = None) -> Iterator[EncounterFile | Notice]:
        """Yield the encounters in the folders, `first` before all others."""
        from tracker.cli.loading import find_ruleset
        from tracker.library.content.discovery import Scanner

        scanner = Scanner(self._places(), find_ruleset, self._folders(), registry.rulesets())
        if first is not None and (file := scanner.one(first)) is not None:
            yield file
        yield from scanner.all()

    def take_sample(self, path: Path) -> Path:
        """Copy a sample encounter with its party and bestiary to the GM's first folder, else to `encounters` here."""
        from tracker.library.content.samples import copy_samples

        target, game = next(iter(self._folders()), BELOW), path.parent.name
        copy_samples(target, game)
        return target / game / path.name

    def prepare(self, path: Path) -> Prepared:
        from tracker.cli.loading import load

        loaded = load(str(path), self.library)
        if loaded.encounter is None or loaded.ruleset is None:
            raise BadData(loaded.problems)
        self._problems.update(dict.fromkeys(loaded.problems))
        return Prepared(path, loaded.encounter, loaded.ruleset, loaded.carries)

    def party(self, prepared: Prepared) -> Party | None:
        from tracker.session.party import last_party

        return last_party(self.journal, prepared.ruleset, prepared.encounter) if self.fights() else None

    def begin(self, prepared: Prepared, encounter: Encounter) -> None:
        text = prepared.text
        if text is None:
            text = prepared.path.read_text(encoding="utf-8", errors="replace")
        session = Session.start(
            self.journal, prepared.ruleset, encounter, settings=_settings(), source_text=text, covered=True
        )
        self._open(session, encounter, prepared.path.parent)

    def parties(self) -> tuple[PartyOption, ...]:
        from tracker.cli.improvising import parties

        fights = self.fights()
        return parties(self.journal if fights else None, fights, self._folders(), self.game)

    def improvise(self, party: PartyOption, line: str) -> Improvised:
        from tracker.cli.improvising import understood

        return understood(party, line, self._folders())

    @contextmanager
    def preview(self, fight: str) -> Iterator[Session]:
        journal = Journal.open(self.path, read_only=True)
        with journal, Session.resume(journal, fight, registry.find) as session:
            yield session

    def resume(self, fight: str) -> None:
        """Resume a fight, also a discarded one, which is in the list again then."""
        session = Session.resume(self.journal, fight, registry.find, _settings())
        discarded = any(other.id == fight for other in self.journal.fights(discarded=True))
        if discarded and not session.model.read_only:
            self.journal.discard(fight, False)
        if self._is_held() and not session.model.screen_held:
            session.cover_player_view()
        self._open(session, session.encounter, None)

    def _open(self, session: Session, encounter: Encounter, home: Path | None) -> None:
        self.leave()
        self.session, self.find, self.home = session, _finder(session, encounter, home, self.library), home

    def leave(self) -> None:
        if self.session is not None:
            self._held = self._is_held()
            self.session.close()
            self.session = None

    def _is_held(self) -> bool:
        """Tell whether the GM has held the players' screen, in the open fight or in one before it."""
        if self.session is None:
            return self._held
        model = self.session.model
        return model.screen_held or (self._held and model.screen_covered)


def _settings() -> Settings:
    return Settings(roller=dice_roller(), by_side=True)


def _finder(session: Session, encounter: Encounter, home: Path | None, library: Sequence[str]) -> Find:
    """Return a finder of combatants that join later.

    It searches the encounter itself, its folder, and the game master's own folders, which are read at the first use.
    """
    groups = [*(side.members for side in encounter.sides), *(wave.members for wave in encounter.waves)]
    members = [member for group in groups for member in group]

    def find(text: str) -> Sequence[Member]:
        from tracker.cli.loading import MOST_FOUND, stat_blocks
        from tracker.library.content.printed import looks_printed, members_in

        if session.ruleset.schema.importer is not None and looks_printed(text):
            return members_in(session.ruleset, text)
        wanted = folded(text)
        here = {member.ref: member for member in members if wanted in folded(member.name) or wanted in member.ref}
        others = {member.ref: member for member in stat_blocks(session.ruleset, home, library, text)}
        return tuple((here | others).values())[:MOST_FOUND]

    return find
