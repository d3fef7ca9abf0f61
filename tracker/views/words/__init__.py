"""Values, names, moments and sums in words, and rows of styled text."""
