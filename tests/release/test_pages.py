"""The completions and the manual page that are installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tracker.cli.main import COMMANDS

FOLDER = Path(__file__).parents[2] / "docs" / "release"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions of Python lay usage out in other ways")
def test_they_are_as_the_command_line_is() -> None:
    """`make pages` writes them anew."""
    pytest.importorskip("shtab", reason="what makes the pages is not installed")
    from docs.release.pages import made

    for name, text in made().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: run make pages"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("ex",), {"examples", "export"}),
        (("run", "--se"), {"--seed"}),
        (("run", "--q"), {"--quiet"}),
        (("",), set(COMMANDS)),
    ],
)
def test_bash_completes(typed: tuple[str, ...], offered: set[str]) -> None:
    """Commands and their options are offered, and no command that is not typed."""
    line = " ".join(f"'{word}'" for word in ("tracker", *typed))
    script = (
        "source completions/tracker; "
        f"COMP_WORDS=({line}); COMP_CWORD={len(typed)}; COMP_LINE=x; "
        "complete=$(complete -p tracker); complete=${complete##*-F }; ${complete%% *} tracker; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    said = subprocess.run(["bash", "-c", script], cwd=FOLDER, capture_output=True, text=True, check=True)

    found = set(said.stdout.split())
    assert offered <= found
    assert "open" not in found


@pytest.mark.long
def test_the_pictures_are_as_the_program_draws_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make docs` writes the picture and the recording anew."""
    from tests.ui import picture, recording

    for module, name in ((picture, "PICTURE"), (recording, "RECORDING")):
        place = tmp_path / getattr(module, name).name
        monkeypatch.setattr(module, name, place)
        module.main()
        assert place.read_bytes() == (FOLDER.parent / place.name).read_bytes(), f"{place.name}: run make docs"
