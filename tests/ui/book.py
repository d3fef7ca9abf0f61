"""Make a book of pictures of every screen: `python -m tests.ui.book`, or `make pictures`.

The pictures are PNGs in `build/pictures/`, with an index page that shows those of a screen beside each other. Each is
the screen as the program draws it, reached by keys; Chromium turns it into an image. The players' page is shown on a
phone, a tablet and a TV. `--only githack map` makes those whose path contains all of these words; `--docs` writes the
ones that the documents and the README show, the moving one among them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import html
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tests.serve.browser import CHROMIUM, OPTIONS
from tests.serve.site import Site
from tests.ui.drive import SETTINGS, Table, opened
from tests.ui.games import GH, SJ, SV, SW, WN, begun, shelved
from tests.ui.hall import Hall
from tests.ui.recording import record
from tracker.core.game.ruleset import status_of
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.intents import Advance, Do, RollRest
from tracker.session.session import Session
from tracker.ui.modes.acting.interact import Approach, first_attack
from tracker.ui.typing.mode import Result
from tracker.ui.widgets.themes import THEMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "build" / "pictures"
SIZES = ((80, 24), (120, 40), (200, 60))
FIGHTS = {WN: "first_fight", SW: "two_brawls", SV: "gate_brawl", SJ: "archers_into_melee", GH: "dragon"}
LOOKS = (*(theme.name for theme in THEMES), "ansi-dark", "ansi-light")
"""The themes, and the terminal's own sixteen colours."""
DEVICES = {"phone": (390, 844), "tablet": (820, 1180), "tv": (1920, 1080)}
SCHEMES = ("light", "dark")
DOCUMENTS = {(WN, "prompt"): "prompt.svg", (SV, "middle"): "map.svg", (SJ, "turn"): "declared.svg"}
"""The screens that the documents show, of three games, and their files in `docs/`."""
MANY = 60
"""Answers after which a journey has gone wrong."""
NO_BLOWS = ("use_skill", "skill", "skill_check", "stance", "take_stance", "screen")
"""Actions at a foe that are no attacks."""
MIDDLE = 2
"""The round in whose turns a fight is shown in its middle."""


class Shot(Struct, frozen=True):
    """A picture: its path without an ending, and the screen as SVG, or the address of a page and its size."""

    path: str
    svg: str = ""
    page: tuple[str, str, tuple[int, int]] | None = None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--docs", action="store_true")
    given = parser.parse_args()
    only = tuple(given.only)
    if given.docs:
        for (game, name), file in DOCUMENTS.items():
            shot = _journey(game, game, (120, 40), last=name)[-1]
            assert shot.path == f"{game}/{name}"
            (ROOT / "docs" / file).write_text(shot.svg, encoding="utf-8")
        record(ROOT / "docs" / "fight.svg")
        return
    made = 0
    for shots in journeys(only):
        made += photographed([shot for shot in shots if all(word in shot.path for word in only)])
        index()
    print(f"{made} pictures: {BOOK / 'index.html'}")


def photographed(found: Sequence[Shot]) -> int:
    """Write pictures as PNGs, and return how many there were."""
    from playwright.sync_api import sync_playwright  # tests that lead a fight through its screens need no browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        page = browser.new_page(device_scale_factor=1)
        for shot in found:
            path = BOOK / f"{shot.path}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            if shot.page is not None:
                _page_photographed(browser, path, *shot.page)
                continue
            size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', shot.svg)
            assert size is not None
            width, height = (round(float(number)) for number in size.groups())
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{shot.svg}")
            page.screenshot(path=path)
        browser.close()
    return len(found)


