"""What a fight was: its deeds, its numbers, and the story of it."""
