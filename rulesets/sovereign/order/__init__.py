"""The order of a round of Sovereign: set-up, initiative, schedule, and the edges of the clock."""
