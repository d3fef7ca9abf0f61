"""The game master's own effects: a list in `effects.yaml` in the configuration folder.

    - {name: blessed, game: worlds_without_number, modifiers: {attack: 1}, duration: 3 rounds, note: a prayer}

A wrong entry is left out. A new one is added to the end, in the file's own form, and only if the file then parses to
the same entries and this one.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, field, to_builtins

from tracker.core.fight.state import State
from tracker.core.game import durations
from tracker.core.game.file_syntax import key
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import kind_and_stat
from tracker.core.terms.effects import changed_by
from tracker.library.validation.convert import convert, located
from tracker.library.yaml.problems import Problem, did_you_mean
from tracker.library.yaml.tree import Tree, load, parse

FILE = "effects.yaml"
_NO_TEXT = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_' -]*[A-Za-z0-9_']|[A-Za-z]")


class EffectPreset(Struct, frozen=True):
    """An effect of the game master's own."""

    name: Annotated[str, key("what it is called; required. Of two with one name the later counts")]
    game: Annotated[str, key("the key of its game; without it, every game that knows its numbers")] = ""
    modifiers: Annotated[
        dict[str, int | str],
        key("what it adds to derived numbers, by name: `{attack: 1}` or `{attack: +1d4}`, with its kind in front"),
    ] = field(default_factory=dict)
    duration: Annotated[
        str, key("how long it usually lasts, as typed behind an effect: `3 rounds`; without it until removed")
    ] = ""
    note: Annotated[str, key("a reminder of what it does, shown where it is chosen")] = ""


def effects_path() -> Path:
    import platformdirs  # only needed once an effect is added

    return platformdirs.user_config_path("encounter-tracker", appauthor=False) / FILE


def read_presets(path: Path, ruleset: Ruleset) -> tuple[tuple[EffectPreset, ...], tuple[Problem, ...]]:
    """Return the effects that the file, if there is one, has for a game, and its problems.

    An effect for all games counts if the game has all its numbers and its duration.
    """
    if not path.exists() or _empty(path.read_text("utf-8", "replace")):
        return (), ()
    tree = load(path, path.name)
    problems = list(tree.problems)
    if not isinstance(tree.value, list):
        if tree.value is not None:
            example = "such as - {name: blessed, modifiers: {attack: 1}, duration: 3 rounds}"
            problems.append(tree.problem((), "a list of effects is wanted here", example))
        return (), tuple(problems)
    presets: dict[str, EffectPreset] = {}
    for place, value in enumerate(tree.value):
        preset, issues = convert(value, EffectPreset)
        problems += located(issues, tree, (place,))
        if preset is None or preset.game not in ("", ruleset.key):
            continue
        wrong = _wrong(tree, place, preset, ruleset)
        if not wrong:
            presets[preset.name.casefold()] = preset
        elif preset.game:
            problems += wrong
    return tuple(presets.values()), tuple(sorted(problems))


def _wrong(tree: Tree, place: int, preset: EffectPreset, ruleset: Ruleset) -> list[Problem]:
    """Return the problems of an effect in this game."""
    stats = ruleset.schema.derived
    wrong = [
        tree.problem(
            (place, "modifiers", name),
            f'"{name}" is no number of this game',
            did_you_mean(name, stats) or ", ".join(stats),
            key=True,
        )
        for name in preset.modifiers
        if stats and kind_and_stat(ruleset.schema, name)[1] not in stats
    ]
    for name, amount in preset.modifiers.items():
        try:
            dice = changed_by(amount)[1]
        except ValueError as error:
            wrong.append(tree.problem((place, "modifiers", name), str(error), "a number, or a die such as +1d4"))
            continue
        if dice is not UNSET and kind_and_stat(ruleset.schema, name)[1] not in ruleset.schema.rolled:
            wrong.append(tree.problem((place, "modifiers", name), f"no die can be added to {name}"))
    try:
        durations.read(preset.duration, ruleset, State())
    except ValueError as error:
        wrong.append(tree.problem((place, "duration"), str(error)))
    if not preset.name.strip():
        wrong.append(tree.problem((place, "name"), "an effect has a name"))
    return wrong


def add_preset(path: Path, preset: EffectPreset) -> None:
    """Add an effect to the end of the file, or to a new one; the rest stays as it is.

    Raises:
        ValueError: with one line, if that is impossible with the file as it is; it stays so.
        OSError: if it cannot be written.
    """
    path = path.resolve()  # a link stays a link
    before = path.read_bytes() if path.exists() else b""
    tree = parse(before, path.name) if not _empty(before.decode("utf-8", "replace")) else Tree(path.name, [], 0)
    if tree.problems and tree.value is None:
        raise ValueError(f"{tree.problems[0].render()}: put that right first")
    entries = tree.value
    if not isinstance(entries, list):
        raise ValueError(f"{path.name} is no list of effects: put that right first")
    text = before.decode("utf-8-sig")
    indent = re.match(r" *", text.splitlines()[tree.position((0,))[0] - 1]) if entries else None
    gap = "" if not text or text.endswith("\n") else "\n"
    after = before + f"{gap}{indent[0] if indent else ''}- {_line(preset)}\n".encode()
    parsed = parse(after, path.name)
    if parsed.value != [*entries, _plain(preset)] or len(parsed.problems) != len(tree.problems):
        raise ValueError(f"{path.name} cannot be added to as it is written; add this line yourself: - {_line(preset)}")
    _replace(path, after)


def _empty(text: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines())


def _plain(preset: EffectPreset) -> dict[str, object]:
    return {key: value for key, value in to_builtins(preset).items() if value}


def _line(preset: EffectPreset) -> str:
    changes = ", ".join(f"{_word(name)}: {amount}" for name, amount in preset.modifiers.items())
    words = {key: _word(str(value)) for key, value in _plain(preset).items()}
    if changes:
        words["modifiers"] = f"{{{changes}}}"
    return "{" + ", ".join(f"{key}: {value}" for key, value in words.items()) + "}"


def _word(text: str) -> str:
    """Return a text as YAML, in quotes if it needs them."""
    plain = _PLAIN.fullmatch(text) and text.casefold() not in _NO_TEXT
    return text if plain or re.fullmatch(r"[0-9]+ [a-z ]+", text) else json.dumps(text, ensure_ascii=False)


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
