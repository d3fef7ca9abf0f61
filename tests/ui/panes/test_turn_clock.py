"""The turn clock: how long this turn has lasted."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import SETTINGS, Table
from tests.ui.games import WN, begun
from tracker.core.terms.actions import action
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Do
from tracker.session.rulesets.registry import find
from tracker.ui.panes.bars import HeaderLine
from tracker.views.public.build import public_view


def watched(table: Table) -> tuple[HeaderLine, list[float]]:
    """Return the header, and the time that it reads in place of the computer's."""
    header, time = table.showing.header, [0.0]
    header._now = lambda: time[0]
    header._since = 0.0
    return header, time


async def test_it_is_off_at_first_and_counts_from_the_beginning_of_the_turn(table: Table) -> None:
    """Another turn begins at nought; the past has none."""
    header, time = watched(table)
    time[0] = 75
    header.tick()
    assert "turn 1:15" not in table.text()

    await table.type(":clock on⏎")
    assert "turn 1:15" in table.text()
    time[0] = 76
    header.tick()
    assert "turn 1:16" in table.text()
    await table.type("nn")
    assert "turn 0:00" in table.text()
    await table.type("[")
    assert "turn 0:" not in table.text()
    await table.press("escape")
    await table.type(":clock off⏎")
    assert "turn 0:" not in table.text()


async def test_only_the_header_is_drawn_anew(table: Table) -> None:
    """A second costs one line."""
    header, time = watched(table)
    await table.type(":clock on⏎")
    drawn: list[object] = []
    for widget in table.app.screen.walk_children():
        widget.refresh = lambda *regions, widget=widget, **more: drawn.append(widget)  # type: ignore[method-assign,misc] # noted
    time[0] += 1
    header.tick()
    header.tick()
    assert drawn in ([header], [header, header])


def test_a_campaign_turns_it_on_for_its_fights(tmp_path: Path) -> None:
    """What the encounter says wins; players see it only by the GM's word."""
    (tmp_path / "campaign.yaml").write_text("ruleset: githack\nclock: true\n", encoding="utf-8")
    text = "ruleset: githack\nparty: [{name: Mira, hp: 5}]\nmonsters: [{name: Ogre, hp: 5}]\n"
    for name, more in (("on", ""), ("off", "clock: false\n")):
        (tmp_path / f"{name}.yaml").write_text(text + more, encoding="utf-8")
    found = [load_encounter(tmp_path / f"{name}.yaml", find).encounter for name in ("on", "off")]

    assert [one is not None and one.clock is True for one in found] == [True, False]


def test_players_see_it_by_the_gms_word(tmp_path: Path) -> None:
    session = begun(tmp_path, WN, "first_fight", SETTINGS)
    seen = []
    for shown in ("on", "players", "off"):
        assert session.dispatch(Do((action("clock", None, shown=shown),))).refusal is None
        seen.append(public_view(session.ruleset, session.model.state).clock)
    assert seen == [False, True, False]
