"""A real browser: Debian's Chromium, driven by playwright."""

from __future__ import annotations

import shutil

import pytest

__all__ = ["CHROMIUM", "NEEDS_CHROMIUM", "OPTIONS"]

CHROMIUM = shutil.which("chromium")
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: no page can be opened")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""A test may run as root, and nothing but this computer is to be asked for anything."""
