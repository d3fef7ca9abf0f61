"""What a combatant of Sovereign is worth: every number with its parts."""
