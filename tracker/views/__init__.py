"""Pure functions from the model to rows of text.

`panes` holds the rows of each pane, `story` the log, `time` the calendar, `words` what all of them say.
"""