def _page_photographed(browser: Browser, path: Path, url: str, scheme: str, size: tuple[int, int]) -> None:
    """Photograph a page; what a TV does not show nobody sees, the others can be scrolled."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
    page.goto(url)
    page.wait_for_selector(".one")
    page.wait_for_timeout(300)  # until what slides in has come
    page.screenshot(path=path, full_page=size != DEVICES["tv"])
    page.close()


def index() -> None:
    """Write the page that shows all pictures there are: a row for a screen, a column for a size or a look."""
    rows: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(BOOK.rglob("*.png")):
        game, _, name = path.relative_to(BOOK).with_suffix("").as_posix().partition("/")
        rows.setdefault((game, name.rpartition("/")[2]), []).append(path.relative_to(BOOK))
    lines = ["<!doctype html><meta charset=utf-8><title>Pictures</title>"]
    lines.append("<style>body{font:14px sans-serif} img{height:220px;margin:4px} figure{display:inline-block}</style>")
    for (game, name), paths in rows.items():
        lines.append(f"<h2>{html.escape(f'{game}: {name}')}</h2>")
        for path in paths:
            file, words = html.escape(path.as_posix(), quote=True), html.escape(path.parent.name)
            lines.append(f'<figure><a href="{file}"><img loading=lazy src="{file}"></a>')
            lines.append(f"<figcaption>{words}</figcaption></figure>")
    BOOK.mkdir(parents=True, exist_ok=True)
    (BOOK / "index.html").write_text("\n".join(lines), encoding="utf-8")


# The journeys


def journeys(only: tuple[str, ...]) -> Iterator[list[Shot]]:
    """Yield the pictures of each game and size, then those of the looks; journeys that no word wants are left out."""
    for game in FIGHTS:
        for size in SIZES:
            path = f"{game}/{size[0]}x{size[1]}"
            if _may_have(path, only):
                yield _journey(path, game, size)
    for look, game in product(LOOKS, (SV, GH)):
        if _may_have(path := f"looks/{look}/{game}", only):
            yield _journey(path, game, (120, 40), look)
    for size in SIZES:
        if _may_have(path := f"start/{size[0]}x{size[1]}", only):
            yield _start(path, size)
    for game in FIGHTS:
        if _may_have(path := f"page/{game}", only):
            yield from _page(path, game)


def _may_have(path: str, only: tuple[str, ...]) -> bool:
    """Tell whether a journey may lead to a wanted picture: no word names another game, look or size."""
    names = {"start", "looks", "page", *FIGHTS, *LOOKS, *(f"{width}x{height}" for width, height in SIZES)}
    return all(word in path for word in only if word in names)


def _journey(path: str, game: str, size: tuple[int, int], look: str = "", last: str = "") -> list[Shot]:
    """Return the pictures of a fight, those of another look without the rarer screens, up to the last one wanted."""
    found: list[Shot] = []

    async def play(folder: Path) -> None:
        session = begun(folder, game, FIGHTS[game], replace(SETTINGS, roller=dice(game)))
        async with opened(session, size, find=shelved(game)) as table:
            table.app.theme = look or THEMES[0].name
            await table.pilot.pause()
            async for name in screens(table, brief=bool(look)):
                found.append(Shot(f"{path}/{name}", _svg(table)))
                if name == last:
                    break

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))
    return found


def dice(seed: str) -> Callable[[Roll], DiceAnswer]:
    """Return dice that fall as dice do, and the same each time."""
    chance = Random(seed)

    def roll(request: Roll) -> DiceAnswer:
        faces = tuple(chance.randint(1, sides) for sides in request.dice.sides)
        return DiceAnswer(sum(faces), faces)

    return roll


def _start(path: str, size: tuple[int, int]) -> list[Shot]:
    """Return the start screen with fights to resume and finished ones."""
    found: list[Shot] = []

    async def look(folder: Path) -> None:
        hall = Hall(folder)
        hall.journal.parent.mkdir()
        for number, (game, name) in enumerate(FIGHTS.items()):
            session = begun(hall.journal.parent, game, name)
            if number % 2:
                _finish(session)
            session.close()
            session.journal.close()
        async with hall.opened(size) as table:
            table.app.theme = THEMES[0].name
            await table.pilot.pause()
            found.append(Shot(f"{path}/lists", _svg(table)))

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(look(Path(folder)))
    return found


def _page(path: str, game: str) -> Iterator[list[Shot]]:
    """Yield the pictures of the players' page of a fight, while its server runs."""
    with tempfile.TemporaryDirectory() as folder:
        session = begun(Path(folder), game, FIGHTS[game], replace(SETTINGS, roller=dice(game)))

        async def play() -> None:
            async with opened(session, find=shelved(game)) as table:
                await _begin(table)
                await _play(table)

        asyncio.run(play())
        with contextlib.closing(Site(session.journal.path)) as site:
            yield [
                Shot(f"{path}/{scheme}/{device}", page=(site.url + "?tv" * (device == "tv"), scheme, size))
                for scheme in SCHEMES
                for device, size in DEVICES.items()
            ]
        session.journal.close()


def _finish(session: Session) -> None:
    """Let the foes die, and end the fight."""
    state, friendly = session.model.state, session.ruleset.friendly
    party = next(side.id for side in state.sides if side.control == "players")
    foes = tuple(one.id for one in state.combatants if not friendly(state, party, one.side))
    _answer(session)
    session.dispatch(Do((action("status", status="dead", targets=foes),)))
    _answer(session)
    session.dispatch(Do((action("end_fight"),)))
    for _ in range(MANY):
        if session.model.pending is None and session.model.state.clock.current is None:
            return
        session.dispatch(RollRest() if session.model.pending is not None else Advance())


def _answer(session: Session) -> None:
    while session.model.pending is not None:
        session.dispatch(RollRest())


def _svg(table: Table) -> str:
    svg = table.app.export_screenshot(title="tracker")
    svg = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->", "", svg, flags=re.DOTALL)  # nothing to fetch
    return svg.replace("Fira Code, monospace", "DejaVu Sans Mono, monospace")


