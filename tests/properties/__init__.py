"""Properties that hold for every ruleset."""
