"""The GM's map: squares with their tokens, or a line of distances."""
