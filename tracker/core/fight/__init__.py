"""The state of a fight, its events, and how they are folded."""
