"""Odds of one step."""
