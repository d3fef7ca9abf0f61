"""A map of squares: distances and areas, ways over them, and lines of sight."""
