"""What becomes of combatants: wounds and their odds."""
