"""Small fights come out as they are computed from the printed rules, without the program."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.forecast.test_playout import GAMES
from tests.forecast.test_summary import found
from tests.forecast.witness_chains import WITNESSES
from tracker.core.terms.encounter import Encounter
from tracker.forecast.scenario import Scenario
from tracker.forecast.simulation import Simulator
from tracker.forecast.summary import ForecastSummary, outlook
from tracker.library.content.encounters import load_encounter

SEED, FEW, MANY = "1", 200, 20_000
ERRORS = 4.0
"""Standard errors within which a share has to be."""

MEMBERS = {
    "worlds_without_number": (
        "kind: monster, hd: 1, hp: 8, ac: 13, atk: +2, dmg: 1d6, shock: 1/15, ml: 12",
        "hd: 1, hp: {hp}, ac: 14, atk: +4, dmg: 1d8, ml: 12",
    ),
    "sovereign": (
        "kind: monster, hd: 1, hp: 9, ac: 14, morale: fearless,"
        " attacks: [{{name: Sword, to_hit: 3, damage: 1d6, shock: 3/13}}]",
        "hd: 1, hp: {hp}, ac: 15, morale: fearless, attacks: [{{name: Axe, to_hit: 4, damage: 1d8+1, shock: 2/13}}]",
    ),
    "sword_world": (
        "kind: character, level: 1, hp: 15, defense: 2, evasion: 3, initiative: 2, agility: 12,"
        " attacks: [{{name: Sword, mode: melee, accuracy: 4, damage: 2d+1}}]",
        "kind: monster, level: 1, hp: {hp}, defense: 3, evasion_fixed: 11, initiative_fixed: 10, move: 10,"
        " willpower_fixed: 9, fortitude_fixed: 9, attacks: [{{name: Club, mode: melee, accuracy: 5, damage: 2d+3}}]",
    ),
    "spelljammer": (
        "hp_max: 4, con: 99, def: 15, weapons: [{{name: sword, sc: 60, dmg: 1d3}}]",
        "hp_max: {hp}, con: 99, def: 10, range_of_field: 5, weapons: [{{name: club, sc: 80, dmg: 1d4}}]",
    ),
    "githack": (
        "str: 12, con: 3, dex: 4, int: 10, wis: 12, cha: 10, ac: 2, weapons: [{{name: axe, dice: 1d6}}]",
        "ac: 3, hp: {hp}, damage: 1d4",
    ),
}
POINTS = {
    "worlds_without_number": (8, 16),
    "sovereign": (12, 24),
    "sword_world": (14, 28),
    "spelljammer": (5, 5),
    "githack": (24, 48),
}
SETUPS = {
    "sword_world": "setup: {{zones: [{{participants: [{everyone}], radius: 3}}]}}\n",
    "spelljammer": "setup: {{engaged: [{pairs}]}}\n",
}
NAMES = ("Ada", "Bo")


def written(game: str, heroes: int) -> str:
    """Return the file of a fight of one or two against one."""
    own, foe = MEMBERS[game]
    names = NAMES[:heroes]
    party = ", ".join(f"{{name: {name}, {own.format()}}}" for name in names)
    setup = SETUPS.get(game, "").format(
        everyone=", ".join((*names, "Foe")), pairs=", ".join(f"[{name}, Foe]" for name in names)
    )
    enemy = f"{{name: Foe, {foe.format(hp=POINTS[game][heroes - 1])}}}"
    return (
        f"ruleset: {game}\ntitle: Witness\n{setup}sides:\n"
        f"  - {{name: Party, control: players, members: [{party}]}}\n"
        f"  - {{name: Foes, control: gm, members: [{enemy}]}}\n"
    )


def loaded(folder: Path, game: str, heroes: int) -> Encounter:
    path = folder / "witness.yaml"
    path.write_text(written(game, heroes), "utf-8")
    found = load_encounter(path, GAMES.get)
    assert found.encounter is not None, found.problems
    return found.encounter


def shares(seen: ForecastSummary) -> tuple[float, ...]:
    """Return how often the heroes won, and each of them fell."""
    own = [one.falls / seen.fights for one in seen.people if one.own]
    return (seen.chance, *own)


def played(folder: Path, game: str, heroes: int, fights: int, processes: int = 0) -> ForecastSummary:
    start = Scenario(game, loaded(folder, game, heroes), root=SEED)
    with Simulator(found, processes) as workers:
        return outlook(workers.fights(start, fights, exactly=True))


CASES = [(game, heroes) for game in sorted(WITNESSES) for heroes in (1, 2)]


@pytest.mark.parametrize("fights", [FEW, pytest.param(MANY, marks=pytest.mark.long)], ids=["few", "many"])
@pytest.mark.parametrize(("game", "heroes"), CASES)
def test_fights_come_out_as_computed(tmp_path: Path, game: str, heroes: int, fights: int) -> None:
    """Winning and each fall are within four standard errors of the exact chance."""
    exact = WITNESSES[game](heroes)

    seen = played(tmp_path, game, heroes, fights)

    assert (seen.fights, seen.undecided, seen.failed) == (fights, 0, 0)
    for share, chance in zip(shares(seen), exact, strict=True):
        assert abs(share - chance) <= ERRORS * math.sqrt(chance * (1 - chance) / fights), (shares(seen), exact)
