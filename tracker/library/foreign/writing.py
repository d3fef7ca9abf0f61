"""Encounters of other programs as files of this one."""

from __future__ import annotations

import yaml

from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Imported
from tracker.library.foreign.adopting import adopted
from tracker.library.foreign.findings import Group, Meeting
from tracker.library.yaml.problems import visible

__all__ = ["encounter"]

SIDES = (("players", "Party", "players"), ("friends", "Friends", "gm"), ("foes", "Foes", "gm"))


def encounter(ruleset: Ruleset, meeting: Meeting, system: str = "") -> tuple[str, tuple[str, ...]]:
    """Return an encounter's file, and what is lost of it."""
    lost, held = list(meeting.lost), list[str]()
    sides = []
    for key, name, control in SIDES:
        members = [_member(ruleset, group, system, lost, held) for group in meeting.groups if group.side == key]
        if members:
            sides.append({"name": name, "control": control, "members": members})
    if not sides:
        sides.append({"name": "Foes", "control": "gm", "members": []})
    notes = [*meeting.notes, *(f"not read: {part}" for part in lost)]
    lost += held
    whole = {"ruleset": ruleset.key, "title": meeting.name, "sides": sides}
    dumped = yaml.safe_dump(
        {**whole, **({"notes": "\n".join(notes)} if notes else {})},
        sort_keys=False,
        allow_unicode=True,
        width=100_000,
        default_flow_style=None,
    )
    lines = [f"# not read: {visible(part)}" for part in lost]
    if not any(group.side == "players" for group in meeting.groups):
        lines.append("# the party is yet to come: - {name: Party, control: players, members: party.yaml}")
    return "\n".join([*lines, dumped.rstrip("\n")]) + "\n", tuple(lost)


def _member(ruleset: Ruleset, group: Group, system: str, lost: list[str], held: list[str]) -> dict[str, object]:
    """Return a stat block in place, or a reference where only a name is said.

    What is lost of it goes to a list: a block holds it itself.
    """
    creature = group.creature
    called = group.name or creature.name
    made: Imported = adopted(ruleset, creature, system)
    member: dict[str, object]
    if creature.blows or creature.hd:
        held += [f"{called}: {part}" for part in made.unread]
        member = {**made.block, "name": called, "kind": made.kind}
    else:
        member = {"ref": creature.name, **({"name": group.name} if group.name else {})}
        own = [part for part in made.unread if part.startswith("AC ") or part in creature.lost]
        lost += [f"{called}: {part}" for part in own]
        member |= {key: made.block[key] for key in ("hp", "ac", "init_mod") if key in made.block}
    if group.count != "1":
        member["count"] = int(group.count) if group.count.isdigit() else group.count
    return member | ({"hidden": True} if group.hidden else {})
