"""The end of a fight: its numbers, its story, its page."""
