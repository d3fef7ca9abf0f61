"""Stat blocks of the percentile game: their canonical form, and how what is typed or printed becomes it."""
