"""The steps of a fight as a tree: its history, its ways and its branches."""
