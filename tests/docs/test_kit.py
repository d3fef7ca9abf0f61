"""The reference of the kit is what its docstrings say."""

from __future__ import annotations

import re

from docs.release.kit import PAGE, page
from tracker import kit

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_the_docstrings_say() -> None:
    """`make kit` writes it."""
    assert page() == TEXT


def test_every_function_and_class_of_the_kit_is_on_it() -> None:
    """Once, with what it does; a module is there with each of its functions."""
    offered = {name for name in kit.__all__ if callable(value := getattr(kit, name)) and hasattr(value, "__module__")}
    named = re.findall(r"^### `(\w+)[`(]", TEXT, re.MULTILINE)

    own = {name for name in offered if str(getattr(kit, name).__module__).startswith("tracker.")}
    assert own - set(named) == set()
    assert len(named) == len(set(named))
    assert "### `twice.roll(ctx, key, dice, *rules, edge=0, who=None, why='', needed='')`\n\nRoll a die once" in TEXT
    assert TEXT.count("```") % 2 == 0
