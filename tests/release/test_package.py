"""What is published, installed into an environment with nothing else in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import TMUX, Terminal

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.long,
    pytest.mark.e2e,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed: the program cannot be driven in a real terminal"),
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bare environment, with the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "docs.release.pages"], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    pip = [str(folder / "env" / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(pip, check=True)
    return folder / "env"


@pytest.fixture
def terminal(installed: Path, tmp_path: Path) -> Iterator[Terminal]:
    own = {"HOME": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "EDITOR": "true"}
    unset = ("TRACKER_LIBRARY", "TEXTUAL_THEME", "VISUAL", "PYTHONPATH")
    kept = {name: text for name, text in os.environ.items() if name not in unset and not name.startswith("XDG_")}
    opened = Terminal(tmp_path, kept | own)
    opened.program = installed / "bin" / "tracker"
    yield opened
    opened.close()


def test_its_examples_are_begun_and_copied(terminal: Terminal, tmp_path: Path) -> None:
    """The start screen lists them; one is copied, and begun."""
    terminal.start()
    terminal.wait("Examples, which come with the program", "Toll at the broken bridge", "0 to resume, 15 to begin")
    terminal.keys("e")
    terminal.wait("copied to encounters/")
    terminal.keys("Enter")
    terminal.wait("1 Initiative", "4 Question")
    terminal.keys("C-q")
    terminal.wait("ended with 0")

    assert len(list((tmp_path / "encounters").glob("*/party.yaml"))) == 1


def test_the_command_line_and_its_pages(installed: Path, tmp_path: Path) -> None:
    """`tracker examples` copies every file, and all of them check. Completions and the manual page are installed."""
    program = installed / "bin" / "tracker"
    copied = subprocess.run([program, "examples", "mine"], cwd=tmp_path, capture_output=True, text=True, check=True)
    checked = subprocess.run([program, "check", "mine"], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert len(copied.stdout.splitlines()) == len(list((ROOT / "encounters").glob("*/*.*")))
    assert "no problems" in checked.stderr
    share = installed / "share"
    for name in ("bash-completion/completions/tracker", "zsh/site-functions/_tracker", "man/man1/tracker.1"):
        assert (share / name).is_file(), name
    assert (share / "fish" / "vendor_completions.d" / "tracker.fish").is_file()
    if bash := shutil.which("bash"):
        script = f"source {share}/bash-completion/completions/tracker; complete -p tracker"
        subprocess.run([bash, "-c", script], check=True, capture_output=True)
