"""Long sittings, whole tables of players, and the figures of long runs."""
