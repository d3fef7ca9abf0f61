"""What `pyproject.toml` cannot say of a build: the samples and documents in the program's package, and a whole archive.

Samples and documents stay where they are in the repository; every built wheel has them, wherever it is installed. The
source archive is the whole repository: it runs the tests and builds the wheel.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parents[2]
DATA = (
    ("encounters", "*/*.yaml"),
    ("encounters", "*/*.json"),
    ("docs", "*.md"),
    ("docs", "games/*.md"),
)
"""Folders of the repository, and what of them is installed below `tracker/data`."""
ARCHIVED = (
    *(f"graft {folder}" for folder in ("tracker", "rulesets", "encounters", "docs", "tests", ".ci", ".github")),
    "include *.md Makefile LICENSE NOTICE pyproject.toml",
    "global-exclude *.py[co]",
    "prune **/__pycache__",
    "prune **/*.egg-info",
)
"""What the source archive holds, in the words of its template."""


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


class WholeArchive(sdist):
    """The source archive, with the whole repository."""

    def make_distribution(self) -> None:
        """Add every folder to the files that are known."""
        for line in ARCHIVED:
            self.filelist.process_template_line(line)
        self.filelist.sort()
        self.filelist.remove_duplicates()
        super().make_distribution()
