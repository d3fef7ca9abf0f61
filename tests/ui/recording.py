"""The recording of a fight that the README shows; `make pictures` makes it.

One picture that moves by itself: each frame is the screen as the program draws it, shown for as long as one reads it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.ui.drive import Table, drive
from tests.ui.games import WN, begun
from tracker.ui.widgets.themes import THEMES

SIZE = (100, 28)
STEPS = (
    ("", 3.0),
    ("⏎5⏎3⏎", 2.5),  # no surprise, initiative
    ("a", 2.5),
    ("h⏎", 2.0),
    ("15⏎", 2.0),
    ("4⏎⎋", 3.0),
    ("eprone r", 2.5),
    ("⏎", 2.0),
    ("-4u", 2.5),
    ("⏎", 2.5),
    ("nn", 3.0),
    ("A", 4.0),
    ("⏎", 3.0),
)
"""Keys, and the seconds their picture stays."""
_OPEN = re.compile(r"<svg [^>]*>")


def record(file: Path) -> None:
    """Play, and write the recording."""
    frames: list[str] = []

    async def journey(table: Table) -> None:
        table.app.theme = THEMES[0].name
        await table.pilot.pause()
        for keys, _ in STEPS:
            await table.type(keys)
            frames.append(table.app.export_screenshot(title="tracker"))
        assert "4 Question" in table.text(), "the keys lead elsewhere now"

    with tempfile.TemporaryDirectory() as folder:
        drive(begun(Path(folder), WN, "first_fight"), journey, SIZE)
    file.write_text(moving(frames, [seconds for _, seconds in STEPS]), encoding="utf-8")


def moving(frames: list[str], seconds: list[float]) -> str:
    """Return pictures of one size as one that shows them in turn."""
    total, begun = sum(seconds), 0.0
    head = _OPEN.search(frames[0])
    assert head is not None
    styles, bodies = [], []
    for number, (frame, lasts) in enumerate(zip(frames, seconds, strict=True)):
        plain = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->|\s*</?svg[^>]*>", "", frame, flags=re.DOTALL)
        plain = re.sub(r"terminal-\d+", f"f{number}", plain)
        first, last = 100 * begun / total, 100 * (begun + lasts) / total
        before = f"0% {{ visibility: hidden }} {first:.2f}% {{ visibility: visible }} " if number else ""
        turn = f"{before or '0% { visibility: visible } '}{last:.2f}%, 100% {{ visibility: hidden }}"
        shown = f"#s{number} {{ animation: t{number} {total:g}s step-end infinite }}"
        styles.append(f"@keyframes t{number} {{ {turn} }} {shown}")
        hidden = ' visibility="hidden"' if number else ""
        bodies.append(f'<g id="s{number}"{hidden}>{plain}</g>')
        begun += lasts
    return "\n".join((head[0], f"<style>{' '.join(styles)}</style>", *bodies, "</svg>", ""))
