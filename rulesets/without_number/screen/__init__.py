"""What the screen shows of both games: turns, badges and reminders."""
