"""The command line, which puts all parts together.

`main` parses it, `app` opens the app, `commands` need no screen; all use `helpers` and `loading`.
"""
