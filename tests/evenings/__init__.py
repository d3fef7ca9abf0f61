"""Evenings: one bundled fight of each game, played to its end by keys, in terminals of two sizes.

The players' dice are typed, the GM's fall by themselves.

`<game>.keys` holds the keys, the same in both sizes, each line with how the Action pane began before them. The game
master of `gm.py` knows nothing but the screen. A change of what the screen asks changes the keys:
`python -m tests.evenings.update [GAME ...]` keeps them anew. Read the difference: more keys or prompts than before want
a reason.
"""
