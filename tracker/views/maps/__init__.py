"""The map of the game master's screen: squares with their tokens, or a line of distances."""
