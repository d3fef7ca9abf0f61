"""What README and start.md say of the installation is so."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
ASKS_AN_INDEX = re.compile(
    r"(?:pip3?|pipx|uv tool|uv pip) install [^`\n]*encounter-tracker|uvx (?:--from )?encounter-tracker"
)
LINES = ("pipx install .", "uv tool install .", "uvx --from . tracker")
OWN_ENVIRONMENT = "python3 -m venv tracker-env && tracker-env/bin/pip install . && tracker-env/bin/tracker"
ON_WINDOWS = ("py -m venv tracker-env", r"tracker-env\Scripts\pip install .", r"tracker-env\Scripts\tracker")
A_GAME, THE_GAME = "./my-game", "./docs/examples/fifth_edition"
WITH_A_GAME = (
    ("pipx install .", f"pipx inject encounter-tracker {A_GAME}"),
    (f"uv tool install . --with {A_GAME}",),
)
IN_OWN_ENVIRONMENT = f"tracker-env/bin/pip install {A_GAME}"
DEBIAN = Path("/usr/bin/python3")
posix = pytest.mark.skipif(os.name != "posix", reason="the lines for Linux and macOS")


def test_no_line_asks_an_index_for_the_program() -> None:
    """The program is not published, so every line names a path."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]

    assert [page.name for page in pages if ASKS_AN_INDEX.search(page.read_text(encoding="utf-8"))] == []


def test_the_lines_tried_here_are_those_of_the_documents() -> None:
    assert [line for line in LINES if line not in README or line not in START] == []
    assert OWN_ENVIRONMENT in README
    assert [line for line in OWN_ENVIRONMENT.split(" && ") if line not in START] == []
    assert [line for line in ON_WINDOWS if line not in README or line not in START] == []
    assert [line for lines in WITH_A_GAME for line in (*lines, IN_OWN_ENVIRONMENT) if line not in START] == []
    assert WITH_A_GAME[0][-1].replace(A_GAME, THE_GAME) in README


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository without what is made in it."""
    folder = tmp_path_factory.mktemp("clone") / "tracker"
    made = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "made", "__snapshots__")
    shutil.copytree(ROOT, folder, ignore=made)
    return folder


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pipx and uv."""
    folder = tmp_path_factory.mktemp("tools")
    run([sys.executable, "-m", "venv", str(folder)], folder)
    run([str(folder / "bin" / "pip"), "install", "--quiet", "pipx", "uv"], folder)
    return folder / "bin"


@pytest.fixture(scope="module")
def wheel(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made of the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--outdir", str(folder), str(copy)], copy)
    (found,) = folder.glob("*.whl")
    return found


def run(words: list[str] | str, folder: Path, **own: str) -> str:
    """Run a command in a folder with a home of its own, and return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "XDG_"))}
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    ran = subprocess.run(
        words,
        shell=isinstance(words, str),
        cwd=folder,
        env=kept | {"HOME": str(home), "PIP_DISABLE_PIP_VERSION_CHECK": "1"} | own,
        capture_output=True,
        text=True,
        check=False,
        timeout=580,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


def is_whole(program: str, folder: Path, **own: str) -> None:
    """Check that an installed program starts, and finds its games, its samples and its documents."""
    assert run(f"{program} --version", folder, **own).startswith("tracker 0.1")
    copied = run(f"{program} examples {folder / 'mine'}", folder, **own)
    assert len(copied.splitlines()) == len(list((ROOT / "encounters").glob("*/*.*")))
    run(f"{program} check {folder / 'mine'}", folder, **own)
    assert run(f"{program} docs start", folder, **own).startswith("# Start")
    assert "worlds_without_number" in run(f"{program} docs", folder, **own)
    assert "usage" in run(f"{program} serve --help", folder, **own)


@pytest.fixture
def apart(tools: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of pipx and uv, which put what they install into a folder of the test."""
    bin_ = tmp_path / "bin"
    return {
        "PATH": f"{bin_}:{tools}:{os.environ['PATH']}",
        **{name: str(bin_) for name in ("PIPX_BIN_DIR", "UV_TOOL_BIN_DIR")},
        **{name: str(tmp_path / name) for name in ("PIPX_HOME", "UV_TOOL_DIR", "UV_CACHE_DIR")},
    }


@pytest.mark.long
@posix
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("published", [False, True], ids=["folder", "wheel"])
def test_a_line_installs_the_program(
    line: str, published: bool, copy: Path, wheel: Path, apart: dict[str, str], tmp_path: Path
) -> None:
    """As it is typed, in the folder of the repository, or anywhere with the path of a wheel."""
    typed = line.replace(" .", f" {wheel if published else copy}")
    program = typed if line.endswith("tracker") else "tracker"
    if program != typed:
        run(typed if published else line, tmp_path if published else copy, **apart)

    is_whole(program, tmp_path, **apart)


@pytest.mark.long
@posix
@pytest.mark.parametrize("lines", WITH_A_GAME, ids=lambda lines: lines[0].split()[0])
def test_a_game_of_ones_own_is_installed_beside_it(
    lines: tuple[str, ...], copy: Path, apart: dict[str, str], tmp_path: Path
) -> None:
    """And its fights check."""
    for line in lines:
        run(line.replace(A_GAME, THE_GAME), copy, **apart)

    run(f"tracker check {copy / THE_GAME / 'fights'}", tmp_path, **apart)


@pytest.mark.long
def test_an_environment_of_ones_own(copy: Path, tmp_path: Path) -> None:
    """The lines that need nothing but Python; a game of one's own is installed by one more."""
    make, install, program = OWN_ENVIRONMENT.split(" && ") if os.name == "posix" else ON_WINDOWS
    here = tmp_path / "tracker"
    shutil.copytree(copy, here)
    run(make.replace(make.split()[0], sys.executable), here)
    run(install, here)
    run(install.replace(" .", f" {THE_GAME}"), here)

    is_whole(str(here / program), tmp_path)
    run(f"{here / program} check {here / THE_GAME / 'fights'}", tmp_path)


@pytest.mark.long
@posix
def test_a_wheel_in_a_folder(wheel: Path, tmp_path: Path) -> None:
    """`pip install --target` puts the samples where the program finds them."""
    run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(tmp_path / "here"), str(wheel)], tmp_path)

    is_whole(f"{sys.executable} -m tracker", tmp_path, PYTHONPATH=str(tmp_path / "here"))


@pytest.mark.long
@pytest.mark.skipif(not DEBIAN.exists(), reason="this system has no Python of its own")
def test_the_system_s_own_python(wheel: Path, tmp_path: Path) -> None:
    """Debian puts what is installed for a user into folders of its own."""
    pip = [sys.executable, "-m", "pip", f"--python={DEBIAN}", "install", "--quiet", "--user", "--break-system-packages"]
    run([*pip, str(wheel)], tmp_path)

    is_whole(f"{DEBIAN} -m tracker", tmp_path)
