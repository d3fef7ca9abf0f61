"""The GM's generic commands, one record each.

`table` gathers them: people, harm, effects, time and the desk.
"""
