"""What holds for every test: none sees or touches the user's own configuration, no journal stays open, and property tests repeat themselves exactly."""

import importlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tracker.session.store.journal import Journal

settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
settings.register_profile("faults", deadline=None, max_examples=200, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# What changes how Textual and Rich draw; the sizes of the terminal belong to it.
LOOKS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES")
FOLDERS = {
    "HOME": "home",
    "USERPROFILE": "home",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "XDG_CACHE_HOME": "cache",
    "XDG_RUNTIME_DIR": "runtime",
    "APPDATA": "data",
    "LOCALAPPDATA": "data",
}


def looks_of(environment: dict[str, str]) -> list[str]:
    """Name what would change the picture; `TEXTUAL_SNAPSHOT_*` is the snapshot plug-in's own and has to stay."""
    return [
        name
        for name in environment
        if name in LOOKS or (name.startswith("TEXTUAL_") and not name.startswith("TEXTUAL_SNAPSHOT_"))
    ]


def pytest_configure() -> None:
    """Forget the user's `TEXTUAL_*` before any test: Textual reads most of them once, when the snapshot plug-in imports it."""
    found = looks_of(dict(os.environ))
    for name in found:
        del os.environ[name]
    if found and "textual.constants" in sys.modules:
        importlib.reload(sys.modules["textual.constants"])


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test folders of its own for everything the program would keep in the user's; returns the folder that holds them."""
    user = tmp_path / "user"
    for name, folder in FOLDERS.items():
        (user / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        monkeypatch.setenv(name, str(user / folder))
    for name in looks_of(dict(os.environ)):
        monkeypatch.delenv(name)
    return user


@pytest.fixture(autouse=True)
def no_open_journals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close what a test leaves open: Python complains of a connection that nobody closes, in whatever test runs by then."""
    opened: list[Journal] = []
    make = Journal.__init__

    def noted(journal: Journal, *arguments: Any, **named: Any) -> None:
        make(journal, *arguments, **named)
        if threading.current_thread() is threading.main_thread():  # another thread's connection is its own to close
            opened.append(journal)

    monkeypatch.setattr(Journal, "__init__", noted)
    yield
    for journal in opened:
        journal.close()
