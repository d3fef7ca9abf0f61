"""The order of a round: initiative, slots, and what is due at the edges of the clock."""
