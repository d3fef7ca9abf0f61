"""A map of squares: distances and areas, paths, and lines of sight."""
