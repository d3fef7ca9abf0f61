"""`tracker schema`, `tracker keys` and `tracker import-statblock`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tracker.cli.main import main
from tracker.ui.keys.keymap import keymap_path, read_keymap


def test_a_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Of any file of a game, or of one kind."""
    assert main(["schema", "githack"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main(["schema", "--of", "script"]) == 0
    script = json.loads(capsys.readouterr().out)

    assert whole["title"] == "GitHack: encounters and stat blocks"
    assert script["title"] == "Script of a fight"


def test_a_schema_is_written_over_nothing_but_a_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "schema.json"
    party = tmp_path / "party.yaml"
    party.write_text("mine", "utf-8")

    assert [main(["schema", "githack", "-o", str(path)]) for path in (file, file, party)] == [0, 0, 2]

    assert json.loads(file.read_text("utf-8"))["definitions"]["Dice"]
    assert party.read_text("utf-8") == "mine"
    assert "is there already, and holds no schema" in capsys.readouterr().err


def test_all_schemas_of_a_game_are_written(tmp_path: Path) -> None:
    """Those that are the same for every game lie beside its folder."""
    assert main(["schema", "githack", "--all", str(tmp_path)]) == 0

    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json"))
    own = [f"githack/{kind}.json" for kind in ("bestiary", "campaign", "encounter", "party", "schema", "vectors")]
    assert names == ["effects.json", *own, "keys.json", "script.json"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [([], 2, "name a game"), (["chess"], 1, "there is no ruleset"), (["githack", "--of", "poem"], 2, "invalid choice")],
)
def test_what_is_none_is_said(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", *words]) == status
    assert said in capsys.readouterr().err


def test_table_is_printed_as_a_keymap_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without a file of one's own the table is printed, and where to keep it."""
    status = main(["keys"])

    out, err = capsys.readouterr()
    (tmp_path / "keys.yaml").write_text(out, encoding="utf-8")
    assert (status, read_keymap(tmp_path / "keys.yaml").problems) == (0, ())
    assert str(keymap_path()) in err


def test_mistakes_of_the_own_file_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Each mistake is one line on standard error with file and line. The table is printed as it comes out."""
    path = keymap_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('damge: d\nact: "y"\n', encoding="utf-8")
    try:
        status = main(["keys"])
    finally:
        path.unlink()

    out, err = capsys.readouterr()
    assert (status, err) == (2, f'{path}:1:1: damge: there is no command "damge" (did you mean damage?)\n')
    assert 'act:         "y"' in out


GOBLIN = "Goblin: AC2, HD1d6, Damage: knife(1d6), Overwhelm"


def test_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file's blocks are printed as a bestiary."""
    path = tmp_path / "page.txt"
    path.write_text(GOBLIN, encoding="utf-8")

    status = main(["import-statblock", str(path), "--system", "native"])

    assert status == 0
    assert capsys.readouterr().out.startswith("ruleset: githack\nmonsters:\n  - name: Goblin\n    ac: 2\n    hd: 1d6\n")


def test_pasted_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Words that are no file are a stat block."""
    status = main(["import-statblock", "--system", "adnd", "Ogre:", "AC", "5,", "HD", "4+1,", "damage", "1-10"])

    assert status == 0
    assert "ac: 5\n    hd: 4d8+1" in capsys.readouterr().out


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an argument standard input is read."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(GOBLIN))

    status = main(["import-statblock", "--system", "native"])

    assert status == 0
    assert "kept: [Overwhelm]" in capsys.readouterr().out


def test_a_part_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Part and reason go to standard error, the rest is printed, the status is 1."""
    status = main(["import-statblock", "Ogre: AC 5 [14], HD 4+1, Att 1 club (1d10), 1 kick (1d7)"])

    told = capsys.readouterr()
    assert status == 1
    assert told.err == 'Ogre: not read: "1 kick (1d7)": there is no d7\n'
    assert "label: club" in told.out


def test_what_nothing_was_made_of_stands_at_the_top(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A print that is none, between two that are read."""
    file = tmp_path / "three.txt"
    file.write_text("Imp: AC 5 [14], HP 3\n\nhere be dragons\n\nOgre: AC 4 [15], HP 9\n", "utf-8")

    status = main(["import-statblock", str(file)])

    said = capsys.readouterr()
    assert status == 1
    assert said.out.startswith('# not read: "here be dragons": no AC, hit points or damage in it')
    assert said.err.startswith('"here be dragons": no AC, hit points or damage in it')
    assert said.out.count("  - ") == 2


def test_open_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """What the print leaves open is said with the answers there are."""
    status = main(["import-statblock", "--system", "ose", "Ogre: AC 5, HD 4 to 6, Att 1 club (1d10)"])

    assert status == 0
    assert "--choose hd=4|5|6" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["a cup of tea"], 2, "no AC, hit points or damage"),
        (["AC 3", "--choose", "hd"], 1, "is no choice"),
        (["AC 3, HP 5", "--system", "chess"], 2, "there is no system chess"),
        (["AC 3, HP 5", "--ruleset", "chess"], 1, "there is no ruleset"),
        (["/nowhere/page.txt"], 2, "there is no such file"),
    ],
)
def test_failures(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to read, no such game, no such file. One line on standard error, nothing on standard output."""
    assert main(["import-statblock", *words]) == status

    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
