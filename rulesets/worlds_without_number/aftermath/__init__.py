"""How it ends for a combatant of Worlds Without Number: wounds, death, morale."""
