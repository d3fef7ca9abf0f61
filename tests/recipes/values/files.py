"""What may be typed in the files of a game, and what is read of prints and other programs."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.core.game.file_syntax import FileSyntax, key
from tracker.core.game.foreign import Creature, armour
from tracker.kit import Data, Imported, Schema, readers, stat_lines


class Warrior(Struct, Data, frozen=True, tag=True):
    """A stat block whose keys say what they mean, which numbers are likely, and how else they are spelled."""

    hp: Annotated[int, Meta(ge=1), key("most hit points", likely=(1, 200))] = 6
    armour: Annotated[int, key("what an attack has to reach", also=("ac",))] = 12


SYNTAX = FileSyntax(
    starter={"pc": "hp: 10\narmour: 14\n", "monster": "hp: 6\n"},  # what `tracker new` writes
    words=(("health", "hp"), ("defence", "armour")),  # for "did you mean ...?"
)


def shorthand(kind: str, plain: dict[str, object]) -> dict[str, object]:
    """Read what is typed in another way than it is stored: `ac` for armour."""
    problems: list[str] = []
    typed = readers.Typed(plain, problems)
    block = {"armour": typed.take("ac", readers.number, None)}
    readers.raise_all(problems)
    return {**typed.keys, **{name: value for name, value in block.items() if value is not None}}


def adopt(creature: Creature) -> Imported:
    """Make a stat block of a creature as another program or a print has it, and say what is lost."""
    better, lost = armour(creature, 10)
    block: dict[str, object] = {"name": creature.name, "hp": creature.hp or 6, "notes": "\n".join(creature.notes)}
    if better is not None:
        block["armour"] = better
    lost = (*lost, *creature.lost, *(f"attack {blow.name}" for blow in creature.blows))
    return Imported("pc" if creature.kind == "pc" else "monster", block, lost)


def read_print(text: str, system: str, choices: Mapping[str, str]) -> Imported:
    """Read a printed stat line; a ValueError says why it is none."""
    return adopt(stat_lines.read_creature(text, system))


RULESET = replace(
    first.RULESET,
    schema=Schema(
        (("pc", Warrior), ("monster", Warrior)),
        shorthand=shorthand,
        importer=read_print,
        convert_creature=adopt,
        warnings=lambda block: ("armour below 10",) if getattr(block, "armour", 10) < 10 else (),
        file_syntax=lambda: SYNTAX,
    ),
)
