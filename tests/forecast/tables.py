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
from tests.forecast.test_witnesses import CASES, played, shares
from tests.forecast.witness_chains import WITNESSES
from tracker.forecast.summary import wilson

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
