"""Programs that are killed, and power that is cut, at any moment."""
