"""The page in a real browser: phone, TV and a player's dice."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from tests.serve.browser import NEEDS_CHROMIUM
from tests.serve.conftest import FIGHTS, begun, following
from tests.serve.site import Site
from tests.serve.test_feed import attack
from tracker.cli.loading import playable
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import DiceAnswer
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Advance, Do, LookAt, Reply, RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.dice_box import DiceBox, box_of
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]

BRAWL = FIGHTS / "sovereign" / "gate_brawl.yaml"
BONES, BRIDGE = FIGHTS / "sovereign" / "first_fight.yaml", FIGHTS / "sword_world" / "two_brawls.yaml"
JELLY = FIGHTS / "githack" / "jelly_cistern.yaml"
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
LIGHT = """part => part ? getComputedStyle(document.querySelector(`svg ${part}`)).fill
  : getComputedStyle(document.querySelector('svg')).backgroundColor"""
"""The colour of a part of the map, or of its floor."""
PHONE, TV = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
HOSTILE = (
    '<img src=x onerror="document.title=1">',
    "</script><script>document.title=2</script>",
    "long " * 2_000,
    "\u202edrow",
)


@pytest.fixture
def phone(browser: Browser, site: Site, complaints: list[str]) -> Iterator[Page]:
    yield from opened(browser, site.url, PHONE, complaints)


def opened(
    browser: Browser,
    url: str,
    size: Any,
    complaints: list[str],
    scheme: Any = "light",
    clock: bool = False,
    first: str = "",
) -> Iterator[Page]:
    """Open a page, with a clock that goes by hand if that is wanted, and a script that runs `first`."""
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.add_init_script(first)
    if clock:
        page.clock.install()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    page.wait_for_selector(".one, #story p")
    yield page
    context.close()


def boxes_of(page: Page, chosen: str) -> list[dict[str, float]]:
    """Return the rectangles of the shown elements that a selector chooses, all of one moment."""
    found: list[dict[str, float]] = page.locator(chosen).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON()).filter(box => box.width)"
    )
    return found


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


def test_how_long_a_turn_lasts_is_on_the_phone_if_the_gm_shows_it(
    browser: Browser, site: Site, session: Session, complaints: list[str]
) -> None:
    """The phone counts the seconds itself; another turn begins at nought."""
    for phone in opened(browser, site.url, PHONE, complaints, clock=True):
        expect(phone.locator("#clock")).to_be_hidden()
        session.dispatch(Do((action("clock", None, shown="players"),)))
        expect(phone.locator("#clock")).to_have_text("turn 0:00")
        phone.clock.run_for(75_000)
        expect(phone.locator("#clock")).to_have_text("turn 1:15")
        session.dispatch(Advance())
        expect(phone.locator("#order .now")).to_have_text("Toll-takers")
        expect(phone.locator("#clock")).to_have_text("turn 0:00")
        session.dispatch(Do((action("clock", None, shown="off"),)))
        expect(phone.locator("#clock")).to_be_hidden()


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
    """Nothing is wider than the screen, no name is broken beside its side, the head stays when people scroll."""
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    lines = phone.evaluate("""() => {
        const name = document.querySelector('.foe .head b'), before = name.offsetHeight
        name.textContent = 'Goblin Slinger 3'
        name.insertAdjacentHTML('afterend', '<span class="kind">Raiders of the north</span>')
        return name.offsetHeight / before
    }""")
    assert lines == 1
    phone.mouse.wheel(0, 3000)
    expect(phone.locator("#moment")).to_be_in_viewport()


def fighting(journal: Journal, path: Path, total: int) -> Session:
    """Return a fight with so many combatants, the last kind of the GM's as often as it takes, at its first turn."""
    encounter, ruleset = playable(load_encounter(path, registry.find))
    sides = list(encounter.sides)
    place = next(place for place, side in enumerate(sides) if side.control == "gm")
    lacking = total - sum(member.count.plus for side in sides for member in side.members)
    *others, last = sides[place].members
    grown = replace(last, count=Dice(plus=last.count.plus + max(0, lacking)))
    sides[place] = replace(sides[place], members=(*others, grown))
    grown_encounter = replace(encounter, sides=tuple(sides))
    session = Session.start(journal, ruleset, grown_encounter, Settings(roller=dice_roller(1)))
    while session.model.pending is not None or session.model.state.clock.round < 1:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    return session


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_allies_and_fog_have_colours_of_their_own(
    browser: Browser, server: Site, evening: Journal, scheme: str
) -> None:
    """Allies in the list as on the map, their outlines within their squares; fog is darker than floor and walls."""
    with fighting(evening, BRAWL, 0) as session:
        for page in opened(browser, following(server, session).url, PHONE, [], scheme):
            colours = [page.evaluate(COLOURS, camp) for camp in ("friend", "ally", "foe")]
            outlines = page.evaluate(OUTLINES)
            zone = page.evaluate(ZONE)
            session.dispatch(Do((action("fog", what="party", far=30),)))
            expect(page.locator("svg .fog").first).to_be_attached()
            fog, wall, floor = (
                sum(map(int, page.evaluate(LIGHT, one)[4:-1].split(", "))) for one in (".fog", ".wall", "")
            )
    assert all(bar == token for bar, token in colours)
    assert len({bar for bar, _ in colours}) == 3
    assert outlines
    assert all(0 < float(width.removesuffix("px")) < 0.1 for width in (*outlines, zone))
    assert fog < min(wall, floor)


