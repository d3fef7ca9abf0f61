"""What players may see of a fight.

`shape` says what, `making` makes it, `veil` keeps back what the GM hides.
"""
