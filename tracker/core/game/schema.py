"""What a ruleset adds to core's vocabulary.

Its Structs, and the records its columns, pickers and badges are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.file_syntax import FileSyntax
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect, Modifier, Stacking
from tracker.core.terms.encounter import Member, Wave
from tracker.core.terms.moments import Until
from tracker.core.terms.values import Codec, Data


class Column(Struct, frozen=True):
    """A column of the combatants pane.

    Attributes:
        key: its name in scripts.
        title: its heading.
        width: cells it needs, without its bar.
        cell: its text for a combatant.
        align: where in the cell.
        bar: for a pool, its key: drawn as a bar where there is room.
        priority: where it is narrow, columns of the greatest number are left out first, those of 0 last of all.
        about: what its cells say, for the help; "": its title says enough.
        most: cells it may take where there is room for longer words; 0: no more than it needs.
        own: whether equals say the same, those whose block, facts, effects, position and data are equal.
        gauge: for what is no pool: how much of how much is left, drawn and coloured as a pool; None: nothing to draw.
    """

    key: str
    title: str
    width: int
    cell: Callable[[State, Id], str]
    align: Literal["left", "right"] = "left"
    bar: str = ""
    priority: int = 0
    about: str = ""
    most: int = 0
    own: bool = False
    gauge: Callable[[State, Id], tuple[int, int] | None] | None = None


class Status(Struct, frozen=True):
    """A status a combatant can have.

    Its word, a one-cell mark that does without colour, whether it acts, whether it takes part, whether it stays on
    the map, and whether it has left the fight alive: fled, gone, given up.
    """

    key: str
    word: str
    mark: str = " "
    acts: bool = False
    takes_part: bool = True
    stays: bool = True
    left: bool = False


class NamedEffect(Struct, frozen=True):
    """An effect of the game that the effect picker offers by name.

    Attributes:
        name, title: its identifier, and how it is shown.
        until: its usual end, which may be changed.
        rule: the rule that describes it.
        value: how strong it is when no number is typed behind its name; 0: it has no value.
        modifiers: what it changes at a value, where the effect itself says so.
        quiet: kept for the rules alone: only the full log tells of it.
        stacking: what a second one that the GM gives to the same bearer does.
    """

    name: str
    title: str = ""
    until: tuple[Until, ...] = ()
    rule: str = ""
    value: int = 0
    modifiers: Callable[[int], tuple[Modifier, ...]] | None = None
    quiet: bool = False
    stacking: Stacking = "replace"

    def effect(self, bearer: str, value: int = 0, source: Id | None = None) -> Effect:
        """Return this effect on a bearer, of a value or of the usual one."""
        held = value or self.value
        return Effect(
            self.name,
            bearer,
            source=source,
            until=self.until,
            modifiers=() if self.modifiers is None else self.modifiers(held),
            title=self.title,
            stacking=self.stacking,
            rule=self.rule,
            value=held if self.value else UNSET,
            quiet=True if self.quiet else UNSET,
        )

    def on(
        self,
        bearer: Id,
        source: Id | None = None,
        *,
        until: tuple[Until, ...] | None = None,
        modifiers: tuple[Modifier, ...] | None = None,
        data: Data | None = None,
        stacking: Stacking = "replace",
        title: str = "",
    ) -> Effect:
        """Return this effect on a bearer, with its usual end unless another is given.

        For steps: `ctx.add_effect(PRONE.on(who))`.
        """
        plain = self.name.replace("_", " ")
        shown = title or ("" if self.title == plain else self.title)
        end = self.until if until is None else until
        usual = () if self.modifiers is None else self.modifiers(self.value)
        changed = usual if modifiers is None else modifiers
        return Effect(
            self.name,
            bearer,
            source=source,
            until=end,
            modifiers=changed,
            data=data,
            stacking=stacking,
            title=shown,
            quiet=True if self.quiet else UNSET,
        )


class Badge(Struct, frozen=True):
    """A short mark beside a combatant: `M·` for the rest of a turn, a status word, a warning."""

    text: str
    note: str = ""
    kind: Literal["budget", "good", "bad", "plain"] = "plain"


Part: TypeAlias = Literal["kind", "defences", "attacks", "specials", "skills"]
"""The parts of a printed stat block."""


class Printed(Struct, frozen=True):
    """A line of a stat block as printed, with the numbers that hold now.

    Attributes:
        part: the part of the stat block it belongs to.
        name: what it is: a number, an attack, a special, a skill; one name once in each part.
        words: its numbers, or what it does.
        rule: the rule behind it.
    """

    part: Part
    name: str
    words: str = ""
    rule: str = ""


class Reminder(Struct, frozen=True):
    """Something that may have been missed.

    Attributes:
        key: under which it is dismissed.
        text: what.
        about: the combatant it concerns.
        settle: the action that settles it.
        rule: the rule behind it.
        lapses: going on gives it up, so going on stops once before it.
        unused: an action or a turn of the combatant that it concerns, who can still act.
    """

    key: str
    text: str
    about: Id | None = None
    settle: Action | None = None
    rule: str = ""
    lapses: bool = False
    unused: bool = False


class Question(Struct, frozen=True):
    """What a print leaves open: its key, its subject, and the answers, the first of which is the default."""

    key: str
    why: str
    options: tuple[str, ...]


class Imported(Struct, frozen=True):
    """What has been made of a printed stat block.

    Attributes:
        kind: which stat block it is.
        block: its keys, as they would be typed.
        unread: the parts that could not be read, each with the reason.
        review: what was read but should be looked over.
        questions: what the print leaves open and nobody has answered.
    """

    kind: str
    block: dict[str, object]
    unread: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()


@cache
def _codec(kinds: tuple[type[Data], ...]) -> Codec:
    return Codec(list(kinds))


class Schema(Struct, frozen=True):
    """The Structs and words a ruleset adds.

    Attributes:
        blocks: kinds of stat block: `("pc", PC)`, `("monster", Monster)`; the first is for the players' sides, the last
            for the others.
        house_rules: the Struct of its switches, every field with a default.
        setup, side, member: Structs of its own keys in an encounter, or None.
        data: every other Struct it stores in facts, effects or slots.
        derived: names of the numbers `Ruleset.derived` knows, in the order of the stat-block panel.
        pools: names of its pools, the first the one damage goes to.
        round_seconds: length of a round in game time.
        board: what its map pane shows.
        named: tables of an encounter's set-up, each with the key of a stat block that may hold a name out of it and
            then stands for what has that name.
        shorthand: turns the keys of a typed stat block into those of its Struct (printed abbreviations, presets); gets
            and returns plain values and may raise ValueError with a message.
        importer: reads one printed stat block, of the game named by its second argument ("" if nobody has said), with
            the answers to its questions; raises ValueError where there is nothing of a stat block in the text.
        convert_creature: makes a stat block of a creature that another program keeps
            (`tracker.core.game.foreign.Creature`, which only an import brings along), and says what is lost.
        modifier_kinds: kinds of modifiers that can be typed before a number's name (`+1 status attack`).
        rolled: those of `derived` to which a die can be added (`+1d4 attack`), since the game rolls it wherever it uses
            them (`modifiers.roll_dice`).
        warnings: what was lost or guessed when a stat block was read, each to be looked over; asked by checks.
        group_warnings: what is doubtful about the members of a side, or of a wave, taken together: each with the member
            and the key that should be looked at; asked by checks.
        file_syntax: what may be typed in its files besides the keys of its Structs, for checks, schemas and hints.
    """

    blocks: tuple[tuple[str, type[Data]], ...]
    house_rules: type[Data] | None = None
    setup: type[Data] | None = None
    side: type[Data] | None = None
    member: type[Data] | None = None
    data: tuple[type[Data], ...] = ()
    derived: tuple[str, ...] = ()
    pools: tuple[str, ...] = ("hp",)
    round_seconds: int = 6
    board: Literal["none", "line", "square"] = "none"
    named: tuple[tuple[str, str], ...] = ()
    shorthand: Callable[[str, dict[str, object]], dict[str, object]] | None = None
    importer: Callable[[str, str, Mapping[str, str]], Imported] | None = None
    convert_creature: Callable[..., Imported] | None = None
    modifier_kinds: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()
    warnings: Callable[[Data], tuple[str, ...]] | None = None
    group_warnings: Callable[[tuple[Member, ...]], tuple[tuple[Member, str, str], ...]] | None = None
    file_syntax: Callable[[], FileSyntax] | None = None


def codec_of(schema: Schema) -> Codec:
    """Return the JSON codec of fights under a ruleset with this schema."""
    kinds = [kind for _, kind in schema.blocks]
    optional = [kind for kind in (schema.house_rules, schema.setup, schema.side, schema.member) if kind is not None]
    return _codec((*kinds, *optional, *schema.data, Action, Member, Wave))


def kind_and_stat(schema: Schema, words: str) -> tuple[str, str]:
    """Split `status attack` into a kind of modifier, or "", and the number it changes."""
    kind, _, stat = words.partition(" ")
    return (kind.casefold(), stat) if stat and kind.casefold() in schema.modifier_kinds else ("", words)
