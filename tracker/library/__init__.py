"""Bestiaries, parties and encounters, read from YAML with line numbers."""
