"""The combatants pane: its columns, its rows, and what of it is folded."""
