"""Pure functions from the model to rows of text.

`panes` makes the rows of each pane, `maps` those of the map, `story` the log, `tale` the report, `public` the players'
view, `time` the calendar; `words` has the words of all of them.
"""