SIDES = """[...document.querySelectorAll('.one .head .kind')].map(side => {
  const text = document.createRange(), box = side.getBoundingClientRect();
  text.selectNodeContents(side.firstChild ?? side);
  const words = text.getBoundingClientRect();
  if (words.right <= box.right + 1 && words.bottom <= box.bottom + 1) return 'whole';
  return words.top >= box.bottom - 1 ? 'none' : 'cut';
})"""
"""How each card shows its side."""
BARS = "[...document.querySelectorAll('.bar i')].map(bar => getComputedStyle(bar).backgroundColor)"
MARGIN = """() => {
  const word = Object.assign(document.createElement('span'), { className: 'health out' });
  document.querySelector('.one .head').append(word);
  return getComputedStyle(word).marginTop;
}"""


def test_cards_say_a_side_whole_or_not_at_all(browser: Browser, server: Site, evening: Journal) -> None:
    """On a phone a long name leaves its side no room; a card of one that is down is as high as the others."""
    with fighting(evening, BRAWL, 0) as session:
        for page in opened(browser, following(server, session).url, PHONE, []):
            shown = page.evaluate(SIDES)
            page.set_viewport_size({"width": 300, "height": 800})
            narrow = page.evaluate(SIDES)
            margin = page.evaluate(MARGIN)
    assert (set(shown), set(narrow)) == ({"whole", "none"}, {"whole", "none"})
    assert margin == "0px"


def test_bars_have_the_colours_of_danger(browser: Browser, session: Session, site: Site) -> None:
    """Quiet while all points are there, then green, yellow at a half and red at a quarter, as in the terminal."""
    party = [one for one in session.model.state.combatants if one.side == "party"]
    for one, share in zip(party, (1, 0.7, 0.5, 0.2), strict=True):
        lost = one.pools[0].max - int(one.pools[0].max * share)
        if lost:
            session.dispatch(Do((action("damage", amount=lost, targets=(one.id,)),)))
    for page in opened(browser, site.url, PHONE, []):
        expect(page.locator(".bar").nth(3)).to_be_visible()
        whole, most, half, little = page.evaluate(BARS)[:4]
    assert [whole, most, half, little] == [
        "rgb(163, 157, 146)",
        "rgb(47, 125, 70)",
        "rgb(138, 90, 0)",
        "rgb(179, 38, 30)",
    ]


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
        assert all(box["height"] < 200 for box in boxes_of(page, ".one"))
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
    expect(phone.locator("#rolls")).to_be_hidden()
    attack(session)
    expect(phone.locator("#rolls label")).to_have_text("Tavi: d20, attack")

    phone.locator("#rolls input").fill("21")
    phone.get_by_text("Send", exact=True).click()
    expect(phone.locator("#rolls output")).to_have_text("21 is not on a d20.")
    phone.locator("#rolls input").fill("17")
    phone.keyboard.press("Enter")
    expect(phone.locator("#rolls output")).to_have_text("Sent: 17. The GM takes it.")

    box = DiceBox(box_of(session.journal.path))
    key = phone.locator("#rolls form").get_attribute("data-key")
    rolled = box.rolled(session.model.fight, key or "")
    assert rolled is not None
    assert rolled.faces == (17,)
    who = rolled.who

    phone.get_by_text("Roll here").click()
    expect(phone.locator("#rolls output")).to_contain_text("Sent: ")
    face = int(phone.locator("#rolls input").input_value())
    phone.reload()
    phone.get_by_text("Roll here").click()
    expect(phone.locator("#rolls output")).to_contain_text("Sent: ")
    assert int(phone.locator("#rolls input").input_value()) == face, "a page that is loaded again rolls no second time"
    again = box.rolled(session.model.fight, key or "")
    assert again is not None
    assert (again.faces, 1 <= face <= 20) == ((face,), True)

    box.release(session.model.fight, who)
    expect(phone.locator("#rolls")).to_be_hidden()
    expect(phone.locator("#mine")).to_be_hidden()
    box.close()
    assert not [text for text in complaints if "422" not in text]


