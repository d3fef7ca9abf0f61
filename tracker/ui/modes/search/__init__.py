"""Modes that search: a combatant, a line, a rule, a reminder, a command by its name; and small dialogs."""
