"""The documents as a site: `make docs`.

The pages are those of `docs/`, as they are; only the order in which they stand is said here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

project = "Encounter tracker"
author = "the encounter tracker authors"
extensions = ["myst_parser"]
root_doc = "start"
exclude_patterns = ["release"]
html_theme = "furo"
html_title = project
html_static_path: list[str] = []
html_show_sphinx = False
myst_heading_anchors = 4
PARTS = {
    "At the table": ("games/README", "keys", "players", "forecast", "log-lines"),
    "Files": ("yaml", "importing", "scripts"),
    "Games of your own": ("writing-a-ruleset", "kit"),
    "Trust": ("reliability",),
}
GAMES = sorted(path.stem for path in (ROOT / "docs" / "games").glob("*.md") if path.stem != "README")


def _ordered(title: str, pages: tuple[str, ...] | list[str]) -> str:
    listed = "\n".join(pages)
    return f"\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n"


def _put_in_order(app: Any, page: str, source: list[str]) -> None:
    """Add the order of the pages, and name what lies outside of the documents without leading there."""
    if page == root_doc:
        source[0] += "".join(_ordered(title, pages) for title, pages in PARTS.items())
    if page == "games/README":
        source[0] += _ordered("Games", GAMES)
    outside = r"\[([^\]]+)\]\((?:\.\./)+(?:encounters|tests|tracker|rulesets|README)[^)]*\)"
    source[0] = re.sub(outside, r"\1", source[0])


def setup(app: Any) -> None:
    """Take part in the reading of each page."""
    app.connect("source-read", _put_in_order)
