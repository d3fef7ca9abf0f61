"""The players' page.

A web server of its own process that shows the players' view, and takes their dice.
"""
