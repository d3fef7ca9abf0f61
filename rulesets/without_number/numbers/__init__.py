"""Pure arithmetic both games share: attack rows, Shock, swarms and screens."""
