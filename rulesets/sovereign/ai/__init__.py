"""How the program plays combatants of this game where no person chooses: for forecasts and planned turns."""
