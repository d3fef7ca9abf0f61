"""Bestiaries, parties and encounters, read from YAML with line numbers.

`yaml` reads files, `validation` makes typed values of them, `content` finds stat blocks and builds encounters,
`schemas` describes files to editors, `importers` reads those of other programs. `guard` is the one way to a ruleset,
`ruleset_errors` describes its errors.
"""
