"""The order of a round of Worlds Without Number: set-up, initiative, schedule, and the edges of the clock."""
