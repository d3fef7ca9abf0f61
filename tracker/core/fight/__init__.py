"""The state of a fight, the events that change it, and how they are folded into it."""
