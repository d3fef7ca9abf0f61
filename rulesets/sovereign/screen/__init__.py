"""What the screen shows of Sovereign."""
