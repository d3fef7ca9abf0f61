"""`python -m tests.docs.update [GAME ...]`: write the tables of the games' pages anew.

What the keys mean comes from the Structs of the games and of files; see `tests/docs/reference.py`.
"""

from __future__ import annotations

import sys

from tests.docs.reference import DOCS, page_of, updated, updated_general
from tracker.session.rulesets import registry


def main(names: list[str]) -> int:
    """Write the pages of these games, or of all, and that on files in general."""
    general = DOCS / "yaml.md"
    general.write_text(updated_general(general.read_text(encoding="utf-8")), encoding="utf-8")
    for key in registry.rulesets():
        game = registry.find(key)
        path = None if game is None else page_of(game)
        if game is None or path is None or not path.exists() or (names and key not in names):
            continue
        before = path.read_text(encoding="utf-8")
        after = updated(before, game)
        path.write_text(after, encoding="utf-8")
        sys.stdout.write(f"{path.name}: {'changed' if after != before else 'the same'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