async def screens(table: Table, brief: bool) -> AsyncIterator[str]:
    """Lead a fight by keys, and yield the name of each screen worth a picture when it is there."""
    yield "begin"
    await _to_first_question(table)
    yield "question"
    await _begin(table)
    yield "turn"
    await table.type("a")
    yield "actions"
    await table.press("escape", "escape")
    table.showing.odds.on = True
    await table.type("A")
    with contextlib.suppress(AssertionError):  # some games have no odds on their sheets
        await table.until(lambda: "%" in table.text(), seconds=5.0)
    yield "sheet"
    await table.press("escape", "escape")
    table.showing.odds.on = False
    await _play(table)
    yield "middle"
    await _attack(table)
    yield "prompt"
    await _through(table)
    board = table.cockpit.session.ruleset.map.board(table.state)
    if board is not None:
        await table.type("5")
        yield "map"
    if board is not None and board.kind == "square":
        await table.type(">")
        yield "map-bigger"
        await table.type(">>")
        yield "map-biggest"
    await table.type("2")
    await table.type("?")
    yield "help"
    await table.press("escape")
    if not brief:
        async for name in _rarer_screens(table):
            yield name


async def _rarer_screens(table: Table) -> AsyncIterator[str]:
    """Yield the screens that are opened now and then, and the end of the fight."""
    await table.press("ctrl+p")
    yield "palette"
    await table.press("escape")
    await table.type("c")
    yield "correction"
    await table.press("escape", "escape")
    await table.type("w")
    await _hurt(table)
    await table.type("w")
    yield "what-if"
    await table.type("d")
    await table.type("F")
    await table.until(lambda: "the first fights are being played" not in table.text(), seconds=120.0)
    await table.pilot.pause()  # until the page is as high as what it says
    yield "forecast"
    await table.press("escape")
    await table.hurry("")
    session = table.cockpit.session
    _finish(session)
    table.showing.show(session.model, None)
    await table.press("ctrl+p")
    await table.type("numbers of the fight⏎")
    yield "end"
    await table.press("escape")
    await table.press("ctrl+p")
    await table.type("story of the fight⏎")
    yield "report"


async def _to_first_question(table: Table) -> None:
    while table.model.pending is None and not table.state.clock.round:
        await table.type("n")


async def _hurt(table: Table) -> None:
    """Take nine points from the first combatant that can act."""
    hurt = next(one for one in table.state.combatants if status_of(table.cockpit.session.ruleset, one.status).acts)
    await table.type(f"-9{hurt.label}⏎")
    await _through(table)


async def _begin(table: Table) -> None:
    """Answer everything until a combatant may act in round 1."""
    for _ in range(MANY):
        clock = table.state.clock
        if table.model.pending is not None:
            await table.type("*")
        elif clock.round and clock.current is not None and clock.current.turns != "none":
            break
        else:
            await table.type("n")
    await table.press("escape")


async def _play(table: Table) -> None:
    """Do what the sheets propose until a player's character can attack in the second round, or that is over."""
    ruleset = table.cockpit.session.ruleset
    for _ in range(4 * MANY):
        state, before = table.state, table.model.head
        theirs = not _asks(table) and state.clock.round >= MIDDLE and _chosen_attacker(table)
        there = (state.clock.round == MIDDLE and theirs) or state.clock.round > MIDDLE
        if ruleset.finished(state) or (there and not _asks(table)):
            break
        if _asks(table):
            await table.type("*" if "may still act" not in table.text() else "⏎")
            continue
        await table.type("A")
        await table.press("enter")
        if not _asks(table) and table.model.head == before:
            await table.press("escape", "escape")
            await table.type("n")
        if table.mode is not None and not _asks(table):  # what may have been missed
            await table.press("escape", "escape")
            await table.type("n")
    await table.press("escape", "escape")


def _chosen_attacker(table: Table) -> bool:
    """Put the cursor on a player's character of the present turn that can attack, and tell whether there is one."""
    slot, state = table.state.clock.current, table.state
    for who in slot.members if slot is not None else ():
        if who in state and state.side_of(who).control == "players":
            table.showing.select(who)
            if _way(table) is not None:
                table.showing.open(None)  # as the key would that puts it there
                return True
    return False


def _asks(table: Table) -> bool:
    return table.model.pending is not None


def _way(table: Table) -> Approach | None:
    """Return the first attack of the selected combatant on a foe."""
    scene, state = table.showing.context, table.state
    who = scene.selected or scene.active
    assert who is not None
    foes = (one.id for one in state.combatants if not scene.ruleset.friendly(state, state[who].side, one.side))
    ways = (first_attack(scene, who, foe) for foe in foes)
    return next((way for way in ways if way is not None and way.actions[-1].key not in NO_BLOWS), None)


async def _attack(table: Table) -> None:
    """Open the first attack of the selected combatant on a foe, up to its first question; else its list of actions."""
    way = _way(table)
    if way is None:
        await table.type("a")
    else:
        table.showing.apply(Result(None, (Do(way.actions),)))
        await table.press()


async def _through(table: Table) -> None:
    """Answer what is asked, and close what is open."""
    for _ in range(MANY):
        if table.model.pending is None:
            break
        await table.type("*" if "may still act" not in table.text() else "⏎")
    await table.press("escape", "escape")


if __name__ == "__main__":
    main()
