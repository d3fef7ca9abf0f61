"""Combat of Worlds Without Number."""
