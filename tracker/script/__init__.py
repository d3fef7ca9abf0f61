"""Scripts: fights played without a screen, entry by entry.

`reader` makes `entries` of a file, `player` plays them on a `table`, `document` shows the state, `comparing`
compares what is expected.
"""
