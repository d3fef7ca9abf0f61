"""A campaign: what `campaign.yaml` says for every encounter in and below its folder.

ruleset: worlds_without_number
party: party.yaml
house_rules: {initiative: side}
dice: asked
screen: {points: false}
library: [../bestiaries]
carry: true
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath

from msgspec import Struct

from tracker.core.game.ruleset import Ruleset
from tracker.library.checking.convert import Parser, convert
from tracker.library.shelves import screens
from tracker.library.yaml.problems import Path, Problem, described, did_you_mean
from tracker.library.yaml.tree import Tree, load

__all__ = ["FILE", "KEYS", "Campaign", "campaign_of"]

FILE = "campaign.yaml"
KEYS = ("ruleset", "title", "party", "house_rules", "dice", "screen", "library", "carry", "notes")
HIGHEST = 3
MOST_FOLDERS = 50


class Campaign(Struct, frozen=True):
    """What a campaign's file says, as far as it is sound.

    Attributes:
        folder: where it lies, as seen from the encounter.
        plain: its keys.
        library: the folders its stat blocks may come from.
        problems: what is wrong with it.
    """

    folder: FilePath
    tree: Tree
    plain: Mapping[str, object]
    library: tuple[FilePath, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def carries(self) -> bool:
        """Tell whether the party goes on as its last fight left it."""
        return self.plain.get("carry") is True

    def house_rules(self, ruleset: Ruleset, parsers: Mapping[type, Parser]) -> tuple[dict[str, object], list[Problem]]:
        """Return the switches that are sound, and what is wrong with others."""
        said, kind = self.plain.get("house_rules"), ruleset.schema.house_rules
        if not isinstance(said, dict):
            return {}, []
        if kind is None:
            return {}, [self.tree.problem(("house_rules",), "this game has no house rules")]
        complaints = convert(said, kind, parsers)[1]
        wrong = {str(complaint.path[0]) for complaint in complaints if complaint.path}
        problems = [
            self.tree.problem(("house_rules", *each.path), each.message, each.hint, key=each.at_key)
            for each in complaints
        ]
        return {key: value for key, value in said.items() if key not in wrong}, problems

    def inherited(self, plain: Mapping[str, object], house_rules: Mapping[str, object]) -> dict[str, object]:
        """Return an encounter's keys with those of the campaign that it does not say itself."""
        merged = dict(plain)
        for key, own in (("house_rules", house_rules), ("screen", self.plain.get("screen"))):
            said = plain.get(key, {})
            if isinstance(own, Mapping) and own and isinstance(said, Mapping):
                merged[key] = {**own, **said}
        if "dice" not in plain and "dice" in self.plain:
            merged["dice"] = self.plain["dice"]
        return merged


def campaign_of(home: FilePath) -> Campaign | None:
    """Return the campaign of a folder: its own, else that of the nearest folder above.

    At most three folders above; a link is none.
    """
    for folder in _above(home):
        path = folder / FILE
        try:
            if path.is_file() and not path.is_symlink():
                return _read(path)
        except OSError:
            continue
    return None


def _above(home: FilePath) -> Iterator[FilePath]:
    yield home
    try:
        whole = home.resolve()
    except (OSError, RuntimeError):
        return
    yield from list(whole.parents)[:HIGHEST]


def _read(path: FilePath) -> Campaign:
    tree = load(path)
    problems = list(tree.problems)
    value = tree.value
    if not isinstance(value, dict):
        if not problems:
            problems.append(tree.problem((), f"a campaign is a block of keys, this is {described(value)}"))
        return Campaign(path.parent, tree, {}, (), tuple(problems))

    def tell(at: Path, message: str, hint: str = "") -> None:
        problems.append(tree.problem(at, message, hint))

    plain = dict(value)
    for key in value:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"known: {', '.join(KEYS)}"
            problems.append(tree.problem((key,), "unknown key", hint, key=True))
            del plain[key]
    before = len(problems)
    for name, reads in (("screen", screens.screen_of), ("dice", _dice)):
        if name in plain:
            reads(plain[name], tell)
            if len(problems) > before:
                del plain[name]
                before = len(problems)
    for name, kind in (("carry", bool), ("house_rules", dict), ("ruleset", str)):
        if name in plain and not isinstance(plain[name], kind):
            wanted = {bool: "true or false", dict: "a block of keys", str: "the key of a game"}[kind]
            tell((name,), f"{wanted} is wanted, this is {described(plain.pop(name))}")
    return Campaign(path.parent, tree, plain, tuple(_folders(path.parent, plain.get("library"), tell)), tuple(problems))


def _dice(said: object, tell: screens.Tell) -> None:
    screens.diced((), said, (), tell)


def _folders(home: FilePath, said: object, tell: screens.Tell) -> Iterator[FilePath]:
    """Yield the folders of a campaign's library, seen from its own."""
    listed = [said] if isinstance(said, str) else said
    if listed is None:
        return
    if not isinstance(listed, list):
        tell(("library",), f"a list of folders is wanted, this is {described(said)}", "")
        return
    for place, name in enumerate(listed[:MOST_FOLDERS]):
        at: Path = ("library", place) if isinstance(said, list) else ("library",)
        folder = home / FilePath(name).expanduser() if isinstance(name, str) and "\0" not in name else None
        if folder is not None and folder.is_dir():
            yield folder
        else:
            tell(at, f"there is no folder {described(name)}", "seen from the campaign's own folder")
