"""What the screen shows of Worlds Without Number."""
