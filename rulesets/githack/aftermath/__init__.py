"""How it ends for a combatant of GitHack: wounds, death, morale."""
