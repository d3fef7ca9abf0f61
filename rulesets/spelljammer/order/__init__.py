"""The round of the percentile game: set-up, declarations, initiative, schedule."""
