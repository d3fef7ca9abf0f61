"""`python -m tests.evenings.update [GAME ...]`: play evenings anew and keep their keys."""

import sys
import tempfile
from itertools import product
from pathlib import Path

from tests.evenings.evening import EVENINGS, SIZES, USUAL, kept_at, played, text_of


def main(games: list[str]) -> int:
    """Play the evenings named, or all, and write their keys at the usual size; at the others they must be the same."""
    for game, size in product(games or EVENINGS, SIZES):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            evening = played(Path(folder), game, size, judge=True)
        text = text_of(game, evening)
        if size == USUAL:
            kept_at(game).write_text(text, encoding="utf-8")
        same = "" if text == kept_at(game).read_text(encoding="utf-8") else ", other keys than at the usual size"
        sys.stdout.write(f"{game} at {size}: {text.splitlines()[0]}{same}\n")
        for prompt in evening.idle:
            sys.stdout.write(f"  could not matter: {prompt}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
