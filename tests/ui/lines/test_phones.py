"""The players' phones in the cockpit: their page, and their dice in the prompt."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.serve.test_pictures import png
from tests.ui.drive import SETTINGS, Table, fight, opened
from tests.ui.games import GH, SV, WN, action_pane, begun, phase, played, prepared
from tests.ui.skirmish import House, encounter
from tracker.core.fight.events import Rolled
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import DiceAnswer, Window
from tracker.session.intents import Advance, Reply
from tracker.session.rulesets.registry import find
from tracker.session.session import Session
from tracker.session.store.dice_box import DiceBox, Ping, PlayerRequest, box_of
from tracker.session.store.dice_box import SubmittedRoll as Sent
from tracker.session.store.journal import Journal
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.search.pictures import PictureMode
from tracker.ui.modes.search.players_page import PlayersPageMode
from tracker.ui.platform import phones as desk
from tracker.ui.platform.phones import Server
from tracker.views.public.redaction import public_id

SERVES = "import sys; print('http://here:1/t/', flush=True); sys.stdin.read()"
"""A server that says its address, and ends with its input."""


class Claim(Struct):
    who: str
    tag: str


class Rolls(Struct):
    faces: tuple[int, ...] = ()
    total: int | None = None


class Box:
    """Dice as phones would send them."""

    def __init__(self) -> None:
        self.rolls: dict[str, Rolls] = {}
        self.held: list[Claim] = []
        self.news = True

    def changed(self) -> bool:
        news, self.news = self.news, False
        return news

    def claims(self, fight: str) -> list[Claim]:
        return self.held

    def release(self, fight: str, who: str) -> None:
        self.held, self.news = [one for one in self.held if one.who != who], True

    def rolled(self, fight: str, ask: str) -> Rolls | None:
        return self.rolls.get(ask)

    asked: ClassVar[tuple[PlayerRequest, ...]] = ()
    muted = False
    served: tuple[str, ...] = ()

    def requests(self, fight: str) -> tuple[PlayerRequest, ...]:
        return self.asked

    def pings(self, fight: str, since: float) -> tuple[Ping, ...]:
        return ()

    def serving(self) -> tuple[str, ...]:
        return self.served

    def remember_serving(self, options: tuple[str, ...]) -> None:
        self.served = options

    def pages(self) -> dict[str, int]:
        return {"3f2a91c0": 1, "": 1, "tv": 1}

    def mute(self, on: bool) -> None:
        self.muted = on

    def close(self) -> None:
        self.news = False


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> Box:
    box = Box()
    monkeypatch.setattr(desk, "_box", lambda path: box)
    return box


def sent(box: Box, session: Session, rolls: Rolls) -> None:
    """Send dice for what is asked now."""
    (ask,) = session.player_view.asks
    box.rolls[ask.key], box.news = rolls, True


def last_rolled(table: Table) -> tuple[int, bool]:
    entries = [entry.event for entry in table.model.entries if isinstance(entry.event, Rolled)]
    return entries[-1].total, entries[-1].typed


def asked(table: Table) -> Session:
    return table.cockpit.session


async def thrown(table: Table, box: Box, total: int) -> None:
    """Attack while the players' page is up, until the phone's number stands in the prompt."""
    await table.type("S")
    await table.press("escape")
    await table.type("ag⏎")
    sent(box, asked(table), Rolls(total=total))
    await table.until(f"{total} · Ava's phone")


async def test_a_phone_s_die_stands_in_the_prompt(table: Table, box: Box) -> None:
    """Enter takes it, as if it were typed."""
    await table.type("S")
    await table.press("escape")
    await table.type("ag⏎")
    assert isinstance(table.mode, Prompt)
    sent(box, asked(table), Rolls(faces=(17,)))
    await table.until("17 · Ava's phone")
    assert table.question.key == "attack"
    assert "Enter: 17" in table.text()
    assert "the program rolls" not in table.text()
    await table.press("enter")
    assert last_rolled(table) == (17, True)


async def test_typing_replaces_it(table: Table, box: Box) -> None:
    """What the GM types counts."""
    await thrown(table, box, 17)
    await table.type("4")
    assert "Ava's phone" not in table.text()
    await table.press("enter")
    assert last_rolled(table) == (4, True)


async def test_an_impossible_die_is_refused(table: Table, box: Box) -> None:
    """21 on a d20 is refused as if it were typed."""
    await thrown(table, box, 21)
    await table.press("enter")
    assert table.model.pending is not None
    assert "✗" in table.text()
    await table.type("9⏎")
    assert last_rolled(table) == (9, True)


async def test_dice_for_another_question_do_not_count(table: Table, box: Box) -> None:
    """An answer belongs to the question it was given to."""
    await thrown(table, box, 17)
    await table.type("18⏎")
    assert "phone" not in table.pane("console")


async def test_a_die_behind_a_window_is_asked_for_at_once(tmp_path: Path, box: Box) -> None:
    """What a player rolls need not wait until windows are passed."""
    async with opened(fight(tmp_path, encounter(rules=House(parries=True)))) as table:
        await table.type("S")
        await table.press("escape")
        await table.type("ag⏎14⏎")
        session = asked(table)
        assert isinstance(table.question, Window)
        assert [ask.what for ask in session.player_view.asks] == ["damage"]
        sent(box, session, Rolls(total=6))
        await table.until("6 · Ava's phone")
        await table.press("enter")
        assert last_rolled(table) == (6, True)


def come(box: Box, session: Session, **faces: int) -> None:
    """Send a die for each of these characters, by the beginning of its name."""
    for ask in session.player_view.asks:
        for name, face in faces.items():
            if ask.name.startswith(name):
                box.rolls[ask.key], box.news = Rolls(faces=(face,)), True


def rolled(table: Table) -> list[int]:
    answers = [answer for _, answer in table.model.steps[-1].answers]
    return [answer.total for answer in answers if isinstance(answer, DiceAnswer) and answer.typed]


async def test_dice_of_a_row_come_in_any_order(tmp_path: Path, box: Box) -> None:
    """All are asked at once; the prompt shows what has come, what is typed is for the others, Enter takes all."""
    session = begun(tmp_path, GH, "goblin_waves")
    played(session, phase("initiative"))
    session.dispatch(Advance())
    box_of(session.journal.path).touch()
    assert [ask.name for ask in session.player_view.asks] == ["Brannoc", "Ysolt", "Kerrow", "Mother Ade"]
    async with opened(session) as table:
        come(box, session, Brannoc=3, Kerrow=7, Mother=20)
        await table.until("b 3 ☎ · y – · k 7 ☎ · m 20 ☎")
        assert "Enter takes 1 · Ysolt: type it, or - for the program's" in action_pane(table)
        await table.type("12")
        assert "Enter takes all" in action_pane(table)
        await table.press("enter")
        assert rolled(table) == [3, 12, 7, 20]


async def test_a_number_typed_keeps_its_place_while_others_come(tmp_path: Path, box: Box) -> None:
    """What a phone sends while the GM types is not counted before the line is empty again."""
    session = begun(tmp_path, GH, "goblin_waves")
    played(session, phase("initiative"))
    session.dispatch(Advance())
    box_of(session.journal.path).touch()
    async with opened(session) as table:
        come(box, session, Kerrow=7)
        await table.until("b – · y – · k 7 ☎ · m –")
        await table.press("enter")
        assert "Brannoc, Ysolt, Mother Ade: nothing has come" in action_pane(table)
        await table.type("11 1")
        come(box, session, Brannoc=3)
        await table.pilot.pause(0.3)
        await table.type("2⏎")
        await table.until("Mother Ade's player: roll d20")
        await table.type("4⏎")
        assert rolled(table) == [11, 12, 7, 4]


def of_six(folder: Path) -> Session:
    """Return a fight in which six of the players roll for initiative, each one for itself."""
    whole = prepared(GH, "goblin_waves")
    party, *others = whole.sides
    first, second, *rest = party.members
    members = (replace(first, count=Dice(plus=2)), replace(second, count=Dice(plus=2)), *rest)
    session = fight(folder, replace(whole, sides=(replace(party, members=members), *others)), find(GH))
    played(session, phase("initiative"))
    session.dispatch(Advance())
    return session


async def test_a_killed_program_loses_no_dice_of_the_phones(tmp_path: Path) -> None:
    """They lie in a file of their own: with the fight taken up again all six stand whole in the prompt as before."""
    session = of_six(tmp_path)
    box = DiceBox(box_of(session.journal.path))
    faces = (3, 12, 7, 20, 11, 14)
    for ask, face in zip(session.player_view.asks, faces, strict=True):
        box.claim(session.model.fight, ask.who, "a device")
        assert box.put(Sent(session.model.fight, ask.key, ask.who, faces=(face,)), "a device")
    box.close()
    path, fight_id = session.journal.path, session.model.fight
    session.journal.close()  # what is not on the disk by now is lost
    session._lock.release()  # type: ignore[union-attr]  # as the system does for a program that is killed
    with Journal.open(path) as journal, Session.resume(journal, fight_id, find, SETTINGS) as again:
        async with opened(again) as table:
            await table.until(lambda: all(f" {face} ☎" in " ".join(action_pane(table).split()) for face in faces))
            await table.press("enter")
            assert rolled(table) == list(faces)


async def test_the_party_s_one_die_is_any_player_s(tmp_path: Path, box: Box) -> None:
    """Worlds Without Number rolls initiative by side."""
    session = begun(tmp_path, WN, "first_fight")
    box_of(session.journal.path).touch()
    while not session.player_view.asks:
        session.dispatch(Reply())
    async with opened(session) as table:
        (ask,) = session.player_view.asks
        assert (ask.name, ask.shared, ask.dice) == ("Party", True, "d8")
        sent(box, session, Rolls(faces=(6,)))
        await table.until("6 · Party's phone")
        await table.press("enter")
        assert session.player_view.asks == ()


async def test_an_answer_taken_back_stands_again(table: Table, box: Box) -> None:
    """The same question has the same die, but not that of another action."""
    await thrown(table, box, 17)
    await table.press("enter", "escape")
    await table.type("u")
    await table.until("17 · Ava's phone")
    await table.press("escape")
    await table.type("u")
    await table.type("ah⏎")
    assert "phone" not in table.pane("console")


async def test_the_gm_takes_a_character_back(table: Table, box: Box) -> None:
    """The page says who has which, and a number takes it back."""
    session = table.cockpit.session
    box.held = [Claim(public_id(session.player_view.salt, "ava"), "3f2a91c0")]
    table.app.server = Server([sys.executable, "-c", SERVES])
    await table.type("S")
    await table.until("http://here:1/t/?tv")
    await table.until("phone 3f2a91 · connected")
    assert "connected: 2 phones, 1 TV" in table.text()
    await table.type("1")
    assert box.held == []
    assert "phone 3f2a91" not in table.text()
    await table.type("2")
    assert "there is no character 2" in table.text()
    await table.type("x")
    assert table.app.server is None


async def test_the_page_starts_and_ends_the_server(tmp_path: Path, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """`:serve` and a number start it with the options that were chosen."""
    started: list[list[str]] = []

    def start(command: list[str]) -> Server:
        started.append(command)
        return Server([sys.executable, "-c", SERVES])

    monkeypatch.setattr(desk, "Server", start)
    async with opened(fight(tmp_path)) as table:
        await table.type(":serve⏎")
        assert isinstance(table.mode, PlayersPageMode)
        await table.type("9")
        assert "1 to 3" in table.text()
        await table.type("1")
        await table.until("http://here:1/t/")
        await table.press("escape")
        assert table.app.server is not None
        assert table.app.server.running
        await table.type("Sx")
        assert table.app.server is None
        assert box.served == ()
        await table.type("1")
        await table.until("http://here:1/t/")
        await table.type("r")
        await table.until("http://here:1/t/")
        assert box.served == ("--lan", "--rolls")
    command, _, renewed = started
    assert renewed == [*command, "--new-address"]
    assert command[1:5] == ["-m", "tracker", "serve", "goblin-ambush"]
    assert command[-3:] == ["--until-closed", "--lan", "--rolls"]


async def test_the_server_ends_with_the_app(tmp_path: Path, box: Box) -> None:
    """Who leaves the program while phones are served leaves no process behind."""
    server = Server([sys.executable, "-c", SERVES])
    async with opened(fight(tmp_path)) as table:
        table.app.server = server
        await table.type("S")
        assert server.running
    assert not server.running


async def test_the_page_follows_the_fight_of_its_cockpit(tmp_path: Path, box: Box) -> None:
    """A server that runs already is told of each fight that is opened here, and of no other."""
    heard = tmp_path / "heard"
    keeps = f"import sys\nfor line in sys.stdin: print(line, end='', flush=True, file=open({str(heard)!r}, 'a'))"
    server = Server([sys.executable, "-c", keeps])
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        async with opened(fight(tmp_path / name)) as table:
            table.app.server = server
            await table.type("S")
            table.app.server = None
    until = time.monotonic() + 20
    while not heard.exists() or heard.read_text() != "goblin-ambush\ngoblin-ambush\n":
        assert time.monotonic() < until
        time.sleep(0.01)
    server.stop()


def test_why_a_server_does_not_start_is_said(tmp_path: Path, box: Box) -> None:
    """The last line it complained with."""
    server = Server([sys.executable, "-c", "import sys; sys.exit('starlette is not installed')"])
    end = time.monotonic() + 20
    while not (server.look() and server.problem):
        assert time.monotonic() < end
        time.sleep(0.01)
    server.stop()

    assert server.problem == "starlette is not installed"


def test_the_server_ends_with_the_program(tmp_path: Path) -> None:
    """Its input closes with this program, however that ends."""
    server = Server([sys.executable, "-c", "input()"])
    assert server.running
    server.stop()

    assert not server.running


async def test_the_dice_box_beside_the_journal_is_found(table: Table) -> None:
    """Where a server of another terminal makes one, its dice stand in the prompt too."""
    session = table.cockpit.session
    box = DiceBox(box_of(session.journal.path))
    await table.type("ag⏎")
    (ask,) = session.player_view.asks
    box.claim(session.model.fight, ask.who, "a device")
    box.put(Sent(session.model.fight, ask.key, ask.who, faces=(17,)), "a device")
    await table.until("17 · Ava's phone")
    await table.press("enter")
    assert last_rolled(table) == (17, True)
    assert [claim.name for claim in table.cockpit.phones.claims(table.model)] == ["Ava"]  # type: ignore[union-attr]  # found above
    box.close()


async def test_a_broken_box_costs_no_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What phones write can be anything; it is one line on their page."""

    class Broken(Box):
        def changed(self) -> bool:
            raise OSError("file is not a database")

    monkeypatch.setattr(desk, "_box", lambda path: Broken())
    async with opened(fight(tmp_path)) as table:
        await table.type("S")
        await table.until("dice of the phones cannot be read: file is not a database")
        await table.press("escape")
        await table.type("-3g⏎")
        assert table.hp("goblin-1") == 4


