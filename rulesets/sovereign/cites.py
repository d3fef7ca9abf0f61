"""The rule ids of Sovereign behind what it shares with its sister game."""

from __future__ import annotations

from rulesets.without_number.cites import Cites

CITES = Cites(
    dying="SV-P07",
    surprised="SV-023",
    own_phase="SV-033",
    free_action="SV-R34",
    main_spent="SV-039",
    move_spent="SV-041",
    both_spent="SV-037",
    main=("SV-037", "SV-038", "SV-039", "SV-051"),
    move=("SV-037", "SV-040", "SV-041", "SV-051"),
    second_move=("SV-042",),
    both=("SV-037", "SV-071", "SV-051"),
    instant=("SV-045",),
    instant_out_of_turn=("SV-045", "SV-046", "SV-R04"),
    dies="SV-P07",
    screen_ends="SV-R10",
    hold_ends="SV-R15",
)
