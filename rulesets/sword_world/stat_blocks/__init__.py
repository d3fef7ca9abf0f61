"""Stat blocks of Sword World 2.0: their canonical form, and how typing becomes it."""
