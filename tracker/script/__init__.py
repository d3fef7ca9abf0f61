"""Scripts: fights played without a screen, entry by entry.

`reader` makes `entries` of a file, `player` plays them on a `table`, `names` finds combatants, actions and answers,
`comparing` shows the state and compares it with what is expected.
"""
