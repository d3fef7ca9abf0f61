"""The sample encounters of the program, and copies of them."""

from __future__ import annotations

import shutil
import site
import sys
from pathlib import Path

from msgspec import Struct

FILES = (".yaml", ".json")
"""The samples, and the schemas their first lines name."""
_SHARE = Path("share", "encounter-tracker", "encounters")
"""Where they are installed, below Python's own folder or the user's."""


class CopyResult(Struct, frozen=True):
    """The files that a copy has written, and those that were there and are left alone."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]


def samples() -> Path | None:
    """Return the folder of the samples, which has one folder for each game; None: there are none."""
    beside = Path(__file__).parents[3] / "encounters"  # in the program's own repository
    installed = (Path(place) / _SHARE for place in (sys.prefix, site.getuserbase()))
    return next((folder for folder in (beside, *installed) if folder.is_dir()), None)


def games() -> tuple[str, ...]:
    folder = samples()
    return () if folder is None else tuple(sorted(part.name for part in folder.iterdir() if part.is_dir()))


def copy_samples(target: Path, game: str = "") -> CopyResult:
    """Copy the samples of a game, or of all, into folders of their own; existing files stay; raises OSError."""
    folder = samples()
    written: list[Path] = []
    kept: list[Path] = []
    for key in (game,) if game else games():
        for source in sorted((folder or _SHARE).glob(f"{key}/*.*")):
            if source.suffix not in FILES:
                continue
            place = target / key / source.name
            if place.exists():
                kept.append(place)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)
            written.append(place)
    return CopyResult(tuple(written), tuple(kept))
