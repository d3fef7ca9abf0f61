"""The rulesets that are installed, found by entry point and imported when wanted."""
