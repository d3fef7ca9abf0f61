"""How it ends for a combatant of Sword World 2.0: wounds, death, morale."""
