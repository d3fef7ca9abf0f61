"""The keystroke budget in a real terminal.

The same keys on the installed program, sent as a GM types them.
"""

from __future__ import annotations

from pathlib import Path

from tests.e2e.terminal import FIRST_FIGHT, NEEDS_TMUX, SHIPPED, Terminal

pytestmark = NEEDS_TMUX


def test_worlds_without_number(terminal: Terminal, tmp_path: Path) -> None:
    """Every task of the budget on the bridge."""
    terminal.start("play", str(FIRST_FIGHT), "--db", str(tmp_path / "fights.db"))
    terminal.wait("who is caught")
    terminal.press("⏎", "roll 1d8 for Party")
    assert terminal.press("7⏎", "Round 1 · Party's turn") <= 13  # 12: the dice of initiative, one for a side here
    assert terminal.press("-7h⏎", "5→0", "dead") == 4  # 2
    assert terminal.press("u", "Hedge Robber 1   ────────   5/5") == 1  # 9
    assert terminal.press("-7hri⏎", "Hedge Robber 3 is dead") == 6  # 3
    terminal.press("u", "Hedge Robber 3   ────────   5/5")
    assert terminal.press("-21hrOU⏎", "Ordwen 21→11 (half)", "Snag 16→6 (half)") == 8  # 4
    terminal.press("u", "21/21", "16/16")
    terminal.press("-7o⏎", "21→14")
    assert terminal.press("+5o⏎", "14→19") == 4  # 10
    assert terminal.press("epr u3⏎", "prone") <= 8  # 7
    assert terminal.press("xu⏎", "GM: End an effect → Snag") == 3  # 8
    assert terminal.press("i2 hed⏎", "Hedge Robber 5") == 7  # 11
    terminal.press("n", "Before going on")
    assert terminal.press("n", "Toll-takers' turn") == 1  # 1: what may have been missed has been shown
    terminal.press(":ask foes⏎", "⚄ none")  # the program rolls their dice unless it is told to ask
    assert terminal.press("ao⏎19⏎5⏎", "d20 19 ✎", "1d6 5 ✎") == 8  # 5: a robber strikes at a hero
    assert terminal.press("-1o⏎", "(amount 1)") == 4
    assert terminal.press("c3⏎", "Ordwen  HP") + terminal.press("⏎", "1d6 3 ✎") <= 8  # 13
    terminal.quit()


def test_spelljammer(terminal: Terminal, tmp_path: Path) -> None:
    """The tasks of the budget in the percentile game; a declared act is done by `n` or `a`."""
    terminal.start(
        "play", str(SHIPPED / "spelljammer" / "archers_into_melee.yaml"), "--db", str(tmp_path / "fights.db")
    )
    terminal.wait("Declarations")
    assert terminal.press("-7g⏎", "19→12") == 4  # 2
    assert terminal.press("-7gho⏎", "Ogre Mauler 72→65") == 6  # 3
    assert terminal.press("-21bsOR⏎", "Ogre Mauler 65→55 (half)") == 8  # 4
    assert terminal.press("+5b⏎", "25→30") == 4  # 10
    assert terminal.press("u", "25/46") == 1  # 9
    assert terminal.press("est t3⏎", "stunned, until end of") <= 8  # 7
    assert terminal.press("xt⏎", "GM: End an effect → Telmarre") == 3  # 8
    assert terminal.press("i2 gal⏎", "Gale Hawk 4") == 7  # 11
    terminal.press("n", "Rock Angler: Declare")
    terminal.quit()
