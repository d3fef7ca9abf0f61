"""Every key of the table does what the help says, with and without a map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import Struct

from tests.ui.drive import Table, fight, opened
from tests.ui.forecast.canned import canned
from tests.ui.games import SV, begun
from tests.ui.panes.test_map import begin
from tests.ui.skirmish import House, encounter
from tracker.core.fight.events import Forced
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do
from tracker.session.session import Session
from tracker.ui.keys.table import on
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.batch import TurnBatch
from tracker.ui.modes.acting.command_line import CommandLine
from tracker.ui.modes.acting.gm_command import GmCommandMode
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.forecast.page import ForecastMode
from tracker.ui.modes.history.branches import BranchList
from tracker.ui.modes.history.corrections import ChooseCorrection
from tracker.ui.modes.history.summary import StoryMode, SummaryMode
from tracker.ui.modes.search.lookups import Filter, Jump, Lookup, ReminderMode
from tracker.ui.modes.search.palette import Help, Palette
from tracker.ui.modes.search.players_page import PlayersPageMode
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.map_pane import MapPane

TYPED = {"space": " ", "enter": "⏎"}
TRIED = "w-1{foe}<enter>w"
"""A what-if at its end."""


class Case(Struct):
    """What to press before a key, and what must be so after it.

    `<name>` is a key by name, {hero} and {foe} are labels. `key` is given where the table says in words what it means,
    `rules` is what the small game must play by. `closes`: it opens what Escape closes, with nothing left of it.
    """

    before: str
    check: Callable[[Table, SimpleNamespace], bool]
    key: str = ""
    rules: House = House()
    own: bool = False
    closes: bool = False


def seen(table: Table) -> SimpleNamespace:
    """What a key can change."""
    showing, panes = table.showing, table.panes
    map_pane = panes.of(MapPane)
    return SimpleNamespace(
        model=table.model,
        mode=showing.mode,
        chosen=table.chosen,
        cover=panes.cover,
        selected=showing.selected,
        odds=showing.odds.on,
        guest=panes.of(LogPane).guest,
        narrowed=panes.chosen.narrowed,
        at=map_pane.cursor,
        scale=map_pane.scale,
        places=panes.places,
        laid=(map_pane.overlays.reach, map_pane.overlays.threat, map_pane.overlays.shape, map_pane.overlays.size),
        hp=[person.pools[0].now if person.pools else 0 for person in table.state.combatants],
    )


def is_verb(name: str) -> Callable[[Table, SimpleNamespace], bool]:
    return lambda table, was: isinstance(table.mode, GmCommandMode) and table.mode.verb == name


def opens(kind: type) -> Callable[[Table, SimpleNamespace], bool]:
    return lambda table, was: isinstance(table.mode, kind) and not isinstance(was.mode, kind)


def entry(table: Table) -> str:
    found = getattr(table.mode, "entry", None)
    return found.text if found is not None else ""


def place_of(table: Table, who: str | None) -> int:
    return [person.id for person in table.state.combatants].index(str(who))


def laid(table: Table) -> tuple[bool, bool, str, int]:
    found: tuple[bool, bool, str, int] = seen(table).laid
    return found


def stands_at(table: Table, who: str) -> bool:
    return table.panes.of(MapPane).cursor == table.state[who].position


PARRIES = House(parries=True)
OWED = House(owed=True)

OVER = ":end_fight<enter>"

VERBS = (
    *("damage", "heal", "effect", "end_effect", "status", "insert", "move", "set", "roll"),
    *("note", "hide", "reveal", "name"),
)

CASES: dict[str, Case] = {
    **{name: Case("", is_verb(name), closes=True) for name in VERBS},
    "answer": Case("<down>", lambda table, was: table.mode == Picker(was.selected)),
    "act": Case("", opens(Picker), closes=True),
    "sheet": Case("", opens(TurnBatch), closes=True),
    "next": Case(
        "", lambda table, was: table.state.clock.at != was.model.state.clock.at or isinstance(table.mode, ReminderMode)
    ),
    "remind": Case("", opens(ReminderMode), rules=OWED),
    "jump": Case("", opens(Jump), closes=True),
    "repeat": Case(
        "-1{foe}<enter>",
        lambda table, was: isinstance(table.mode, GmCommandMode) and table.mode.again is not None,
    ),
    "view": Case("", lambda table, was: table.panes.cover is table.panes.reader),
    "serve": Case("", opens(PlayersPageMode)),
    "hold": Case("", lambda table, was: table.model.screen_held),
    "undo": Case("-1{foe}<enter>", lambda table, was: sum(seen(table).hp) == sum(was.hp) + 1),
    "redo": Case("-1{foe}<enter>u", lambda table, was: sum(seen(table).hp) == sum(was.hp) - 1),
    "earlier": Case("-1{foe}<enter>", lambda table, was: table.model.looking_at is not None),
    "later": Case(
        "-1{foe}<enter>[", lambda table, was: table.model.looking_at is None and was.model.looking_at is not None
    ),
    "correct": Case("", opens(ChooseCorrection), closes=True),
    "branches": Case("", opens(BranchList), closes=True),
    "what_if": Case("", lambda table, was: table.model != was.model),
    "forecast": Case("", opens(ForecastMode), closes=True),
    "order": Case("", lambda table, was: table.panes.chosen.number == 1),
    "roster": Case("3", lambda table, was: table.panes.chosen.number == 2),
    "log": Case("", lambda table, was: table.panes.chosen.number == 3),
    "console": Case("", lambda table, was: table.panes.chosen.number == 4),
    "map": Case("", lambda table, was: table.panes.chosen.number == 5 and table.panes.of(MapPane).display),
    "template": Case("", lambda table, was: laid(table)[3] > 0),
    "shape": Case("", lambda table, was: laid(table)[2] != was.laid[2]),
    "reach": Case("", lambda table, was: laid(table)[0] != was.laid[0]),
    "threat": Case("", lambda table, was: laid(table)[1] != was.laid[1]),
    "ruler": Case("", lambda table, was: table.panes.of(MapPane).overlays.pinned == was.at),
    "fog": Case("", opens(Form)),
    "bigger": Case("<less_than_sign>", lambda table, was: table.panes.of(MapPane).scale == was.scale + 1),
    "smaller": Case("<greater_than_sign>", lambda table, was: table.panes.of(MapPane).scale == was.scale - 1),
    "next_target": Case("", lambda table, was: stands_at(table, "bone-soldier-3")),
    "last_target": Case("<tab><tab>", lambda table, was: stands_at(table, "bone-soldier-3")),
    "left": Case("5<right><right>", lambda table, was: table.panes.of(MapPane).cursor == (was.at[0] - 1, was.at[1])),
    "right": Case("5", lambda table, was: table.panes.of(MapPane).cursor == (was.at[0] + 1, was.at[1])),
    "edge_up": Case("", lambda table, was: table.panes.places.above == was.places.above - 1),
    "edge_down": Case("", lambda table, was: table.panes.places.above == was.places.above + 1),
    "edge_left": Case("3", lambda table, was: table.panes.places.console == was.places.console - 2),
    "edge_right": Case("", lambda table, was: table.panes.places.order == was.places.order + 2),
    "block": Case("", lambda table, was: (table.panes.of(LogPane).guest is None) != (was.guest is None)),
    "up": Case(
        "<down><down>", lambda table, was: place_of(table, table.showing.selected) == place_of(table, was.selected) - 1
    ),
    "down": Case("", lambda table, was: place_of(table, table.showing.selected) == place_of(table, was.selected) + 1),
    "page_up": Case(
        "<end>", lambda table, was: place_of(table, table.showing.selected) < place_of(table, was.selected)
    ),
    "page_down": Case("<home>", lambda table, was: place_of(table, table.showing.selected) > 1),
    "top": Case("<down>", lambda table, was: place_of(table, table.showing.selected) == 0),
    "bottom": Case("", lambda table, was: table.showing.selected == table.state.combatants[-1].id),
    "odds": Case("", lambda table, was: table.showing.odds.on != was.odds),
    "filter": Case("", opens(Filter), closes=True),
    "line": Case("", opens(CommandLine), closes=True),
    "palette": Case("", opens(Palette), closes=True),
    "rule": Case("", opens(Lookup), closes=True),
    "help": Case("", opens(Help), closes=True),
    "back": Case("33", lambda table, was: was.chosen == (3, True) and table.panes.big is None),
    "quit": Case("", lambda table, was: table.app._exit),
    "p.enter": Case("f<enter>", lambda table, was: isinstance(was.mode, Prompt) and table.model.pending is None),
    "p.dice": Case("f<enter>", lambda table, was: isinstance(was.mode, Prompt) and entry(table) == "1", "1"),
    "p.rest": Case("f<enter>", lambda table, was: isinstance(was.mode, Prompt) and table.model.pending is None),
    "p.back": Case("f<enter>", lambda table, was: isinstance(was.mode, Prompt) and table.model.pending is None),
    "p.label": Case("ag<enter>14<enter>g", lambda table, was: "Parry" in table.text(), "enter", PARRIES, own=True),
    "p.leave": Case(
        "f<enter>",
        lambda table, was: isinstance(was.mode, Prompt) and table.mode is None and table.model.pending is not None,
    ),
    "l.complete": Case(":dam", lambda table, was: entry(table) == "damage "),
    "l.history": Case(":undo<enter>:", lambda table, was: entry(table) == "undo"),
    "k.enter": Case("-1{foe}", lambda table, was: sum(seen(table).hp) == sum(was.hp) - 1),
    "k.choose": Case("a", lambda table, was: table.mode.chosen != was.mode.chosen),
    "k.form": Case("a", opens(Form)),
    "k.field": Case("a<tab>", lambda table, was: table.mode.at != was.mode.at),
    "compare": Case("a<tab>", opens(ForecastMode)),
    "k.master": Case("a", lambda table, was: table.mode == Picker(None)),
    "k.force": Case(
        "a4{foe}<enter>",
        lambda table, was: any(isinstance(made.event, Forced) for made in table.model.entries),
        own=True,
    ),
    "k.leave": Case(
        "-1",
        lambda table, was: isinstance(was.mode, GmCommandMode) and table.mode is None and table.model == was.model,
    ),
    "t.pair": Case("A", lambda table, was: isinstance(was.mode, TurnBatch) and entry(table) == "g", "g"),
    "t.out": Case("A", lambda table, was: isinstance(was.mode, TurnBatch) and entry(table) == "-"),
    "t.form": Case("A", opens(Form)),
    "t.toggle": Case("A", lambda table, was: table.mode.lines[0].out),
    "x.again": Case("F<down>", lambda table, was: isinstance(was.mode, ForecastMode) and table.mode == was.mode),
    "x.steps": Case(
        "F", lambda table, was: isinstance(table.mode, ForecastMode) and table.state is not was.model.state
    ),
    "w.keep": Case(TRIED, lambda table, was: table.model.trial is None and seen(table).hp == was.hp),
    "w.drop": Case(TRIED, lambda table, was: table.model.trial is None and sum(seen(table).hp) == sum(was.hp) + 1),
    "w.stay": Case(TRIED, lambda table, was: table.model.trial is not None and table.mode is None),
    "b.go": Case(
        "-1{foe}<enter>u-2{foe}<enter>B",
        lambda table, was: table.mode is None and sum(seen(table).hp) == sum(was.hp) + 1,
    ),
    "b.name": Case("B", lambda table, was: was.mode.naming is None and table.mode.naming is not None),
    "z.size": Case("T", lambda table, was: was.laid[3] == 15 and laid(table)[3] == 7, "7"),
    "z.keep": Case("t", lambda table, was: was.mode is not None and table.mode is None and laid(table)[3] == 5),
    "z.lift": Case("t", lambda table, was: was.mode is not None and table.mode is None and laid(table)[3] == 0),
    "n.story": Case(OVER, lambda table, was: isinstance(table.mode, StoryMode) and table.mode.back == was.mode),
    "n.weigh": Case(OVER, lambda table, was: was.mode.measured is None and table.mode.measured is not None),
    "n.page": Case(
        OVER, lambda table, was: isinstance(table.mode, SummaryMode) and "the page stands in" in table.mode.page
    ),
    "n.another": Case(OVER, lambda table, was: isinstance(was.mode, SummaryMode) and table.mode is None),
    "n.undo": Case(OVER, lambda table, was: not table.state.clock.over and table.mode is None),
    "n.notes": Case(f"{OVER}s", lambda table, was: table.mode.notes and not was.mode.notes),
    "n.full": Case(f"{OVER}s", lambda table, was: table.mode.full and not was.mode.full),
    "m.settle": Case(
        "n",
        lambda table, was: isinstance(was.mode, ReminderMode) and table.model.pending is not None,
        rules=OWED,
        own=True,
    ),
    "m.drop": Case("n", lambda table, was: table.state.dismissed == ("morale",), rules=OWED, own=True),
    "m.all": Case(
        "n",
        lambda table, was: isinstance(was.mode, ReminderMode) and table.model.pending is not None,
        rules=OWED,
        own=True,
    ),
}
"""What each key of the table does; a key that is new has to say it here."""
BESIDE_A_MAP = (
    *("up", "down", "page_up", "page_down", "top", "bottom", "answer", "act", "next", "undo", "redo", "back", "filter"),
    *("left", "right", "move", "damage", "insert", "line"),
    *("k.enter", "k.field", "k.form", "k.leave", "p.enter", "p.leave"),
)

ON_THE_MAP = (("map",), ("area",))
"""Where the keys belong that a chosen map has."""
NAMED = {"*": "asterisk", "!": "exclamation_mark"}


def test_every_key_of_the_table_is_tried() -> None:
    """No key is without its case, and none is tried that is not there."""
    assert set(CASES) == {key.id for key in on("fight")}


async def prepare(table: Table, before: str) -> None:
    for part in before.replace("<", "\n<").replace(">", "\n").split("\n"):
        await (table.press(part[1:]) if part.startswith("<") else table.type(part))


def tries(on_map: bool, closes: bool = False) -> list[tuple[str, str]]:
    """Return every key of every command, and one for each fixed key; those that `closes` apart from the others.

    On a map those that work there only, and those that could be taken for them; all others without one.
    """
    found = []
    for key in on("fight"):
        case = CASES.get(key.id)
        if (
            case is None
            or case.closes != closes
            or on_map != (not case.own and (key.board or key.id in BESIDE_A_MAP))
            or key.help_for in ON_THE_MAP
        ):
            continue
        names = [case.key] if case.key else key.key.split(",")
        found += [(key.id, NAMED.get(name, name)) for name in names]
    return found


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Forecasts are made up, and what is written goes nowhere else."""
    canned(monkeypatch)
    monkeypatch.chdir(tmp_path)


