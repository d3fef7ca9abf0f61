"""`python -m tests.evenings.at_terminal GAME FOLDER`: an evening's fight in the terminal it is started in."""

import sys
from pathlib import Path

from tests.evenings.evening import table_of
from tracker.ui.app import TrackerApp


def main(game: str, folder: str) -> int:
    """Open the fight with the dice of its evening."""
    session = table_of(Path(folder), game)
    TrackerApp(session).run()
    session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
