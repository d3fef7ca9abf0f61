"""What the screen shows of both games: turns, badges, reminders and the end of a fight."""
