"""The report of a fight in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.serve.browser import NEEDS_CHROMIUM
from tests.serve.test_page import HOSTILE, PHONE
from tracker.core.game.telling import ActionWords, StatusWords
from tracker.core.terms.actions import Action
from tracker.views.report.page import page as page_of
from tracker.views.report.record import (
    Act,
    CombatantRecord,
    DiceRoll,
    EffectSpan,
    FightRecord,
    Harm,
    Milestone,
    Point,
    Side,
    StatusChange,
)
from tracker.views.report.statistics import statistics_of

pytestmark = [pytest.mark.e2e, NEEDS_CHROMIUM]

A4 = {"width": 672, "height": 1001}
"""What a printed page has between its margins."""


def test_a_report_needs_nothing_but_itself(browser: Browser, complaints: list[str], tmp_path: Path) -> None:
    """The page opens without a word from the console, asks for nothing, fits a phone."""
    title, asked = "</title><script>document.title=1</script>", list[str]()
    people = (
        CombatantRecord("ann", HOSTILE[0], "party", True, max=10, now=10),
        CombatantRecord("orc", "Orc " * 40, "orcs", False, max=6, status="dead", ending="dead"),
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
