"""Small made-up rulesets, one per style of round, and what makes the app quick."""
