"""The commands that need no screen, a module each; every one has `run(asked)`, which returns the exit status."""
