"""The order of a round of Sovereign: set-up, initiative, schedule, edges."""
