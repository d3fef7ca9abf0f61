"""The game master's generic commands, which every game has."""
