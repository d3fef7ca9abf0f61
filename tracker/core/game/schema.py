"""The schema of a ruleset: its Structs, and the records of its columns, pickers and badges."""

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
        align: the alignment of the text.
        bar: the key of a pool that is drawn as a bar if there is room.
        priority: in a narrow pane, columns of the greatest number are left out first, those of 0 last.
        about: the meaning of its cells, for the help; "": the title is enough.
        most: cells it may use for longer words if there is room; 0: `width`.
        own: whether combatants with equal block, facts, effects, position and data have equal cells.
        gauge: the value and maximum of a bar that is no pool; None: no bar.
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
    """A status of combatants.

    Attributes:
        key, word: its name in scripts, and on the screen.
        mark: a mark of one cell, which needs no colour.
        acts, takes_part: the combatant can act, and takes part in the fight.
        stays: it stays on the map.
        left: it has left the fight alive: fled, gone, given up.
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
        name, title: its identifier, and its words on the screen.
        until: its usual end, which may be changed.
        rule: the rule that describes it.
        value: its usual value, if no number is typed after its name; 0: it has no value.
        modifiers: its modifiers at a value, if the effect itself has any.
        quiet: only rules use it, and only the full log shows it.
        stacking: for a second one that the GM gives to the same bearer.
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
        """Return this effect on a bearer, with a value or its usual one."""
        strength = value or self.value
        return Effect(
            self.name,
            bearer,
            source=source,
            until=self.until,
            modifiers=() if self.modifiers is None else self.modifiers(strength),
            title=self.title,
            stacking=self.stacking,
            rule=self.rule,
            value=strength if self.value else UNSET,
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
        """Return this effect on a bearer, with its usual end unless another one is given.

        For steps: `ctx.add_effect(PRONE.on(who))`.
        """
        if modifiers is None:
            modifiers = () if self.modifiers is None else self.modifiers(self.value)
        return Effect(
            self.name,
            bearer,
            source=source,
            until=self.until if until is None else until,
            modifiers=modifiers,
            data=data,
            stacking=stacking,
            title=title or ("" if self.title == self.name.replace("_", " ") else self.title),
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
    """A line of a stat block in printed form, with the current numbers.

    Attributes:
        part: the part of the stat block it belongs to.
        name: the name of a number, an attack, a special or a skill, unique in its part.
        words: its numbers, or its effect.
        rule: its rule.
    """

    part: Part
    name: str
    words: str = ""
    rule: str = ""


class Reminder(Struct, frozen=True):
    """A reminder of something that may have been missed.

    Attributes:
        key: the key by which it is dismissed.
        text: its words.
        about: the combatant it concerns.
        settle: the action that settles it.
        rule: its rule.
        lapses: it is lost when the clock goes on, so the key `n` stops at it once.
        unused: it is an action or a turn that the combatant can still use.
    """

    key: str
    text: str
    about: Id | None = None
    settle: Action | None = None
    rule: str = ""
    lapses: bool = False
    unused: bool = False


class Question(Struct, frozen=True):
    """A question that a printed stat block leaves open: its key, its subject, and the answers, the default first."""

    key: str
    why: str
    options: tuple[str, ...]


class Imported(Struct, frozen=True):
    """A stat block made of a printed one.

    Attributes:
        kind: its kind.
        block: its keys, as a GM would type them.
        unread: the parts that could not be parsed, each with the reason.
        review: parsed parts that the GM should check.
        questions: open questions without an answer.
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
        named: tables of an encounter's set-up, each with the key of stat blocks whose value may be a name of the table
            and then means the entry of that name.
        shorthand: turns the keys of a typed stat block into those of its Struct (printed abbreviations, presets); gets
            and returns plain values and may raise ValueError with a message.
        importer: parses one printed stat block, of the game named by its second argument ("" if unknown), with the
            answers to its questions; raises ValueError if the text has nothing of a stat block.
        convert_creature: makes a stat block of another program's creature (`tracker.core.game.foreign.Creature`), with
            the lost data.
        modifier_kinds: kinds of modifiers that can be typed before a number's name (`+1 status attack`).
        rolled: the numbers of `derived` to which a die can be added (`+1d4 attack`), because the game rolls it whenever
            it uses them (`modifiers.roll_dice`).
        warnings: doubts about a stat block, such as guesses of its reader, for checks.
        group_warnings: doubts about the members of a side or wave together, each with its member and key, for checks.
        file_syntax: the syntax of its files besides the keys of its Structs, for checks, schemas and hints.
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
