"""Bestiaries, parties and encounters, read from YAML with line numbers.

`yaml` reads files, `checking` makes typed values of them, `shelves` finds stat blocks and builds encounters; `slips`
tells of slips of rulesets.
"""
