"""Converts creatures of other programs to sound stat blocks of a game.

Values that the game refuses are left out and listed, so that the rest of the creature is not lost.
"""

from __future__ import annotations

import re

from msgspec import to_builtins
from msgspec.structs import replace

from tracker.core.game.foreign import Creature
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Imported
from tracker.core.terms.errors import BadData, Refusal, Refused
from tracker.library.content.library import BlockEntry
from tracker.library.content.members import BlockSource, member_of
from tracker.library.content.printed import dumped
from tracker.library.importers.results import LONGEST_NOTE, Group, ImportedEncounter
from tracker.library.yaml.problems import Problem, visible
from tracker.library.yaml.tree import Tree

ROUNDS = 20


def stat_block_of(ruleset: Ruleset, creature: Creature, system: str = "") -> Imported:
    """Return a creature as a sound stat block; `system` is for one without a system; raises Refused."""
    convert = ruleset.schema.convert_creature
    if convert is None:
        message = f"{ruleset.title} reads no creatures of other programs"
        raise Refused(Refusal("no_adopter", message, forcible=False))
    if system and not creature.system:
        creature = replace(creature, system=system)
    if any(len(note) == LONGEST_NOTE for note in creature.notes):
        creature = replace(creature, lost=(*creature.lost, f"notes beyond {LONGEST_NOTE} characters"))
    return _sound(ruleset, convert(creature))


def _sound(ruleset: Ruleset, imported: Imported) -> Imported:
    """Return a block without the values that its game refuses, which are listed as unread."""
    block = dict(imported.block)
    lost: list[str] = []
    for _ in range(ROUNDS):
        problems = _problems(ruleset, imported.kind, block)
        if not problems:
            break
        seen = set[str]()  # one problem a key: to remove an entry of a list moves those behind it
        for problem in problems:
            key = _key(problem)
            if key in seen:
                continue
            seen.add(key)
            if key in block and key != "name":
                lost.append(f"{key} {_shown(_removed(block, key, problem))}: {problem.message}")
            elif not problem.path:
                return replace(imported, block=block, unread=(*imported.unread, *lost, problem.message))
    return replace(imported, block=block, unread=(*imported.unread, *lost))


def _removed(block: dict[str, object], key: str, problem: Problem) -> object:
    """Remove a wrong value and return it: one entry of a list, or a whole key."""
    value = block[key]
    entry = re.match(r"\w+\[(\d+)\]", problem.path)
    if isinstance(value, list) and entry is not None and int(entry[1]) < len(value) > 1:
        block[key] = [part for place, part in enumerate(value) if place != int(entry[1])]
        return value[int(entry[1])]
    return block.pop(key)


def _problems(ruleset: Ruleset, kind: str, block: dict[str, object]) -> list[Problem]:
    entry = BlockEntry(Tree("import", None, 0), (), {**block, "kind": kind})
    try:
        return member_of(ruleset, BlockSource(entry, {}), "gm")[1]
    except BadData as error:
        return [problem for problem in error.problems if isinstance(problem, Problem)]


def _key(problem: Problem) -> str:
    return problem.path.partition(".")[0].partition("[")[0]


def _shown(value: object) -> str:
    text = str(to_builtins(value))
    return text if len(text) <= 80 else f"{text[:79]}…"


SIDES = (("players", "Party", "players"), ("friends", "Friends", "gm"), ("foes", "Foes", "gm"))


def encounter_text(ruleset: Ruleset, encounter: ImportedEncounter, system: str = "") -> tuple[str, tuple[str, ...]]:
    lost, further = list(encounter.lost), list[str]()
    sides = []
    for key, name, control in SIDES:
        groups = [group for group in encounter.groups if group.side == key]
        members = [_member(ruleset, group, system, lost, further) for group in groups]
        if members:
            sides.append({"name": name, "control": control, "members": members})
    notes = [*encounter.notes, *(f"not read: {part}" for part in lost)]
    lost += further
    whole: dict[str, object] = {"ruleset": ruleset.key, "title": encounter.name}
    whole["sides"] = sides or [{"name": "Foes", "control": "gm", "members": []}]
    if notes:
        whole["notes"] = "\n".join(notes)
    lines = [f"# not read: {visible(part)}" for part in lost]
    if not any(group.side == "players" for group in encounter.groups):
        lines.append("# the party is yet to come: - {name: Party, control: players, members: party.yaml}")
    return "\n".join([*lines, dumped(whole)]) + "\n", tuple(lost)


def _member(ruleset: Ruleset, group: Group, system: str, lost: list[str], further: list[str]) -> dict[str, object]:
    """Return a stat block in place, or a reference if only a name is known; add lost values to the lists."""
    creature = group.creature
    called = group.name or creature.name
    imported = stat_block_of(ruleset, creature, system)
    member: dict[str, object]
    if creature.blows or creature.hd:
        further += [f"{called}: {part}" for part in imported.unread]
        member = {**imported.block, "name": called, "kind": imported.kind}
    else:
        member = {"ref": creature.name, **({"name": group.name} if group.name else {})}
        own = [part for part in imported.unread if part.startswith("AC ") or part in creature.lost]
        lost += [f"{called}: {part}" for part in own]
        member |= {key: imported.block[key] for key in ("hp", "ac", "init_mod") if key in imported.block}
    if group.count != "1":
        member["count"] = int(group.count) if group.count.isdigit() else group.count
    return member | ({"hidden": True} if group.hidden else {})
