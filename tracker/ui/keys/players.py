"""The commands of the players' screen."""

from __future__ import annotations

from tracker.ui.keys.command import Command, Line, under

__all__ = ["PLAYERS"]

PLAYERS: tuple[Command, ...] = under(
    "The players' screen",
    Command(
        "hide",
        "h",
        "hide",
        "hide from the players: labels, the name of an effect on them, or a wave",
        line=Line("Hide from the players", "conceal", "labels; an effect: g prone; a wave", 11),
    ),
    Command(
        "reveal",
        "H",
        "reveal",
        "show the players what was hidden: labels, an effect or a wave",
        line=Line("Show to the players", "reveal", "labels; an effect: g prone; a wave", 12),
    ),
    Command(
        "name",
        "N",
        "name",
        "what players call a combatant: g Tall stranger; without words its own name",
        line=Line("Name for the players", "call", "label and words: g Tall stranger; without words its own name", 13),
    ),
    Command("view", "p", "players' view", "see what the players see", action="players_view"),
    Command(
        "serve",
        "S",
        "serve",
        "serve the players' page to phones: its address, and who has which character",
        action="serve",
    ),
    Command(
        "hold",
        "P",
        "hold screen",
        "hold the players' screen as it is; again: let it go on",
        action="hold_screen",
    ),
)
