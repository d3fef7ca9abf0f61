"""Make the picture of the screen that the README shows: `python -m tests.ui.picture`."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.ui.drive import Table, drive
from tests.ui.games import WN, begun
from tracker.ui.widgets.themes import THEMES

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "screen.svg"

# No surprise; initiative; Ordwen strikes a robber down, another falls prone, the captain is hurt; now he attacks Sefa,
# and a 17 is typed.
KEYS = ("⏎", "5⏎3⏎", "ah⏎15⏎4⏎⎋", "eprone r⏎", "-4u⏎", "nn", "''u", "s⏎", "17")


async def journey(table: Table) -> None:
    """Play the first minutes of the fight, up to a question in mid-attack."""
    table.app.theme = THEMES[0].name
    for keys in KEYS:
        await table.type(keys)
    assert "│ > 17 " in table.text(), "the keys lead elsewhere now"
    svg = table.app.export_screenshot(title="tracker")
    svg = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->", "", svg, flags=re.DOTALL)  # nothing to fetch
    PICTURE.write_text(svg, encoding="utf-8")
    print(table.text())


def main() -> None:
    """Play and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        drive(begun(Path(folder), WN, "first_fight"), journey, (120, 36))


if __name__ == "__main__":
    main()
