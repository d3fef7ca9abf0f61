"""The rule ids of Worlds Without Number behind what it shares with its sister game."""

from __future__ import annotations

from rulesets.without_number.cites import Cites

CITES = Cites(
    dying="WN-C11",
    surprised="WN-019",
    own_phase="WN-006",
    free_action="WN-034",
    main_spent="WN-030",
    move_spent="WN-032",
    both_spent="WN-032",
    main=("WN-028", "WN-029", "WN-030"),
    move=("WN-028", "WN-032"),
    second_move=("WN-033",),
    both=("WN-028", "WN-060"),
    instant=("WN-036", "WN-039"),
    instant_out_of_turn=("WN-036", "WN-039", "WN-037"),
    dies="WN-C12",
    screen_ends="WN-R26",
    hold_ends="WN-R25",
)
