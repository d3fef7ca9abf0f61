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
from typing import Any

from msgspec import Struct

from tracker.core.game.ruleset import Ruleset
from tracker.library.checking.convert import convert_sound, located
from tracker.library.shelves.files import PARSERS, CampaignKeys
from tracker.library.yaml.problems import Path, Problem, described
from tracker.library.yaml.tree import Tree, load

FILE = "campaign.yaml"
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

    def house_rules(self, ruleset: Ruleset) -> tuple[dict[str, object], list[Problem]]:
        """Return the switches that are sound, and what is wrong with others."""
        said, kind = self.plain.get("house_rules"), ruleset.schema.house_rules
        if not isinstance(said, dict):
            return {}, []
        if kind is None:
            return {}, [self.tree.problem(("house_rules",), "this game has no house rules")]
        _, sound, complaints = convert_sound(said, kind, PARSERS)
        problems = [
            self.tree.problem(("house_rules", *each.path), each.message, each.hint, key=each.at_key)
            for each in complaints
        ]
        return dict(sound) if isinstance(sound, dict) else {}, problems

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

    keys, plain, complaints = convert_sound(value, CampaignKeys, PARSERS)
    problems += located(complaints, tree)
    if keys is None or not isinstance(plain, dict):
        return Campaign(path.parent, tree, {}, (), tuple(problems))
    return Campaign(
        path.parent, tree, plain, tuple(_folders(path.parent, keys.library, tree, problems)), tuple(problems)
    )


def _folders(home: FilePath, names: str | list[Any] | None, tree: Tree, problems: list[Problem]) -> Iterator[FilePath]:
    """Yield the folders of a campaign's library, seen from its own."""
    listed = names if isinstance(names, list) else [] if names is None else [names]
    for place, name in enumerate(listed[:MOST_FOLDERS]):
        folder = home / FilePath(name).expanduser() if isinstance(name, str) and "\0" not in name else None
        if folder is not None and folder.is_dir():
            yield folder
        else:
            at: Path = ("library", place) if isinstance(names, list) else ("library",)
            problems.append(
                tree.problem(at, f"there is no folder {described(name)}", "seen from the campaign's own folder")
            )
