"""The third keystroke budget: a choice by its word, with its target, and what a declared game declares."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rulesets.spelljammer.stats.stats import declaration
from tests.ui.drive import SETTINGS, SIZES, opened
from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, action_pane, begun, low, played
from tests.ui.keys.test_five_games import heroes
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.session.session import Session

CHOICES = [
    (WN, "aaxe h⏎", ("weapon", "hand axe"), ("target", "hedge-robber-1")),
    (SW, "apow t⏎", ("feat", "Power Strike"), ("target", "skeleton-1")),
    (SV, "aspe d⏎", ("weapon", "Spear"), ("target", "cutpurse-1")),
    (SJ, "adag o⏎", ("weapon", "dagger"), ("target", "ogre-mauler")),
    (GH, "akni g⏎", ("weapon", "knife"), ("target", "goblin-1")),
]


def at_work(folder: Path, game: str) -> Session:
    """Return the fight at the moment at which a hero acts; of a declared game at which one declares."""
    session = begun(folder, game, FIGHTS[game][0])

    def declares(state: State) -> bool:
        return any(spec.key == "declare" and spec.refusal is None for spec in session.ruleset.actions(state, "brannoc"))

    played(session, declares if game == SJ else heroes)
    if game == SW:  # a turn is opened in this game
        session.dispatch(Do((action("start_turn", "wolf"),)))
    return session


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "keys", "choice", "target"), CHOICES)
async def test_a_choice_by_its_word_with_its_target(
    game: str, keys: str, choice: tuple[str, str], target: tuple[str, str], size: tuple[int, int], tmp_path: Path
) -> None:
    """Budget 25: seven keys, and what they mean is shown before Enter."""
    async with opened(at_work(tmp_path, game), size=size) as table:
        if game == SJ:
            await table.type("'b")
        before, steps = table.pressed, len(table.model.steps)
        await table.type(keys[:-1])
        assert choice[1].casefold() in table.pane("console").casefold()
        await table.type(keys[-1])
        assert table.pressed - before <= 7
        assert table.model.pending is not None or len(table.model.steps) > steps
        done = table.cockpit.last
        assert done is not None
        assert (done.get(choice[0]), done.get(target[0])) == (choice[1], target[1])


@pytest.mark.parametrize(
    ("keys", "withdraw", "movement", "main"),
    [
        ("awithd⏎", True, "half_then_act", "attack"),
        ("ahalf⏎", False, "half_then_act", "attack"),
        ("afull⏎", False, "full", "nothing"),
    ],
)
async def test_a_withdrawal_and_a_move_are_declared_by_word(
    keys: str, withdraw: bool, movement: str, main: str, tmp_path: Path
) -> None:
    """Budget 27, Spelljammer: half a move leaves the attack of the round as the game would choose it."""
    async with opened(at_work(tmp_path, SJ)) as table:
        await table.type("'b")
        before, steps = table.pressed, len(table.model.steps)
        await table.type(keys)
        assert table.pressed - before <= 7
        assert len(table.model.steps) > steps
        said = declaration(table.state, "brannoc")
        assert said is not None
        assert (said.withdraw, said.movement, said.main) == (withdraw, movement, main)


async def test_one_key_from_the_last_deed_to_the_next_initiative(tmp_path: Path) -> None:
    """Budget 29, GitHack: the end of the round and the beginning of the next one, where nothing is due, are passed."""
    session = begun(tmp_path, GH, "jelly_cistern", replace(SETTINGS, by_side=True, roller=low))
    played(session, lambda state: state.clock.round == 1 and state.clock.phase == "slow")
    async with opened(session) as table:
        await table.type("A⏎")
        while table.model.pending is not None:
            await table.type("⏎")
        assert "acted" in action_pane(table)
        before = table.pressed
        await table.type("n")
        assert (table.pressed - before, table.state.clock.round) == (1, 2)
        assert "Players: roll for initiative, 4 d20 in order" in table.pane("console")


async def test_a_reminder_at_a_moment_between_rounds_is_read(tmp_path: Path) -> None:
    """A wave that comes is due, so `n` stops for it."""
    session = begun(tmp_path, GH, "jelly_cistern", replace(SETTINGS, by_side=True, roller=low))
    played(session, lambda state: state.clock.at == "r2/end")
    async with opened(session) as table:
        await table.type("n")
        assert table.model.pending is None
        assert (table.state.clock.round, table.state.clock.phase) == (3, "initiative")
        assert "!" in action_pane(table)


async def test_who_is_idle_on_a_sheet_is_not_asked_about(tmp_path: Path) -> None:
    """Sovereign: Piet has nothing planned, and the sheet has said so."""
    session = begun(tmp_path, SV, "first_fight", replace(SETTINGS, by_side=True, roller=low))
    played(session, lambda state: state.clock.current is not None and state.clock.current.members[:1] == ("ysolde",))
    async with opened(session) as table:
        await table.type("A")
        await table.until("p: nothing planned")
        await table.type("⏎")
        while table.model.pending is not None:
            await table.type("⏎")
        assert "p Piet" in action_pane(table)
        where = table.state.clock.at
        await table.type("n")
        assert table.state.clock.at != where


async def test_one_sheet_declares_for_all_and_closes_the_declarations(tmp_path: Path) -> None:
    """Spelljammer: foes and heroes are on one page; the next thing asked is the initiative, backspace takes it back."""
    session = begun(tmp_path, SJ, "archers_into_melee", replace(SETTINGS, by_side=True, roller=low))
    async with opened(session) as table:
        await table.type("A")
        assert all(f"{who.label} {who.name}" in table.pane("console") for who in table.state.combatants)
        assert "declarations close" in table.pane("console")
        await table.type("⏎")
        assert "Players: roll for initiative, 7 in order" in table.pane("console")
        await table.press("backspace")
        assert (table.model.pending, table.state.clock.phase) == (None, "declare")
