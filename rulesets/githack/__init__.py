"""GitHack: the players roll everything, harm is a track of boxes."""

from rulesets.githack.ruleset import RULESET

__all__ = ["RULESET"]
