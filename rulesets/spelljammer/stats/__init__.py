"""What a combatant of the percentile game is worth: every number with its parts."""
