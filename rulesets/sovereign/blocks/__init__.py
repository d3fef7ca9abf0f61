"""Stat blocks of Sovereign: their canonical form, and how what is typed or printed becomes it."""
