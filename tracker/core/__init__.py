"""The core: pure functions of plain data, which all games share.

Each folder imports only earlier ones: `terms` (dice, moments, actions, requests, effects), `fight` (state, events,
fold), `step` (what a step can do and ask), `game` (the record of a game), `visibility`, `clock`, `gm` (generic
commands), `engine`, and `run`, which performs a step. Authors of games import `tracker.kit` instead.
"""
