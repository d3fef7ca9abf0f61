"""What `pyproject.toml` cannot say: the samples and the documents lie in the package of the program.

They stay where they are in the repository; every built wheel has them, wherever it is installed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
DATA = (
    ("encounters", "*/*.yaml"),
    ("encounters", "*/*.json"),
    ("docs", "*.md"),
    ("docs", "games/*.md"),
)
"""Folders of the repository, and what of them is installed below `tracker/data`."""


class BuildWithData(build_py):
    """The build of the packages, with their data beside them."""

    def run(self) -> None:
        """Build the packages, and copy the data to them."""
        super().run()
        if self.editable_mode:  # the repository itself is there then
            return
        for folder, pattern in DATA:
            for source in sorted((ROOT / folder).glob(pattern)):
                target = Path(self.build_lib, "tracker", "data", source.relative_to(ROOT))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)


setup(cmdclass={"build_py": BuildWithData})
