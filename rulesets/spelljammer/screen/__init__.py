"""What the screen shows of the percentile game."""
