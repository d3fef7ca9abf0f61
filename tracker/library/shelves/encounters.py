"""Encounters: files made into fights that can be opened, with every problem found.

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

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.clock.joining import MOST_COMBATANTS, slug
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, MapSetup, Member, Reminder, SideSetup, Wave
from tracker.core.terms.errors import BadData
from tracker.core.terms.values import Data
from tracker.library.checking.convert import convert
from tracker.library.shelves import screens
from tracker.library.shelves.campaign import Campaign
from tracker.library.shelves.members import PARSERS, Keys, annotated, keys_of, member_of
from tracker.library.shelves.pages import FEWER, Page
from tracker.library.shelves.shelf import Entry, Shelf
from tracker.library.yaml.problems import MOST_PROBLEMS, Path, Problem, capped, described, did_you_mean
from tracker.library.yaml.tree import Tree

__all__ = ["FindRuleset", "Loaded", "is_encounter", "load_encounter", "party_problems"]

KEYS = (
    *("ruleset", "title", "house_rules", "setup", "sides", "party", "monsters", "waves", "reminders", "notes"),
    *("screen", "dice"),
)
SIDE_KEYS = ("name", "id", "control", "pc", "members", *screens.SIDE)
WAVE_KEYS = ("when", "side", "members", "title", *screens.WAVE)

FindRuleset = Callable[[str], Ruleset | None]


class Loaded(Struct, frozen=True):
    """A file that was read: its encounter, ruleset, problems and shelf."""

    encounter: Encounter | None
    ruleset: Ruleset | None
    problems: tuple[Problem, ...]
    shelf: Shelf

    @property
    def carries(self) -> bool:
        """Tell whether its campaign wants the party as the last fight left it."""
        return self.shelf.campaign is not None and self.shelf.campaign.carries


def is_encounter(value: object) -> bool:
    """Tell an encounter's content from stat blocks and scripts."""
    return isinstance(value, dict) and any(name in value for name in ("sides", "party", "title", "waves"))


def load_encounter(
    path: FilePath,
    find_ruleset: FindRuleset,
    folders: Sequence[FilePath] = (),
    known: Sequence[str] = (),
    *,
    shelf: Shelf | None = None,
    thorough: bool = False,
) -> Loaded:
    """Read an encounter file.

    `known` are the keys of the rulesets there are, for hints, `shelf` one of the same folders that is at hand;
    `thorough` looks at what the values mean, too.
    """
    shelf = shelf or Shelf(path.parent, folders)
    tree = shelf.tree(path)
    problems = list(tree.problems)
    if not isinstance(tree.value, dict):
        if not problems:
            problems.append(
                tree.problem(
                    (),
                    f"an encounter is a block of keys, this is {described(tree.value)}",
                    "ruleset:, title:, sides: ...",
                )
            )
        return Loaded(None, None, tuple(problems), shelf)
    reader = _Reader(tree, tree.value, shelf, problems)
    ruleset = reader.ruleset(find_ruleset, known)
    if ruleset is None:
        return Loaded(None, None, tuple(sorted(problems)), shelf)
    reader.inherit(ruleset)
    encounter = reader.encounter(ruleset)
    if thorough:
        from tracker.library.shelves.thorough import look_over  # only a check looks so closely

        problems += look_over(ruleset, encounter, tree, reader.made)
    return Loaded(encounter, ruleset, capped(sorted(set(problems))), shelf)


def party_problems(ruleset: Ruleset, campaign: Campaign, shelf: Shelf) -> list[Problem]:
    """Return what is wrong with a campaign's house rules and its party."""
    problems = campaign.house_rules(ruleset, PARSERS)[1]
    if "party" in campaign.plain:
        reader = _Reader(campaign.tree, campaign.plain, shelf, problems)
        reader.members(ruleset, campaign.plain["party"], ("party",), "players")
    return problems


