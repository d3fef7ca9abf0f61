"""The check of whole files, down to the meaning of their values.

To play a fight does not need it; only a check finds names that no combatant has, and values lost from a print.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath

from msgspec.structs import replace

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import folded
from tracker.library.content.encounters import (
    FindRuleset,
    is_encounter,
    load_encounter,
    party_problems,
    unknown_ruleset,
)
from tracker.library.content.library import CAMPAIGN_FILE, BlockEntry, Library
from tracker.library.content.members import BlockSource, member_of
from tracker.library.validation.issues import Issue
from tracker.library.validation.semantics import NamesInUse, issues_in, warnings_of
from tracker.library.yaml.problems import MOST_PROBLEMS, Path, Problem, capped, described, did_you_mean
from tracker.library.yaml.source import decode, read_bytes
from tracker.library.yaml.tree import Tree

PLAYERS = "the players' side has `control: players`"
_CUT_NAME = re.compile(r"[\s-]*(?:name|title|public):\s+([^\s'\"#{\[|>&*][^#]*?)\s+(#\d+)\s*$")
HEADINGS = ("ruleset", "characters", "monsters", "notes")


def lint_file(
    path: FilePath, find_ruleset: FindRuleset, folders: Sequence[FilePath] = (), known: Sequence[str] = ()
) -> tuple[Problem, ...]:
    """Return every problem of an encounter with all it uses, or of stat blocks."""
    library = Library(path.parent, folders)
    if path.name == CAMPAIGN_FILE:
        return _of_campaign(library, find_ruleset, known)
    tree = library.tree(path)
    cut_names = list(_cut_names(path, tree))
    if is_encounter(tree.value):
        loaded = load_encounter(path, find_ruleset, folders, known, library=library)
        if loaded.encounter is None or loaded.ruleset is None or len(loaded.problems) > MOST_PROBLEMS:
            return loaded.problems
        problems = [*loaded.problems, *lint_encounter(loaded.ruleset, loaded.encounter, tree, loaded.members)]
        if not loaded.problems:  # otherwise it may be empty because of a mistake
            problems += _empty(loaded.encounter, tree)
    else:
        key = tree.value.get("ruleset") if isinstance(tree.value, dict) else None
        ruleset = find_ruleset(key) if isinstance(key, str) else None
        if isinstance(key, str) and ruleset is None:
            problems = [*tree.problems, unknown_ruleset(tree, key, known)]
        else:
            is_sound = not (tree.problems or cut_names)
            problems = [*tree.problems, *_of_stat_blocks(ruleset, tree, library.blocks(path), is_sound)]
    return capped(sorted({*problems, *cut_names}))


def _of_stat_blocks(
    ruleset: Ruleset | None, tree: Tree, entries: Sequence[BlockEntry], is_sound: bool
) -> Iterator[Problem]:
    """Yield the problems of a file that should hold stat blocks.

    `ruleset` is the one it names, `is_sound` whether nothing else is wrong with it.
    """
    headings = tree.value if isinstance(tree.value, dict) else {}
    if isinstance(tree.value, list) and any(map(is_encounter, tree.value)):
        yield tree.problem((), "an encounter is a block of keys, this is a list", 'leave out each "- " in front')
    elif not entries and (misspelt := _misspelt(tree, headings)):
        yield from misspelt
    elif ruleset is None and entries:
        hint = "add `ruleset:` at the top, and the blocks under `characters:` or `monsters:`"
        yield tree.problem((), "which game is this for?", hint)
    elif ruleset is None:
        if is_sound and tree.value is not None:
            hint = "`sides:` for an encounter, `monsters:` for stat blocks"
            yield tree.problem((), "neither an encounter nor stat blocks", hint)
    elif not entries:
        yield tree.problem((), "no stat blocks in it", "`characters:` or `monsters:` with a list")
    else:
        yield from _of_blocks(ruleset, entries)
        yield from _same_ids(entries)
        if entries[0].path:
            unknown = (key for key in headings if key not in HEADINGS)
            yield from (tree.problem((key,), "unknown key", _heading(key), key=True) for key in unknown)


def _misspelt(tree: Tree, headings: Mapping[str, object]) -> list[Problem]:
    """Return the misspelt keys at the top of a file that is neither an encounter nor stat blocks."""
    meant = {key: did_you_mean(key, (*HEADINGS, "sides", "waves")) for key in headings if key not in HEADINGS}
    return [tree.problem((key,), "unknown key", hint, key=True) for key, hint in meant.items() if hint]


def _cut_names(path: FilePath, tree: Tree) -> Iterator[Problem]:
    """Yield a warning for each name that a comment cuts off: `name: Robber #1` is Robber."""
    data = read_bytes(path, tree.file)
    decoded = data if isinstance(data, Problem) else decode(data, tree.file)
    for number, line in enumerate([] if isinstance(decoded, Problem) else decoded[0].splitlines(), start=1):
        match = _CUT_NAME.match(line)
        if match is not None:
            message = f"{described(match[2])} begins a comment, so the name is {described(match[1])}"
            hint = f'quotes keep it: "{match[1]} {match[2]}"'
            yield Problem(tree.file, number, match.start(2) + 1, message=message, hint=hint, is_warning=True)


def _heading(key: str) -> str:
    return did_you_mean(key, HEADINGS) or f"known: {', '.join(HEADINGS)}"


def _of_campaign(library: Library, find_ruleset: FindRuleset, known: Sequence[str]) -> tuple[Problem, ...]:
    campaign = library.campaign
    if campaign is None:
        return (Problem(CAMPAIGN_FILE, message="there is no such file"),)
    key = campaign.plain.get("ruleset")
    if not isinstance(key, str):
        return (*campaign.problems, campaign.tree.problem((), "missing: ruleset", ", ".join(known)))
    ruleset = find_ruleset(key)
    if ruleset is None:
        return (*campaign.problems, unknown_ruleset(campaign.tree, key, known))
    return capped(sorted({*campaign.problems, *party_problems(ruleset, campaign, library)}))


def _of_blocks(ruleset: Ruleset, entries: Iterable[BlockEntry]) -> list[Problem]:
    """Return the problems of stat blocks, up to the first block after `MOST_PROBLEMS`."""
    problems: list[Problem] = []
    for entry in entries:
        if sum(not problem.is_warning for problem in problems) >= MOST_PROBLEMS:
            break
        source = BlockSource(entry, {})
        try:
            member, own = member_of(ruleset, source, "gm")
            problems += own or _of_block(ruleset, source, member)
        except BadData as error:
            problems += [problem for problem in error.problems if isinstance(problem, Problem)]
    return problems


def _same_ids(entries: Iterable[BlockEntry]) -> Iterator[Problem]:
    """Yield a problem for each further stat block of a file with the same id: only the first is found by it."""
    first: dict[object, BlockEntry] = {}
    for entry in entries:
        key = entry.plain.get("id")
        if key is None or isinstance(key, dict | list):
            continue
        if key in first:
            line, column = first[key].tree.position((*first[key].path, "id"))
            message = f"the id {described(key)} stands here again; it was first given at {line}:{column}"
            hint = "only the first is found by it: give this one another"
            yield entry.tree.problem((*entry.path, "id"), message, hint)
        first.setdefault(key, entry)


def _of_block(ruleset: Ruleset, keys: BlockSource, member: Member) -> list[Problem]:
    """Return the problems of a stat block's values, and warnings."""
    line: Path = ("stat_line",) if "stat_line" in keys.entry.plain else ()
    warnings = [Issue(line, message) for message in warnings_of(ruleset.schema, member)]
    warnings += _unnamed(keys, member)
    warnings += [Issue(("notes",), message) for message in _unread_notes(keys.entry.plain.get("notes"))]
    return _located(keys, issues_in(ruleset.schema, member.block)) + _located(keys, warnings, is_warning=True)


