"""What players see of a fight: hidden and revealed combatants, the names players read, fog on the map."""
