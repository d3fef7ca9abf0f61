"""Fights with the real games and their encounters, and the dice that begin them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.ui.drive import SETTINGS, Table, fight
from tracker.cli.loading import stat_blocks
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Advance, Do, Reply
from tracker.session.rulesets.registry import find
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.testing.table import plain

__all__ = [
    "ENCOUNTERS",
    "FIGHTS",
    "GH",
    "SJ",
    "SV",
    "SW",
    "WN",
    "action_pane",
    "begin",
    "begun",
    "low",
    "phase",
    "played",
    "prepared",
    "ready",
    "shelved",
    "words",
]

WN, SW, SV, SJ, GH = "worlds_without_number", "sword_world", "sovereign", "spelljammer", "githack"
Ready = Callable[[State], bool]
ENCOUNTERS = Path(__file__).resolve().parents[2] / "encounters"


def prepared(game: str, name: str) -> Encounter:
    """Return one of the encounters that come with the program."""
    found = load_encounter(ENCOUNTERS / game / f"{name}.yaml", find).encounter
    assert found is not None
    return found


def begun(folder: Path, game: str, name: str, settings: Settings = SETTINGS) -> Session:
    """Begin such a fight."""
    return fight(folder, prepared(game, name), find(game), settings)


def action_pane(table: Table) -> str:
    """Return what the action pane shows, as one line."""
    lines = table.text().splitlines()
    top, left = next((number, line.index("╭─ 4 ")) for number, line in enumerate(lines) if "╭─ 4 " in line)
    right = lines[top].index("╮", left)
    return " ".join(" ".join(line[left + 1 : right] for line in lines[top + 1 : -2]).split())


def words(table: Table) -> str:
    """The screen's words with single blanks between them, without the frames."""
    text = table.text()
    for side in "│║┆":
        text = text.replace(side, " ")
    return " ".join(text.split())


async def begin(table: Table) -> None:
    """Begin the first fight of Worlds Without Number: no surprise, the party first."""
    await table.type("⏎5⏎3⏎")


def low(request: Roll) -> DiceAnswer:
    """Return dice that do little, without a critical, of which some games would ask on and on."""
    faces = tuple(min(3, sides) for sides in request.dice.sides)
    return DiceAnswer(sum(faces), faces)


def played(session: Session, holds: Callable[[State], bool], most: int = 200) -> State:
    """Go on with the game's own next step until something holds.

    Every question is answered by its default or by dice.
    """
    for _ in range(most):
        model = session.model
        if holds(model.state) and model.pending is None:
            return model.state
        model = session.dispatch(Reply(plain(model.pending.request)) if model.pending is not None else Advance())
        assert model.refusal is None, model.refusal
    raise AssertionError("it never came to that")


def shelved(game: str) -> Callable[[str], Sequence[Member]]:
    """Return what finds those who join later in the bestiary of a game."""
    return lambda text: tuple(stat_blocks(find(game), ENCOUNTERS / game, (), text))


def side(name: str) -> Ready:
    return lambda state: state.clock.current is not None and state.clock.current.side == name


def phase(name: str) -> Ready:
    return lambda state: state.clock.phase == name


def segment(state: State) -> bool:
    return state.clock.current is not None and state.clock.current.segment is not None


FIGHTS: dict[str, tuple[str, Ready]] = {
    WN: ("first_fight", side("toll-takers")),
    SW: ("two_brawls", phase("leading")),
    SV: ("night_road", side("outlaws")),
    SJ: ("archers_into_melee", segment),
    GH: ("goblin_waves", phase("monsters")),
}


def ready(folder: Path, game: str, settings: Settings = SETTINGS) -> Session:
    """The fight of a game at the moment at which the game master's creatures act."""
    name, moment = FIGHTS[game]
    session = begun(folder, game, name, settings)
    played(session, moment)
    if game == SW:  # a turn is opened in this game
        session.dispatch(Do((action("start_turn", "skeleton-1"),)))
    return session
