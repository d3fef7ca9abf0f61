"""Encounter tracker: a terminal program with which a game master runs a fight."""
