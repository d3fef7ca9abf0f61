"""Fights without a file: converts a line of foes to an encounter.

    3 goblin, ogre hp 40 ac 15 +5 2d6 "Old Grum", 1d4+1 wolf round 2

Commas separate the groups of a line. A group is a count, a name, and the differences: a key of the game's stat blocks
with its number, a bonus to hit, dice of damage, a name of its own in quotes, the round in which it comes. The first
letters of a name find a stat block of the library; if none has the name, the typed numbers change the game's own stat
block to begin with. The line becomes the text of an encounter's file, which is read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import yaml
from msgspec import Struct

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import BadData
from tracker.library.content.encounters import Loaded, read_encounter
from tracker.library.content.library import BlockEntry, Library
from tracker.library.content.members import BlockSource, member_of, struct_keys
from tracker.library.content.printed import dumped
from tracker.library.validation.semantics import syntax_of
from tracker.library.yaml.problems import Problem, did_you_mean
from tracker.library.yaml.tree import parse

EXAMPLE = '3 goblin, ogre hp 40 +5 2d6 "Old Grum", 1d4+1 wolf round 2'
SIDE = "Foes"
PUBLIC_TITLE = "A fight"
"""The title for players: the GM's own names all foes, also of later waves."""
MOST_OTHERS = 3
_PARTS = re.compile(r'"[^"]*"?|,|[^",]+')
_TOKENS = re.compile(r'"[^"]*"?|[^\s"]+')
_NUMBER = re.compile(r"\d{1,9}")
_BONUS = re.compile(r"[+-]\d{1,9}")
_DICE = re.compile(r"\d{0,3}d\d{0,4}([+-]\d{1,4})?")


