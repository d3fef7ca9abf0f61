"""pydoc can show every public module: its names, their signatures and what they say."""

from __future__ import annotations

import pkgutil
import pydoc
from importlib import import_module

import pytest

PACKAGES = ("tracker.core", "tracker.kit", "tracker.testing", "tracker.session", "tracker.views", "tracker.library")
MODULES = [
    name
    for package in PACKAGES
    for name in (
        package,
        *(found.name for found in pkgutil.walk_packages(import_module(package).__path__, f"{package}.")),
    )
]


@pytest.mark.parametrize("name", MODULES)
def test_pydoc_renders_a_module(name: str) -> None:
    """Its page has the module's own words and every name it lists as public."""
    module = import_module(name)

    page = pydoc.plain(pydoc.render_doc(module))

    assert (module.__doc__ or "").strip().splitlines()[0] in page
    assert [public for public in getattr(module, "__all__", ()) if public not in page] == []
