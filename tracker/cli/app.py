"""`tracker`, `tracker FIGHT`, `tracker play ENCOUNTER`: the app. The interface is imported last, when it is certain that there is something to show."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.cli.fights import fight_named, journal_path
from tracker.cli.output import complain
from tracker.core.encounter import Encounter, Member
from tracker.core.errors import BadData, TrackerError
from tracker.session import registry
from tracker.session.journal import Journal
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.ui.starting import begin

if TYPE_CHECKING:
    from tracker.library.problems import Problem

__all__ = ["run"]

MOST_FOUND = 50


def run(asked: argparse.Namespace) -> int:
    """Open the app on a new fight, or on an old one."""
    begin()
    return _play(asked) if asked.command == "play" else _resume(asked)


def _play(asked: argparse.Namespace) -> int:
    from tracker.cli.loading import load

    loaded = load(asked.encounter, asked.library)
    if loaded.encounter is None or loaded.ruleset is None:
        raise BadData(loaded.problems)
    path = Path(asked.encounter)
    text = path.read_text(encoding="utf-8", errors="replace")
    with Journal.open(journal_path(asked.db)) as journal:
        session = Session.start(journal, loaded.ruleset, loaded.encounter, _settings(), text)
        return _show(session, _finder(session, loaded.encounter, path.parent, asked.library), loaded.problems)


def _resume(asked: argparse.Namespace) -> int:
    from tracker.cli.main import COMMANDS

    path = journal_path(asked.db)
    if asked.library:
        from tracker.cli.loading import folders

        folders(asked.library)  # says now what is no folder
    if not path.exists():  # a mistyped word makes no journal
        if asked.fight is not None:
            fight_named(asked.fight, (), COMMANDS)
        raise _no_fight()
    with Journal.open(path) as journal:
        fights = journal.fights()
        if asked.fight is not None:
            fight = fight_named(asked.fight, (*fights, *journal.fights(discarded=True)), COMMANDS)
        elif fights:
            fight = fights[0].id
        else:
            raise _no_fight()
        session = Session.resume(journal, fight, registry.find, _settings())
        first = session.model.steps[0].step.encounter if session.model.steps else None
        return _show(session, _finder(session, first, None, asked.library))


def _no_fight() -> TrackerError:
    return TrackerError("no fight has been played yet; open one with: tracker play ENCOUNTER.yaml", "no_fight")


def _settings() -> Settings:
    return Settings(roller=dice_roller())


def _finder(session: Session, encounter: Encounter | None, home: Path | None, library: Sequence[str]) -> Callable[[str], Sequence[Member]]:
    """Return what finds those who join later: in the encounter itself, beside it, and in the game master's own folders, which are read when first asked."""
    members = [] if encounter is None else [member for side in encounter.sides for member in side.members]
    members += [] if encounter is None else [member for wave in encounter.waves for member in wave.members]

    def find(text: str) -> Sequence[Member]:
        from tracker.cli.loading import stat_blocks
        from tracker.library.statblocks import looks_printed, members_in

        if session.ruleset.schema.importer is not None and looks_printed(text):
            return members_in(session.ruleset, text)
        wanted = text.casefold().strip()
        here = {member.ref: member for member in members if wanted in member.name.casefold() or wanted in member.ref}
        shelved = {member.ref: member for member in stat_blocks(session.ruleset, home, library, text)}
        return tuple((here | shelved).values())[:MOST_FOUND]

    return find


def _show(session: Session, find: Callable[[str], Sequence[Member]], problems: tuple[Problem, ...] = ()) -> int:
    """Run the app; what is wrong with the files is said when it has closed."""
    from tracker.ui import app

    with session:
        app.run(session, find)
    for problem in problems:
        complain(problem.render())
    return 0