class Group(Struct, frozen=True):
    """Foes of one kind, as typed.

    Attributes:
        count: how many, a number or dice.
        name: the first letters of a stat block's name.
        values: keys and their numbers, as typed.
        bonus, damage: a bonus to hit and dice without a word.
        called: a name of their own.
        round: the round in which they come; "": they are present from the start.
        left: words that could not be read.
    """

    count: str = "1"
    name: str = ""
    values: tuple[tuple[str, str], ...] = ()
    bonus: str = ""
    damage: str = ""
    called: str = ""
    round: str = ""
    left: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether only a name has been typed."""
        return not (self.values or self.bonus or self.damage)


class Improvised(Struct, frozen=True):
    """The encounter of a line of foes.

    Attributes:
        text: the encounter as the text of a file, "" if there is none.
        loaded: that text after reading.
        notes: a line for each group: its stat block and its usual and changed keys.
        problems: why the fight cannot begin.
    """

    text: str = ""
    loaded: Loaded | None = None
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def improvise(line: str, ruleset: Ruleset, library: Library, party: str = "") -> Improvised:
    """Return the encounter of a line; `party` is the file of the characters, "" for the party of an earlier fight."""
    notes: list[str] = []
    problems: list[str] = []
    present: list[Mapping[str, object]] = []
    waves: dict[str, list[Mapping[str, object]]] = {}
    names: list[str] = []
    known = frozenset(_keys(ruleset, _starter(ruleset)))
    for group in groups_in(line, known):
        try:
            member, name, note = _member(group, ruleset, library)
        except ValueError as error:
            problems.append(str(error))
            continue
        notes.append(note)
        names.append(name if group.count == "1" else f"{group.count} × {name}")
        (waves.setdefault(group.round, []) if group.round else present).append(member)
    if not names:
        return Improvised(problems=tuple(problems))
    text = _file(ruleset, line, ", ".join(names), present, waves, party)
    loaded = read_encounter(parse(text.encode(), "the line of foes"), library, lambda key: ruleset, (ruleset.key,))
    problems += map(_words_of, loaded.problems)
    return Improvised(text, loaded, tuple(notes), tuple(dict.fromkeys(problems)))


def _words_of(problem: Problem) -> str:
    key = problem.path.rpartition(".")[2]
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{key}: {problem.message}{hint}" if key else f"{problem.message}{hint}"


def groups_in(line: str, known: Collection[str]) -> tuple[Group, ...]:
    """Return the groups of a line; `known` are the words for keys, whose values may also be a bonus."""
    parts: list[str] = [""]
    for piece in _PARTS.findall(line):
        if piece == ",":
            parts.append("")
        else:
            parts[-1] += piece
    return tuple(_group(_TOKENS.findall(part), known) for part in parts if part.strip())


def _group(tokens: Sequence[str], known: Collection[str]) -> Group:
    count, rest = "1", list(tokens)
    if len(rest) > 1 and (_NUMBER.fullmatch(rest[0]) or _DICE.fullmatch(rest[0])):
        count = rest.pop(0)
    name: list[str] = []
    values: list[tuple[str, str]] = []
    left: list[str] = []
    bonus = damage = called = arrival = ""
    while rest:
        token, number = rest.pop(0), rest[0] if rest else ""
        if token.startswith('"'):
            called = token.strip('"').strip()
        elif token == "round" and _NUMBER.fullmatch(number):
            arrival = rest.pop(0)
        elif _BONUS.fullmatch(token) and not bonus:
            bonus = token
        elif _DICE.fullmatch(token) and not damage:
            damage = token
        elif name and _is_value(number) and (token.casefold() in known or (token[0].isalpha() and number.isdecimal())):
            values.append((token, rest.pop(0)))
        elif token[0].isalpha() and not (values or bonus or damage or arrival):
            name.append(token)
        else:
            left.append(token)
    return Group(count, " ".join(name), tuple(values), bonus, damage, called, arrival, tuple(left))


def _is_value(token: str) -> bool:
    return any(form.fullmatch(token) is not None for form in (_NUMBER, _BONUS, _DICE))


def _member(group: Group, ruleset: Ruleset, library: Library) -> tuple[Mapping[str, object], str, str]:
    """Return a group as a member of a file, its name and its note; raises ValueError with the reason."""
    shown = group.name or group.called
    if group.left:
        raise ValueError(f'{shown or "a group"}: "{" ".join(group.left)}" is left over (a key and a number: hp 12)')
    entries = tuple(_matching(ruleset, library, group.name)) if group.name else ()
    if not entries and group.plain:
        near = did_you_mean(group.name, _names(ruleset, library))
        raise ValueError(
            f'no stat block begins with "{shown}"{f" ({near})" if near else ""}; '
            f"a number makes one up: {shown or 'ogre'} {_first_number(ruleset)}"
        )
    usual = {} if entries else _starter(ruleset)
    changed = _changes(group, ruleset, entries[0].plain if entries else usual)
    name = group.called or (entries[0].name if entries else group.name.capitalize())
    member: dict[str, object] = {"ref": entries[0].ref} if entries else {"name": name, **usual}
    member |= changed
    if group.called:
        member["name"] = group.called
    if group.count != "1":
        member["count"] = int(group.count) if group.count.isdecimal() else group.count
    return member, name, _note(group, entries, usual, changed, name)


def _note(
    group: Group, entries: Sequence[BlockEntry], usual: Mapping[str, object], changed: Mapping[str, object], name: str
) -> str:
    parts = [f"{group.count} × {name}" if group.count != "1" else name]
    if entries:
        others = [other for other in dict.fromkeys(entry.name for entry in entries) if other != entries[0].name]
        parts += [f"as {entries[0].name}"] if group.called else []
        parts += [f"also: {', '.join(others[:MOST_OTHERS])}"] if others else []
    else:
        parts.append(f"made up; usual here: {_words({key: usual[key] for key in usual if key not in changed})}")
    parts += [_words(changed)] if changed else []
    parts += [f"in round {group.round}"] if group.round else []
    return " · ".join(parts)


def _words(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {_value(value)}" for key, value in values.items())


def _value(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(_value, value))
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _matching(ruleset: Ruleset, library: Library, letters: str) -> Iterator[BlockEntry]:
    """Yield the sound creatures of this game whose names match, the best first; a plural matches too."""
    entries = library.search(letters) or (library.search(letters[:-1]) if letters.endswith("s") else ())
    return (entry for entry in entries if _fits(ruleset, entry))


def _fits(ruleset: Ruleset, entry: BlockEntry) -> bool:
    file = entry.tree.value
    game = file.get("ruleset", ruleset.key) if isinstance(file, dict) else ruleset.key
    if game != ruleset.key or entry.listed == "pc":
        return False
    try:
        return not member_of(ruleset, BlockSource(entry, {"count": 1}), "gm")[1]
    except BadData:
        return False


def _names(ruleset: Ruleset, library: Library) -> Iterator[str]:
    return (entry.name for path in library.files() for entry in library.blocks(path) if _fits(ruleset, entry))


def _starter(ruleset: Ruleset) -> dict[str, object]:
    kind = ruleset.schema.blocks[-1][0]
    block = yaml.safe_load(syntax_of(ruleset.schema).starter.get(kind, "")) or {}
    return {key: value for key, value in block.items() if key not in ("id", "name")}


def _first_number(ruleset: Ruleset) -> str:
    """Return a key of the game's own stat block to begin with, and its number."""
    for key, value in _starter(ruleset).items():
        if not isinstance(value, list | dict):
            return f"{key} {value}"
    return "hp 8"


