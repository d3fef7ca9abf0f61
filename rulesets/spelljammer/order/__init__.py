"""The order of a round of the percentile game: set-up, initiative, schedule, and the edges of the clock."""
