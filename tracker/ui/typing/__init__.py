"""Typed text and the base of the modes: tokens, the parser of actions, GM commands, typed answers."""
