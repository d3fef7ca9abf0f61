"""`tracker keys`: the table as a keymap file, and mistakes in the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracker.cli.main import main
from tracker.ui.keys.keymap import keymap_path, read_keymap


def test_table_is_printed_as_a_keymap_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without a file of one's own the table is printed, and where to keep it.

    What is printed reads without a problem.
    """
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