def _changes(group: Group, ruleset: Ruleset, block: Mapping[str, object]) -> dict[str, object]:
    """Return the keys of a stat block that a group changes; raises ValueError for a value that the game lacks."""
    syntax = syntax_of(ruleset.schema)
    changed: dict[str, object] = {}
    typed = [(_path_of(ruleset, block, key), value, key) for key, value in group.values]
    for value, path, what in ((group.bonus, syntax.bonus, "a bonus to hit"), (group.damage, syntax.damage, "damage")):
        if value and not path:
            raise ValueError(f"{group.name}: {ruleset.title} has no place for {what} without a word ({value})")
        typed += [(path, value, what)] if value else []
    for path, value, what in typed:
        key, _, field = path.partition(".")
        if not field:
            changed[key] = _plain(value)
            continue
        several = changed.get(key, block.get(key))
        if not isinstance(several, list) or not several or not isinstance(several[0], dict):
            why = f"its {key} are not a list in its stat block, so {what} cannot be changed here"
            raise ValueError(f"{group.name}: {why}")
        changed[key] = [{**several[0], field: _plain(value)}, *several[1:]]
    return changed


def _path_of(ruleset: Ruleset, block: Mapping[str, object], word: str) -> str:
    """Return the key that a word means: of the stat block, else of its first attack."""
    known, plain = _keys(ruleset, block), word.casefold()
    if plain not in known:
        near = did_you_mean(plain, known)
        raise ValueError(f'"{word}" is no key of a stat block here{f" ({near})" if near else ""}')
    return known[plain]


def _keys(ruleset: Ruleset, block: Mapping[str, object]) -> dict[str, str]:
    """Return the path of every word for a key: usual words, keys of the first attack, keys of the stat block."""
    kind = ruleset.schema.blocks[-1][0]
    syntax = syntax_of(ruleset.schema)
    inner = {
        field: f"{key}.{field}"
        for key, value in reversed(list(block.items()))
        if isinstance(value, list) and value and isinstance(value[0], dict)
        for field in value[0]
    }
    own = [*struct_keys(dict(ruleset.schema.blocks)[kind]), *block]
    own += [row.name for row in syntax.keys if kind in row.of.split(" or ")]
    known = inner | {key: key for key in own}
    return {usual: known[key] for usual, key in reversed(syntax.words) if key in known} | known


def _plain(value: str) -> object:
    return value if _DICE.fullmatch(value) else int(value)


def _file(
    ruleset: Ruleset,
    line: str,
    title: str,
    present: Sequence[Mapping[str, object]],
    waves: Mapping[str, Sequence[Mapping[str, object]]],
    party: str,
) -> str:
    head: dict[str, object] = {"ruleset": ruleset.key, "title": title, "screen": {"title": PUBLIC_TITLE}}
    party_side = [{"name": "Party", "control": "players", "members": party}] if party else []
    head["sides"] = [*party_side, {"name": SIDE, "control": "gm", "members": list(present)}]
    if waves:
        head["waves"] = [
            {"when": f"round {number}", "side": SIDE, "members": list(members)} for number, members in waves.items()
        ]
    return f"# Made up at the table: {line}\n{dumped(head)}\n"
