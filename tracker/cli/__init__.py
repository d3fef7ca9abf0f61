"""The command line, where all parts are put together.

`main` reads it, `commands` need no screen, `app` and `repertoire` open the screen; the rest is shared by them.
"""
