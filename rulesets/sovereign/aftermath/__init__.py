"""How it ends for a combatant of Sovereign: wounds, death, morale."""
