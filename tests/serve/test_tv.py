"""The page on a TV in a real browser."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.serve.browser import NEEDS_CHROMIUM
from tests.serve.conftest import FIGHT, begun, following
from tests.serve.site import Site
from tests.serve.test_page import BRAWL, JELLY, PHONE, TV, boxes_of, fighting, names, opened
from tests.serve.test_pictures import png
from tracker.core.terms.actions import action
from tracker.library.pictures import Picture
from tracker.session.intents import Advance, Do, RollRest
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, SubmittedRoll, box_of
from tracker.session.store.journal import Journal

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]


def test_the_tv_shows_everything_without_a_hand(browser: Browser, session: Session, site: Site) -> None:
    """Two columns, large, nothing to scroll, in the light and in the dark."""
    for scheme in ("light", "dark"):
        for page in opened(browser, f"{site.url}?tv", TV, [], scheme):
            boxes = boxes_of(page, ".one")
            assert len({round(box["x"]) for box in boxes}) == 2
            assert all(box["bottom"] <= TV["height"] for box in boxes)
            assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.one b')).fontSize)") >= 28
            assert page.locator("button:visible").count() == 0


def test_the_tv_waits_with_the_gm_and_says_whose_dice_are_wanted(browser: Browser, own_journal: Journal) -> None:
    """Nothing is there before the fight is shown; then each die that is asked for, with a tick once it has come."""
    with begun(own_journal, JELLY) as session, closing(Site(own_journal.path, "--rolls")) as site:
        for page in opened(browser, f"{site.url}?tv", TV, []):
            session.cover_player_view()
            expect(page.locator("#moment")).to_have_text("The GM is setting up")
            expect(page.locator("main")).to_have_text("", use_inner_text=True)
            session.freeze_player_view(False)
            while not session.player_view.asks:
                session.dispatch(Advance())
            first, *_ = session.player_view.asks
            with closing(DiceBox(box_of(own_journal.path))) as box:
                box.claim(session.model.fight, first.who, "a" * 32)
                box.put(SubmittedRoll(session.model.fight, first.key, first.who, (3,)), "a" * 32)
            expect(page.locator("#turn")).to_contain_text(f"d20, initiative: {first.name} ✓, ")


@pytest.mark.parametrize(("path", "total"), [(BRAWL, 6), (FIGHT, 20), (BRAWL, 35)], ids=["map", "no map", "pages"])
def test_nobody_is_cut_from_the_tv(browser: Browser, server: Site, evening: Journal, path: Path, total: int) -> None:
    """The party is always there, no card is cut, and each combatant is on some page, which says how many there are."""
    with fighting(evening, path, total) as session:
        site = following(server, session)
        party = {one.name for one in session.model.state.combatants if one.side == "party"}
        everybody, seen = {one.name for one in session.model.state.combatants}, set[str]()
        for page in opened(browser, f"{site.url}?tv", TV, [], clock=True):
            told = page.locator(".pages").inner_text()
            pages = int(told.split(" ")[3]) if "page" in told else 1
            for _ in range(pages):
                shown = set(names(page))
                seen |= shown
                assert party <= shown
                assert all(
                    box["x"] >= 0 and box["right"] <= TV["width"] and box["bottom"] <= TV["height"]
                    for box in boxes_of(page, ".one")
                )
                assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.one b')).fontSize)") >= 28
                page.clock.run_for(8_000)
    assert seen == everybody


def test_the_map_keeps_its_room_on_the_tv(browser: Browser, server: Site, evening: Journal) -> None:
    """However many effects end next, it is half as high as the TV; two ends are told, the others stand on the cards."""
    with fighting(evening, BRAWL, 0) as session:
        site = following(server, session)
        party = tuple(one.id for one in session.model.state.combatants if one.side == "party")
        for name in ("blessed by the gods of old", "watched"):
            session.dispatch(Do((action("add_effect", name=name, targets=party, until="5 rounds"),)))
        for page in opened(browser, f"{site.url}?tv", TV, []):
            expect(page.locator("#ends li")).to_have_count(2)
            expect(page.locator("#ends li").first).to_contain_text(" → ")
            box = page.locator("#ground svg").bounding_box()
            assert box is not None
            assert box["height"] > TV["height"] / 2


def test_a_picture_of_the_gm_s_is_on_tv_and_phone(
    browser: Browser, session: Session, site: Site, complaints: list[str]
) -> None:
    """On the TV beside the party and under the order, on a phone above the others; gone when the GM takes it away."""
    with closing(DiceBox(box_of(session.journal.path))) as box:
        box.show_picture(session.model.fight, Picture("hall.png", "image/png", "1", png(80, 60)))
        for address, size in ((f"{site.url}?tv", TV), (site.url, PHONE)):
            for page in opened(browser, address, size, complaints):
                picture = page.locator("#handout img")
                expect(picture).to_be_visible()
                assert page.evaluate("document.querySelector('#handout img').naturalWidth") == 80
                box_shown = picture.bounding_box()
                assert box_shown is not None
                assert box_shown["x"] + box_shown["width"] <= size["width"]
                assert box_shown["y"] + box_shown["height"] <= size["height"]
                expect(page.locator(".one", has_text="Ordwen")).to_be_visible()
                expect(page.locator("#order .now")).to_be_visible()
                if size is PHONE:
                    assert box_shown["height"] > 200
                    picture.click()
                    assert (picture.bounding_box() or box_shown)["height"] < 80, "a tap makes it small"
                if size is TV:
                    assert box_shown["height"] > 600
                    box.show_picture(session.model.fight, None)
                    expect(picture).to_have_count(0)
                    expect(page.locator(".one", has_text="Wick")).to_be_visible()
                    box.show_picture(session.model.fight, Picture("hall.png", "image/png", "1", png(80, 60)))
        box.show_picture(session.model.fight, None)
    assert complaints == []


def test_the_end_is_told(browser: Browser, session: Session, site: Site) -> None:
    """Who stands, who has fallen, how many foes are out."""
    for foe in [one for one in session.model.state.combatants if session.model.state.side(one.side).control == "gm"]:
        session.dispatch(Do((action("damage", amount=99, targets=(foe.id,)),)))
    session.dispatch(RollRest())
    session.dispatch(Do((action("end_fight"),)))
    assert session.model.state.clock.over
    for page in opened(browser, f"{site.url}?tv", TV, []):
        expect(page.locator("#turn")).to_have_text("After 1 round: 4 of 4 of yours stand · 5 of 5 foes are out")
        expect(page.locator("#story p").first).to_have_text(
            "The party wins in round 1: the toll-takers are beaten to the last."
        )
        expect(page.locator("#people")).to_be_hidden()
        box = page.locator("#story").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= TV["height"]
        assert (
            page.evaluate("document.querySelector('#story').scrollWidth - document.querySelector('#story').clientWidth")
            <= 1
        )
        assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('#story p')).fontSize)") >= 36
