"""The command line, the palette and a key of one's own, in a real terminal."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.terminal import NEEDS_TMUX, Terminal, begin

pytestmark = NEEDS_TMUX


def test_attack_and_commands_in_one_line_each(terminal: Terminal, tmp_path: Path) -> None:
    """An attack with its dice, its correction, and the same line after a new start."""
    journal = tmp_path / "fights.db"
    begin(terminal, journal)
    terminal.press(":o mel u 19 8", "Ordwen  Melee Attack", "19 1d20", "8 1d8")
    terminal.press("⏎", "16→5")
    terminal.press(":und⇥⏎", "a act", "4 Action")
    terminal.quit()

    terminal.start("--db", str(journal))
    terminal.wait("Toll at the broken bridge", "enter open")
    terminal.press("⏎", "resumed", "a act")
    terminal.press(":↑↑", "> o mel u 19 8", "8 1d8")
    terminal.press("⏎", "16→5")
    terminal.quit()


def test_palette_and_theme(terminal: Terminal, tmp_path: Path) -> None:
    """The palette ends the fight, and undo takes it back; a theme is chosen and kept."""
    begin(terminal, tmp_path / "fights.db")
    terminal.keys("C-p")
    terminal.wait("─ Palette")
    terminal.press("end fi", "u takes it back")
    terminal.press("⏎", "4 Form")
    terminal.press("⏎", "Fight over")
    terminal.press("u", "Round 1 · Party's turn")
    terminal.keys("C-p")
    terminal.wait("─ Palette")
    terminal.press("tracker-light⏎", "theme tracker-light")
    terminal.quit()
    assert (tmp_path / "home" / "state" / "encounter-tracker" / "theme.txt").read_text() == "tracker-light\n"


def test_key_of_ones_own_and_a_mistake_in_the_file(terminal: Terminal, tmp_path: Path) -> None:
    """The mistake is on the screen; the key that is right works, and ctrl+q quits."""
    folder = tmp_path / "home" / "config" / "encounter-tracker"
    folder.mkdir(parents=True)
    (folder / "keys.yaml").write_text("act: y\ndamge: d\n", encoding="utf-8")
    begin(terminal, tmp_path / "fights.db", "keys.yaml:2:1", "did you mean damage?")
    terminal.wait("y act")
    terminal.press("y", "4 Act ", "Melee Attack")
    terminal.quit()
