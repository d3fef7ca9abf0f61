"""The completions and the manual page that are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tracker.cli.main import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what `make pages` writes."""
    pytest.importorskip("shtab", reason="what makes the pages is not installed")
    from docs.release.pages import write

    folder = tmp_path_factory.mktemp("made")
    write(folder)
    return folder


def test_the_manual_page_has_every_command(made: Path) -> None:
    """And each shell has a file of its own."""
    page = (made / "man" / "tracker.1").read_text(encoding="utf-8")

    assert [name for name in COMMANDS if f"tracker {name}" not in page.replace("\\-", "-")] == []
    assert all((made / name).is_file() for name in ("bash/tracker", "zsh/_tracker", "fish/tracker.fish"))


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
def test_bash_completes(made: Path, typed: tuple[str, ...], offered: set[str]) -> None:
    """Commands and their options are offered, and no command that is not typed."""
    line = " ".join(f"'{word}'" for word in ("tracker", *typed))
    script = (
        "source bash/tracker; "
        f"COMP_WORDS=({line}); COMP_CWORD={len(typed)}; COMP_LINE=x; "
        "complete=$(complete -p tracker); complete=${complete##*-F }; ${complete%% *} tracker; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    said = subprocess.run(["bash", "-c", script], cwd=made, capture_output=True, text=True, check=True)

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
        assert place.read_bytes() == (DOCS / place.name).read_bytes(), f"{place.name}: run make docs"
