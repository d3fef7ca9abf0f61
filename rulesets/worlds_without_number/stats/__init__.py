"""What a combatant of Worlds Without Number is worth: every number with its parts."""
