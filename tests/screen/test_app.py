"""The players' screen beside a fight that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.support.pictures import AsText
from tests.support.quick import settled
from tests.ui.drive import SETTINGS
from tests.ui.games import GH, SJ, SV, SW, WN
from tests.ui.games import begun as shipped
from tests.ui.skirmish import SKIRMISH, encounter
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do, LookAt, RollRest, WhatIf
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import NOTHING, PlayerViewReader
from tracker.ui.players_screen import PlayersApp
from tracker.views.public.rows import MODES, screen_rows

SIZES = ((80, 24), (120, 40), (200, 60))


def shown(app: PlayersApp) -> str:
    """Return the screen as text, without the blanks at the ends of lines."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


def beside(path: Path, journey: Callable[[PlayersApp], Awaitable[None]], size: tuple[int, int] = (120, 40)) -> None:
    """Run the screen on a journal, and a journey beside it."""
    watch = PlayerViewReader(path)
    watch.poll()
    app = PlayersApp(watch)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(app)
            await journey(app)
            await still(pilot)

    asyncio.run(run())


async def still(pilot: Pilot[None]) -> None:
    await pilot.pause(0.1)


async def seen(app: PlayersApp, words: str) -> str:
    """Wait until the screen says something."""
    for _ in range(200):
        if words in (text := shown(app)):
            return text
        await asyncio.sleep(0.01)
    raise AssertionError(f"{words!r} never came:\n{shown(app)}")


def begun(folder: Path, game: str, name: str) -> Session:
    """Start a fight that is shipped, and go to its first round."""
    session = shipped(folder, game, name)
    while session.model.pending is not None or session.model.state.clock.round < 1:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    return session


def do(session: Session, *actions: tuple[str, dict[str, object]]) -> None:
    for key, fields in actions:
        model = session.dispatch(Do((action(key, None, **fields),)))  # type: ignore[arg-type]  # plain values
        assert model.refusal is None, model.refusal


@pytest.fixture
def skirmish(tmp_path: Path) -> Session:
    return Session.start(Journal.open(tmp_path / "fights.db"), SKIRMISH, encounter(), SETTINGS)


@pytest.mark.parametrize("size", SIZES, ids=[f"{width}x{height}" for width, height in SIZES])
@pytest.mark.parametrize(("game", "name"), [(WN, "first_fight"), (SV, "gate_brawl"), (SW, "two_brawls")])
def test_screens_look_as_they_did(
    tmp_path: Path, snapshot: SnapshotAssertion, game: str, name: str, size: tuple[int, int]
) -> None:
    """Sides, squares and a line at three sizes; one is hurt, one hidden, one a stranger, one has an effect."""
    session = begun(tmp_path, game, name)
    people = [one.id for one in session.model.state.combatants]
    foes = [one.id for one in session.model.state.combatants if session.model.state.side_of(one.id).control == "gm"]
    do(
        session,
        ("set", {"who": people[0], "what": "hp", "value": 3}),
        ("add_effect", {"name": "blessed", "targets": (people[1],), "until": "end of round 3"}),
        ("conceal", {"targets": (foes[0],)}),
        ("call", {"who": foes[1], "name": "Tall stranger"}),
    )

    async def journey(app: PlayersApp) -> None:
        text = shown(app)
        assert session.model.state.name(foes[0]) not in text or session.model.state.name(foes[0]).endswith("1")
        assert text == snapshot(extension_class=AsText)

    beside(session.journal.path, journey, size)


def test_a_step_comes_by_itself(skirmish: Session) -> None:
    """What the GM does is seen without a key."""

    async def journey(app: PlayersApp) -> None:
        assert "▶ Round 1 · Ava" in shown(app)
        do(skirmish, ("damage", {"amount": 14, "targets": ("ava",)}))
        await seen(app, "6/20")
        skirmish.dispatch(Advance())
        await seen(app, "▶ Round 1 · Wolf")

    beside(skirmish.journal.path, journey)


def test_the_table_s_pause_is_said(skirmish: Session) -> None:
    """Held, looking back, trying: one line; of what is tried nothing shows."""

    async def journey(app: PlayersApp) -> None:
        skirmish.freeze_player_view(on=True)
        await seen(app, MODES["paused"])
        skirmish.freeze_player_view(on=False)
        skirmish.dispatch(Advance())
        await seen(app, "▶ Round 1 · Wolf")
        skirmish.dispatch(LookAt(skirmish.model.steps[0].seq))
        await seen(app, MODES["back"])
        skirmish.dispatch(LookAt())
        skirmish.dispatch(WhatIf("begin"))
        do(skirmish, ("damage", {"amount": 14, "targets": ("ava",)}))
        text = await seen(app, MODES["trial"])
        assert "20/20" in text
        assert "6/20" not in text

    beside(skirmish.journal.path, journey)


