"""A whole evening at the table, in a real terminal."""

from __future__ import annotations

import http.client
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.terminal import NEEDS_TMUX, SHIPPED, Terminal, apart, begin

pytestmark = NEEDS_TMUX

DEVICE = "a" * 32


def test_same_question_after_kill_in_mid_step(terminal: Terminal, tmp_path: Path) -> None:
    """Killed between two dice, the program asks for the second again, and goes on."""
    journal = tmp_path / "fights.db"
    begin(terminal, journal)
    terminal.press("au⏎", "roll d20")
    terminal.press("19⏎", "roll 1d8")
    terminal.kill()

    terminal.start("--db", str(journal))
    terminal.wait("Toll at the broken bridge", "round 1")
    terminal.press("⏎", "roll 1d8", "resumed", "d20 19")
    terminal.press("8⏎", "16→5")
    terminal.quit()


def test_a_what_if_after_kill(terminal: Terminal, tmp_path: Path) -> None:
    """Killed in a what-if, the program says so when the fight is taken up."""
    journal = tmp_path / "fights.db"
    begin(terminal, journal)
    terminal.press("w", "WHAT-IF", "w keep or drop")
    terminal.press("au⏎", "roll d20")
    terminal.press("19⏎", "roll 1d8")
    terminal.kill()

    terminal.start("--db", str(journal))
    terminal.wait("Toll at the broken bridge", "what-if open")
    terminal.press("⏎", "roll 1d8", "WHAT-IF", "19 ✎")
    terminal.press("8⏎", "16→5")
    terminal.press("w", "real", "what-if", "Snag  HP")
    terminal.keys("d")
    screen = terminal.wait("Round 1 · Party's turn", "e effect", "4 Action")
    assert "WHAT-IF" not in screen
    assert "16→5" not in screen
    terminal.press("B", "what-if  left after step 1")
    terminal.keys("Escape")
    terminal.quit()


def test_four_heroes_and_six_foes_declare_in_six_keys(terminal: Terminal, tmp_path: Path) -> None:
    """One key takes the foes' defaults, one each a hero's, and one ends the declarations."""
    folder = shutil.copytree(SHIPPED / "spelljammer", tmp_path / "fights")
    prepared = folder / "archers_into_melee.yaml"
    prepared.write_text(
        prepared.read_text(encoding="utf-8").replace("{ref: gale-hawk, count: 2}", "{ref: gale-hawk, count: 3}"),
        encoding="utf-8",
    )
    terminal.start("play", str(prepared), "--db", str(tmp_path / "fights.db"))
    terminal.wait("Round 1 · Declarations", "Gale Hawk 3", "Rock Angler")

    heroes = ("Brannoc", "Isaude", "Telmarre", "Sister Orsolya")
    seen = ("Rock Angler: Declare", *(f"{hero}: Declare" for hero in heroes), "act 1")
    for told in seen:
        terminal.press("n", told)

    terminal.quit()


def test_past_a_foe_with_the_arrow_keys(terminal: Terminal, tmp_path: Path) -> None:
    """The way is drawn with its cost and whom it provokes."""
    terminal.start("play", str(SHIPPED / "sovereign" / "first_fight.yaml"), "--db", str(tmp_path / "fights.db"))
    terminal.wait("is a side caught")
    terminal.press("⏎", "initiative")
    terminal.press("8⏎", "Round 1 · Party's turn")
    terminal.press(":ask foes⏎", "⚄ none")
    terminal.press("5", "5 Map", "5,9 · open · Ysolde (y)")
    terminal.press("→→→↑↑↑", "8,6 · open", "Ysolde: 25 of 30 ft", "provokes Bone Soldier 2")
    terminal.press("⏎", "Bone Soldier 2", "yes", "no")
    terminal.press("y⏎", "d20")
    terminal.keys("2", "Enter")
    terminal.wait("AC 17  miss")  # which nobody could better, so nobody is asked
    terminal.wait("4 Action", "8,6 · open · Ysolde (y)")
    terminal.press("←←↑", "6,5 · open · Bone Soldier 2 (s) · no cover")
    terminal.press("←←", "Bone Soldier 1 (b) · half cover")
    terminal.quit()


