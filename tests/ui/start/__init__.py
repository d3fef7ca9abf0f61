"""The start screen: its lists, files that are mended, fights opened and carried on."""