def _unnamed(keys: BlockSource, member: Member) -> Iterator[Issue]:
    typed = {**keys.entry.plain, **keys.overrides}
    if not typed.get("name") and "stat_line" not in typed:
        yield Issue((), f"it has no name, so it is called {described(member.name)}", "add name:")
    if member.count.maximum == 0:
        yield Issue(("count",), "none of it comes into the fight", "a number, or delete the line")


def lint_encounter(
    ruleset: Ruleset, encounter: Encounter, tree: Tree, members: Sequence[tuple[BlockSource, Member]]
) -> list[Problem]:
    names = NamesInUse.of(encounter)
    problems = [*_of_groups(ruleset, encounter, members), *_unstated_control(ruleset, encounter, tree)]
    problems += [tree.problem(("notes",), line, is_warning=True) for line in _unread_notes(encounter.notes)]
    for issue in issues_in(ruleset.schema, encounter.setup, names=names):
        path = _typed_path(issue, _block(tree, "setup"))
        problems.append(tree.problem(("setup", *path), issue.message, issue.hint))
    for keys, member in members:
        problems += _of_block(ruleset, keys, member)
        problems += _located(keys, issues_in(ruleset.schema, member.data, member.block, names))
    return list(dict.fromkeys(problems))


def _empty(encounter: Encounter, tree: Tree) -> Iterator[Problem]:
    """Yield a warning for each side and wave without members, and for each further wave of one title."""
    with_waves = {wave.side for wave in encounter.waves}
    awaited = {side.name for side in encounter.sides if side.id in with_waves}
    titles: set[str] = set()
    for listed in ("sides", "waves"):
        blocks = tree.value.get(listed) if isinstance(tree.value, dict) else None
        for place, plain in enumerate(blocks if isinstance(blocks, list) else ()):
            if not isinstance(plain, dict):
                continue
            title = plain.get("title") if listed == "waves" else None
            path: Path = (listed, place)
            if not plain.get("members") and (listed == "waves" or plain.get("name") not in awaited):
                hint = "members: a list, or a file of stat blocks"
                yield tree.problem(path, f"this {listed[:-1]} has no members", hint, is_warning=True)
            if title is not None and folded(str(title)) in titles:
                message = f"two waves are called {title}"
                yield tree.problem((*path, "title"), message, "by it you bring one in", is_warning=True)
            titles.add(folded(str(title)))


