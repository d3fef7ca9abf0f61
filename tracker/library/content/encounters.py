"""Encounters: reads files to fights that can be opened, with every problem.

ruleset: worlds_without_number
title: Goblin ambush at the ford
house_rules: {initiative: side}
sides:
  - {name: Party, control: players, members: party.yaml}
  - {name: Goblins, control: gm, members: [{ref: goblin, count: 1d4+1}]}
waves: [{when: round 3, side: Goblins, members: [{ref: worg}]}]
reminders: [{when: start of round 2, text: the ford starts to rise}]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import TypeGuard, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.clock.joining import MOST_COMBATANTS, slug
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, Member, SideSetup, TimedNote, Wave
from tracker.core.terms.errors import BadData, TrackerError
from tracker.core.terms.labels import folded
from tracker.core.terms.moments import named_place
from tracker.core.terms.values import Data
from tracker.library.content.files import (
    FEWER,
    MOST_LISTED,
    PARSERS,
    EncounterKeys,
    ReminderKeys,
    SideKeys,
    SquaresEncounterKeys,
    WaveKeys,
    map_of,
)
from tracker.library.content.library import CAMPAIGN_FILE, YAML, BlockEntry, Campaign, Library
from tracker.library.content.members import BlockSource, member_of, struct_keys, with_problems_noted
from tracker.library.pictures import read_picture
from tracker.library.validation.convert import convert, convert_sound
from tracker.library.yaml.problems import MOST_PROBLEMS, Path, Problem, capped, described, did_you_mean, nearest
from tracker.library.yaml.tree import Tree

_Keys = TypeVar("_Keys")
_COUNTED = re.compile(r"(\d{1,3}) ?[x×]? (.+)|(.+?) ?[x×] ?(\d{1,3})")
FindRuleset = Callable[[str], Ruleset | None]
USUAL_WORDS = {"name": "title", **dict.fromkeys(("round", "turn", "time", "at"), "when")}
"""Other programs' names of the keys of encounters, waves and reminders."""


class Loaded(Struct, frozen=True):
    """An encounter's file after reading; `members` are the members without problems, with their places in files."""

    encounter: Encounter | None
    ruleset: Ruleset | None
    problems: tuple[Problem, ...]
    library: Library
    members: tuple[tuple[BlockSource, Member], ...] = ()

    @property
    def carries(self) -> bool:
        """Tell whether the party goes on as its last fight left it, as its campaign says."""
        return self.library.campaign is not None and self.library.campaign.carries


