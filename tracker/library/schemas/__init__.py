"""JSON Schemas of a game's files, for editors.

Of Structs (`structs`), and of whole files (`files`).
"""
