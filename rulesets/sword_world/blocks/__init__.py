"""Stat blocks of Sword World 2.0: their canonical form, and how what is typed or printed becomes it."""
