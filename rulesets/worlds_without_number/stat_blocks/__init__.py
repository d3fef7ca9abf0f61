"""Stat blocks of Worlds Without Number: their canonical form, and the ways into it."""
