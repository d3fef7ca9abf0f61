"""Commands that find something by name, and those that leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracker.core.terms.errors import TrackerError
from tracker.ui.fight.cockpit import Cockpit
from tracker.ui.keys.table import usable
from tracker.ui.modes.looking.search import Lookup
from tracker.ui.panes.log import LogPane

if TYPE_CHECKING:
    from tracker.ui.modes.looking.palette import Help

__all__ = ["another", "choose_theme", "find_rule", "help_of", "open_palette", "put_away", "quit_app", "show_help"]


def open_palette(cockpit: Cockpit) -> None:
    """Open the palette."""
    from textual.theme import BUILTIN_THEMES

    from tracker.ui.drawing.themes import THEMES
    from tracker.ui.modes.looking.palette import Palette  # the first picture does without

    cockpit.showing.renew(Palette((*(theme.name for theme in THEMES), *BUILTIN_THEMES)))


def choose_theme(cockpit: Cockpit, name: str) -> None:
    """Choose how the screen looks, also for the next start."""
    cockpit.screen.app.theme = name
    cockpit.memory.theme = name
    cockpit.showing.say(note=f"theme {name}")


def put_away(cockpit: Cockpit) -> None:
    """Put the fight away, out of the lists, or take it out again."""
    fight, journal = cockpit.session.model.fight, cockpit.session.journal
    try:
        away = any(listed.id == fight for listed in journal.fights(discarded=True))
        journal.discard(fight, not away)
    except TrackerError as error:
        cockpit.showing.say(problem=error.message)
        return
    gone = f'the fight is put away; "put this fight away" once more takes it out again, or: tracker {fight}'
    cockpit.showing.say(note="the fight is in the lists again" if away else gone)


def another(cockpit: Cockpit) -> None:
    """Leave this fight, which is in the journal as it stands, and choose another one."""
    cockpit.leave()


async def quit_app(cockpit: Cockpit) -> None:
    """Leave the program."""
    await cockpit.screen.app.action_quit()


def find_rule(cockpit: Cockpit) -> None:
    """Open the rules behind a line of the log, or look rules up."""
    chosen = cockpit.panes.chosen
    rules = chosen.chosen_rules() if isinstance(chosen, LogPane) else ()
    if rules:
        cockpit.showing.read_rules(rules)
    else:
        cockpit.showing.open(Lookup())


def show_help(cockpit: Cockpit) -> None:
    """Open the list of keys, those of what is open or chosen first."""
    cockpit.showing.open(help_of(cockpit))


def help_of(cockpit: Cockpit) -> Help:
    """Return the list of keys for what is open or chosen."""
    from tracker.ui.modes.looking.palette import Help  # the first picture does without

    mode, pane, model = cockpit.showing.mode, cockpit.panes.chosen, cockpit.showing.model
    if isinstance(mode, Help):
        return mode
    here, title = (mode.place, mode.title) if mode is not None else (pane.row.id, pane.title)
    mapped = model is not None and cockpit.session.ruleset.board(model.state) is not None
    return Help(usable(cockpit.scenes.table, mapped), here, title, tuple(cockpit.keymap.problems), mode)
