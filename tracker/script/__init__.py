"""Scripts: fights played without a screen, entry by entry."""