async def test_nothing_is_opened_where_no_phone_is(table: Table) -> None:
    """A fight without phones looks for none."""
    assert table.cockpit.phones is None


async def test_a_request_of_a_player_is_read_and_listed(table: Table) -> None:
    """It is said when it comes, `S` lists it at a question too, `m` takes no more, and nothing is done by itself."""
    session = table.cockpit.session
    box = DiceBox(box_of(session.journal.path))
    ava = public_id(session.player_view.salt, "ava")
    await table.type("ag⏎")
    steps = len(table.model.steps)
    box.ask_gm(session.model.fight, ava, "a device", "−5 me")
    await table.until("Ava: −5 me (S lists requests)")
    await table.type("S")
    assert "players ask; nothing is done by itself" in table.text()
    await table.type("m")
    assert "players ask nothing more" in table.text()
    assert box.muted
    await table.type("mc")
    assert not box.muted
    assert "−5 me" not in table.pane("console")
    await table.press("escape")
    assert isinstance(table.mode, Prompt)
    await table.type("17⏎")
    assert last_rolled(table) == (17, True)
    assert len(table.model.steps) == steps
    box.close()


async def test_the_players_screens_are_held_and_shown_from_the_dialog(table: Table, box: Box) -> None:
    """`P` does there what it does without it, and the dialog says what it would do next."""
    await table.type("S")
    assert "P holds their screens" in table.pane("console")
    await table.type("P")
    assert table.model.screen_held
    assert "P lets their screens go on" in table.pane("console")
    await table.type("P")
    assert not table.model.screen_held
    await table.press("escape")
    table.cockpit.show(table.cockpit.session.cover_player_view(), None)
    await table.type("S")
    assert "P shows players this fight" in table.pane("console")
    await table.type("P")
    assert not table.model.screen_covered
    assert isinstance(table.mode, PlayersPageMode)


