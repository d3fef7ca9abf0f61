"""What combatants and the GM do in both games: turns and their price, attacks, swarms, screens, holds and items."""
