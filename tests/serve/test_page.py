"""The page in a real browser: phone, TV and a player's dice."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.serve.browser import CHROMIUM, NEEDS_CHROMIUM, OPTIONS
from tests.serve.site import Site
from tests.serve.test_feed import attack
from tracker.core.game.telling import ActionWords, StatusWords
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Advance, Do, LookAt, RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.report.page import page as page_of
from tracker.views.report.record import (
    Act,
    DiceRoll,
    EffectSpan,
    FightRecord,
    Harm,
    Milestone,
    Person,
    Point,
    Side,
    StatusChange,
)
from tracker.views.report.statistics import statistics_of

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]

FIGHTS = Path(__file__).parents[2] / "encounters"
FIGHT, BRAWL = FIGHTS / "worlds_without_number" / "first_fight.yaml", FIGHTS / "sovereign" / "gate_brawl.yaml"
COLOURS = """camp => [
  getComputedStyle(document.querySelector(`.one.${camp}`)).borderLeftColor,
  getComputedStyle(document.querySelector(`svg .${camp} .token`)).fill,
]"""
"""The colours of a camp in the list and on the map."""
OUTLINES = "[...document.querySelectorAll('.ally .token')].map(one => getComputedStyle(one).strokeWidth)"
ZONE = """() => {
  const zone = svg('ellipse', { class: 'zone' });
  document.querySelector('svg').append(zone);
  return getComputedStyle(zone).strokeWidth;
}"""
PHONE, TV = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
A4 = {"width": 672, "height": 1001}
"""What a printed page has between its margins."""
HOSTILE = (
    '<img src=x onerror="document.title=1">',
    "</script><script>document.title=2</script>",
    "long " * 2_000,
    "\u202edrow",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(OPTIONS))
        yield opened
        opened.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the page's console says."""
    return []


@pytest.fixture
def phone(browser: Browser, site: Site, complaints: list[str]) -> Iterator[Page]:
    yield from opened(browser, site.url, PHONE, complaints)


def opened(
    browser: Browser, url: str, size: Any, complaints: list[str], scheme: Any = "light", clock: bool = False
) -> Iterator[Page]:
    """Open a page, with a clock that goes by hand if that is wanted."""
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    if clock:
        page.clock.install()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    page.wait_for_selector(".one")
    yield page
    context.close()


def names(page: Page) -> list[str]:
    return page.locator(".one b").all_inner_texts()


def test_a_step_is_on_the_phone_at_once(session: Session, phone: Page, complaints: list[str]) -> None:
    """Moment, order, points and effects are shown, without a word from the console."""
    assert phone.locator("#moment").inner_text() == "Round 1 · Party"
    assert phone.locator("#title").inner_text() == "Toll at the broken bridge · 0:00"
    assert [phone.locator(f"#order .{when}").inner_text() for when in ("now", "next")] == ["Party", "Toll-takers"]
    assert names(phone)[:2] == ["Ordwen", "Sefa"]

    session.dispatch(Do((action("damage", amount=5, targets=("sefa",)),)))
    session.dispatch(Do((action("add_effect", name="dazed", targets=("sefa",), until="2 rounds"),)))
    session.dispatch(Advance())

    sefa = phone.locator(".one", has_text="Sefa")
    expect(phone.locator("#order .now")).to_have_text("Toll-takers")
    expect(sefa).to_contain_text("HP 10/15")
    expect(sefa).to_contain_text("hurt")
    expect(sefa).to_contain_text("dazed")
    assert phone.locator(".one", has_text="Wick").inner_text().count("/") == 0
    assert complaints == []


def test_the_story_is_on_the_phone_once_the_fight_is_over(session: Session, phone: Page, complaints: list[str]) -> None:
    """Who won stands first, then a paragraph a round; before the end there is no story."""
    expect(phone.locator("#story")).to_be_hidden()
    session.dispatch(Do((action("damage", amount=5, targets=("sefa",)),)))
    session.dispatch(Do((action("end_fight"),)))

    expect(phone.locator("#story p").first).to_contain_text("The fight ends in round 1")
    expect(phone.locator("#story")).to_contain_text("Sefa loses 5.")
    expect(phone.locator("#story h3")).to_have_text(["Round 1"])
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert complaints == []


