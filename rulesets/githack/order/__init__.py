"""The order of a round of GitHack: set-up, initiative, schedule, and the edges of the clock."""
