"""Odds of one step and simulation of the whole fight."""
