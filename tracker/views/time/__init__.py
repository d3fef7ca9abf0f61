"""The calendar: which edges lie ahead, and what waits for them."""
