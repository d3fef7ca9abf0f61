"""Commands that open lists and pages (palette, help, rules, forecast, numbers, story), or leave the fight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tracker.core.fight.board import Square
from tracker.core.terms.actions import Action
from tracker.ui.fight.controller import FightController
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.panes.map_pane import MapPane
from tracker.views.words.spans import Row

if TYPE_CHECKING:
    from tracker.ui.platform.phones import HasServer, Phones

import re
import sqlite3
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.terms.errors import TrackerError
from tracker.library.private_files import write_page, write_whole
from tracker.ui.keys.table import usable
from tracker.ui.modes.search.lookups import Lookup
from tracker.ui.panes.log import LogPane
from tracker.ui.typing.entry import Entry
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.ui.modes.forecast.runner import ForecastRunner, HasWorkerPool
    from tracker.ui.modes.search.palette import Help


LINES = 60
EVERY = 0.1
"""Seconds between two checks for data from phones."""


def serve(controller: FightController) -> None:
    from tracker.ui.modes.search.players_page import PlayersPageMode  # not needed for the first frame

    back = controller.mode if isinstance(controller.mode, Prompt) else None
    controller.renew(PlayersPageMode(_phones(controller), back=back))


def show_picture(controller: FightController, name: str = "") -> None:
    """Show players the picture with this file name; "0" hides it; if not exactly one file fits, open the list."""
    from tracker.ui.modes.search.pictures import PictureMode  # not needed for the first frame

    phones = _phones(controller)
    back = controller.mode if isinstance(controller.mode, Prompt) else None
    try:
        mode = PictureMode.open(phones, name, back)
        chosen, problem = mode.meant(), ""
        if chosen == "0":
            phones.hide_picture()
        elif chosen and mode.folder is not None:
            problem = phones.show_picture(mode.folder, chosen)
    except (OSError, sqlite3.Error) as error:
        controller.say(problem=f"the players' pictures cannot be kept: {error}")
        return
    if problem or not chosen or (mode.folder is None and chosen != "0"):
        controller.renew(replace(mode, problem=problem))
        return
    later = " once P shows them this fight" if controller.model.screen_covered else ""
    controller.clear()
    controller.say(note="players see no picture" if chosen == "0" else f"players see {clean(chosen)}{later}")


def open_fog(controller: FightController) -> None:
    scene, pane = controller.context, controller.panes.of(MapPane)
    board = pane.board
    if board is None or board.kind != "square":
        controller.say(problem="this fight has no map of squares")
        return
    area = pane.area()
    action = Action("fog").put(squares=area) if area else Action("fog")
    controller.renew(Form.open(scene.spec(action), action))


def find_phones(controller: FightController) -> None:
    """Connect to the players' phones if any have sent data or the page is already served.

    If the encounter's file names a picture, show it to players.
    """
    if controller.phones is not None:
        return
    path, handout = controller.session.journal.path, controller.session.encounter.handout
    served = getattr(controller.screen.app, "server", None) is not None
    if handout or served or path.with_name(f"{path.name}.dice").exists():
        phones = _phones(controller)
        if handout:
            controller.say(problem=phones.show_handout(handout))


def _phones(controller: FightController) -> Phones:
    if controller.phones is None:
        from tracker.ui.platform.phones import Phones  # not needed for most fights

        phones = controller.phones = Phones(controller.session, cast("HasServer", controller.screen.app))
        controller.handed = phones.handed

        def look() -> None:
            if phones.look():
                with controller.contained():
                    if phones.news:
                        controller.say(note=phones.news)
                    if phones.pinged is not None:
                        _show_ping(controller, *phones.pinged)
                    controller.refresh()

        controller.screen.set_interval(EVERY, look)
        look()
        if phones.come_back():
            controller.say(note="the players' page is served again: S")
    return controller.phones


def _show_ping(controller: FightController, square: Square, name: str) -> None:
    """Show for two seconds the square at which a player points."""
    from tracker.ui.platform.phones import PING_SECONDS

    pane = controller.panes.of(MapPane)
    board = pane.board
    if board is None:
        return
    place = f"{square[0]} {board.unit}" if board.kind == "line" else f"{square[0]},{square[1]}"
    controller.say(note=f"{name} points at {place}")
    ping = pane.pinged = (square, f"{name} points here")
    pane.update()

    def end() -> None:
        if pane.pinged is ping:
            pane.pinged = None
            pane.update()

    controller.screen.set_timer(PING_SECONDS, end)


def players_view(controller: FightController) -> None:
    from tracker.views.public.build import public_view  # not needed for the first frame
    from tracker.views.public.rows import screen_rows

    session = controller.session
    view = public_view(session.ruleset, session.real_state(), session.player_view.salt)

    def page(width: int) -> Sequence[Row]:
        return screen_rows(view, width, LINES)

    model = session.model
    note = " (held: they see an earlier moment)" if model.screen_held else ""
    note = " (they see nothing of it before P)" if model.screen_covered else note
    controller.read(f"What the players see{note}", page)


def hold_screen(controller: FightController) -> None:
    session = controller.session
    was = session.model
    on = not (was.screen_held or was.screen_covered)
    model = session.freeze_player_view(on)
    controller.clear()
    controller.show(model, controller.mode)
    note = (
        ""
        if model.problem
        else "the players' screen " + ("is held" if on else "shows the fight" if was.screen_covered else "goes on")
    )
    controller.say(problem=model.problem, note=note)


def open_palette(controller: FightController) -> None:
    from textual.theme import BUILTIN_THEMES

    from tracker.ui.modes.search.palette import Palette  # not needed for the first frame
    from tracker.ui.widgets.themes import THEMES

    controller.renew(Palette((*(theme.name for theme in THEMES), *BUILTIN_THEMES)))


def choose_theme(controller: FightController, name: str) -> None:
    controller.screen.app.theme = name
    controller.memory.theme = name
    controller.say(note=f"theme {name}" + (", once NO_COLOR is unset" if controller.screen.app.no_color else ""))


def put_away(controller: FightController) -> None:
    fight, journal = controller.session.model.fight, controller.session.journal
    try:
        away = any(listed.id == fight for listed in journal.fights(discarded=True))
        journal.discard(fight, not away)
    except TrackerError as error:
        controller.say(problem=error.message)
        return
    gone = f'the fight is put away; "put this fight away" once more takes it out again, or: tracker {fight}'
    controller.say(note="the fight is in the lists again" if away else gone)


def another(controller: FightController) -> None:
    controller.leave()


def quit_app(controller: FightController) -> None:
    controller.screen.app.exit()


def find_rule(controller: FightController) -> None:
    chosen = controller.panes.chosen
    rules = chosen.chosen_rules() if isinstance(chosen, LogPane) else ()
    if rules:
        controller.read_rules(rules)
    else:
        controller.open(Lookup())


def show_help(controller: FightController) -> None:
    controller.open(help_of(controller))


def help_of(controller: FightController) -> Help:
    from tracker.ui.modes.search.palette import Help  # not needed for the first frame

    mode, pane, model = controller.mode, controller.panes.chosen, controller.model
    if isinstance(mode, Help):
        return mode
    here, title = (mode.place, mode.title) if mode is not None else (pane.row.id, pane.title)
    mapped = controller.session.ruleset.map.board(model.state) is not None
    return Help(usable(controller.table, mapped), here, title, tuple(controller.screen.keymap.problems), mode)


def numbers(controller: FightController) -> None:
    from tracker.ui.modes.history.summary import summary_of  # not needed for the first frame

    controller.renew(summary_of(controller.session))


def story(controller: FightController) -> None:
    from tracker.session.report import fight_record_of  # not needed for the first frame
    from tracker.ui.modes.history.summary import StoryMode, SummaryMode

    mode = controller.mode
    back = mode if isinstance(mode, SummaryMode) else None
    controller.renew(StoryMode(fight_record_of(controller.session), back))


def measure_impact(controller: FightController) -> None:
    from tracker.session.report import corrections_of, played_in  # not needed for the first frame
    from tracker.ui.modes.history.summary import SummaryMode, summary_of
    from tracker.views.report.turning_points import candidates, forced

    session, mode = controller.session, controller.mode
    ended = mode if isinstance(mode, SummaryMode) else summary_of(session)
    other = (*forced(ended.record, [record.entries for record in session.model.steps]), *corrections_of(session))
    played = partial(played_in, session)
    to_come = tuple(candidates(ended.record, played))
    controller.renew(replace(ended, to_come=to_come, measured=(), other=other, played=played))


def page(controller: FightController) -> None:
    from tracker.session.report import fight_record_of, played_in  # not needed for the first frame
    from tracker.ui.modes.history.summary import summary_of
    from tracker.views.report.page import MARK
    from tracker.views.report.page import page as page_of
    from tracker.views.report.turning_points import turning_points

    ended, session = summary_of(controller.session), controller.session
    path = Path(f"{re.sub(r'[^A-Za-z0-9-]', '-', session.model.fight)}.html").absolute()
    try:
        record = fight_record_of(session)
        lines = turning_points(session.ruleset, record, partial(played_in, session))
        write_page(path, page_of(record, ended.numbers, lines).encode(), MARK.encode())
        message = f"the page stands in {path}"
    except OSError as error:
        message = f"{error.filename or path}: {error.strerror or error}"
    controller.renew(replace(ended, page=message))


def save_encounter(controller: FightController, name: str = "") -> None:
    """Write what the fight was prepared from as a file of this name; without one, ask for it."""
    from tracker.library.content.encounter_text import encounter_text  # few fights are kept as files
    from tracker.ui.modes.search.save_encounter import SaveEncounter, file_of

    session = controller.session
    if not name:
        controller.renew(SaveEncounter(entry=Entry.of(session.encounter.title)))
        return
    path = file_of(session.ruleset.key, name)
    if path.exists():
        problem = f"{path} is there already: choose another name"
        controller.renew(SaveEncounter(entry=Entry.of(name), problem=problem))
        return
    encounter = replace(session.encounter, title=name)
    if encounter.handout and not (path.parent / encounter.handout).is_file():
        encounter = replace(encounter, handout=UNSET)  # the picture is beside another file
    text = encounter_text(session.ruleset, encounter, ("Made from a fight that was played.",))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (text.encode(),))
        controller.say(note=f"the encounter stands in {path}")
    except OSError as error:
        controller.say(problem=f"{error.filename or path}: {error.strerror or error}")


def forecast(controller: FightController) -> None:
    from tracker.ui.modes.forecast.page import ForecastMode, of_fight  # not needed for the first frame

    runner, ask = _forecast_runner(controller), partial(of_fight, controller.session)
    runner.ask(ask())
    controller.renew(ForecastMode(runner, ask))


def compare(controller: FightController) -> None:
    from tracker.ui.modes.forecast.page import ForecastMode, compared_words, of_action  # not needed for the first frame

    mode, scene = controller.mode, controller.context
    action = mode.aim(scene) if mode is not None and scene.model.pending is None else None
    if action is None:
        controller.say(problem="a forecast of an action needs its form, filled in")
        return
    runner, ask = _forecast_runner(controller), partial(of_action, controller.session, action)
    runner.ask(ask())
    controller.renew(ForecastMode(runner, ask, compared_words(scene, action), back=mode))


def _forecast_runner(controller: FightController) -> ForecastRunner:
    if controller.forecast_runner is None:
        from tracker.ui.modes.forecast.runner import ForecastRunner  # not needed for most fights

        controller.forecast_runner = ForecastRunner(
            controller.screen, cast("HasWorkerPool", controller.screen.app), partial(_show, controller)
        )
    return controller.forecast_runner


def _show(controller: FightController) -> bool:
    """Redraw the forecast page if it is open, and tell whether it is."""
    from tracker.ui.modes.forecast.page import ForecastMode

    mode = controller.mode
    if not isinstance(mode, ForecastMode) or mode.runner is not controller.forecast_runner:
        return False
    controller.panes.over.update()
    return True
