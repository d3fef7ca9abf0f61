"""The tables of `docs/forecast.md`: what the program shows, beside what is computed without it.

`python -m tests.forecast.tables 20000` writes them anew, from 20,000 fights for each of the small ones;
`python -m tests.forecast.tables` only that of the odds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.forecast.test_odds_by_hand import ATTACKS, compared
from tests.forecast.test_playout import GAMES
from tests.forecast.test_summary import found
from tests.forecast.witness_chains import WITNESSES
from tracker.core.terms.encounter import Encounter
from tracker.forecast.scenario import Scenario
from tracker.forecast.simulation import Simulator
from tracker.forecast.summary import ForecastSummary, outlook, wilson
from tracker.library.content.encounters import load_encounter

PAGE = Path(__file__).parents[2] / "docs" / "forecast.md"
MARK, NEW_LINE = "<!-- {}: made by tests.forecast.tables -->\n", "\n"
PROCESSES = 2
TRIFLE = 1e-9
"""Makes halves go up, whichever way a version of Python adds up the parts."""
ATTACK = {
    "worlds_without_number": "Str {0:+}, Stab {1:+}, attack {2:+}, 1d{3}, Shock {4[0]}/{4[1]}, at AC {5}, {6} points",
    "sovereign": "attack {0:+}, 1d{1}+{2}, Shock {3[0]}/{3[1]}, at AC {4}, {5} points",
    "githack": "STR {0}, 1d{1}, at AC {2}, {3} points",
    "sword_world": "2d+{0} to hit, {2}d+{3}, at Evasion {1}, Defense {4}, 90 points",
    "spelljammer": "SC {0}, 1d{3}+{4}, at DEF {1}, PROT {2}, 90 points",
}
"""How the numbers of an attack are told."""
WHOSE = ("the party wins", "the first falls", "the second falls")

SEED = "1"

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


def odds_table() -> list[str]:
    """Return the table of the attacks."""
    rows = [
        "| Game | Attack | Hits, shown / exact | Drops, shown / exact | Mean, shown / exact |",
        "|---|---|---|---|---|",
    ]
    for game, (_, _, many) in ATTACKS.items():
        for numbers in many:
            shown, exact = compared(game, numbers)
            pairs = list(zip(shown, exact, strict=True))
            cells = [f"{one + TRIFLE:.1%} / {other + TRIFLE:.1%}" for one, other in pairs[:2]]
            cells += [f"{one + TRIFLE:.2f} / {other + TRIFLE:.2f}" for one, other in pairs[2:]]
            rows.append(f"| {GAMES[game].title} | {ATTACK[game].format(*numbers)} | {' | '.join(cells)} |")
    return rows


def fights_table(fights: int) -> Iterator[str]:
    """Yield the table of the small fights, each played so often."""
    yield f"| Game | Fight | What | Exact | Shown in {fights:,} fights | Interval |"
    yield "|---|---|---|---|---|---|"
    for game, heroes in CASES:
        with TemporaryDirectory() as folder:
            seen = shares(played(Path(folder), game, heroes, fights, PROCESSES))
        for what, share, chance in zip(WHOSE, seen, WITNESSES[game](heroes), strict=False):
            low, high = wilson(round(share * fights), fights)
            yield fight_row(game, heroes, what, chance, f"{share:.1%} | {low:.1%} to {high:.1%}")


def fight_row(game: str, heroes: int, what: str, exact: float, shown: str) -> str:
    """Return a line of that table."""
    return f"| {GAMES[game].title} | {heroes} against 1 | {what} | {exact:.1%} | {shown} |"


def table(text: str, name: str) -> list[str]:
    """Return the lines of a table of the page."""
    _, rest = text.split(MARK.format(name))
    return rest.partition("\n\n")[0].splitlines()


def put(name: str, rows: Sequence[str]) -> None:
    """Write a table into the page."""
    text, mark = PAGE.read_text("utf-8"), MARK.format(name)
    before, rest = text.split(mark)
    after = rest.removeprefix("\n".join(table(text, name)))
    PAGE.write_text(f"{before}{mark}{NEW_LINE.join(rows)}{after}", "utf-8")


if __name__ == "__main__":
    put("odds", odds_table())
    if len(sys.argv) > 1:
        put("fights", list(fights_table(int(sys.argv[1]))))
