"""The vocabulary of a fight and the machinery every ruleset shares: pure, without input, output, clock or chance."""