def test_a_phone_with_two_characters_reads_all_its_dice_and_their_results(
    browser: Browser, own_journal: Journal, complaints: list[str]
) -> None:
    """Of four who roll initiative at once two are on one phone; what they did is told in bold."""
    with begun(own_journal, JELLY) as session, closing(Site(own_journal.path, "--rolls")) as site:
        for page in opened(browser, site.url, PHONE, complaints):
            page.locator(".one", has_text="Ysolt").get_by_text("This is me").click()
            page.locator(".one", has_text="Brannoc").get_by_text("Mine, too").click()
            expect(page.locator("#mine .one")).to_have_count(2)
            while not session.player_view.asks:
                session.dispatch(Advance())
            expect(page.locator("#rolls label")).to_have_text(
                ["Brannoc: d20, initiative", "Ysolt: d20, initiative"], use_inner_text=True
            )
            forms = page.locator("#rolls form")
            forms.nth(1).locator("input").fill("14")
            forms.nth(0).locator("input").fill("3")
            page.keyboard.press("Enter")
            expect(forms.nth(0).locator("output")).to_contain_text("Sent: 3")
            assert forms.nth(1).locator("input").input_value() == "14", "what is typed stays while others send"
            session.dispatch(Reply(DiceAnswer(3)))
            expect(forms).to_have_count(1)
            assert forms.locator("input").input_value() == "14"
            session.dispatch(RollRest())
            expect(page.locator("#log .own").filter(has_text="Brannoc: initiative 3, fast")).to_have_count(1)
            expect(page.locator("#rolls")).to_be_hidden()
    assert complaints == []


def test_my_character_knows_its_turn_and_its_effects(session: Session, phone: Page, complaints: list[str]) -> None:
    """A banner, what is left of the turn, the rule of an effect at a tap, and words to the GM."""
    phone.locator(".one", has_text="Tavi").get_by_text("This is me").click()
    expect(phone.locator("#turn")).to_have_text("Your turn")
    expect(phone.locator("#mine .left")).to_contain_text("Left: ")
    attack(session)
    session.dispatch(RollRest())
    session.dispatch(Do((action("add_effect", name="prone", targets=("tavi",), until="2 rounds"),)))
    prone = phone.locator("#mine details", has_text="prone")
    expect(prone).to_have_count(1)
    prone.locator("summary").click()
    expect(prone.locator("p")).to_be_visible()
    session.dispatch(Do((action("damage", amount=1, targets=("tavi",)),)))
    expect(phone.locator("#mine")).to_contain_text("13/14")
    expect(prone.locator("p")).to_be_visible()

    phone.locator("#words").fill("−5 me, I charge")
    phone.keyboard.press("Enter")
    expect(phone.locator("#said")).to_have_text("The GM reads: −5 me, I charge")
    session.dispatch(Advance())
    expect(phone.locator("#turn")).to_be_hidden()
    with contextlib.closing(DiceBox(box_of(session.journal.path))) as box:
        assert [request.text for request in box.requests(session.model.fight)] == ["−5 me, I charge"]
        box.mute(True)
        expect(phone.locator("#say")).to_be_hidden()
        box.mute(False)
    assert complaints == []


ABLE = """
window.shaken = []; navigator.vibrate = pattern => shaken.push(pattern);
window.lit = [];
const request = async what => { lit.push(what); return new EventTarget(); };
Object.defineProperty(navigator, 'wakeLock', { value: { request } });
"""
"""A phone that shakes and can be kept lit, and counts both."""


