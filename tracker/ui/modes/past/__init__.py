"""What was done before: correcting it, and the ways the fight has gone."""