def session_of(folder: Path, case: Case, name: str) -> Session:
    session = fight(folder, encounter(rules=case.rules))
    if name == "k.force":
        session.dispatch(Do((action("brawl", "ava"),)))
    return session


@pytest.mark.parametrize(("name", "key"), tries(on_map=False))
async def test_key_does_what_it_says(tmp_path: Path, name: str, key: str) -> None:
    """In a fight without a map."""
    case = CASES[name]
    async with opened(session_of(tmp_path, case, name)) as table:
        await prepare(table, case.before.format(hero="a", foe="g"))
        was = seen(table)
        await table.press(key)
        assert case.check(table, was), table.text()


@pytest.mark.parametrize(("name", "key"), tries(on_map=True))
async def test_key_does_what_it_says_on_a_map(tmp_path: Path, name: str, key: str) -> None:
    """In a fight on a grid."""
    case = CASES[name]
    async with opened(begun(tmp_path, SV, "first_fight")) as table:
        await begin(table)
        await prepare(table, case.before.format(hero="y", foe="b"))
        was = seen(table)
        await table.press(key)
        assert case.check(table, was), table.text()


@pytest.mark.parametrize("on_map", [False, True])
async def test_keys_open_what_escape_closes(tmp_path: Path, on_map: bool) -> None:
    """One after another in one fight."""
    async with opened(begun(tmp_path, SV, "first_fight") if on_map else fight(tmp_path)) as table:
        await begin(table)
        for name, key in tries(on_map, closes=True):
            was = seen(table)
            await table.press(key)
            assert CASES[name].check(table, was), (name, table.text())
            await table.press("escape")
            assert seen(table) == was, (name, table.text())


