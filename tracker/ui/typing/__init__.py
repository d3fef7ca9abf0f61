"""Typed text (tokens, the parsers of actions and GM commands, typed answers) and the base classes of the modes."""
