"""Lines that are typed: GM commands, effects, and the command line."""
