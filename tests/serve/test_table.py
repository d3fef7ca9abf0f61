"""The table: the cockpit in a terminal, the page it serves, and a player's phone."""

from __future__ import annotations

import http.client
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.terminal import TMUX, Terminal
from tests.e2e.test_table import begin

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]

DEVICE = "a" * 32


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path, {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"})
    yield opened
    opened.close()


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
    """The page is served by a key.

    The phone's 17 waits in the prompt until Enter takes it.
    """
    begin(terminal, tmp_path / "fights.db")
    terminal.keys("S")
    terminal.wait("this computer only")
    terminal.keys("3")
    screen = terminal.wait("http://127.0.0.1:")
    url = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", screen)
    assert url is not None
    phone = Phone(url[0])
    status, view = phone.ask("view")
    assert (status, view["moment"]) == (200, "Round 1 · Party")
    terminal.keys("Escape")
    terminal.wait("2 Combatants")  # a key at once after Escape would be another key

    ordwen = next(one["id"] for one in view["combatants"] if one["name"] == "Ordwen")
    assert phone.ask("claim", {"who": ordwen, "device": DEVICE})[0] == 200
    terminal.keys("a", "h")
    terminal.wait("h Hedge Robber 1", "Melee Attack")
    terminal.keys("Enter")
    terminal.wait("roll d20")
    ask = next(view["table"]["ask"] for _ in range(200) if (view := phone.ask("view")[1])["table"]["ask"] is not None)
    assert (ask["dice"], ask["what"], ask["who"]) == ("d20", "attack", ordwen)
    sent = {"ask": ask["key"], "who": ordwen, "device": DEVICE}
    assert phone.ask("roll", sent | {"faces": [21]}) == (422, {"error": "21 is not on a d20."})
    assert phone.ask("roll", sent | {"faces": [17]})[0] == 202

    terminal.wait("17 · Ordwen's phone", "roll d20")
    terminal.keys("Enter")
    terminal.wait("roll 1d8")
    terminal.keys("C-q")
    terminal.wait("ended with 0")
    with pytest.raises(OSError, match="refused"):
        phone.ask("view")
