"""The third keystroke budget: a choice by its word, with its target, and what a declared game declares."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.spelljammer.stats.stats import declaration
from tests.ui.drive import opened
from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, begun, played
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


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
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
