"""Branches: the ways a fight has gone, their names, and why each was left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from tracker.session.model import BranchTip, StepRecord
from tracker.session.tree.history import History

__all__ = ["branch_tips", "left_at", "present_tip"]


class _Back(Struct, frozen=True):
    """As much of a stored position as says which step it is at."""

    head: int | None = None


def branch_tips(history: History, head: int | None, names: Mapping[int, str]) -> tuple[BranchTip, ...]:
    """Return the ends of all branches but that of `head`, the newest first."""
    amended = {left_at(record) for record in history.records.values() if record.back is not None}
    present = {record.seq for record in history.path(head)}
    tips = []
    for seq in history.ends(head):
        name, fork = "", seq
        at: int | None = seq
        while at is not None and at not in present:
            name, fork, at = name or names.get(at, ""), at, history.records[at].parent
        steps = history.depth(seq) - history.depth(fork) + 1
        why: Literal["amended", "undone"] = "amended" if seq in amended else "undone"
        tips.append(BranchTip(seq, history.records[seq].at, steps, fork=at, name=name, why=why))
    return tuple(tips)


def present_tip(history: History, head: int | None, names: Mapping[int, str]) -> BranchTip | None:
    """Return where the fight stands, as a branch of its own.

    None before its first step.
    """
    if head is None:
        return None
    path = history.path(head)
    name = next((names[record.seq] for record in reversed(path) if record.seq in names), "") if names else ""
    return BranchTip(head, path[-1].at, len(path), fork=None, name=name, why="present")


def left_at(record: StepRecord) -> int | None:
    """Return the end of the way that the amendment ending here has left."""
    try:
        return msgspec.json.decode(record.back or b"{}", type=_Back).head
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None  # a damaged one: then nobody knows why that branch was left
