"""Make the README's table of keys from the table of commands: `make keys`."""

from __future__ import annotations

from pathlib import Path

from tracker.ui.keys.table import groups

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- keys: made by `make keys` -->", "<!-- end of keys -->"


def section() -> str:
    """Return the table, a heading for each group of commands."""
    parts = [
        "\n".join([f"**{title}**", "", "| Key | What it does |", "|---|---|", *(_row(*row) for row in rows)])
        for title, rows in groups()
    ]
    return "\n\n".join([BEGIN, *parts, END])


def _row(key: str, text: str) -> str:
    return f"| `{key}` | {text.replace('|', '/')} |"


def with_keys(text: str) -> str:
    """Return the text of the README with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return before + section() + rest.partition(END)[2]


if __name__ == "__main__":
    README.write_text(with_keys(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