def test_a_phone_shakes_and_stays_lit_when_its_turn_comes(
    browser: Browser, session: Session, site: Site, complaints: list[str]
) -> None:
    """Once a turn and no more, whatever else happens in it; a phone without a character does neither."""
    for page in opened(browser, site.url, PHONE, complaints, first=ABLE):
        session.dispatch(Do((action("damage", amount=1, targets=("sefa",)),)))
        expect(page.locator(".one", has_text="Sefa")).to_contain_text("14/15")
        assert page.evaluate("[shaken, lit]") == [[], []]
        page.locator(".one", has_text="Tavi").get_by_text("This is me").click()
        expect(page.locator("#turn")).to_have_text("Your turn")
        session.dispatch(Do((action("damage", amount=1, targets=("sefa",)),)))
        expect(page.locator(".one", has_text="Sefa")).to_contain_text("13/15")
        assert page.evaluate("[shaken, lit]") == [[[200, 100, 200]], ["screen"]]
        session.dispatch(Advance())
        expect(page.locator("#turn")).to_be_hidden()
        while session.model.state.clock.round < 2 or session.model.pending is not None:
            session.dispatch(RollRest() if session.model.pending is not None else Advance())
        expect(page.locator("#turn")).to_have_text("Your turn")
        assert page.evaluate("shaken.filter(one => one.length).length") == 2
    assert complaints == []


