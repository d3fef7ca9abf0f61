"""The percentile game of the Spelljammer campaign: declarations, segments, one initiative a blow."""

from rulesets.spelljammer.ruleset import RULESET

__all__ = ["RULESET"]
