"""What a combatant of Sword World 2.0 is worth: every number with its parts."""
