"""The sample encounters and documents of the program, and copies of the encounters."""

from __future__ import annotations

import shutil
from pathlib import Path

from msgspec import Struct

import tracker

FILES = (".yaml", ".json")
"""The samples, and the schemas their first lines name."""
_PACKAGE = Path(tracker.__file__).parent


class CopyResult(Struct, frozen=True):
    """The files that were written, and the existing ones that were kept."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]


def samples() -> Path | None:
    """Return the folder of the samples, which has one folder for each game; None: there are none."""
    return _data("encounters")


def documents() -> dict[str, Path]:
    """Return the documents by name, those of the games too: `start`, `writing-a-ruleset`, `githack`."""
    folder = _data("docs")
    paths = [] if folder is None else [*sorted(folder.glob("*.md")), *sorted(folder.glob("games/*.md"))]
    return {path.stem: path for path in paths if path.stem != "README"}


def _data(name: str) -> Path | None:
    """Return a folder that is installed with the program, or is in the program's own repository."""
    repository = _PACKAGE.parent
    places = [_PACKAGE / "data" / name]
    if (repository / "pyproject.toml").is_file() and (repository / "rulesets").is_dir():
        places.append(repository / name)
    return next((folder for folder in places if folder.is_dir()), None)


def games() -> tuple[str, ...]:
    folder = samples()
    return () if folder is None else tuple(sorted(part.name for part in folder.iterdir() if part.is_dir()))


def copy_samples(target: Path, game: str = "") -> CopyResult:
    """Copy the samples of a game, or of all, into folders of their own; existing files stay; raises OSError."""
    folder = samples()
    written: list[Path] = []
    kept: list[Path] = []
    for key in (game,) if game else games():
        for source in sorted(() if folder is None else folder.glob(f"{key}/*.*")):
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
