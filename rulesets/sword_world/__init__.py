"""Combat of Sword World 2.0."""

from rulesets.sword_world.ruleset import RULESET

__all__ = ["RULESET"]