async def test_the_gm_sees_for_two_seconds_where_a_player_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the map and in words; a moment later it is gone, and what was long ago is not shown."""
    monkeypatch.setattr(desk, "PING_SECONDS", 0.5)
    session = begun(tmp_path, SV, "first_fight")
    who = public_id(session.player_view.salt, session.model.state.combatants[0].id)
    name = session.model.state.combatants[0].name
    box = DiceBox(box_of(session.journal.path))
    box.point(Ping(session.model.fight, who, 4, 3, time.time() - 60))
    async with opened(session, (160, 50)) as table:
        await table.pilot.pause(0.3)
        assert "points" not in table.text()
        box.point(Ping(session.model.fight, who, 4, 3, time.time()))
        await table.until(f"* 4,3: {name} points here")
        assert f"{name} points at 4,3" in table.text()
        await table.until(lambda: f"{name} points here" not in table.text())
        maud = next(one for one in session.model.state.combatants if one.name == "Maud")
        assert maud.position is not None
        x, y = map(int, maud.position)
        box.point(Ping(session.model.fight, who, x, y, time.time()))
        await table.until(f"*{maud.label}")  # its mark is the sign for what is pointed at
        await table.until(lambda: f"*{maud.label}" not in table.text())
        box.close()


async def test_a_picture_beside_the_encounter_is_shown(tmp_path: Path) -> None:
    """`S` and `i`, or the palette, list those there are, Enter shows one, 0 none; what is no picture is refused."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "hall.png").write_bytes(png())
    (home / "trap.jpg").write_bytes(b"<html>")
    (home / "notes.txt").write_bytes(b"no picture")
    async with opened(fight(tmp_path)) as table:
        fight_id = table.cockpit.session.model.fight
        await table.type("Si")
        assert "the folder of this fight is not known" in " ".join(table.pane("console").split())
        await table.press("escape")
        table.app.repertoire = SimpleNamespace(home=home)  # type: ignore[assignment]  # all that is asked of it here
        await table.type("Si")
        assert "hall.png" in table.pane("console")
        assert "notes.txt" not in table.text()
        await table.type("trap⏎")
        assert "trap.jpg is neither a PNG nor a JPEG picture" in " ".join(table.pane("console").split())
        await table.press(*["backspace"] * len("trap.jpg"))
        await table.type("hall⏎")
        assert "players see hall.png" in table.text()
        box = DiceBox(box_of(table.cockpit.session.journal.path))
        assert box.picture_shown(fight_id)[0] == "hall.png"
        table.app.repertoire = None
        await table.press("ctrl+p")
        await table.type("picture⏎")
        assert "players see it" in table.pane("console"), "the folder is remembered"
        await table.type("0⏎")
        assert box.picture_shown(fight_id) == ("", "")
        box.close()