def test_the_screen_waits_for_a_fight(tmp_path: Path) -> None:
    """It can be opened before the GM begins."""

    async def journey(app: PlayersApp) -> None:
        assert NOTHING in shown(app)
        Session.start(Journal.open(tmp_path / "fights.db"), SKIRMISH, encounter(), SETTINGS).close()
        await seen(app, "Goblin ambush")

    beside(tmp_path / "fights.db", journey)


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    """Markup, control characters, right-to-left and ten thousand letters are only text."""
    session = Session.start(Journal.open(tmp_path / "fights.db"), SKIRMISH, encounter(), SETTINGS)
    for who, name in (
        ("goblin-1", "[bold]<img onerror=x>[/]"),
        ("goblin-2", "\x1b]0;gone\x07\u202eevil"),
        ("goblin-3", "x" * 10_000),
    ):
        do(session, ("rename", {"who": who, "name": name}))

    async def journey(app: PlayersApp) -> None:
        text = shown(app)
        assert "[bold]<img onerror=x>[/]" in text
        assert "<U+202E>evil" in text
        assert "\x1b" not in text
        assert max(map(len, text.splitlines())) <= 120

    beside(session.journal.path, journey)


def test_every_size_can_be_drawn(skirmish: Session) -> None:
    """However small the terminal is, nothing breaks."""

    async def journey(app: PlayersApp) -> None:
        assert app.is_running

    for size in ((20, 5), (40, 8), (1, 1), (95, 10), (96, 10)):
        beside(skirmish.journal.path, journey, size)


HURT = {SW: "two_brawls", WN: "first_fight", SV: "gate_brawl", GH: "goblin_waves", SJ: "deck_ambush"}


@pytest.mark.parametrize("game", HURT)
def test_the_screen_says_what_the_page_says(tmp_path: Path, game: str) -> None:
    """The same places in the same order, each of the party with its points, the same results last; 80x24 the party."""
    with shipped(tmp_path, game, HURT[game]) as session:
        while session.model.pending is not None or session.model.state.clock.round < 1:
            session.dispatch(RollRest() if session.model.pending is not None else Advance())
        state = session.model.state
        party = tuple(one.id for one in state.combatants if state.side(one.side).control != "gm")
        for name in ("watched", "blessed by the gods of old"):
            session.dispatch(Do((action("add_effect", name=name, targets=party, until="5 rounds"),)))
        session.dispatch(Do((action("damage", amount=3, targets=party[:1]),)))
        watch = PlayerViewReader(session.journal.path)
        watch.poll()
        view = watch.view
        watch.close()
    assert view is not None
    ours = [one for one in view.combatants if one.friend]
    for size in SIZES:
        lines = ["".join(span.text for span in row.spans) for row in screen_rows(view, *size)]
        text = "\n".join(lines)
        assert all(one.name in text for one in ours), size
        points = [f"{pool.now:>3}/{pool.max}" for one in ours for pool in one.pools if pool.title and pool.max]
        assert all(number.strip() in text for number in points), size
        assert view.log[-1] in " ".join(text.split()), size
        places = [text.index(slot.title) for slot in view.order[:4]]
        assert places == sorted(places), size


@pytest.mark.parametrize("size", SIZES)
def test_results_and_the_end_are_told(tmp_path: Path, size: tuple[int, int]) -> None:
    """What happened last stands beside the rest at every size; at the end, who stands."""
    with shipped(tmp_path, WN, "first_fight") as session:
        while session.model.pending is not None:
            session.dispatch(RollRest())

        async def journey(app: PlayersApp) -> None:
            session.dispatch(Do((action("damage", amount=3, targets=("tavi",)),)))
            assert "just now" in await seen(app, "Tavi loses 3 HP")
            session.dispatch(Do((action("end_fight"),)))
            assert "After 1 round: 4 of 4 of yours stand · 0 of 5 foes are out" in await seen(app, "of yours stand")
            text = shown(app)
            assert "The fight ends in round 1 with the party and the toll-takers" in " ".join(text.split())
            assert "Tavi loses 3." in text

        beside(session.journal.path, journey, size)


def test_a_long_story_is_read_by_keys(tmp_path: Path) -> None:
    """The screen says how much more there is; down goes on, up goes back, hidden combatants are in no line."""
    with begun(tmp_path, SV, "gate_brawl") as session:
        foes = [one.id for one in session.model.state.combatants if session.model.state.side(one.side).id == "raiders"]
        do(session, ("conceal", {"targets": (foes[0],)}))
        for number in range(12):
            do(session, ("damage", {"amount": 1, "targets": (("ysolde", "maud", "corvin")[number % 3],)}))
            session.dispatch(Advance())
            while session.model.pending is not None:
                session.dispatch(RollRest())
        name = session.model.state.name(foes[0])
        do(session, ("end_fight", {}))

        async def journey(app: PlayersApp) -> None:
            async def press(key: str) -> str:
                app.simulate_key(key)
                await asyncio.sleep(0.05)
                return shown(app)

            first = await seen(app, "lines more (↓)")
            assert "The fight ends in" in first
            last = [await press("down") for _ in range(9)][-1]
            assert "still standing" in last
            assert "lines more" not in last
            assert name not in first + last
            assert "The fight ends in" in [await press("up") for _ in range(9)][-1]

        beside(session.journal.path, journey, (60, 14))
