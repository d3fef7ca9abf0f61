"""The order of a round of Worlds Without Number: set-up, initiative, schedule, edges."""
