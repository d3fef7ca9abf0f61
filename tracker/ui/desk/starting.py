"""The start of the app: no garbage is collected until the first picture stands.

Importing and mounting make a hundred thousand objects that all stay, so looking among them for garbage takes a sixth of
the start for nothing.
"""

from __future__ import annotations

import gc

__all__ = ["begin", "settle", "sweep"]

YOUNG, WORTHWHILE = 60_000, 2_000
"""New objects after which garbage is looked for in the midst of keys, and in a pause."""


def begin() -> None:
    """Collect no garbage for now.

    It is called before anything big is imported.
    """
    gc.disable()


def settle() -> None:
    """Collect garbage again, but leave alone what is there by now.

    Without `begin` before, nothing changes.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(YOUNG)
        gc.enable()


def sweep() -> None:
    """Collect what has gathered, in a pause.

    At the usual pace every key would wait for it.
    """
    if gc.isenabled() and gc.get_count()[0] > WORTHWHILE:
        gc.collect(1)
