"""`tracker schema`: printed, written, or all at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tracker.cli.main import main


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
