"""Modes in which something is done now: actions, forms, questions, command lines, the sheet of a side."""
