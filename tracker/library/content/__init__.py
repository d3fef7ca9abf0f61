"""Stat blocks and encounters: found on the shelves, read, and made ready to be opened."""
