"""Modes about what has happened: corrections, branches, the end of the fight."""
