"""JSON Schemas of a game's files for editors, and commented files to begin with."""
