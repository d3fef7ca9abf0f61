"""Files of other programs, made into stat blocks and encounters of a game.

`sources` takes them out of files, folders and archives, `leveldb` out of Foundry's databases, `detect` tells what
each is, `foundry`, `improved` and `obsidian` read one program's each, `convert` makes stat blocks and encounters.
"""
