"""What a combatant of GitHack is worth: every number with its parts."""