def test_the_page_fits_the_phone(phone: Page) -> None:
    """Nothing is wider than the screen, and the head stays when people scroll."""
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phone.mouse.wheel(0, 3000)
    expect(phone.locator("#moment")).to_be_in_viewport()


def test_the_tv_shows_everything_without_a_hand(browser: Browser, session: Session, site: Site) -> None:
    """Two columns, large, nothing to scroll, in the light and in the dark."""
    for scheme in ("light", "dark"):
        for page in opened(browser, f"{site.url}?tv", TV, [], scheme):
            boxes = [box for one in page.locator(".one").all() if (box := one.bounding_box()) is not None]
            assert len({round(box["x"]) for box in boxes}) == 2
            assert all(box["y"] + box["height"] <= TV["height"] for box in boxes)
            assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.one b')).fontSize)") >= 28
            assert page.locator("button:visible").count() == 0


def fighting(journal: Journal, path: Path, total: int) -> Session:
    """Return a fight with so many combatants, the last kind of the GM's as often as it takes, at its first turn."""
    loaded = load_encounter(path, registry.find)
    assert loaded.encounter is not None
    assert loaded.ruleset is not None
    sides = list(loaded.encounter.sides)
    place = next(place for place, side in enumerate(sides) if side.control == "gm")
    lacking = total - sum(member.count.plus for side in sides for member in side.members)
    *others, last = sides[place].members
    grown = replace(last, count=Dice(plus=last.count.plus + max(0, lacking)))
    sides[place] = replace(sides[place], members=(*others, grown))
    encounter = replace(loaded.encounter, sides=tuple(sides))
    session = Session.start(journal, loaded.ruleset, encounter, Settings(roller=dice_roller(1)))
    while session.model.pending is not None or session.model.state.clock.round < 1:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    return session


@pytest.mark.parametrize("path", [FIGHT, BRAWL], ids=["no map", "map"])
@pytest.mark.parametrize("total", [6, 20, 35])
def test_nobody_is_cut_from_the_tv(browser: Browser, own_journal: Journal, path: Path, total: int) -> None:
    """The party is always there, no card is cut, and each combatant is on some page, which says how many there are."""
    with fighting(own_journal, path, total) as session, contextlib.closing(Site(session.journal.path)) as site:
        party = {one.name for one in session.model.state.combatants if one.side == "party"}
        everybody, seen = {one.name for one in session.model.state.combatants}, set[str]()
        for page in opened(browser, f"{site.url}?tv", TV, [], clock=True):
            told = page.locator(".pages").inner_text()
            pages = int(told.split(" ")[3]) if "page" in told else 1
            for _ in range(pages):
                shown = set(names(page))
                seen |= shown
                assert party <= shown
                for one in page.locator(".one").all():
                    box = one.bounding_box()
                    assert box is not None
                    assert box["x"] >= 0
                    assert box["x"] + box["width"] <= TV["width"]
                    assert box["y"] + box["height"] <= TV["height"]
                assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.one b')).fontSize)") >= 28
                page.clock.run_for(8_000)
    assert seen == everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_allies_have_a_colour_of_their_own(browser: Browser, own_journal: Journal, scheme: str) -> None:
    """In the list as on the map, where the outline of a token stays within its square."""
    with fighting(own_journal, BRAWL, 0) as session, contextlib.closing(Site(session.journal.path)) as site:
        for page in opened(browser, site.url, PHONE, [], scheme):
            colours = [page.evaluate(COLOURS, camp) for camp in ("friend", "ally", "foe")]
            outlines = page.evaluate(OUTLINES)
            zone = page.evaluate(ZONE)
    assert all(bar == token for bar, token in colours)
    assert len({bar for bar, _ in colours}) == 3
    assert outlines
    assert all(0 < float(width.removesuffix("px")) < 0.1 for width in (*outlines, zone))


