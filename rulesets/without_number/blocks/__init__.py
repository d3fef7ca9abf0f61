"""Stat blocks: the parts both games have, and the readers of what a GM types."""
