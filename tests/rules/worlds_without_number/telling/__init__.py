"""What the log tells of Worlds Without Number."""