async def test_keys_of_the_map_do_what_they_say(tmp_path: Path) -> None:
    """One after another on the chosen map, each from where the chosen combatant stands."""
    async with opened(begun(tmp_path, SV, "first_fight")) as table:
        await begin(table)
        table.showing.select("ysolde")
        await table.type("5")
        for key in on("fight"):
            case, pane = CASES[key.id], table.panes.of(MapPane)
            for name in ([case.key] if case.key else key.key.split(",")) if key.help_for in ON_THE_MAP else ():
                pane.cursor, pane.overlays.shape, pane.overlays.size = (5, 9), "circle", 0
                await prepare(table, case.before)
                was = seen(table)
                await table.press(name)
                assert case.check(table, was), (key.id, table.text())
                table.showing.open(None)


@pytest.mark.parametrize("on_map", [False, True])
async def test_help_lists_what_works_here(tmp_path: Path, on_map: bool) -> None:
    """The keys of the map are in the help of a fight that has one; the chosen pane comes first."""
    async with opened(begun(tmp_path, SV, "first_fight") if on_map else fight(tmp_path)) as table:
        await begin(table)
        await table.type("5?" if on_map else "3?")
        assert ("Map " if on_map else "Log ") in table.pane("over")[:90]
        shown = ""
        for _ in range(16):
            shown += table.pane("over")
            await table.press("pagedown")
        assert ("what its foes threaten" in shown) == on_map
        assert "everything there is, by name" in shown


async def test_help_begins_with_what_is_open(tmp_path: Path) -> None:
    """f1 works while something is typed, and names its keys first."""
    session = fight(tmp_path)
    session.dispatch(Advance())
    async with opened(session) as table:
        for keys, title in (("-", "Damage"), ("a", "Act"), (":", "Command"), ("1", "Initiative"), ("f⏎", "Question")):
            await table.type(keys)
            mode = table.mode
            await table.press("f1")
            assert f"{title} " in table.pane("over")[:90]
            await table.press("escape")
            assert table.mode == mode
            await table.press("escape")
