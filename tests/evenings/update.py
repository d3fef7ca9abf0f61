"""`python -m tests.evenings.update [GAME ...]`: play evenings anew and keep their keys."""

import sys
import tempfile
from pathlib import Path

from tests.evenings.evening import EVENINGS, FOLDER, played, text_of


def main(games: list[str]) -> int:
    """Play the evenings named, or all, and write their keys."""
    for game in games or EVENINGS:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            evening = played(Path(folder), game, judge=True)
        text = text_of(game, evening)
        (FOLDER / f"{game}.keys").write_text(text, encoding="utf-8")
        sys.stdout.write(f"{game}: {text.splitlines()[0]}\n")
        for prompt in evening.idle:
            sys.stdout.write(f"  could not matter: {prompt}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
