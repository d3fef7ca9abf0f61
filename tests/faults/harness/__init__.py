"""What the fault tests work with: their games, what kills a program, and the monkeys."""
