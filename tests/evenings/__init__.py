"""Evenings: one bundled fight of each game, played to its end by keys.

The players' dice are typed, the GM's fall by themselves.

`<game>.keys` holds the keys, each line with what the Action pane showed before them. A change of what the screen asks
changes them: `python -m tests.evenings.update [GAME ...]` has the game master of `gm.py` play anew, who knows nothing
but the screen. Read the difference: more keys or prompts than before want a reason.
"""
