"""Commands that tell the fight: its numbers, its story, its page."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from tracker.library.private import keep_page
from tracker.ui.fight.cockpit import Cockpit

__all__ = ["numbers", "page", "story", "weigh"]


def numbers(cockpit: Cockpit) -> None:
    """Open the numbers of the fight."""
    from tracker.ui.modes.past.ended import ended_of  # the first picture does without

    cockpit.showing.renew(ended_of(cockpit.session))


def story(cockpit: Cockpit) -> None:
    """Open the story of the fight, over its numbers where those are open."""
    from tracker.session.tale import chronicle_of  # the first picture does without
    from tracker.ui.modes.past.ended import Ended, Told

    mode = cockpit.showing.mode
    cockpit.showing.renew(Told(chronicle_of(cockpit.session, marks=True), mode if isinstance(mode, Ended) else None))


def weigh(cockpit: Cockpit) -> None:
    """Begin to weigh what mattered: each effect, force and correction."""
    from tracker.session.tale import corrections_of, played_in  # the first picture does without
    from tracker.ui.modes.past.ended import Ended, ended_of
    from tracker.views.tale.mattered import forced

    session, mode = cockpit.session, cockpit.showing.mode
    ended = mode if isinstance(mode, Ended) else ended_of(session)
    other = (*forced(ended.told, [record.entries for record in session.model.steps]), *corrections_of(session))
    played = partial(played_in, session)
    cockpit.showing.renew(replace(ended, to_come=ended.told.holds, weighed=(), other=other, played=played))


def page(cockpit: Cockpit) -> None:
    """Write the page of the fight into the working folder, and say where."""
    from tracker.session.tale import chronicle_of, corrections_of, played_in  # the first picture does without
    from tracker.ui.modes.past.ended import ended_of
    from tracker.views.tale.mattered import mattered
    from tracker.views.tale.page import MARK
    from tracker.views.tale.page import page as page_of

    ended, session = ended_of(cockpit.session), cockpit.session
    path = Path(f"{re.sub(r'[^A-Za-z0-9-]', '-', session.model.fight)}.html").absolute()
    try:
        told = chronicle_of(session, marks=True)
        lines = mattered(session.ruleset, told, partial(played_in, session), corrections_of(session))
        keep_page(path, page_of(told, ended.numbers, lines).encode(), MARK.encode())
        said = f"the page stands in {path}"
    except OSError as error:
        said = f"{error.filename or path}: {error.strerror or error}"
    cockpit.showing.renew(replace(ended, page=said))
