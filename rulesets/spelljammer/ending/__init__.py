"""The edges of segments and rounds of the percentile game, and how it ends for a combatant."""
