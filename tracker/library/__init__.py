"""Bestiaries, parties and encounters, read from YAML with line numbers.

`yaml` reads files, `checking` makes typed values of them, `shelves` finds stat blocks and builds encounters, `schemas`
describes files to editors, `foreign` reads those of other programs. `guard` is the one way to a ruleset, `slips` tells
of its errors.
"""
