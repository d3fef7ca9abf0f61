"""The commands without a screen; each module has `run(asked)`, which returns the exit status."""
