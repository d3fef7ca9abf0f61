"""Bestiaries, parties and encounters, read from YAML with line numbers.

`yaml` reads files, `checking` makes typed values of them, `shelves` finds stat blocks and builds encounters; `guard` is
the one way to a ruleset, `slips`
tells of slips of rulesets.
"""
