"""The order of a round: initiative, slots, and the edges of the clock."""
