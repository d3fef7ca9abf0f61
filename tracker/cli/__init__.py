"""The command line, where all parts are put together.

`main` reads it, `app` opens the screen, `commands` need none; `helpers` and `loading` are shared by them.
"""
