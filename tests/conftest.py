"""What holds for every test.

None sees or touches the user's own configuration, no journal stays open, and property tests repeat themselves exactly.
"""

import gc
import importlib
import os
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support import quick
from tests.support.shares import EVERY_RUN
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader

# What the first value costs depends on the machine: Hypothesis reads our sources for it, half a minute under wine.
ANY_MACHINE: Any = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("ci", **ANY_MACHINE, derandomize=True, max_examples=round(100 * EVERY_RUN))
settings.register_profile("search", **ANY_MACHINE, max_examples=2000)
settings.register_profile("faults", **ANY_MACHINE, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# What changes how Textual and Rich draw; the sizes of the terminal belong to it.
LOOKS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES")
# Where no commit waits for a disk, and how many free bytes the tests want there.
TESTS = Path(__file__).parent
MEMORY, ROOM = Path("/dev/shm"), 2**30
# How many new objects the garbage collector waits for, and how many of its rounds before it looks further: thousands
# of tests and their parts live until the end, and looking at them again and again was a tenth of all computing.
ROUNDS = (50_000, 20, 50)
MAY_MAKE_NO_LINKS = 1314
"""The error of Windows by its number."""
LONGEST_NAME = 2000
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
    # Windows itself is asked for its folders, not its variables, unless these are set.
    "WIN_PD_OVERRIDE_APPDATA": "data",
    "WIN_PD_OVERRIDE_LOCAL_APPDATA": "data",
}


def looks_of(environment: dict[str, str]) -> list[str]:
    """Name what would change the picture. `TEXTUAL_SNAPSHOT_*` is the snapshot plug-in's own and has to stay."""
    return [
        name
        for name in environment
        if name in LOOKS or (name.startswith("TEXTUAL_") and not name.startswith("TEXTUAL_SNAPSHOT_"))
    ]


def pytest_configure() -> None:
    """Forget the user's `TEXTUAL_*`, and keep the tests' files in memory where there is room.

    Textual reads most of its variables once, when the snapshot plug-in imports it.
    """
    gc.set_threshold(*ROUNDS)
    if os.name == "nt":  # under wine a socket takes nothing from a signal while another thread writes
        signal.set_wakeup_fd = partial(signal.set_wakeup_fd, warn_on_full_buffer=False)
    if os.name == "posix" and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
        os.environ["TMPDIR"], tempfile.tempdir = str(MEMORY), None
    found = looks_of(dict(os.environ))
    for name in found:
        del os.environ[name]
    if found and "textual.constants" in sys.modules:
        importlib.reload(sys.modules["textual.constants"])


def pytest_collection_finish() -> None:
    """Take the thousands of collected tests out of the garbage collector's rounds."""
    gc.collect()
    gc.freeze()


def skip_where_windows_has_not(error: Exception) -> None:
    """Skip a test that wants something of its system which Windows does not have.

    Where the program itself wants it, the test fails.
    """
    if getattr(error, "winerror", 0) == MAY_MAKE_NO_LINKS:
        pytest.skip("on Windows only some users may make links")
    if os.name != "nt" or not isinstance(error, AttributeError):
        return
    wanted = getattr(error.obj, "__name__", "")
    place = traceback.extract_tb(error.__traceback__)[-1].filename
    if wanted in ("os", "signal", "socket", "time") and TESTS in Path(place).parents:
        pytest.skip(f"this system has no {wanted}.{error.name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    try:
        yield
    except (AttributeError, OSError) as error:
        skip_where_windows_has_not(error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    try:
        yield
    except (AttributeError, OSError) as error:
        skip_where_windows_has_not(error)
        raise


def pytest_make_parametrize_id(val: object) -> str | None:
    """Shorten the name of a test with a very long value. Pytest puts it into the environment."""
    return f"{val[:LONGEST_NAME]!a}..." if isinstance(val, str | bytes) and len(val) > LONGEST_NAME else None


@pytest.fixture(scope="session", autouse=True)
def users_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the user of all tests folders that are not there: the program has to make what it needs."""
    user = tmp_path_factory.mktemp("users") / "user"
    with pytest.MonkeyPatch.context() as patch:
        for name, folder in FOLDERS.items():
            patch.setenv(name, str(user / folder))
        yield user


@pytest.fixture(autouse=True)
def own_folders(users_folder: Path) -> Iterator[Path]:
    """Return the parent of the user's folders, without anything from another test."""
    yield users_folder
    if users_folder.exists():
        shutil.rmtree(users_folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def quick_apps() -> Iterator[None]:
    """Let no test wait by the clock for an app."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textual.app.wait_for_idle", quick.wait_for_idle)
        patch.setattr("textual.pilot.wait_for_idle", quick.wait_for_idle)
        patch.setattr("textual.css.stylesheet.Stylesheet._parse_rules", quick.parse_once)
        patch.setattr("textual.screen.Screen._compositor_refresh", quick.paint_later)
        yield


OPENED: list[Journal | PlayerViewReader] = []
"""What the main thread has opened since the test began; another thread's connection is its own to close."""


def noted(make: Callable[..., None]) -> Callable[..., None]:
    """Return an `__init__` that also notes what it has made."""

    def init(made: Journal | PlayerViewReader, *arguments: Any, **named: Any) -> None:
        make(made, *arguments, **named)
        if threading.current_thread() is threading.main_thread():
            OPENED.append(made)

    return init


@pytest.fixture(scope="session", autouse=True)
def noted_journals() -> Iterator[None]:
    """Note every journal that is opened."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in (Journal, PlayerViewReader):
            patch.setattr(kind, "__init__", noted(kind.__init__))
        yield


@pytest.fixture(autouse=True)
def no_open_journals() -> Iterator[None]:
    """Close what a test leaves open: Python would complain of it in whatever test runs by then."""
    OPENED.clear()  # fixtures of a module have theirs for all its tests
    yield
    while OPENED:
        OPENED.pop(0).close()
