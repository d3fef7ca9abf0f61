"""The installed program in a terminal of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal, apart


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """A terminal in a home with nothing in it, and an editor there that mends what is broken."""
    editor, home = tmp_path / "nano", tmp_path / "home"
    editor.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/line\nsed -i "s/titel:/title:/" "$2"\n', encoding="utf-8")
    editor.chmod(0o755)
    opened = Terminal(tmp_path, apart(home, EDITOR=str(editor)), folder=home)
    yield opened
    opened.close()