def is_encounter(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and any(name in value for name in ("sides", "party", "title", "waves"))


def load_encounter(
    path: FilePath,
    find_ruleset: FindRuleset,
    folders: Sequence[FilePath] = (),
    known: Sequence[str] = (),
    *,
    library: Library | None = None,
) -> Loaded:
    """Read an encounter's file.

    `known` are the keys of all rulesets, for hints, `library` is the library of its folder if that was read before.
    """
    library = library or Library(path.parent, folders)
    return read_encounter(library.tree(path), library, find_ruleset, known)


def read_encounter(tree: Tree, library: Library, find_ruleset: FindRuleset, known: Sequence[str] = ()) -> Loaded:
    """Read an encounter from its parsed file, with the stat blocks of a library."""
    problems = list(tree.problems)
    if not isinstance(tree.value, dict):
        if not problems:
            message = f"an encounter is a block of keys, this is {described(tree.value)}"
            problems.append(tree.problem((), message, "ruleset:, title:, sides: ..."))
        return Loaded(None, None, tuple(problems), library)
    reader = _Reader(tree, tree.value, library, problems)
    ruleset = reader.ruleset(find_ruleset, known)
    if ruleset is None:
        return Loaded(None, None, tuple(sorted(problems)), library)
    reader.inherit(ruleset)
    encounter = reader.encounter(ruleset)
    return Loaded(encounter, ruleset, capped(sorted(set(problems))), library, tuple(reader.loaded_members))


def party_problems(ruleset: Ruleset, campaign: Campaign, library: Library) -> list[Problem]:
    problems = campaign.house_rules(ruleset)[1]
    if "party" in campaign.plain:
        reader = _Reader(campaign.tree, campaign.plain, library, problems)
        reader.members(ruleset, campaign.plain["party"], ("party",), "players")
    return problems


def unknown_ruleset(tree: Tree, key: str, known: Sequence[str]) -> Problem:
    hint = did_you_mean(key, known) or ", ".join(known)
    return tree.problem(("ruleset",), f"there is no ruleset {described(key)}", hint)


class _Reader:
    def __init__(self, tree: Tree, plain: Mapping[str, object], library: Library, problems: list[Problem]) -> None:
        self.tree, self.plain, self.problems, self.library = tree, plain, problems, library
        self._reported: set[str] = set()
        self._combatants, self._full = 0, False
        self._campaign: Campaign | None = None
        self.loaded_members: list[tuple[BlockSource, Member]] = []
        self._find_ruleset: FindRuleset = lambda key: None

    def ruleset(self, find_ruleset: FindRuleset, known: Sequence[str]) -> Ruleset | None:
        key = self.plain.get("ruleset")
        if not isinstance(key, str):
            meant = nearest("ruleset", self.plain) if key is None else None
            if meant:
                self.problem((meant,), "unknown key", "did you mean ruleset?", key=True)
                return None
            message = "missing: ruleset" if key is None else "the name of a ruleset is wanted"
            self.problem(("ruleset",) if "ruleset" in self.plain else (), message, ", ".join(known))
            return None
        self._find_ruleset = find_ruleset
        ruleset = find_ruleset(key)
        if ruleset is None:
            self._report(unknown_ruleset(self.tree, key, known))
        return ruleset

    def inherit(self, ruleset: Ruleset) -> None:
        """Add the campaign's keys that the encounter does not have itself."""
        campaign = self.library.campaign
        if campaign is None:
            return
        self.problems += campaign.problems
        game = campaign.plain.get("ruleset")
        if isinstance(game, str) and game != ruleset.key:
            message = f"its campaign is of {described(game)}, so nothing is inherited from it"
            self.problem(("ruleset",), message, "move it out of the campaign's folder")
            return
        house_rules, problems = campaign.house_rules(ruleset)
        self.problems += problems
        self.plain = campaign.inherited(self.plain, house_rules)
        self._campaign = campaign

    def _party(self, ruleset: Ruleset, sides: tuple[SideSetup, ...]) -> tuple[SideSetup, ...]:
        """Return the sides with the campaign's party, if the encounter has no side of the players."""
        campaign = self._campaign
        if campaign is None or "party" not in campaign.plain or "party" in self.plain:
            return sides
        if any(side.control == "players" for side in sides):
            return sides
        reader = _Reader(campaign.tree, campaign.plain, self.library, self.problems)
        plain = {"name": "Party", "control": "players", "members": campaign.plain["party"]}
        return (*reader.side(ruleset, (), plain, members=("party",), others=sides), *sides)

    def encounter(self, ruleset: Ruleset) -> Encounter:
        kind = SquaresEncounterKeys if ruleset.schema.board == "square" else EncounterKeys
        blocks = (("setup", ruleset.schema.setup), ("house_rules", ruleset.schema.house_rules))
        elsewhere = {key: block for block, own in blocks for key in struct_keys(own)}
        elsewhere |= dict.fromkeys(SideKeys.__struct_fields__, "sides")
        keys = self._read(self.plain, kind, elsewhere=elsewhere) or kind(ruleset=ruleset.key)
        sides = self._party(ruleset, self._sides(ruleset, keys))
        if keys.dice is not None:
            sides = tuple(replace(side, dice=keys.dice) if side.dice is UNSET else side for side in sides)
        setup = self._own("setup", keys.setup, ruleset.schema.setup)
        fog = getattr(keys, "map", None)
        board = None if fog is None else ruleset.map.board(State(setup=setup))
        return Encounter(
            ruleset=ruleset.key,
            title=str(keys.title) or self.tree.file,
            sides=sides,
            house_rules=self._own("house_rules", keys.house_rules, ruleset.schema.house_rules),
            setup=setup,
            waves=self._waves(ruleset, self._listed("waves", keys.waves), sides),
            reminders=self._reminders(self._listed("reminders", keys.reminders), sides),
            notes=str(keys.notes),
            screen=keys.screen or UNSET,
            map=(None if fog is None else map_of(fog, board, self.problem)) or UNSET,
            handout=self._handout(str(keys.handout)) or UNSET,
            clock=keys.clock or UNSET,
        )

    def _handout(self, name: str) -> str:
        """Return the name of the picture for the players, "" if it cannot be shown."""
        try:
            return name and read_picture(self.library.home, name).name
        except TrackerError as error:
            self.problem(("handout",), error.message, "a PNG or JPEG file beside this one, at most 4 MB")
            return ""

    def _read(
        self,
        plain: object,
        kind: type[_Keys],
        path: Path = (),
        *,
        other_keys: Sequence[str] = (),
        elsewhere: Mapping[str, str] = MappingProxyType({}),
    ) -> _Keys | None:
        """Return a block as a Struct without its wrong parts, which are reported.

        `elsewhere`: the other blocks that some keys belong to.
        """
        struct, _, issues = convert_sound(plain, kind, PARSERS, other_keys=other_keys)
        for issue in issues:
            key = str(issue.path[0]) if issue.at_key and len(issue.path) == 1 else ""
            hint = f"it belongs under `{elsewhere[key]}:`" if key in elsewhere else issue.hint
            if USUAL_WORDS.get(key) in getattr(kind, "__struct_fields__", ()):
                hint = f"did you mean {USUAL_WORDS[key]}?"
            self.problem((*path, *issue.path), issue.message, hint, key=issue.at_key)
        return struct

    def _own(self, name: str, plain: Mapping[str, object] | None, kind: type[Data] | None) -> Data | None:
        if kind is None and plain:
            self.problem((name,), f"this game has no {name.replace('_', ' ')}")
        return self._data(plain or {}, kind, (name,))

    def _data(self, plain: Mapping[str, object], kind: type[Data] | None, path: Path) -> Data | None:
        """Return a game's own Struct, with defaults if it cannot be read."""
        return None if kind is None else self._read(plain, kind, path) or convert({}, kind, PARSERS)[0]

    def _listed(self, name: str, entries: Sequence[object]) -> Sequence[object]:
        """Return the entries of a list, as many as a fight can have."""
        most = MOST_LISTED[name]
        if len(entries) > most:
            self.problem((name, most), f"a fight holds at most {most} {name}, these are {len(entries)}", FEWER)
        return entries[:most]

    def _sides(self, ruleset: Ruleset, keys: EncounterKeys) -> tuple[SideSetup, ...]:
        sides: list[SideSetup] = []
        for name, title, control in (("party", "Party", "players"), ("monsters", "Monsters", "gm")):
            if name in self.plain:
                plain: object = {"name": title, "control": control, "members": self.plain[name]}
                sides += self.side(ruleset, (), plain, members=(name,), others=sides)
        for place, plain in enumerate(self._listed("sides", keys.sides)):
            path = ("sides", place)
            sides += self.side(ruleset, path, plain, members=(*path, "members"), others=sides)
        if not sides and not self.plain.get("sides"):
            self.problem((), "missing: sides", "sides: with name:, control: and members:")
        return tuple(sides)

    def side(
        self, ruleset: Ruleset, path: Path, plain: object, *, members: Path, others: Sequence[SideSetup]
    ) -> list[SideSetup]:
        own = struct_keys(ruleset.schema.side)
        keys = self._read(plain, SideKeys, path, other_keys=own)
        if keys is None or not isinstance(plain, dict):
            return []
        name = str(keys.name) or f"Side {len(others) + 1}"
        key = str(keys.id) or slug(name)
        data = self._data({key: plain[key] for key in own if key in plain}, ruleset.schema.side, path)
        while any(other.id == key for other in others):
            self.problem((*path, "name"), f"two sides are called {name}")
            key += "-2"
        control = keys.control or ("players" if keys.pc else "gm")
        joined = self.members(ruleset, keys.members, members, control)
        return [
            SideSetup(
                id=key,
                name=name,
                control=control,
                members=tuple(replace(member, hidden=True) for member in joined) if keys.hidden else joined,
                data=data,
                public=keys.public or UNSET,
                health=UNSET if keys.health else False,
                dice=keys.dice or UNSET,
            )
        ]

    def members(self, ruleset: Ruleset, plain: object, path: Path, control: str) -> tuple[Member, ...]:
        items: list[tuple[Path, object]] = [(path, plain)] if isinstance(plain, str) else []
        if isinstance(plain, list):
            items = [((*path, place), item) for place, item in enumerate(plain)]
        elif not isinstance(plain, str):
            self.problem(path, f"members are a file or a list, this is {described(plain)}")
        members: list[Member] = []
        for where, item in items:
            for keys in self._sources(where, item):
                if self._full or len(self.problems) >= MOST_PROBLEMS or not self._has_room(where, 1):
                    return tuple(members)
                same_game = self._is_of(ruleset, keys.entry.tree)
                keys = self._resolve_named(ruleset, keys)
                member, problems = _member(ruleset, keys, control)
                if member is not None:
                    many = max(1, member.count.maximum)
                    if not self._has_room(where, many):
                        return tuple(members)
                    self._combatants += many
                    members.append(with_problems_noted(member, problems))
                    if not problems:
                        self.loaded_members.append((keys, member))
                new = [problem for problem in problems if problem.render() not in self._reported] if same_game else []
                self._reported.update(problem.render() for problem in new)
                self.problems += new
        return tuple(members)

    def _has_room(self, path: Path, many: int) -> bool:
        if self._combatants + many <= MOST_COMBATANTS:
            return True
        self._full = True
        message = f"a fight holds at most {MOST_COMBATANTS} combatants, with these it would be more"
        self.problem(path, message, FEWER)
        return False

    def _is_of(self, ruleset: Ruleset, tree: Tree) -> bool:
        """Tell whether a file of stat blocks is of this game; another game's is one problem, without its mistakes."""
        key = tree.value.get("ruleset") if isinstance(tree.value, dict) and tree is not self.tree else None
        other = self._find_ruleset(key) if isinstance(key, str) else None
        if other is None or other.key == ruleset.key:
            return True
        hint = f"its numbers mean something else in {ruleset.title}"
        problem = tree.problem(("ruleset",), f"these are stat blocks of {other.title}", hint)
        if problem not in self.problems:
            self.problems.append(problem)
        return False

    def _resolve_named(self, ruleset: Ruleset, keys: BlockSource) -> BlockSource:
        """Replace a name from a table of the set-up with its meaning."""
        setup = self.plain.get("setup")
        over = dict(keys.overrides)
        tables = setup if isinstance(setup, dict) else {}
        for table, key in ruleset.schema.named:
            meanings, name = tables.get(table), over.get(key, keys.entry.plain.get(key))
            if isinstance(meanings, dict) and isinstance(name, str) and name in meanings:
                over[key] = meanings[name]
        return keys if over == keys.overrides else replace(keys, overrides=over)

    def _sources(self, path: Path, item: object) -> list[BlockSource]:
        """Return the stat blocks of an entry of a list of members."""
        if isinstance(item, str) and item.endswith(YAML):
            return self._file(path, item)
        block = item if isinstance(item, dict) else {}
        here = BlockEntry(self.tree, path, block)
        if isinstance(item, str):
            return self._ref(path, item, {}, here)
        if not isinstance(item, dict):
            message = f"a member is a ref, a file or a stat block, this is {described(item)}"
            self.problem(path, message, "{ref: goblin, count: 2}")
            return []
        ref = item.get("ref")
        if ref is None:
            return [BlockSource(here, {})]
        if not isinstance(ref, str):
            self.problem((*path, "ref"), f"the id or name of a stat block is wanted, this is {described(ref)}")
            return []
        return self._ref((*path, "ref"), ref, {key: value for key, value in item.items() if key != "ref"}, here)

    def _ref(self, path: Path, ref: str, over: Mapping[str, object], here: BlockEntry) -> list[BlockSource]:
        entry = self.library.find(ref)
        if entry is not None:
            return [BlockSource(entry, over, here)]
        broken, near = self.library.broken(), self.library.nearest(ref)
        for tree in broken:
            self._tree_problems(tree)
        if near or not broken:  # otherwise it is probably in one of the broken files
            message = f"there is no stat block {described(ref)} beside the encounter or in your folders"
            self.problem(path, message, self._meant_members(ref) or near)
        return []

    def _meant_members(self, text: str) -> str:
        """Return the hint for `3x goblin`, `goblin x3`, `ref goblin` and `goblin, worg`, or ""."""
        match = _COUNTED.fullmatch(text)
        count, name = (match[1] or match[4], match[2] or match[3]) if match else ("", text.removeprefix("ref "))
        if name != text and self.library.find(name):
            return f"did you mean {{ref: {name}{f', count: {count}' if count else ''}}}?"
        listed = [part.strip() for part in text.split(",")]
        return f"did you mean [{', '.join(listed)}]?" if text and all(map(self.library.find, listed)) else ""

    def _file(self, path: Path, name: str) -> list[BlockSource]:
        file = self.library.inside(name)
        if file is None and self.library.is_outside(name):
            message = f"{described(name)} is there, but not in a folder that an encounter reads"
            self.problem(path, message, f"a {CAMPAIGN_FILE} beside it makes its folder one, as does --library FOLDER")
            return []
        if file is None:
            message = f"there is no file {described(name)} beside the encounter or in your folders"
            self.problem(path, message, did_you_mean(name, [file.name for file in self.library.files()]))
            return []
        self._tree_problems(self.library.tree(file))
        blocks = self.library.blocks(file)
        if not blocks:
            self.problem(path, f"{described(name)} holds no stat blocks")
        return [BlockSource(entry, {}) for entry in blocks]

    def _tree_problems(self, tree: Tree) -> None:
        self.problems += [problem for problem in tree.problems if problem not in self.problems]

    def _waves(self, ruleset: Ruleset, blocks: Sequence[object], sides: Sequence[SideSetup]) -> tuple[Wave, ...]:
        waves: list[Wave] = []
        for place, plain in enumerate(blocks):
            path = ("waves", place)
            keys = self._read(plain, WaveKeys, path)
            if keys is None:
                continue
            side = next((side for side in sides if keys.side.casefold() in (side.name.casefold(), side.id)), None)
            if side is None:
                names = [side.name for side in sides]
                hint = did_you_mean(keys.side, names) or ", ".join(names)
                is_typed = isinstance(plain, dict) and "side" in plain
                message = f"there is no side {described(str(keys.side))}" if keys.side else "missing: side"
                self.problem((*path, "side") if is_typed else path, message, hint)
            if isinstance(plain, dict) and "members" not in plain:
                self.problem(path, "missing: members", "a list, or a file of stat blocks")
            control = "gm" if side is None else side.control
            members = self.members(ruleset, keys.members, (*path, "members"), control)
            self._check_place(str(keys.when), sides, path)
            if side is not None:
                waves.append(Wave(side.id, members, str(keys.when), str(keys.title), keys.hidden or UNSET))
        return tuple(waves)

    def _check_place(self, when: str, sides: Sequence[SideSetup], path: Path) -> None:
        """Report a moment at the edge of a turn that no side and no combatant has."""
        place = named_place(when)
        if place is None or not place.whose:
            return
        names = [name for side in sides for name in (side.name, side.id)]
        members = [member for side in sides for member in side.members]
        combatants = [name for member in members for name in (member.name, member.id, member.ref) if name]
        of_side = any(folded(name) == place.whose for name in names)
        if not of_side and not any(place.whose.startswith(folded(name).replace("-", " ")) for name in combatants):
            message = f"there is nobody called {described(place.whose)}, whose turn this would be"
            self.problem((*path, "when"), message, did_you_mean(place.whose, [*names, *combatants]))

    def _reminders(self, blocks: Sequence[object], sides: Sequence[SideSetup]) -> tuple[TimedNote, ...]:
        reminders: list[TimedNote] = []
        for place, plain in enumerate(blocks):
            keys = self._read(plain, ReminderKeys, ("reminders", place))
            if keys is not None and keys.text:
                self._check_place(str(keys.when), sides, ("reminders", place))
                reminders.append(TimedNote(str(keys.text), str(keys.when)))
            elif keys is not None:
                self.problem(("reminders", place), "missing: text")
        return tuple(reminders)

    def problem(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> None:
        self._report(self.tree.problem(path, message, hint, key=key))

    def _report(self, problem: Problem) -> None:
        if len(self.problems) < MOST_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)


def _member(ruleset: Ruleset, keys: BlockSource, control: str) -> tuple[Member | None, list[Problem]]:
    """Return a member, None if not even a placeholder can be made, and the problems of its block."""
    try:
        return member_of(ruleset, keys, control)
    except BadData as error:
        return None, [problem for problem in error.problems if isinstance(problem, Problem)]
