"""Scripts: fights played without a screen, entry by entry.

`reader` parses a file to `entries`, `player` plays them on a `table`, `names` finds combatants, actions and answers,
`expectations` compares the state with the expected one.
"""
