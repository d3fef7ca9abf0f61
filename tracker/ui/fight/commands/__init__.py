"""The functions of the actions in the table of commands."""
