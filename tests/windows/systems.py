"""What differs from system to system, for tests of what does not."""

from __future__ import annotations

import os
import pkgutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

__all__ = ["NEEDS_LINKS", "modules_below"]


def _links() -> bool:
    """Tell whether a link can be made, and told from the file it leads to.

    Windows lets only some users make links; wine makes them, and shows files in their stead.
    """
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "link")
        try:
            link.symlink_to(folder)
        except (OSError, NotImplementedError):
            return False
        return link.is_symlink()


NEEDS_LINKS = pytest.mark.skipif(not _links(), reason="links cannot be made here, or not be told from files")


def modules_below(package: ModuleType) -> Iterator[str]:
    """Yield the names of the modules of a package that this system can have."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if os.name == "posix" or module.name != "tracker.ui.platform.posix_driver":  # made for terminals of POSIX
            yield module.name
