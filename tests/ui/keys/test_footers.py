"""The footer: the keys of what takes them, those that leave it last."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import fight, opened
from tracker.ui.keys.command import Footer
from tracker.ui.keys.table import FOOTERS, footer

ENDINGS = ("escape", "question_mark", "ctrl+q")


@pytest.mark.parametrize("place", FOOTERS)
def test_what_leaves_stands_last(place: Footer) -> None:
    """In every footer leaving, help and quitting follow all other keys."""
    keys = [key for key, _ in footer(place)]
    ends = [key for key in keys if key in ENDINGS]
    assert keys[len(keys) - len(ends) :] == sorted(ends, key=ENDINGS.index)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("w-1g⏎w", "enter keep  d drop esc go on trying  ctrl+q quit"),
        ("-1g⏎uB", "enter go there  n name esc leave  ? help  ctrl+q quit"),
        ("F", "enter again esc leave  ctrl+q quit"),
    ],
)
async def test_the_footer_is_of_what_is_open(tmp_path: Path, keys: str, words: str) -> None:
    """A what-if at its end, the branches and the forecast name their own keys."""
    async with opened(fight(tmp_path)) as table:
        await table.type(keys)
        last = table.text().splitlines()[-1]
        left, _, right = last.strip().partition("   ")
        assert f"{left} {right.strip()}" == words
