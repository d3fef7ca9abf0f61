"""Importers: converts files of other programs to stat blocks and encounters of a game.

`sources` reads files, folders and archives, `leveldb` Foundry's databases, `detect` finds the program of a file,
`foundry`, `improved` and `obsidian` read that program's, `convert` makes stat blocks and encounters.
"""
