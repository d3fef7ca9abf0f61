"""Combat of Worlds Without Number."""

from rulesets.worlds_without_number.ruleset import RULESET

__all__ = ["RULESET"]
