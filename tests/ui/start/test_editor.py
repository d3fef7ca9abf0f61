"""The editor's command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tracker.ui.platform.editor import command

FILE = Path("/home/gm/goblins.yaml").absolute()


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("vim", ("vim", "+14", str(FILE))),
        ("/usr/bin/nano -l", ("/usr/bin/nano", "-l", "+14", str(FILE))),
        ("emacsclient -c -a ''", ("emacsclient", "-c", "-a", "", "+14", str(FILE))),
        ("code --wait", ("code", "--wait", "--goto", f"{FILE}:14")),
        ("hx", ("hx", f"{FILE}:14")),
        ("my-editor", ("my-editor", str(FILE))),
        ("  ", ()),
    ],
)
def test_known_editors_get_the_line(editor: str, expected: tuple[str, ...]) -> None:
    assert command(FILE, 14, {"EDITOR": editor}, windows=False) == expected


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        (r"C:\tools\nvim.exe", (r"C:\tools\nvim.exe", "+14", str(FILE))),
        (
            r'"C:\Big Apps\Code\code.cmd" --wait',
            (r"C:\Big Apps\Code\code.cmd", "--wait", "--goto", f"{FILE}:14"),
        ),
        ("it's.exe", ("it's.exe", str(FILE))),
        ("Subl", ("Subl", f"{FILE}:14")),
        ("", ("notepad", str(FILE))),
    ],
)
def test_windows_splits_words_by_its_own_rules(editor: str, expected: tuple[str, ...]) -> None:
    """Backslashes part folders, only double quotes keep words together, and there is always an editor."""
    assert command(FILE, 14, {"EDITOR": editor}, windows=True) == expected


def test_windows_takes_a_program_with_spaces_without_quotes(tmp_path: Path) -> None:
    program = tmp_path / "my editor.exe"
    program.touch()

    assert command(FILE, 14, {"EDITOR": str(program)}, windows=True) == (str(program), str(FILE))


def test_visual_comes_first() -> None:
    assert command(FILE, 0, {"VISUAL": "vim", "EDITOR": "ed"}) == ("vim", str(FILE))
    assert command(FILE, 0, {"VISUAL": "", "EDITOR": "ed"}) == ("ed", str(FILE))
    assert command(FILE, 0, {}, windows=False) == ()


def test_name_with_a_dash_is_no_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert command(Path("-rf.yaml"), 0, {"EDITOR": "vi"})[-1] == str(tmp_path / "-rf.yaml")


@pytest.mark.parametrize(
    "name",
    ["two words.yaml", 'o\'clock "x".yaml', "line\nbreak.yaml", "-rf.yaml", "$(touch x).yaml", "; rm.yaml", "*.yaml"],
)
def test_an_editor_gets_each_name_whole(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one word of the command, which no shell reads."""
    monkeypatch.chdir(tmp_path)
    editor = f'"{sys.executable}" -c "import sys; print(ascii(sys.argv[1:]))"'

    ran = subprocess.run(command(Path(name), 14, {"EDITOR": editor}), capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == ascii([str(tmp_path / name)])
    assert list(tmp_path.iterdir()) == []
