"""No test sees or touches the user's own configuration."""

import os
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

KINDS = ("user_data_path", "user_config_path", "user_state_path", "user_cache_path")


@pytest.mark.parametrize("kind", KINDS)
def test_user_folders_lie_in_the_tests_own(kind: str, own_folders: Path) -> None:
    """Whatever the program keeps for its user lands in the test's temporary folder."""
    folder = getattr(platformdirs, kind)("encounter-tracker")

    assert folder.is_relative_to(own_folders)


def test_home_is_the_tests_own(own_folders: Path) -> None:
    """A `~` in a path leads into the test's temporary folder."""
    assert Path("~").expanduser() == own_folders / "home"


def test_looks_are_not_inherited() -> None:
    """Nothing in the environment changes how the screen is drawn."""
    inherited = {"NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_COLOR_SYSTEM", "TEXTUAL_THEME"} & set(os.environ)

    assert inherited == set()


def test_property_tests_repeat_themselves() -> None:
    """Unless a profile is asked for, examples repeat themselves, and slowness is no failure."""
    if os.environ.get("HYPOTHESIS_PROFILE", "ci") != "ci":
        pytest.skip("another profile was asked for with HYPOTHESIS_PROFILE")

    assert (settings.default.derandomize, settings.default.deadline) == (True, None)
