"""The edges of segments and rounds of the percentile game, and a combatant's end."""
