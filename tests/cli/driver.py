"""`python -m tests.cli.driver ...`: the program with the made-up game installed."""

import sys

from tests.cli.skirmish import SKIRMISH
from tracker.cli.main import main
from tracker.core.game.ruleset import Ruleset
from tracker.session.rulesets import registry

REAL_FIND, REAL_RULESETS = registry.find, registry.rulesets


def find(key: str) -> Ruleset:
    return SKIRMISH if key == SKIRMISH.key else REAL_FIND(key)


def rulesets() -> tuple[str, ...]:
    return (*REAL_RULESETS(), SKIRMISH.key)


if __name__ == "__main__":
    registry.find, registry.rulesets = find, rulesets
    sys.exit(main())
