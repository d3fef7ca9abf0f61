"""The list of corrections: how a line is found, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import SIZES, opened
from tests.ui.games import SV, SW, WN, begun, played, ready, shelved
from tests.ui.keys.test_five_games import heroes
from tracker.core.terms.actions import Action, action
from tracker.session.intents import Do, Reply
from tracker.session.session import Session
from tracker.testing.table import plain
from tracker.ui.modes.history.inputs import recorded_inputs


def done(session: Session, what: Action) -> None:
    model = session.dispatch(Do((what,)))
    assert model.refusal is None
    while model.pending is not None:
        model = session.dispatch(Reply(plain(model.pending.request)))


@pytest.mark.parametrize("size", SIZES)
async def test_a_name_with_its_number_and_the_size_of_a_die_find_a_line(size: tuple[int, int], tmp_path: Path) -> None:
    """A number that belongs to a name is no value; a value that the marked die cannot show finds another die."""
    async with opened(ready(tmp_path, WN), size=size) as table:
        await table.type("'ha o⏎19⏎5⏎'ra s⏎19⏎4⏎")
        for typed, marked in (
            ("robber 1", "hand axe against Ordwen 1d6"),
            ("hedge robber 2", "against Sefa 1d6"),
            ("robber 1 1d20", "attacks Ordwen 1d20"),
            ("robber 1 3", "hand axe against Ordwen 1d6"),
            ("robber 1 13", "attacks Ordwen 1d20"),
            ("d20", "attacks Sefa 1d20"),
            ("13", "attacks Sefa 1d20"),
        ):
            await table.type("c" + typed)
            line = next(line for line in table.text().splitlines() if "▸" in line)
            assert marked in " ".join(line.split()), typed
            await table.press("escape", "escape")
        was = table.hp("sefa")
        await table.type("crobber 2 2⏎")
        assert "enter takes it · esc leaves all as it was" in table.pane("console")
        await table.type("⏎")
        assert table.hp("sefa") == was + 2


async def test_what_the_gm_has_done_is_in_the_list(tmp_path: Path) -> None:
    """Who has joined, another name, a status and an amount are told."""
    session = begun(tmp_path, SV, "night_road")
    played(session, heroes)
    (member, *_) = shelved(SV)("cut")
    for what in (
        action("rename", who="cutpurse-1", name="Old Cut"),
        action("status", targets=("cutpurse-2",), status="down"),
        action("insert", members=(member,), side="outlaws"),
        action("damage", targets=("ysolde",), amount=3),
    ):
        done(session, what)
    said = [given.action for given in recorded_inputs(session.model.state, session.model.steps) if not given.key]
    assert said[:4] == [
        "GM: Damage → Ysolde: 3 hp",
        "GM: Insert combatants: Cutpurse, Outlaws",
        "GM: Change the status → Cutpurse 2: down",
        "GM: Rename → Old Cut: Old Cut",
    ]


def test_magic_points_are_told_by_name(tmp_path: Path) -> None:
    """Only the first pool of a combatant goes without its name."""
    session = begun(tmp_path, SW, "two_brawls")
    played(session, heroes)
    done(session, action("start_turn", "mira"))
    done(session, action("cast", "mira", spell="Cure Wounds", targets=("mira",)))
    spent = session.model.state["mira"].pool("mp")
    told = recorded_inputs(session.model.state, session.model.steps)[0].effect
    assert f"Mira MP {spent.max}→{spent.now}" in told


def test_a_die_stands_under_the_action_it_belongs_to(tmp_path: Path) -> None:
    """A strike inside a Run has its own lines; the answers of the Run stay under the Run."""
    session = begun(tmp_path, SV, "night_road")
    played(session, heroes)
    done(session, action("run", "ysolde", provokes=("cutpurse-1", "cutpurse-2")))
    listed = [given for given in recorded_inputs(session.model.state, session.model.steps, most=1) if given.key]
    owners = {given.key: given.action.partition(" →")[0] for given in listed}
    assert owners["aoo:cutpurse-1"] == "Ysolde: Run"
    assert owners["aoo:cutpurse-2"] == "Ysolde: Run"
    assert owners["aoo:cutpurse-1/attack"] == "Cutpurse 1: Attack of Opportunity"
    assert owners["aoo:cutpurse-2/attack"] == "Cutpurse 2: Attack of Opportunity"