def _unstated_control(ruleset: Ruleset, encounter: Encounter, tree: Tree) -> Iterator[Problem]:
    """Yield a warning for each side of characters without `control`, if no side is the players'."""
    kinds = [kind for kind, _ in ruleset.schema.blocks]
    typed = tree.value.get("sides") if isinstance(tree.value, dict) else None
    if len(kinds) < 2 or any(side.control == "players" for side in encounter.sides):
        return
    for place, keys in enumerate(typed if isinstance(typed, list) else ()):
        if not isinstance(keys, dict) or "control" in keys or "pc" in keys:
            continue
        side = next((side for side in encounter.sides if side.name == keys.get("name")), None)
        if side is not None and any(member.kind == kinds[0] for member in side.members):
            message = f"{side.name} is the GM's side, though it has characters"
            yield tree.problem(("sides", place), message, PLAYERS, is_warning=True)


def _of_groups(
    ruleset: Ruleset, encounter: Encounter, members: Sequence[tuple[BlockSource, Member]]
) -> Iterator[Problem]:
    """Yield the game's warnings about the members of a side, or of a wave, taken together."""
    warn = ruleset.schema.group_warnings
    if warn is None:
        return
    for group in [*(side.members for side in encounter.sides), *(wave.members for wave in encounter.waves)]:
        for member, key, words in warn(group):
            for source in [source for source, own in members if own == replace(member, hidden=own.hidden)][:1]:
                yield from _located(source, [Issue((key,), words)], is_warning=True)


def _unread_notes(notes: object) -> list[str]:
    lines = notes.splitlines() if isinstance(notes, str) else ()
    return [line for line in lines if line.startswith("not read: ")]


def _block(tree: Tree, name: str) -> Mapping[str, object]:
    value = tree.value.get(name) if isinstance(tree.value, dict) else None
    return value if isinstance(value, dict) else {}


def _located(keys: BlockSource, issues: Iterable[Issue], *, is_warning: bool = False) -> list[Problem]:
    """Return issues as problems at the places where the values are typed."""
    problems = []
    for issue in issues:
        first = str(issue.path[0]) if issue.path else ""
        overriding = keys.overrides_entry if first in keys.overrides else None
        entry = overriding or keys.entry
        path = (*entry.path, *_typed_path(issue, keys.overrides if overriding else keys.entry.plain))
        problems.append(entry.tree.problem(path, issue.message, issue.hint, is_warning=is_warning))
    return problems


def _typed_path(issue: Issue, value: object) -> Path:
    """Return the part of an issue's path that the file has; pairs may be typed as a mapping."""
    path: list[str | int] = []
    for step in issue.path:
        below = _below(value, step)
        if below is None:
            break
        value = below
        path.append(step)
    if isinstance(value, Mapping):
        path += [key for key in value if issue.message.startswith(f'"{key}" ')][:1]
    return tuple(path)


def _below(value: object, step: str | int) -> object:
    if isinstance(value, Mapping):
        return value.get(step)
    listed = isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)
    return value[step] if listed else None  # type: ignore[index]  # checked in the line above
