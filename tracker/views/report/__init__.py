"""What a fight was: its actions, its numbers, and the story of it."""
