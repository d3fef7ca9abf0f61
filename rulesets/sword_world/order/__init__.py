"""The order of a round of Sword World 2.0: set-up, initiative, schedule, and the edges of the clock."""
