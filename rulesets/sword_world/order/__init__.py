"""The round of Sword World 2.0: set-up, initiative, schedule, edges of the clock."""