def test_a_map_for_fingers(browser: Browser, server: Site, evening: Journal, complaints: list[str]) -> None:
    """A tab; a tap tells name and distance, two fingers enlarge, one moves, and the GM sees where a player points."""
    with begun(evening, BONES) as session:
        while session.model.pending is not None:
            session.dispatch(RollRest())
        site = following(server, session)
        for page in opened(browser, site.url, PHONE, complaints):
            page.locator(".one", has_text="Maud").get_by_text("This is me").click()
            expect(page.locator("#say")).to_be_visible()  # the claim has come, and the map is drawn anew no more
            expect(page.locator("#board")).to_be_hidden()
            page.get_by_text("Map", exact=True).click()
            expect(page.locator("#people")).to_be_hidden()
            token = page.locator("svg .friend").filter(has_text="Corvin").locator(".token")
            expect(token).to_be_visible()
            at = token.bounding_box()
            assert at is not None
            page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
            corvin, maud = (
                one for name in ("Corvin", "Maud") for one in session.model.state.combatants if one.name == name
            )
            assert corvin.position is not None
            assert maud.position is not None
            squares = max(abs(int(one) - int(other)) for one, other in zip(corvin.position, maud.position, strict=True))
            far = "1 square" if squares == 1 else f"{squares} squares"
            expect(page.locator("#where")).to_have_text(f"Corvin, unhurt · {far} from Maud")
            page.get_by_text("Point there").click()
            expect(page.locator("#where")).to_have_text("The GM sees where.")
            with closing(DiceBox(box_of(evening.path))) as box:
                (ping,) = box.pings(session.model.fight, 0)
                assert (ping.x, ping.y) == corvin.position

            page.evaluate("look(0, 0, whole())")
            whole = page.evaluate("lens.w")
            touch = page.context.new_cdp_session(page)
            for kind, gap in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60), ("touchEnd", 0)):
                fingers = [{"x": 190 + gap * side, "y": 400, "id": side} for side in (0, 1)] if gap else []
                touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
            wide = page.evaluate("lens.w")
            assert wide < whole * 0.6
            session.dispatch(Do((action("damage", amount=1, targets=(maud.id,)),)))
            expect(page.locator("#mine")).to_contain_text(f"{maud.pools[0].now - 1}/")
            assert page.evaluate("lens.w") == wide, "a step leaves an enlarged map as it is"
            page.get_by_text("Whole map").click()
            assert page.evaluate("lens.w") == whole
            page.get_by_text("Fight", exact=True).click()
            expect(page.locator("#people")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert complaints == []


def test_a_large_map_is_read_on_a_phone(browser: Browser, own_journal: Journal) -> None:
    """At first it is as large as its letters can be read, around the player's character; a button shows all of it."""
    with fighting(own_journal, BRAWL, 0), closing(Site(own_journal.path, "--rolls")) as site:
        for page in opened(browser, site.url, PHONE, []):
            page.locator(".one", has_text="Ysolde").get_by_text("This is me").click()
            page.get_by_text("Map", exact=True).click()
            box = page.locator("svg .friend").filter(has_text="y").locator(".token").bounding_box()
            assert box is not None
            assert 24 <= box["width"] <= 30
            assert 0 <= box["x"] <= PHONE["width"] - box["width"]
            page.get_by_text("Whole map").click()
            assert page.evaluate("[lens.x, lens.w]") == [0, 20]
            expect(page.get_by_text("Whole map")).to_be_hidden()
            ground = page.locator("#ground svg").bounding_box()
            assert ground is not None
            assert ground["height"] > PHONE["height"] / 2


def test_those_who_are_out_take_one_line_on_a_phone(browser: Browser, session: Session, phone: Page) -> None:
    """A tap opens it, and it stays open from step to step."""
    foes = [one for one in session.model.state.combatants if session.model.state.side(one.side).control == "gm"]
    session.dispatch(Do((action("damage", amount=99, targets=tuple([one.id for one in foes[:3]])),)))
    while session.model.pending is not None:
        session.dispatch(RollRest())
    expect(phone.locator("summary")).to_have_text(
        "3 out: Hedge Robber 1, Hedge Robber 2, Hedge Robber 3", use_inner_text=True
    )
    expect(phone.locator(".one", has_text="Hedge Robber 1")).to_be_hidden()
    phone.locator("summary").click()
    session.dispatch(Do((action("damage", amount=1, targets=(foes[4].id,)),)))
    expect(phone.locator(".one", has_text="Snag")).to_contain_text("hurt")
    expect(phone.locator(".one", has_text="Hedge Robber 1")).to_be_visible()


def overlapping(boxes: list[Any]) -> list[Any]:
    """Return the pairs of rectangles that have more than a hair in common."""

    def shared(one: Any, other: Any, axis: str, size: str) -> float:
        return float(min(one[axis] + one[size], other[axis] + other[size]) - max(one[axis], other[axis]))

    pairs = [(one, other) for place, one in enumerate(boxes) for other in boxes[:place]]
    return [pair for pair in pairs if min(shared(*pair, "x", "width"), shared(*pair, "y", "height")) > 1]


@pytest.mark.parametrize("size", [PHONE, TV], ids=["phone", "TV"])
def test_a_line_shows_each_token_large_enough_to_read(
    browser: Browser, server: Site, evening: Journal, size: Any
) -> None:
    """Twelve at one distance, others a metre apart: none covers another, and each is some millimetres wide."""
    with fighting(evening, BRIDGE, 20) as session:
        site = following(server, session)
        for page in opened(browser, site.url + ("?tv" if size is TV else ""), size, []):
            if size is PHONE:
                page.get_by_text("Map", exact=True).click()
            boxes = boxes_of(page, "svg .token")
            assert len(boxes) == len(session.model.state.combatants) == 20
            assert overlapping(boxes) == []
            assert min(box["width"] for box in boxes) >= (20 if size is PHONE else 40)


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


def test_a_phone_that_takes_its_first_character_is_connected_for_the_gm(session: Session, phone: Page) -> None:
    """Under the name of its device; it need not be loaded again."""
    phone.locator(".one", has_text="Tavi").get_by_text("This is me").click()
    expect(phone.locator("#mine .one")).to_have_count(1)
    with closing(DiceBox(box_of(session.journal.path))) as box:
        (claim,) = box.claims(session.model.fight)
        until = time.monotonic() + 10
        while not box.pages().get(claim.tag):
            assert time.monotonic() < until, box.pages()
            phone.wait_for_timeout(20)


def test_another_phone_is_asked_nothing(browser: Browser, session: Session, site: Site, phone: Page) -> None:
    """The question is the player's whose character rolls."""
    phone.locator(".one", has_text="Nele").get_by_text("This is me").click()
    attack(session)
    for other in opened(browser, site.url, PHONE, []):
        expect(other.locator(".one", has_text="Nele")).to_contain_text("taken")
        assert other.locator("#rolls").is_hidden()
    assert phone.locator("#rolls").is_hidden()


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