class Phone:
    """A phone with the page's address."""

    def __init__(self, url: str) -> None:
        found = re.fullmatch(r"http://([\w.]+):(\d+)/([\w-]+)/", url)
        assert found is not None
        self.host, self.port, self.token = found[1], int(found[2]), found[3]

    def ask(self, path: str, said: object = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        try:
            where, headers = f"/{self.token}/{path}", {"Host": f"{self.host}:{self.port}"}
            if said is None:
                connection.request("GET", where, headers=headers)
            else:
                headers |= {"Origin": f"http://{self.host}:{self.port}", "Content-Type": "application/json"}
                connection.request("POST", where, json.dumps(said), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


def test_a_die_from_a_phone_stands_in_the_gm_s_prompt(terminal: Terminal, tmp_path: Path) -> None:
    """The page is served by a key; the phone's 17 waits in the prompt until Enter takes it."""
    begin(terminal, tmp_path / "fights.db")
    terminal.press("S", "this computer only")
    terminal.keys("3")
    screen = terminal.wait("http://127.0.0.1:")
    url = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", screen)
    assert url is not None
    phone = Phone(url[0])
    assert phone.ask("view")[1]["moment"] == "The GM is setting up"
    terminal.keys("Escape")
    terminal.wait("3 Log")  # a key at once after Escape would be another key
    terminal.keys("P")
    view = next(view for _ in range(200) if (view := phone.ask("view")[1])["moment"] != "The GM is setting up")
    assert view["moment"] == "Round 1 · Party"

    ordwen = next(one["id"] for one in view["combatants"] if one["name"] == "Ordwen")
    assert phone.ask("claim", {"who": ordwen, "device": DEVICE})[0] == 200
    terminal.press("ah", "h Hedge Robber 1", "Melee Attack")
    terminal.press("⏎", "roll d20")
    ask = next(view["table"]["asks"][0] for _ in range(200) if (view := phone.ask("view")[1])["table"]["asks"])
    assert (ask["dice"], ask["what"], ask["who"]) == ("d20", "attack", ordwen)
    sent = {"ask": ask["key"], "who": ordwen, "device": DEVICE}
    assert phone.ask("roll", sent | {"faces": [21]}) == (422, {"error": "21 is not on a d20."})
    assert phone.ask("roll", sent | {"faces": [17]})[0] == 202

    terminal.wait("17 · Ordwen's phone", "roll d20")
    terminal.press("⏎", "d20 17")
    terminal.quit()
    with pytest.raises((ConnectionRefusedError, ConnectionResetError)):  # nobody listens, or no longer
        phone.ask("view")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[tuple[Terminal, Terminal]]:
    """The GM's terminal and the players'."""
    environment = apart(tmp_path)
    shutil.copytree(SHIPPED / "worlds_without_number", tmp_path / "encounters")
    opened = []
    for name in ("gm", "players"):
        (tmp_path / name).mkdir()
        opened.append(Terminal(tmp_path / name, environment, folder=tmp_path))
    yield opened[0], opened[1]
    for terminal in opened:
        terminal.close()


def test_the_screen_follows_the_fight(terminals: tuple[Terminal, Terminal], tmp_path: Path) -> None:
    """It is opened before the fight, shows each step and the pause."""
    gm, players = terminals
    database = str(tmp_path / "fights.db")
    players.start("screen", "--db", database)
    players.wait("no fight yet")

    gm.start("play", "encounters/first_fight.yaml", "--db", database)
    gm.wait("Toll at the broken bridge")
    players.wait("The GM is setting up")
    gm.wait("caught entirely unaware")
    gm.keys("*")
    gm.wait("Round 1 · ")
    gm.keys("P")
    players.wait("Toll at the broken bridge", "Ordwen", "Round 1")
    gm.press("hr⏎", "hidden")
    gm.keys("P")
    players.wait("the GM has paused this screen")
    gm.keys("P")
    gm.press("-4o⏎", "17/21")
    players.wait("17/21")
    gm.press("p", "What the players see", "17/21")

    players.press("q", "ended with 0")


def test_a_fight_that_is_not_there_is_said(terminals: tuple[Terminal, Terminal], tmp_path: Path) -> None:
    """One line and a status, and the terminal is as it was."""
    _, players = terminals
    players.start("screen", "nowhere", "--db", str(tmp_path / "fights.db"))

    players.wait('there is no fight "nowhere"', "ended with 1")
