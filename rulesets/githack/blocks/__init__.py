"""Stat blocks of GitHack: their canonical form, and how what is typed or printed becomes it."""
