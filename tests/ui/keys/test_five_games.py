"""An evening's keys and words in all five games, each in one started app."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from tests.ui.drive import Table, opened
from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, action_pane, begun, played, shelved
from tracker.core.engine import offers, spec_of
from tracker.core.fight.state import State
from tracker.core.game.ruleset import status_of
from tracker.core.terms.actions import Action, action
from tracker.session.intents import Do
from tracker.session.session import Session


class Evening(Struct, frozen=True):
    """One game's keys.

    Attributes:
        attack, hurt: a hero's attack on a named target with both dice typed, and whom it hurts.
        question: the keys to the first question of an attack, and its answer.
        older, other: the die of the attack put right five steps later, and whom that changes.
        area, saved: harm to six, of whom two have saved, and those two with what that leaves them.
        joins, newcomer: how two from the bestiary are typed, and what they are called.
        flees, fled: the label of one who flees, and what the game calls that.
    """

    attack: str
    hurt: str
    question: tuple[str, str]
    older: str
    other: str
    area: str
    saved: tuple[tuple[str, int], tuple[str, int]]
    joins: str
    newcomer: str
    flees: tuple[str, str]
    fled: str


EVENINGS = {
    WN: Evening(
        "au⏎19⏎5⏎",
        "toll-captain",
        ("au⏎", "19⏎"),
        "co1⏎⏎",
        "toll-captain",
        "-27hriwOS⏎",
        (("ordwen", 8), ("sefa", 2)),
        "i2hed⏎",
        "Hedge Robber",
        ("n", "nele"),
        "gone",
    ),
    SW: Evening(
        "at⏎11⏎7⏎",
        "skeleton-1",
        ("at⏎", "11⏎"),
        "cw3⏎⏎",
        "skeleton-1",
        "-27tuzaGW⏎",
        (("grave-shade", 15), ("wolf", 18)),
        "i2ske⏎",
        "Skeleton",
        ("s", "sela"),
        "fled",
    ),
    SV: Evening(
        "ar⏎19⏎4⏎",
        "outlaw-chief",
        ("ad⏎", "19⏎"),
        "cy1⏎⏎",
        "outlaw-chief",
        "-27defgRY⏎",
        (("outlaw-chief", 2), ("ysolde", 0)),
        "i2cut⏎",
        "Cutpurse",
        ("p", "piet"),
        "gone",
    ),
    SJ: Evening(
        "ao⏎19⏎5⏎",
        "ogre-mauler",
        ("n", "19⏎"),
        "cb1⏎⏎",
        "ogre-mauler",
        "-27ghocRB⏎",
        (("rock-angler", 75), ("brannoc", 33)),
        "i2gal⏎",
        "Gale Hawk",
        ("t", "telmarre"),
        "gone",
    ),
    GH: Evening(
        "ag⏎03⏎5⏎",
        "goblin-1",
        ("ah⏎", "3⏎"),
        "cy↓19⏎⏎",
        "goblin-1",
        "-27hijaLD⏎",
        (("goblin-archer-2", 0), ("goblin-drummer", 0)),
        "i2gob⏎",
        "Goblin",
        ("m", "mother-ade"),
        "gone",
    ),
}


SIGNS = {"⏎": "enter", "↓": "down"}


def heroes(state: State) -> bool:
    """Tell whether the players' characters act."""
    slot = state.clock.current
    if slot is not None and "brannoc" in state and slot.segment is not None:
        return "brannoc" in slot.members
    if slot is None or slot.stage != "round" or state.clock.phase in ("declare", "initiative"):
        return False
    return bool(slot.members) and all(state.side_of(who).control == "players" for who in slot.members)


def ill_opened(session: Session) -> list[str]:
    """Return what is on offer, but opens refused or aims at nobody on offer."""
    state, found = session.model.state, []
    for person in state.combatants:
        for spec in offers(session.ruleset, state, person.id):
            full = spec_of(session.ruleset, state, Action(spec.key, person.id))
            if spec.refusal is None and full.refusal is not None:
                found.append(f"{person.id} {spec.key}: {full.refusal.text}")
            for field in full.fields:
                if field.kind == "combatant" and field.options and field.default is not None:
                    open_keys = [option.key for option in field.options if option.refusal is None]
                    if open_keys and field.default not in open_keys:
                        found.append(f"{person.id} {spec.key}: {field.default}")
    return found


async def flee(table: Table, evening: Evening) -> None:
    """Type what people call it, and see what the game does."""
    label, who = evening.flees
    for word in ("gone", "flee"):
        await table.type(f"s{label} {word}")
        assert f"→ {label} " in action_pane(table)
        assert f" {evening.fled} " in action_pane(table)
        await table.press("escape")
    for word in ("down", "dead", "fled"):
        was = table.state[who]
        await table.type(f"s{label} {word}⏎")
        assert (table.mode, table.state[who] != was) == (None, True)
    assert status_of(table.cockpit.session.ruleset, table.state[who].status).word == evening.fled


@pytest.mark.parametrize("game", EVENINGS)
async def test_an_evening_by_keys(game: str, tmp_path: Path) -> None:
    """Each task in no more keys than promised, and words as people type them."""
    evening = EVENINGS[game]
    session = begun(tmp_path, game, FIGHTS[game][0])
    played(session, heroes)
    assert ill_opened(session) == []
    if game == SW:  # a turn is opened in this game
        session.dispatch(Do((action("start_turn", "wolf"),)))
    async with opened(session, find=shelved(game)) as table:
        asking, answer = evening.question
        for key in ("backspace", "u"):
            await table.type(asking)
            first = table.question.key
            await table.type(answer)
            assert table.question.key != first
            await table.press(key)  # 20
            assert table.question.key == first
            await table.press("backspace")
            assert table.model.pending is None

        before, pressed = table.state, table.pressed
        await table.type(evening.attack)
        assert (table.model.pending, table.pressed - pressed) == (None, 8)  # 16
        assert table.state[evening.hurt] != before[evening.hurt]

        await table.type("-1{0}⏎-1{0}⏎-1{0}⏎-1{0}⏎".format(evening.flees[0]))
        was, pressed = table.state[evening.other], table.pressed
        await table.press(*[SIGNS.get(key, key) for key in evening.older])
        assert table.pressed - pressed <= 7  # 22
        assert table.state[evening.other] != was

        pressed = table.pressed
        await table.type(evening.area)
        assert table.pressed - pressed == 10  # 17
        assert tuple((who, table.hp(who)) for who, _ in evening.saved) == evening.saved
        for _ in range(5):  # of those who break
            if table.model.pending is not None:
                await table.press("enter")

        clock, pressed = table.state.clock, table.pressed
        await table.type(evening.joins)
        assert table.pressed - pressed <= 7  # 11
        assert [person.name.startswith(evening.newcomer) for person in table.state.combatants[-2:]] == [True, True]
        assert (table.state.clock.at, table.state.clock.acting, table.model.pending) == (clock.at, clock.acting, None)
        await flee(table, evening)
