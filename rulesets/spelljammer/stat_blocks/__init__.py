"""Stat blocks of the percentile game: their canonical form, and how typing becomes it."""
