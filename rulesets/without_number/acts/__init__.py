"""What combatants and the GM do in both games: attacks, swarms, held turns, items, statuses."""