@pytest.mark.parametrize(
    ("typed", "seen"),
    [("gate.png", "gate.png"), ("GATE", "gate.png"), ("hall", ""), ("hall.png", "hall.png"), ("../out.png", "")],
)
async def test_a_picture_is_shown_by_its_name(tmp_path: Path, typed: str, seen: str) -> None:
    """`:show` and a name that only one file can mean; else the files are listed, and a question stays open."""
    home = tmp_path / "home"
    home.mkdir()
    for path in (home / "gate.png", home / "hall.png", home / "hall of the dead.png", tmp_path / "out.png"):
        path.write_bytes(png())
    async with opened(fight(tmp_path)) as table:
        table.app.repertoire = SimpleNamespace(home=home)  # type: ignore[assignment]  # all that is asked of it here
        await table.type(f":show {typed}⏎")
        box = DiceBox(box_of(table.cockpit.session.journal.path))
        fight_id = table.cockpit.session.model.fight
        assert box.picture_shown(fight_id)[0] == seen
        assert isinstance(table.mode, PictureMode) == (not seen)
        await table.press("escape")
        await table.type("ag⏎Si0⏎")
        assert isinstance(table.mode, Prompt)
        assert box.picture_shown(fight_id) == ("", "")
        box.close()


async def test_the_picture_of_the_file_is_shown_with_the_fight(tmp_path: Path) -> None:
    """It lies in the box when the fight has been begun from its file; what it cannot be is said in one line."""
    (tmp_path / "gate.png").write_bytes(png())
    for name, said in (("gate.png", ""), ("gone.png", "gone.png is not shown to players: there is no gone.png")):
        (tmp_path / name.partition(".")[0]).mkdir()
        session = fight(tmp_path / name.partition(".")[0], replace(encounter(), handout=name))
        async with opened(session, repertoire=SimpleNamespace(home=tmp_path)) as table:
            await table.until(lambda: table.cockpit.phones is not None)
            box = DiceBox(box_of(session.journal.path))
            assert said in " ".join(table.pane("console").split())
            assert box.picture_shown(session.model.fight)[0] == ("" if said else name)
            box.close()


async def test_the_page_comes_back_with_the_program(tmp_path: Path, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was served before; not where the GM has ended it."""
    monkeypatch.setattr(desk, "Server", lambda command: Server([sys.executable, "-c", SERVES]))
    session = fight(tmp_path)
    box_of(session.journal.path).touch()
    box.served = ("--lan",)
    async with opened(session) as table:
        await table.until("the players' page is served again: S")
        assert table.app.server is not None
        await table.type("S")
        await table.until("http://here:1/t/")
        await table.type("x")
    assert box.served == ()
