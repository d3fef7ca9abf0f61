"""Sovereign: a fantasy dungeon game fought side by side on a grid of squares."""

from rulesets.sovereign.ruleset import RULESET

__all__ = ["RULESET"]