class _Reader:
    """Reads one encounter and collects problems as it goes."""

    def __init__(self, tree: Tree, plain: Mapping[str, object], shelf: Shelf, problems: list[Problem]) -> None:
        self.page, self.shelf = Page(tree, plain, problems), shelf
        self._reported: set[str] = set()
        self._combatants, self._full = 0, False
        self._campaign: Campaign | None = None
        self.made: list[tuple[Keys, Member]] = []

    def ruleset(self, find_ruleset: FindRuleset, known: Sequence[str]) -> Ruleset | None:
        key = self.page.plain.get("ruleset")
        if not isinstance(key, str):
            message = "missing: ruleset" if key is None else "the name of a ruleset is wanted"
            self.page.problem(("ruleset",) if "ruleset" in self.page.plain else (), message, ", ".join(known))
            return None
        ruleset = find_ruleset(key)
        if ruleset is None:
            self.page.problem(
                ("ruleset",), f"there is no ruleset {described(key)}", did_you_mean(key, known) or ", ".join(known)
            )
        return ruleset

    def inherit(self, ruleset: Ruleset) -> None:
        """Take over what the campaign says and the encounter does not."""
        campaign = self.shelf.campaign
        if campaign is None:
            return
        self.page.problems += campaign.problems
        game = campaign.plain.get("ruleset")
        if isinstance(game, str) and game != ruleset.key:
            said = f"its campaign is of {described(game)}, so nothing is inherited from it"
            self.page.problem(("ruleset",), said, "move it out of the campaign's folder")
            return
        house_rules, problems = campaign.house_rules(ruleset, PARSERS)
        self.page.problems += problems
        self.page.plain = campaign.inherited(self.page.plain, house_rules)
        self._campaign = campaign

    def _party(self, ruleset: Ruleset, sides: tuple[SideSetup, ...]) -> tuple[SideSetup, ...]:
        """Return the sides with the campaign's party, where the encounter has no players' side."""
        campaign = self._campaign
        if campaign is None or "party" not in campaign.plain or "party" in self.page.plain:
            return sides
        if any(side.control == "players" for side in sides):
            return sides
        reader = _Reader(campaign.tree, campaign.plain, self.shelf, self.page.problems)
        plain = {"name": "Party", "control": "players", "members": campaign.plain["party"]}
        return (reader.side(ruleset, (), plain, members=("party",), others=sides), *sides)

    def encounter(self, ruleset: Ruleset) -> Encounter:
        squares = ruleset.schema.board == "square"
        self.page.unknown((), self.page.plain, (*KEYS, "map") if squares else KEYS)
        schema = ruleset.schema
        sides = self._party(ruleset, self._sides(ruleset))
        sides = screens.diced(sides, self.page.plain.get("dice"), (), self.page.problem)
        setup = self._own("setup", schema.setup)
        return Encounter(
            ruleset=ruleset.key,
            title=self.page.text((), self.page.plain, "title") or self.page.tree.file,
            sides=sides,
            house_rules=self._own("house_rules", schema.house_rules),
            setup=setup,
            waves=self._waves(ruleset, sides),
            reminders=self._reminders(),
            notes=self.page.text((), self.page.plain, "notes"),
            screen=screens.screen_of(self.page.plain.get("screen"), self.page.problem) or UNSET,
            map=self._map(ruleset, setup) or UNSET,
        )

    def _map(self, ruleset: Ruleset, setup: Data | None) -> MapSetup | None:
        """Return what fog covers on the map, if the file says anything of it."""
        plain = self.page.plain.get("map")
        if plain is None or ruleset.schema.board != "square":
            return None
        return screens.map_of(plain, ruleset.map.board(State(setup=setup)), self.page.problem)

    def _own(self, name: str, kind: type[Data] | None) -> Data | None:
        """Read the ruleset's switches or set-up.

        What is wrong falls back to its default.
        """
        plain = self.page.plain.get(name)
        if plain is None:
            plain = {}
        if not isinstance(plain, dict):
            self.page.problem((name,), f"a block of keys is wanted, this is {described(plain)}")
            plain = {}
        if kind is None:
            if plain:
                self.page.problem((name,), f"this game has no {name.replace('_', ' ')}")
            return None
        usable = dict(plain)
        for _ in range(len(plain) + 2):
            value, complaints = convert(usable, kind, PARSERS)
            if not complaints:
                return value
            for complaint in complaints:
                self.page.problem((name, *complaint.path), complaint.message, complaint.hint)
                usable = {key: item for key, item in usable.items() if complaint.path and key != complaint.path[0]}
        return None

    def _sides(self, ruleset: Ruleset) -> tuple[SideSetup, ...]:
        sides: list[SideSetup] = []
        for name, control in (("party", "players"), ("monsters", "gm")):
            if name in self.page.plain:
                title = "Party" if name == "party" else "Monsters"
                plain: dict[str, object] = {"name": title, "control": control, "members": self.page.plain[name]}
                sides.append(self.side(ruleset, (), plain, members=(name,), others=sides))
        for place, block in enumerate(self.page.listed("sides", "a list of sides is wanted")):
            path = ("sides", place)
            if isinstance(block, dict):
                sides.append(self.side(ruleset, path, block, members=(*path, "members"), others=sides))
            else:
                message = f"a side is a block of keys, this is {described(block)}"
                self.page.problem(path, message, "name:, control:, members:")
        if not sides:
            self.page.problem((), "missing: sides", "sides: with name:, control: and members:")
        return tuple(sides)

    def side(
        self, ruleset: Ruleset, path: Path, plain: Mapping[str, object], *, members: Path, others: Sequence[SideSetup]
    ) -> SideSetup:
        own = keys_of(ruleset.schema.side)
        if path:
            self.page.unknown(path, plain, (*SIDE_KEYS, *own))
        name = self.page.text(path, plain, "name") or f"Side {len(others) + 1}"
        control = self._control(path, plain)
        data: Data | None = None
        if ruleset.schema.side is not None:
            data, complaints = convert({key: plain[key] for key in own if key in plain}, ruleset.schema.side, PARSERS)
            for complaint in complaints:
                self.page.problem((*path, *complaint.path), complaint.message, complaint.hint)
            if data is None:
                data = convert({}, ruleset.schema.side, PARSERS)[0]
        key = self.page.text(path, plain, "id") or slug(name)
        while any(other.id == key for other in others):
            self.page.problem((*path, "name"), f"two sides are called {name}")
            key += "-2"
        people = self.members(ruleset, plain.get("members", []), members, control)
        side = SideSetup(id=key, name=name, control=control, members=people, data=data)
        return screens.side_of(side, plain, path, self.page.problem)

    def _control(self, path: Path, plain: Mapping[str, object]) -> Literal["players", "gm"]:
        control = plain.get("control", "players" if plain.get("pc") is True else "gm")
        if control == "players":
            return "players"
        if control != "gm":
            self.page.problem((*path, "control"), f"{described(control)} is nobody", "players or gm")
        return "gm"

    def members(self, ruleset: Ruleset, plain: object, path: Path, control: str) -> tuple[Member, ...]:
        items: list[tuple[Path, object]] = [(path, plain)] if isinstance(plain, str) else []
        if isinstance(plain, list):
            items = [((*path, place), item) for place, item in enumerate(plain)]
        elif not isinstance(plain, str):
            self.page.problem(path, f"members are a file or a list, this is {described(plain)}")
        members: list[Member] = []
        for where, item in items:
            for keys in self._found(where, item):
                if self._full or len(self.page.problems) >= MOST_PROBLEMS or not self._room(where, 1):
                    return tuple(members)
                keys = self._spelled(ruleset, keys)
                try:
                    member, problems = member_of(ruleset, keys, control)
                except BadData as error:
                    problems = [problem for problem in error.problems if isinstance(problem, Problem)]
                else:
                    many = max(1, member.count.maximum)
                    if not self._room(where, many):
                        return tuple(members)
                    self._combatants += many
                    members.append(annotated(member, problems))
                    if not problems:
                        self.made.append((keys, member))
                fresh = [problem for problem in problems if problem.render() not in self._reported]
                self._reported.update(problem.render() for problem in fresh)
                self.page.problems += fresh
        return tuple(members)

    def _room(self, path: Path, many: int) -> bool:
        """Tell whether there is room for so many more, and say where there is none."""
        if self._combatants + many <= MOST_COMBATANTS:
            return True
        self._full = True
        said = f"a fight holds at most {MOST_COMBATANTS} combatants, with these it would be more"
        self.page.problem(path, said, FEWER)
        return False

    def _spelled(self, ruleset: Ruleset, keys: Keys) -> Keys:
        """Replace a name out of a table of the set-up with its meaning."""
        setup = self.page.plain.get("setup")
        over = dict(keys.over)
        tables = setup if isinstance(setup, dict) else {}
        for table, key in ruleset.schema.named:
            meanings, name = tables.get(table), over.get(key, keys.entry.plain.get(key))
            if isinstance(meanings, dict) and isinstance(name, str) and name in meanings:
                over[key] = meanings[name]
        return keys if over == keys.over else replace(keys, over=over)

    def _found(self, path: Path, item: object) -> list[Keys]:
        """Return the stat blocks one entry of a list of members stands for."""
        here = Entry(self.page.tree, path, item if isinstance(item, dict) else {})
        if isinstance(item, str):
            return self._file(path, item) if item.endswith((".yaml", ".yml")) else self._ref(path, item, {}, here)
        if not isinstance(item, dict):
            self.page.problem(
                path, f"a member is a ref, a file or a stat block, this is {described(item)}", "{ref: goblin, count: 2}"
            )
            return []
        ref = item.get("ref")
        if ref is None:
            return [Keys(here, {})]
        if not isinstance(ref, str):
            self.page.problem((*path, "ref"), f"the id or name of a stat block is wanted, this is {described(ref)}")
            return []
        return self._ref((*path, "ref"), ref, {key: value for key, value in item.items() if key != "ref"}, here)

    def _ref(self, path: Path, ref: str, over: Mapping[str, object], here: Entry) -> list[Keys]:
        entry = self.shelf.find(ref)
        broken = self.shelf.broken()
        if entry is None and broken:  # it may well stand in one of them: their own mistakes are said instead
            for tree in broken:
                self._tree_problems(tree)
            return []
        if entry is None:
            self.page.problem(
                path,
                f"there is no stat block {described(ref)} beside the encounter or in your folders",
                self.shelf.nearest(ref),
            )
            return []
        return [Keys(entry, over, here)]

    def _file(self, path: Path, name: str) -> list[Keys]:
        file = self.shelf.inside(name)
        if file is None:
            self.page.problem(path, f"there is no file {described(name)} beside the encounter or in your folders")
            return []
        self._tree_problems(self.shelf.tree(file))
        blocks = self.shelf.blocks(file)
        if not blocks:
            self.page.problem(path, f"{described(name)} holds no stat blocks")
        return [Keys(entry, {}) for entry in blocks]

    def _tree_problems(self, tree: Tree) -> None:
        self.page.problems += [problem for problem in tree.problems if problem not in self.page.problems]

    def _waves(self, ruleset: Ruleset, sides: Sequence[SideSetup]) -> tuple[Wave, ...]:
        waves: list[Wave] = []
        for path, plain in self.page.blocks("waves"):
            self.page.unknown(path, plain, WAVE_KEYS)
            wanted = self.page.text(path, plain, "side")
            side = next((side for side in sides if wanted.casefold() in (side.name.casefold(), side.id)), None)
            if side is None:
                names = [side.name for side in sides]
                self.page.problem(
                    (*path, "side"),
                    f"there is no side {described(wanted)}",
                    did_you_mean(wanted, names) or ", ".join(names),
                )
                continue
            members = self.members(ruleset, plain.get("members", []), (*path, "members"), side.control)
            wave = Wave(side.id, members, self.page.moment(path, plain), self.page.text(path, plain, "title"))
            waves.append(screens.wave_of(wave, plain, path, self.page.problem))
        return tuple(waves)

    def _reminders(self) -> tuple[Reminder, ...]:
        reminders: list[Reminder] = []
        for path, plain in self.page.blocks("reminders"):
            self.page.unknown(path, plain, ("when", "text"))
            text = self.page.text(path, plain, "text")
            if text:
                reminders.append(Reminder(text, self.page.moment(path, plain)))
            else:
                self.page.problem(path, "missing: text")
        return tuple(reminders)
