"""Commented files to begin with: a campaign, an encounter, a bestiary, a party."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import inspect

from tracker.core.clock.joining import slug
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.dice import Dice
from tracker.library.content.members import least_value
from tracker.library.content.printed import dumped
from tracker.library.schemas.structs import Shapes, named, unlinked
from tracker.library.validation.semantics import fields_of, keys_of, syntax_of

SCHEMA = "# yaml-language-server: $schema=schema.json\n"
LONGEST = 120
HERO, FOE = "id: first\nname: First Hero\n", "id: first-foe\nname: First Foe\n"


def party(ruleset: Ruleset) -> str:
    head = "# The player characters, a block for each. `tracker check` finds every mistake in this folder.\n"
    return _blocks(ruleset, head, "characters", ruleset.schema.blocks[0][0])


def bestiary(ruleset: Ruleset) -> str:
    head = "# Creatures, a block for each. An encounter names one by its id: {ref: first-foe, count: 3}\n"
    return _blocks(ruleset, head, "monsters", ruleset.schema.blocks[-1][0])


def _blocks(ruleset: Ruleset, head: str, heading: str, kind: str) -> str:
    entry = "".join(f"  {line}\n" for line in _block(ruleset, kind))
    return f"{SCHEMA}{head}ruleset: {ruleset.key}\n{heading}:\n{entry}{_more(ruleset, kind)}"


def encounter(ruleset: Ruleset, *, party: str, foe: str) -> str:
    """Return an encounter.

    `party` is the party's file, "" for a character in place, or `campaign` if the campaign has it; `foe` is the id of
    a creature of the library, or "".
    """
    first, last = ruleset.schema.blocks[0][0], ruleset.schema.blocks[-1][0]
    lines = [f"ruleset: {ruleset.key}", "title: A first fight", "sides:"]
    if party == "campaign":
        lines.append("  # The party comes from campaign.yaml; a side of the players here would replace it.")
    else:
        lines += ["  - name: Party", "    control: players        # players | gm"]
        lines += [f"    members: {party}     # a file of stat blocks, or a list"] if party else ["    members:"]
        lines += [] if party else [f"      {line}" for line in _block(ruleset, first)]
    lines += ["  - name: Foes", "    control: gm", "    members:"]
    if foe:
        lines.append(f"      - {{ref: {foe}, count: 2}}        # a stat block by its id; a count may be 1d4+1")
    else:
        lines += [f"      {line}" for line in _block(ruleset, last)]
    lines += [
        "# waves:",
        f"#   - {{when: round 3, side: Foes, members: [{{ref: {foe or 'its-id'}}}]}}",
        "# reminders:",
        "#   - {when: start of round 2, text: It begins to rain.}",
        "# notes: What they want, what they know.",
    ]
    return SCHEMA + "\n".join(lines) + "\n" + _switches(ruleset)


def campaign(ruleset: Ruleset) -> str:
    """Return a campaign, which every encounter in its folder inherits."""
    lines = [
        "# What holds for every encounter in this folder and below it; each may say otherwise for itself.",
        f"ruleset: {ruleset.key}",
        "title: A campaign",
        "party: party.yaml           # comes into every encounter without a side of the players",
        "carry: false                # true: the party comes into each fight as the last one left it",
        "# dice: asked               # program | asked: who rolls, where an encounter does not say",
        "# screen: {points: false}   # what players see: title, points, map, unseen",
        "# library: [../bestiaries]  # further folders with stat blocks, seen from here",
    ]
    return SCHEMA + "\n".join(lines) + "\n" + _switches(ruleset)


def foe_of(ruleset: Ruleset) -> str:
    kind = ruleset.schema.blocks[-1][0]
    for line in _written(ruleset, kind).splitlines():
        if line.startswith("id: "):
            return line.removeprefix("id: ")
    return slug("First One")


def _block(ruleset: Ruleset, kind: str) -> list[str]:
    """Return a stat block to begin with, as the lines of an entry."""
    first, *rest = _written(ruleset, kind).rstrip("\n").splitlines()
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _written(ruleset: Ruleset, kind: str) -> str:
    """Return a stat block to begin with, named if its game does not name it."""
    written = syntax_of(ruleset.schema).starter.get(kind, "") or _least(ruleset, kind)
    named = any(line.startswith("name:") for line in written.splitlines())
    return written if named else (HERO if kind == ruleset.schema.blocks[0][0] else FOE) + written


def _least(ruleset: Ruleset, kind: str) -> str:
    """Return a stat block with the least value of each required key, for a game without one to begin with."""
    fields = [field for field in fields_of(dict(ruleset.schema.blocks)[kind]) if field.required]
    needed = {field.encode_name: _example(field.type) for field in fields if field.encode_name not in ("id", "name")}
    return "".join(f"{key}: {dumped([value])[1:-1]}\n" for key, value in needed.items())


def _example(info: inspect.Type) -> object:
    """Return an example of a value: the author's own, dice, or the least value."""
    if isinstance(info, inspect.Metadata):
        examples = (info.extra_json_schema or {}).get("examples")
        return examples[0] if examples else _example(info.type)
    if isinstance(info, inspect.CustomType) and info.cls is Dice:
        return "1d6"
    return least_value(info, "something")


def _more(ruleset: Ruleset, kind: str) -> str:
    """Return the further keys that a stat block of a kind may have, as comments."""
    struct = dict(ruleset.schema.blocks)[kind]
    rows = keys_of(syntax_of(ruleset.schema), struct, named(ruleset.schema)[struct], kind)
    written = {line.partition(":")[0].strip(" -") for line in _block(ruleset, kind)}
    further = {row.name: unlinked(row.means) for _, row in rows if row.name not in written}
    return "".join(_comments(f"What else a {kind} may have:", further))


def _switches(ruleset: Ruleset) -> str:
    kind = ruleset.schema.house_rules
    if kind is None:
        return ""
    known: dict[str, str] = {}
    for key, held in Shapes(ruleset.schema).keys(kind)[0].items():
        words = " | ".join("true" if word is True else str(word) for word in held.get("enum", ()))
        usual = json.dumps(held["default"]).strip('"') if "default" in held else ""
        known[f"{key}: {usual}"] = f"{words}{': ' if words else ''}{held.get('description', '')}"
    return "".join(_comments("Switches of the game:", known, "house_rules:"))


def _comments(title: str, known: dict[str, str], head: str = "") -> Iterator[str]:
    if known:
        yield f"\n# {title}\n"
    if known and head:
        yield f"# {head}\n"
    for key, text in known.items():
        line = f"#   {key if ':' in key else f'{key}:'} ".ljust(32) + f"# {text}"
        yield (line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…") + "\n"
