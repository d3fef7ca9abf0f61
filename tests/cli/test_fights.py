"""The commands on fights in the journal."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tracker.session.store.database import step_key
from tracker.session.store.journal import Journal

SCRIPT = "- {do: blow, by: Ada, target: Thug 1, answers: [14, 5]}\n- {do: note, text: '*rain* [b]'}\n- advance\n"


@pytest.fixture
def db(program: Program) -> Path:
    """A journal with a fight of four steps, whose id is a-brawl."""
    path = program.folder / "fights.db"
    assert program.run(SCRIPT, "--db", path).status == 0
    return path


def test_fights_are_listed(program: Program, db: Path) -> None:
    """`fights` lists id, title, game and where the fight stands."""
    ran = program("fights", "--db", db)

    assert (ran.status, ran.out.split("  ")[:4], ran.err) == (
        0,
        ["a-brawl", "A brawl", "skirmish", "round 1, 4 steps"],
        "",
    )


def test_an_open_what_if_is_told(program: Program) -> None:
    """The list tells of the fight as it stands, and that a what-if is open."""
    path = program.folder / "fights.db"
    assert program.run("- what_if: begin\n" + SCRIPT, "--db", path).status == 0

    assert program("fights", "--db", path).out.split("  ")[3] == "round 1, 1 step (what-if open)"
    assert program("state", "a-brawl", "--db", path).err == "a what-if is open: what is only tried is shown too\n"


def test_no_fights_are_no_error(program: Program) -> None:
    """Before the first fight the list is empty, and no journal is made by looking."""
    ran = program("fights")

    assert (ran.status, ran.out, ran.err) == (0, "", "no fight has been played yet\n")


@pytest.mark.parametrize("name", ["a-brawl", "A brawl", "A BRAWL"])
def test_state_of_a_fight(program: Program, db: Path, name: str) -> None:
    """`state` prints the state of a fight, found by id or title."""
    ran = program("state", name, "--db", db)

    assert (
        ran.status,
        ran.lines[0]["state"]["combatants"]["thug-1"]["hp"],
        ran.lines[0]["state"]["clock"]["side"],
    ) == (0, 1, "Thugs")


def test_log_of_a_fight(program: Program, db: Path) -> None:
    """`log` tells the fight with the rules in brackets."""
    ran = program("log", "a-brawl", "--db", db)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("A brawl\n")
    assert "Thug 1" in ran.out
    assert "[SK-011]" in ran.out


def test_log_as_markdown(program: Program, db: Path) -> None:
    """`--markdown` makes headings of rounds. What people typed stays text."""
    ran = program("log", "a-brawl", "--markdown", "--db", db)

    assert (ran.status, ran.out.startswith("# A brawl\n")) == (0, True)
    assert "\\*rain\\*" in ran.out


def test_export_and_import_are_the_same(program: Program, db: Path) -> None:
    """What is exported and imported elsewhere is the same fight, and is exported the same."""
    first, second, other = program.folder / "one.jsonl", program.folder / "two.jsonl", program.folder / "other.db"

    statuses = (
        program("export", "a-brawl", "-o", first, "--db", db).status,
        program("import", first, "--db", other).status,
        program("export", "a-brawl", "-o", second, "--db", other).status,
    )

    assert statuses == (0, 0, 0)
    assert first.read_bytes() == second.read_bytes()
    assert program("state", "a-brawl", "--db", db).out == program("state", "a-brawl", "--db", other).out


def test_a_damaged_record_is_exported_and_told(program: Program, db: Path) -> None:
    """All that is there is written, and a line says where an import is refused."""
    with Journal.open(db) as journal:
        journal._connection.execute("UPDATE step SET answers = x'fffe' WHERE key = ?", (step_key(1, 2),))
    file = program.folder / "damaged.jsonl"

    ran = program("export", "a-brawl", "-o", file, "--db", db)
    refused = program("import", file, "--db", db)

    assert (ran.status, len(file.read_bytes().splitlines())) == (1, 5)
    assert "tracker: line 3 holds a damaged record: JSON is malformed" in ran.err
    assert "an import is refused there" in ran.err
    assert (refused.status, refused.err.startswith(f"{file}:3:1: ")) == (2, True)


def test_export_to_standard_output(program: Program, db: Path) -> None:
    """Without `-o` the lines go to standard output."""
    ran = program("export", "a-brawl", "--db", db)

    assert (ran.status, len(ran.lines), ran.lines[0]["title"], ran.err) == (0, 5, "A brawl", "")


def test_import_names_the_new_fight(program: Program, db: Path) -> None:
    """`import` prints the id the fight has here."""
    file = program.folder / "one.jsonl"
    program("export", "a-brawl", "-o", file, "--db", db)

    ran = program("import", file, "--db", db)

    assert (ran.status, ran.out, ran.err) == (0, "a-brawl-2\n", 'imported; open it with "tracker a-brawl-2"\n')


@pytest.mark.parametrize(("text", "line"), [("", 1), ("nonsense\n", 1), ('{"line":"step"}\n', 1)])
def test_file_that_is_no_fight_is_status_2(program: Program, text: str, line: int) -> None:
    """A file that holds no fight is said with its line."""
    file = program.file("bad.jsonl", text)

    ran = program("import", file)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{file}:{line}:1: ")


@pytest.mark.parametrize("command", ["state", "log", "export"])
def test_unknown_fight_is_one_line_with_the_nearest(program: Program, db: Path, command: str) -> None:
    """A fight that is not there is one line with the nearest that is."""
    ran = program(command, "a-braul", "--db", db)

    assert (ran.status, ran.out, ran.err) == (1, "", 'tracker: there is no fight "a-braul" (did you mean a-brawl?)\n')


def test_unknown_fight_before_the_first(program: Program) -> None:
    """Without any fight the line says so."""
    ran = program("state", "ford")

    assert (ran.status, ran.out, ran.err) == (
        1,
        "",
        'tracker: there is no fight "ford" (no fight has been played yet)\n',
    )


def test_title_of_two_fights_is_ambiguous(program: Program, db: Path) -> None:
    """Where two fights have the same title their ids are named."""
    program.run("", "--db", db)

    ran = program("state", "A brawl", "--db", db)

    assert (ran.status, ran.err) == (1, 'tracker: more than one fight is called "A brawl": a-brawl-2, a-brawl\n')


def test_journal_that_is_not_there(program: Program) -> None:
    """A journal named on the command line must be there, and is not made."""
    path = program.folder / "none.db"

    ran = program("state", "ford", "--db", path)

    assert (ran.status, ran.err, path.exists()) == (1, f"tracker: there is no journal {path}\n", False)


def test_journal_that_is_none(program: Program) -> None:
    """A file that is no journal is one line, and is left as it is."""
    path = program.file("none.db", "this is no journal, but it is long enough to be looked at as if it were one\n" * 20)

    ran = program("fights", "--db", path)

    assert (ran.status, ran.out, ran.err.count("\n"), path.read_text().startswith("this")) == (1, "", 1, True)


def test_undone_steps_stay_in_the_journal(program: Program) -> None:
    """A failed run leaves the fight as it was before the failed entry."""
    path = program.folder / "fights.db"
    ran = program.run("- {do: blow, by: Ada, target: Thug 1, answers: [14, 5, 9]}\n", "--db", path)

    stored = program("state", "a-brawl", "--db", path)

    assert (ran.status, stored.lines[0]["state"]) == (1, ran.state)


def test_story_of_a_fight(program: Program, db: Path) -> None:
    """`log --story` tells what mattered, no rules, `--long` every action, and notes only where asked for."""
    ran = program("log", "a-brawl", "--story", "--db", db)

    assert (ran.status, ran.err) == (0, "")
    assert "Ada uses Blow, and a thug loses 5." in ran.out
    assert "Ada uses Blow, and Thug 1 loses 5." in program("log", "a-brawl", "--story", "--long", "--db", db).out
    assert "SK-" not in ran.out
    assert "rain" not in ran.out
    assert "(*rain* [b])" in program("log", "a-brawl", "--story", "--notes", "--db", db).out
    players = program("log", "a-brawl", "--story", "--players", "--notes", "--db", db)
    assert (players.status, players.err) == (0, "")
    assert "rain" not in players.out
    assert "Ada uses Blow." in program("log", "a-brawl", "--story", "--players", "--long", "--db", db).out


def test_report_of_a_fight(program: Program, db: Path) -> None:
    """`report` writes one page for the user alone, in which nothing typed is markup."""
    page = program.folder / "report.html"
    ran = program("report", "a-brawl", "--notes", "-o", page, "--db", db)

    assert (ran.status, ran.out) == (0, "")
    assert ran.err == f"the report of 4 steps stands in {page}\n"
    text = page.read_text(encoding="utf-8")
    assert "<h1>A brawl</h1>" in text
    assert "<script" not in text
    assert "*rain* [b]" in text
    if os.name == "posix":
        assert page.stat().st_mode & 0o777 == 0o600
    assert program("report", "a-brawl", "--notes", "-o", "-", "--db", db).out == text
    assert program("report", "a-brawl", "-o", page, "--db", db).status == 0
    page.write_text("my notes", encoding="utf-8")
    refused = program("report", "a-brawl", "-o", page, "--db", db)
    assert (refused.status != 0, page.read_text(encoding="utf-8")) == (True, "my notes")
    assert "another file has this name" in refused.err
