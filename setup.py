"""What pyproject.toml cannot say: the sample encounters go into the installed program."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithSamples(build_py):
    """Copies `encounters/` beside the modules of `tracker`.

    An editable installation needs no copy: there they lie beside the package.
    """

    def run(self) -> None:
        """Build, then copy."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "tracker" / "encounters"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree("encounters", target)


setup(cmdclass={"build_py": WithSamples})
