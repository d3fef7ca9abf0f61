"""Lines that are typed: the commands of the GM, effects, and the one line for everything."""
