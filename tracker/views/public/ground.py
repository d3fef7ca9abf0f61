"""The map as players see it, without those who are hidden."""

from __future__ import annotations

import math
import re

from tracker.core.fight.board import Board
from tracker.core.fight.hiding import fog, stretches
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.views.public.shape import PublicBoard, PublicTile, PublicZone
from tracker.views.public.veil import Veil
from tracker.views.words.text import clean

__all__ = ["board_of"]

_BEHIND = re.compile(r"[(:,]")
"""What stands behind one of these in a zone's title may name those who are in it."""


def board_of(ruleset: Ruleset, veil: Veil, was: State | None, before: PublicBoard | None) -> PublicBoard | None:
    """Return the ground of a fight.

    None where there is none or it is not shown.

    `before` is what it was in an earlier state, and is the same object again where nothing has changed.
    """
    state, kind = veil.state, ruleset.schema.board
    if kind == "none" or not veil.allows("map"):
        return None
    if (
        was is not None
        and before is not None
        and kind == "square"
        and (state.setup, state.facts, state.effects) == (was.setup, was.facts, was.effects)
    ):
        return before
    board = ruleset.map.board(state)
    if board is None:
        return None
    made = _drawn(board, veil)
    return before if made == before else made


def _drawn(board: Board, veil: Veil) -> PublicBoard | None:
    covered = fog(veil.state) if board.kind == "square" else frozenset()
    tiles = [
        PublicTile(cell.x, cell.y, clean(cell.glyph), clean(cell.word), cell.style, cell.height, clean(cell.fill))
        for cell in board.cells
        if (cell.x, cell.y) not in covered
    ]
    zones = [
        PublicZone(
            veil.text(_BEHIND.split(zone.title)[0].rstrip()),
            tuple([veil.id(who) for who in zone.members if veil.sees(who)]),
            zone.middle,
            zone.radius,
        )
        for zone in board.zones
        if not zone.members or any(veil.sees(who) for who in zone.members)
    ]
    width = board.width
    if board.kind == "line":  # how long it is says where the farthest combatant stands
        places = [one.position[0] for one in veil.state.combatants if one.position and veil.sees(one.id)]
        if not places and not zones:
            return None
        width = math.ceil(max(places, default=0)) + 1
    return PublicBoard(
        board.kind, width, board.height, clean(board.unit), tuple(tiles), tuple(zones), stretches(covered)
    )
