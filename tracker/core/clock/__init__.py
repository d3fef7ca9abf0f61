"""The clock: the schedule of slots, the edges it crosses, and who joins on the way."""
