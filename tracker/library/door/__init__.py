"""The one door to a ruleset: every call of one goes through it.

`alarm` ends calls that take too long, `answers` looks at what comes back, `guarded` puts a ruleset behind the door.
"""
