"""The commands that open the app. Which fight they open, and what they say where there is none."""

from pathlib import Path

import pytest

from tests.cli.conftest import ENCOUNTER, Program
from tracker.session.intents import Undo
from tracker.ui import app
from tracker.ui.start.catalog import Catalog


class Shown:
    """What the app was opened with."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.found: list[str] = []
        self.listed: list[str] | None = None
        self.steps = 0
        self.refused = ""

    def run(self, repertoire: Catalog) -> None:
        """Stand in for the app: look at the fight, and search the bestiary. Without one, list the fights there are."""
        session = repertoire.session
        if session is None:
            self.listed = [fight.title for fight in repertoire.fights()]
            return
        self.titles.append(session.model.title)
        self.steps = len(session.model.steps)
        self.found = [member.name for member in repertoire.find("thu")]
        self.session = session


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """The app, without a screen."""
    stand_in = Shown()
    monkeypatch.setattr(app, "run", stand_in.run)
    monkeypatch.setattr("tracker.cli.app.need_terminal", lambda name: None)
    return stand_in


def test_play_opens_a_new_fight(program: Program, shown: Shown) -> None:
    """`play` rolls the dice of the set-up and opens the app at the first stop."""
    ran = program("play", program.encounter)

    assert (ran.status, ran.out, ran.err, shown.titles, shown.steps) == (0, "", "", ["A brawl"], 1)
    assert program("fights").out.startswith("a-brawl  A brawl")


def test_fight_is_let_go_when_the_app_closes(program: Program, shown: Shown) -> None:
    """After the app has closed, the fight is free for others."""
    program("play", program.encounter)

    assert shown.session.dispatch(Undo()).refusal is not None
    assert program("a-brawl").status == 0


def test_newcomers_are_found(program: Program, shown: Shown, tmp_path: Path) -> None:
    """What joins later is found in the encounter, beside it and in the GM's folders."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "beasts.yaml").write_text("ruleset: skirmish\nmonsters:\n  - {name: Thunder Lizard}\n", encoding="utf-8")
    program.file(
        "more.yaml", "ruleset: skirmish\nmonsters:\n  - {name: Thunder Bird}\n  - {name: Thunder Egg, ac: broken}\n"
    )

    program("play", program.encounter, "--library", own)

    assert sorted(shown.found) == ["Thug", "Thunder Bird", "Thunder Lizard"]


def test_fight_with_mistakes_is_played_all_the_same(program: Program, shown: Shown) -> None:
    """A broken stat block does not keep the others from the table. Its mistake is said on standard error."""
    path = program.file("broken.yaml", ENCOUNTER.replace("ac: 14", "ac: lots"))

    ran = program("play", path)

    assert (ran.status, shown.titles) == (0, ["A brawl"])
    assert ran.err.startswith("broken.yaml:7:")


def test_file_that_is_no_encounter_is_status_2(program: Program, shown: Shown) -> None:
    """What cannot be played opens nothing."""
    ran = program("play", program.file("list.yaml", "- 1\n"))

    assert (ran.status, ran.out, shown.titles) == (2, "", [])
    assert ran.err.startswith("list.yaml:1:1: ")


@pytest.mark.parametrize(
    "words", [("a-brawl",), ("A BRAWL",), ("--db", "{db}", "a-brawl"), ("a-brawl", "--db", "{db}")]
)
def test_fight_is_taken_up(program: Program, shown: Shown, words: tuple[str, ...]) -> None:
    """`tracker FIGHT` takes up a fight by id or title."""
    db = program.folder / "fights.db" if len(words) > 1 else None
    program("play", program.encounter, *(("--db", db) if db else ()))

    ran = program(*(word.format(db=db) for word in words))

    assert (ran.status, shown.titles, shown.found, shown.listed) == (0, ["A brawl", "A brawl"], ["Thug"], None)


@pytest.mark.parametrize("words", [(), ("--db", "{db}"), ("--db={db}",)])
def test_start_screen_opens_without_a_fight(program: Program, shown: Shown, words: tuple[str, ...]) -> None:
    """`tracker` alone opens the start screen, with the fights of the journal."""
    db = program.folder / "fights.db"
    program("play", program.encounter, *(("--db", db) if words else ()))

    ran = program(*(word.format(db=db) for word in words))

    assert (ran.status, shown.titles, shown.listed) == (0, ["A brawl"], ["A brawl"])


def test_start_screen_makes_no_journal(program: Program, shown: Shown, own_folders: Path) -> None:
    """As long as no fight is begun, none is made."""
    ran = program()

    assert (ran.status, ran.err, shown.listed) == (0, "", [])
    assert list(own_folders.rglob("*.db")) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ford",), 'tracker: there is no fight or command "ford" (no fight has been played yet)\n'),
        (("fihgts",), 'tracker: there is no fight or command "fihgts" (did you mean fights?)\n'),
    ],
)
def test_no_fight_is_one_line(
    program: Program, shown: Shown, own_folders: Path, words: tuple[str, ...], said: str
) -> None:
    """Where there is no such fight, one line says so, and no journal is made."""
    ran = program(*words)

    assert (ran.status, ran.out, ran.err, shown.titles) == (1, "", said, [])
    assert list(own_folders.rglob("*.db")) == []


def test_damaged_journal_is_one_line(program: Program, shown: Shown) -> None:
    """A journal that cannot be read is said before the app opens."""
    folder = program.folder / "journal.db"
    folder.mkdir()

    ran = program("--db", folder)

    assert (ran.status, ran.err, shown.listed) == (
        1,
        f"tracker: the journal {folder} cannot be opened: journal.db is not a file\n",
        None,
    )
