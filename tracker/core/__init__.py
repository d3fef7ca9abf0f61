"""The vocabulary of a fight and the machinery every ruleset shares."""