def test_hostile_names_are_text(browser: Browser, session: Session, site: Site) -> None:
    """Markup, ten thousand characters and letters that run backwards break nothing."""
    for who, name in zip(("ordwen", "sefa", "tavi", "nele"), HOSTILE, strict=True):
        session.dispatch(Do((action("call", who=who, name=name),)))
    complaints: list[str] = []
    for page in opened(browser, site.url, PHONE, complaints):
        expect(page.locator(".one b").first).to_have_text(HOSTILE[0])
        assert page.locator(".one img, .one script").count() == 0
        assert page.title() == "Round 1 · Party"
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert all((one.bounding_box() or {"height": 999})["height"] < 200 for one in page.locator(".one").all())
    assert complaints == []


def test_a_killed_server_is_seen_and_found_again(browser: Browser, own_session: Session, complaints: list[str]) -> None:
    """The page says at once that it is not live; when the server is back it shows what has happened meanwhile."""
    first = Site(own_session.journal.path)
    for page in opened(browser, first.url, PHONE, complaints):
        first.process.send_signal(signal.SIGKILL)
        first.process.communicate(timeout=20)
        expect(page.locator("#state")).to_have_text("Not live. Trying again …", timeout=1000)
        own_session.dispatch(Advance())
        second = Site(own_session.journal.path, port=first.port)
        try:
            expect(page.locator("#order .now")).to_have_text("Toll-takers", timeout=3000)
            expect(page.locator("#state")).to_be_hidden()
        finally:
            second.close()


def test_an_address_of_another_evening_stops_asking(browser: Browser, own_site: Site) -> None:
    """Its page says that the address is no longer good, and asks again seldom."""
    asked: list[str] = []
    for page in opened(browser, own_site.url, PHONE, [], clock=True):
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        page.route("**/view", lambda route: route.fulfill(status=404))
        own_site.close()
        expect(page.locator("#state")).to_contain_text("Not live")
        page.clock.run_for(600)
        expect(page.locator("#state")).to_contain_text("no longer good")
        page.clock.run_for(9_000)
        assert asked == ["view"]
        with page.expect_request("**/view"):
            page.clock.run_for(2_000)


def test_a_player_rolls_on_the_phone(session: Session, site: Site, phone: Page, complaints: list[str]) -> None:
    """Claim, question, an impossible face, a possible one."""
    phone.locator(".one", has_text="Tavi").get_by_text("This is me").click()
    expect(phone.locator("#mine")).to_contain_text("Tavi")
    expect(phone.locator("#roll")).to_be_hidden()
    attack(session)
    expect(phone.locator("#ask")).to_have_text("d20, attack")

    phone.locator("#dice").fill("21")
    phone.get_by_text("Send", exact=True).click()
    expect(phone.locator("#sent")).to_have_text("21 is not on a d20.")
    phone.locator("#dice").fill("17")
    phone.keyboard.press("Enter")
    expect(phone.locator("#sent")).to_have_text("Sent: 17. The GM takes it.")

    box = DiceBox(box_of(session.journal.path))
    key = phone.locator("#roll").get_attribute("data-key")
    rolled = box.rolled(session.model.fight, key or "")
    assert rolled is not None
    assert rolled.faces == (17,)
    who = rolled.who

    phone.get_by_text("Roll here").click()
    expect(phone.locator("#sent")).to_contain_text("Sent: ")
    face = int(phone.locator("#dice").input_value())
    phone.reload()
    phone.get_by_text("Roll here").click()
    expect(phone.locator("#sent")).to_contain_text("Sent: ")
    assert int(phone.locator("#dice").input_value()) == face, "a page that is loaded again rolls no second time"
    again = box.rolled(session.model.fight, key or "")
    assert again is not None
    assert (again.faces, 1 <= face <= 20) == ((face,), True)

    box.release(session.model.fight, who)
    expect(phone.locator("#roll")).to_be_hidden()
    expect(phone.locator("#mine")).to_be_hidden()
    box.close()
    assert not [text for text in complaints if "422" not in text]


def test_a_refused_claim_is_told_where_it_is_seen(session: Session, phone: Page) -> None:
    """The form for dice is hidden then."""
    tavi = phone.locator(".one", has_text="Tavi")
    with contextlib.closing(PlayerViewReader(session.journal.path, session.model.fight)) as watch:
        watch.poll()
        assert watch.view is not None
        who = next(one.id for one in watch.view.combatants if one.name == "Tavi")
    tavi.get_by_text("This is me").evaluate(
        "(button, who) => send('claim', { who, device: 'another' }).then(() => button.click())", who
    )
    expect(phone.locator("#told")).to_have_text("Another phone has this character. The GM can take it back.")


