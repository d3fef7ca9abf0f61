"""Looking for something: a combatant, a line, a rule, a reminder, anything by its name."""
