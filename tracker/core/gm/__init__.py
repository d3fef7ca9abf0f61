"""The GM's generic commands, one record each; `commands.py` has the table of all."""
