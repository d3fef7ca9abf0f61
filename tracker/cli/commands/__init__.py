"""The commands that need no screen, a module each.

Every one has `run(asked)`, which returns the exit status.
"""
