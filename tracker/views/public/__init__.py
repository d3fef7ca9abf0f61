"""What players may see of a fight.

`schema` says what, `build` makes it, `redaction` keeps back what the GM hides.
"""
