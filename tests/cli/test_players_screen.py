"""What the players' screen shows while the GM goes from fight to fight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tracker.cli.app import AppContext
from tracker.session.session import Session
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import COVERED

FIGHTS = Path(__file__).parents[2] / "encounters" / "worlds_without_number"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[AppContext]:
    with AppContext(tmp_path / "fights.db") as opened:
        yield opened


def begun(app: AppContext, name: str = "first_fight.yaml") -> Session:
    prepared = app.prepare(FIGHTS / name)
    app.begin(prepared, prepared.encounter)
    assert app.session is not None
    return app.session


def test_a_new_fight_is_shown_when_the_gm_shows_it(app: AppContext) -> None:
    """A screen that follows the fights reads that the GM is setting up."""
    watch = PlayerViewReader(app.path)
    first = begun(app)
    watch.poll()
    assert (watch.view, watch.fight) == (COVERED, first.model.fight)
    first.freeze_player_view(on=False)
    watch.poll()
    assert watch.view is not None
    assert watch.view.combatants
    app.leave()
    second = begun(app)
    watch.poll()
    assert (watch.view, watch.fight) == (COVERED, second.model.fight)


def test_a_hold_outlasts_a_change_of_fight(app: AppContext) -> None:
    """Whichever fight is opened next, nothing of it is shown until the GM lets the screen go on."""
    old = begun(app).model.fight
    assert app.session is not None
    app.session.freeze_player_view(on=False)
    app.leave()
    held = begun(app)
    held.freeze_player_view(on=False)
    held.freeze_player_view(on=True)
    app.leave()

    begun(app)
    app.leave()
    app.resume(old)
    assert app.session.model.screen_covered
    app.session.freeze_player_view(on=False)
    app.leave()
    app.resume(old)
    assert not app.session.model.screen_covered
    app.leave()
    app.resume(held.model.fight)
    assert app.session.model.screen_held, "its own hold is as it was"


def test_a_screen_follows_the_fight_that_the_gm_shows(app: AppContext) -> None:
    """A fight that is taken up and shown is the one that screens without a fight of their own are on."""
    first = begun(app).model.fight
    app.leave()
    begun(app).freeze_player_view(on=False)
    watch = PlayerViewReader(app.path)
    watch.poll()
    assert watch.fight != first
    app.resume(first)
    assert app.session is not None
    app.session.freeze_player_view(on=False)
    watch.poll()
    assert (watch.fight, watch.view is not None and watch.view.table.mode) == (first, "live")
