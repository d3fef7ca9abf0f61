"""What the initiative pane says in every game: who has acted, who is to come, and what ends exactly when."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, begun, phase, played, ready
from tracker.core.terms.actions import action
from tracker.session.intents import Do, Reply
from tracker.session.session import Session
from tracker.views.panes.order import OrderRows
from tracker.views.time.calendar import calendar

LINES = {
    WN: [
        ("end of round 1", "dazed ends (Ordwen)"),
        ("start of round 2", "The planks groan."),
        ("start of Ordwen's turn, round 4", "blessed ends (Ordwen)"),
    ],
    SW: [
        ("end of round 1", "dazed ends (Wolf)"),
        ("start of round 2", "The two brawls touch."),
        ("start of Party's phase, round 3", "blessed ends (Wolf)"),
    ],
    SV: [
        ("end of round 1", "dazed ends (Ysolde)"),
        ("end of round 2", "a wave (Pack)"),
        ("start of Party's phase, round 4", "blessed ends (Ysolde)"),
    ],
    SJ: [
        ("end of round 1", "dazed ends (Brannoc)"),
        ("start of round 3", "a wave (Hill folk)"),
        ("end of round 3", "blessed ends (Brannoc)"),
    ],
    GH: [
        ("end of round 1", "dazed ends (Brannoc)"),
        ("start of round 2", "wave: Over the roof"),
        ("start of monsters phase, round 4", "blessed ends (Brannoc)"),
    ],
}


def shown(session: Session) -> dict[str, str]:
    """Return the rows of the order pane with what they are: done, current, to come."""
    return {
        row.key: row.state + "|" + " ".join(row.text.split())
        for row in OrderRows(session.ruleset, session.model.state, 40)
    }


@pytest.mark.parametrize("game", FIGHTS)
def test_calendar_shows_exact_moments(game: str, tmp_path: Path) -> None:
    """Ends of effects, waves and reminders, soonest first, each at its own edge."""
    with ready(tmp_path, game) as session:
        hero = session.model.state.combatants[0].id
        for name, until in (("blessed", "3 rounds"), ("dazed", "round end")):
            session.dispatch(Do((action("add_effect", name=name, targets=(hero,), until=until),)))

        listed = [(due.moment, due.line) for due in calendar(session.ruleset, session.model.state)]

        places = [
            next(number for number, (at, line) in enumerate(listed) if at == moment and line.startswith(what))
            for moment, what in LINES[game]
        ]
        assert places == sorted(places)


def test_nobody_has_acted_before_their_turn_was_opened(tmp_path: Path) -> None:
    """Sword World: turns of a side are opened in any order."""
    with begun(tmp_path, SW, "two_brawls") as session:
        played(session, phase("leading"))
        assert {mark[0] for mark in marks(session)} == {"·"}
        session.dispatch(Do((action("start_turn", "skeleton-1"),)))
        assert sorted(mark[0] for mark in marks(session)) == ["·", "·", "·", "·", "▶"]
        session.dispatch(Do((action("end_turn", "skeleton-1"),)))
        assert sorted(mark[0] for mark in marks(session)) == ["·", "·", "·", "·", "✓"]


def marks(session: Session) -> list[str]:
    """Return the rows of the leading side, each with its mark in front."""
    return [words.partition("|")[2] for key, words in shown(session).items() if key.startswith("r1/leading#")]


@pytest.mark.parametrize(
    ("game", "done", "to_come"),
    [
        (WN, "r1/party#ordwen", "r1/toll-takers#toll-captain"),
        (SV, "r1/party#ysolde", "r1/pack#wolf-1"),
        (GH, "r1/fast#ysolt", "r1/slow#brannoc"),
    ],
)
def test_done_and_to_come_stand_apart(game: str, done: str, to_come: str, tmp_path: Path) -> None:
    """A combatant that has acted has a tick, one that comes later has none."""
    with ready(tmp_path, game) as session:
        rows = shown(session)

        assert rows[done].startswith("done|✓")
        assert "✓" not in rows[to_come]


@pytest.mark.parametrize("game", FIGHTS)
def test_a_fight_that_is_over_no_longer_seems_to_be(game: str, tmp_path: Path) -> None:
    """Who is beaten is said until the fight ends, not beside what comes after it."""
    with ready(tmp_path, game) as session:
        foes = tuple(one.id for one in session.model.state.combatants if one.kind == "monster")
        down = {WN: "dead", SW: "dead", SV: "dead", SJ: "dead", GH: "slain"}[game]
        session.dispatch(Do((action("status", targets=foes, status=down),)))
        seemed = bool(session.model.pending) or session.ruleset.finished(session.model.state)
        while session.model.pending is not None:
            session.dispatch(Reply())
        if not session.model.state.clock.over:
            session.dispatch(Do((action("end_fight"),)))

        assert bool(seemed)
        assert session.model.state.clock.over
        assert session.ruleset.finished(session.model.state) is None


def test_names_are_whole_above_empty_lines(tmp_path: Path) -> None:
    """What is too long for its line takes two while there is room, and the line of now is still found."""
    session = begun(tmp_path, SW, "two_brawls")
    state = played(session, phase("leading"))
    rows = OrderRows(session.ruleset, state, 22, height=14)
    texts = [row.text.rstrip() for row in rows]

    assert texts[:3] == ["▶ Leading party: The", "  dead", "   · t Skeleton 1"]
    assert texts[rows.now] == texts[0]
    assert len(rows) == 14
    tight = OrderRows(session.ruleset, state, 22, height=12)
    assert tight[0].text.startswith("▶ Leading party: The …")