def test_another_phone_is_asked_nothing(browser: Browser, session: Session, site: Site, phone: Page) -> None:
    """The question is the player's whose character rolls."""
    phone.locator(".one", has_text="Nele").get_by_text("This is me").click()
    attack(session)
    for other in opened(browser, site.url, PHONE, []):
        expect(other.locator(".one", has_text="Nele")).to_contain_text("taken")
        assert other.locator("#roll").is_hidden()
    assert phone.locator("#roll").is_hidden()


def test_the_page_says_when_the_gm_looks_back(session: Session, phone: Page) -> None:
    """The fight itself stays what it is meanwhile."""
    session.dispatch(Advance())
    expect(phone.locator("#order .now")).to_have_text("Toll-takers")
    session.dispatch(LookAt(1))
    expect(phone.locator("#state")).to_contain_text("The GM is looking back")
    assert phone.locator("#order .now").inner_text() == "Toll-takers"
    session.dispatch(LookAt())
    expect(phone.locator("#state")).to_be_hidden()
    session.freeze_player_view(True)
    expect(phone.locator("#state")).to_have_text("The GM has paused this screen.")
    session.dispatch(Do((action("damage", amount=5, targets=("sefa",)),)))
    assert "15/15" in phone.locator(".one", has_text="Sefa").inner_text()
    session.freeze_player_view(False)
    expect(phone.locator("#state")).to_be_hidden()
    expect(phone.locator(".one", has_text="Sefa")).to_contain_text("10/15")


def test_sleep_and_lost_networks_end_in_a_live_page(session: Session, phone: Page) -> None:
    """A browser that was offline is live again within a second of being back."""
    phone.context.set_offline(True)
    expect(phone.locator("#state")).to_contain_text("Not live", timeout=3000)
    session.dispatch(Advance())
    phone.context.set_offline(False)
    expect(phone.locator("#order .now")).to_have_text("Toll-takers", timeout=2000)
    expect(phone.locator("#state")).to_be_hidden()


def test_a_report_needs_nothing_but_itself(browser: Browser, complaints: list[str], tmp_path: Path) -> None:
    """The page opens without a word from the console, asks for nothing, fits a phone."""
    title, asked = "</title><script>document.title=1</script>", list[str]()
    people = (
        Person("ann", HOSTILE[0], "party", True, max=10, now=10),
        Person("orc", "Orc " * 40, "orcs", False, max=6, status="dead", ending="dead"),
    )
    fall = StatusChange("orc", StatusWords("dead", "dead", "kill", "die"), "dead", 1, (2, 2), "ann", "axe")
    action = Action("attack", "ann", (("target", "orc"),))
    blow = Act("ann", action, "Attack", ActionWords("attack", "attack"), (2, 0), 1, "", ("orc",), "axe")
    blow.harms.append(Harm("orc", 6, 0, "ann", "", (2, 1)))
    blow.changes.append(fall)
    points = tuple(Point(step, 1, who, now) for step, who, now in ((0, "ann", 10), (0, "orc", 6), (2, "orc", 0)))
    effects = (EffectSpan("bless & <b>", "ann", None, (1, 1)),)
    sides = (Side("party", "Party", True), Side("orcs", "Orcs"))
    dice = (DiceRoll("ann", 5, 20, 60),)
    items = (Milestone("round", (1, 0), 1, refs=[(1, 0)]), blow)
    told = FightRecord(title, 1, 6, people, sides, items, points, effects, dice, "hp", over=True)
    path = tmp_path / "report.html"
    path.write_text(page_of(told, statistics_of(told), ("Bless turned a miss into a hit",)), encoding="utf-8")
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())

    assert page.title() == title
    assert page.locator("svg").count() == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    assert page.evaluate("document.documentElement.scrollWidth") <= A4["width"]
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert complaints == []
    context.close()
