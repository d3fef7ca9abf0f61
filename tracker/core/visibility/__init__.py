"""What players see of a fight: hidden and revealed combatants, their names, fog on the map."""
