"""The statuses of GitHack."""

from __future__ import annotations

from tracker.core.game.schema import Status

STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("incapacitated", "incapacitated", "z"),
    Status("dead", "dead", "†", takes_part=False),
    Status("slain", "slain", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False),
)
