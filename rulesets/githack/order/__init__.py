"""The round of GitHack: set-up, initiative, schedule, edges of the clock."""
