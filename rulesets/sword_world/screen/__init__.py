"""What the screen shows of Sword World 2.0."""
