"""The vocabulary of a fight: dice, moments, values, actions, requests, rules, effects, encounters."""
