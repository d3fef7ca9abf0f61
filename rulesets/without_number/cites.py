"""The rules behind what both games do alike, by each game's ids."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Rules: TypeAlias = tuple[str, ...]


class Cites(Struct, frozen=True, kw_only=True):
    """A game's rule ids.

    Those of one action stand together in the order in which the log cites them.
    """

    # A turn: who cannot act, what is out of time, what is spent.
    dying: str
    surprised: str
    own_phase: str
    free_action: str
    main_spent: str
    move_spent: str
    both_spent: str
    # Paying for it: the Main, the Move (also with the Main), both, and Instants in one's own phase and outside it.
    main: Rules
    move: Rules
    second_move: Rules
    both: Rules
    instant: Rules
    instant_out_of_turn: Rules
    # Dying, and what ends with it.
    dies: str
    screen_ends: str
    hold_ends: str
