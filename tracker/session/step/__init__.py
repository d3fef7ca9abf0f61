"""What an intent makes of a fight: planned, tried and corrected, before anything is written."""
