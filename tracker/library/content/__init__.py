"""Stat blocks and encounters: found in folders, read, and made ready to be opened."""
