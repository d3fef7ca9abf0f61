"""The YAML language server finds the mistakes of the page, and none in shipped files."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.library.schemas.language_server import LanguageServer, installed
from tests.library.schemas.test_schemas import MISTAKES

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("npm is not installed, so there is no YAML language server to ask")
    try:
        program = installed(ROOT / "build" / "language-server")
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm gives no YAML language server here: {error}")
    running = LanguageServer(program, ROOT)
    yield running
    running.close()


@pytest.mark.long
def test_no_shipped_file_has_a_mistake(server: LanguageServer) -> None:
    """Each by the schema its first line names."""
    files = sorted((ROOT / "encounters").rglob("*.yaml"))

    assert len(files) > 20
    assert [said for path in files for said in server.diagnose(path)] == []


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_of_the_page_is_found(server: LanguageServer, mistake: str) -> None:
    """On the line it is typed in."""
    game = "worlds_without_number"
    path = ROOT / "encounters" / game / "mistake.yaml"
    text = f"# yaml-language-server: $schema=schema.json\nruleset: {game}\n{MISTAKES[mistake][0]}\n"

    lines = {int(said.split(":")[1]) for said in server.diagnose(path, text)}

    assert lines & {3, 4}
