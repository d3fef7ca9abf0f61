"""Stat blocks of Worlds Without Number: their canonical form, and how what is typed or printed becomes it."""
