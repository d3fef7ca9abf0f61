"""Commands that tell the fight: its numbers, its story, its page."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from tracker.library.private import keep_page
from tracker.ui.fight.cockpit import Cockpit

__all__ = ["numbers", "page", "story"]


def numbers(cockpit: Cockpit) -> None:
    """Open the numbers of the fight."""
    from tracker.ui.modes.ending.ended import ended_of  # the first picture does without

    cockpit.showing.renew(ended_of(cockpit.session))


def story(cockpit: Cockpit) -> None:
    """Open the story of the fight, over its numbers where those are open."""
    from tracker.ui.modes.ending.ended import Ended, Told, chronicle_of  # the first picture does without

    mode = cockpit.showing.mode
    cockpit.showing.renew(Told(chronicle_of(cockpit.session, marks=True), mode if isinstance(mode, Ended) else None))


def page(cockpit: Cockpit) -> None:
    """Write the page of the fight into the working folder, and say where."""
    from tracker.ui.modes.ending.ended import chronicle_of, ended_of  # the first picture does without
    from tracker.views.tale.page import MARK
    from tracker.views.tale.page import page as page_of

    ended, session = ended_of(cockpit.session), cockpit.session
    path = Path(f"{re.sub(r'[^A-Za-z0-9-]', '-', session.model.fight)}.html").absolute()
    try:
        keep_page(path, page_of(chronicle_of(session, marks=True), ended.numbers).encode(), MARK.encode())
        said = f"the page stands in {path}"
    except OSError as error:
        said = f"{error.filename or path}: {error.strerror or error}"
    cockpit.showing.renew(replace(ended, page=said))
