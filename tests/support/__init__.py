"""Small made-up rulesets, one per style of round, and the table at which the tests play them."""
