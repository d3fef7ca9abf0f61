"""Our own themes."""

from __future__ import annotations

from textual.theme import Theme

__all__ = ["THEMES"]

THEMES: tuple[Theme, ...] = (
    Theme(
        name="tracker-dark",
        primary="#7fb4ff",
        secondary="#9aa8c0",
        accent="#f2b75c",
        warning="#f2b75c",
        error="#ff928a",
        success="#7bd88f",
        foreground="#d8dee9",
        background="#12161d",
        surface="#171c25",
        panel="#232b38",
        dark=True,
        variables={
            "side-players": "#7fb4ff",
            "side-ally": "#7fd6c2",
            "side-gm": "#ff9e7a",
            "line-current": "#222b3a",
            "line-cursor": "#2b3850",
            "rule-id": "#9aa8c0",
            "typed-dice": "#f2b75c",
            "frame": "#3a4557",
            "frame-focus": "#f2b75c",
            "faint": "#a3adbf",
        },
    ),
    Theme(
        name="tracker-light",
        primary="#1a50a3",
        secondary="#525b69",
        accent="#804600",
        warning="#7a5200",
        error="#a3211a",
        success="#116329",
        foreground="#1d232c",
        background="#f7f7f4",
        surface="#ffffff",
        panel="#e6e9ee",
        dark=False,
        variables={
            "side-players": "#1a50a3",
            "side-ally": "#00665c",
            "side-gm": "#93370d",
            "line-current": "#e6ebf3",
            "line-cursor": "#d0ddf2",
            "rule-id": "#525b69",
            "typed-dice": "#804600",
            "frame": "#b6bdc8",
            "frame-focus": "#804600",
            "faint": "#525b69",
        },
    ),
    Theme(
        name="tracker-contrast",
        primary="#8fd3ff",
        secondary="#dcdcdc",
        accent="#ffff00",
        warning="#ffe100",
        error="#ffb0b0",
        success="#6dff6d",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        dark=True,
        variables={
            "side-players": "#8fd3ff",
            "side-ally": "#8dffdf",
            "side-gm": "#ffc48a",
            "line-current": "#1c1c1c",
            "line-cursor": "#00307a",
            "rule-id": "#dcdcdc",
            "typed-dice": "#ffff00",
            "frame": "#dcdcdc",
            "frame-focus": "#ffff00",
            "faint": "#cfcfcf",
        },
    ),
)
"""The themes, the default one first."""
