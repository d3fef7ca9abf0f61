"""The core: the vocabulary and machinery that every game shares.

Pure functions of plain data.

From the ground up: `terms` (dice, moments, actions, requests, effects), `fight` (state, events, fold), `step` (what a
step can do and ask), `game` (the record a game is), `clock`, `master` (the GM's generic commands), `engine`, and `run`,
which performs a step.

The author of a game imports `tracker.kit`, which has all of this that a game needs.
"""
