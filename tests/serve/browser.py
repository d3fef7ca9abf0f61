"""A real browser: Debian's Chromium, driven by playwright."""

from __future__ import annotations

import shutil
from pathlib import Path

import playwright
import pytest

__all__ = ["CHROMIUM", "NEEDS_CHROMIUM", "OPTIONS", "warm"]

CHROMIUM = shutil.which("chromium")
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: no page can be opened")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--renderer-process-limit=1",
    "--in-process-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""A test may run as root, few processes cost least, and nothing but this computer is to be asked for anything."""


def warm() -> None:
    """Read the programs that show pages, so that they start from memory."""
    driver = Path(playwright.__file__).parent / "driver"
    for path in (driver / "node", *Path("/usr/lib/chromium").glob("*")):
        if path.is_file():
            with path.open("rb", buffering=0) as file:
                while file.read(2**20):
                    pass
