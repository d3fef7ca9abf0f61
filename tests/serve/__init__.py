"""The players' page: its guard, its addresses, and the page itself in a browser."""
