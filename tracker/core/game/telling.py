"""The words of a game's reports: for its actions, statuses, effects, checks and marks.

Data only. Reports of a game without such words use the labels of its actions and the words of its statuses.

1. A phrase is in the infinitive (`strike`, `take up the stance of {stance}`). Its first word is a verb.
2. `strike|hit` are two variants; the step alone decides which one is used.
3. In the phrases of actions `{whom}` is the target, `{means}` the weapon, spell or power, `{field}` any other field
   of the action; a part in brackets is left out if its blank has no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.values import Value

ActionKind: TypeAlias = Literal["attack", "act", "move", "rescue", "power", "guard", "silent"]
"""What an action is to a story.

An attack may do harm, a rescue saves a fallen combatant, a guard answers an attack, a power is always told by its name,
and a silent action is told only where it changes something.
"""
StatusKind: TypeAlias = Literal["dead", "down", "gone", "saved"]


class ActionWords(Struct, frozen=True):
    """The phrases for one action.

    Attributes:
        key: the key of the action, or the key and the value of one of its fields (`use:Slip Aside`).
        kind: its kind in a report.
        does: the whole action, if it is no attack.
        tries: an attack with an answer before its result.
        hits, great, grazes, misses: the result of an attack; `great` is a critical, `grazes` damage without a hit.
        turned, vain: a guard that turns an attack into a miss, and one that does not.
        over: an attack on several targets.
        fails: the whole action if a check without a target, or a check of an action that is no attack, fails.
    """

    key: str
    kind: ActionKind = "act"
    does: str = ""
    tries: str = "go for"
    hits: str = "strike"
    great: str = ""
    grazes: str = ""
    misses: str = "miss"
    turned: str = ""
    vain: str = ""
    over: str = "strike at"
    fails: str = ""


class StatusWords(Struct, frozen=True):
    """The phrases for a status.

    Attributes:
        key: the key of the status.
        kind: its kind in a report.
        by: the verb for the combatant that causes it (`kill`).
        alone: the verb for its bearer if no combatant causes it (`die`).
    """

    key: str
    kind: StatusKind
    by: str
    alone: str


class EffectWords(Struct, frozen=True):
    """The phrases for an effect.

    Attributes:
        name: the name of the effect.
        does: the verb for its bearer when it begins; `{field}` is a field of its data, `{whom}` its field `target`; a
            part in brackets is left out without a target.
        flees: its bearer flees: its moves are told as flight.
        ends: the verbs for its bearer when it ends, by the reason.
    """

    name: str
    does: str
    flees: bool = False
    ends: tuple[tuple[str, str], ...] = ()


class CheckWords(Struct, frozen=True):
    """The phrase for a comparison: the name of the number ("": any), and how the result begins.

    `{what}` is the name, `{whom}` the target; a part in brackets is left out without a target. Of several results of
    the same comparison in a step, only the last is told.
    """

    what: str
    result: str
    does: str


class Marks(Struct, frozen=True):
    """Damage in marks instead of a pool.

    Attributes:
        fact: the key of its fact.
        count: the numbers of marks of each kind, from a value of the fact.
        kinds: the nouns for one and for several marks of each kind.
    """

    fact: str
    count: Callable[[Value], tuple[int, ...]]
    kinds: tuple[tuple[str, str], ...] = (("mark", "marks"),)


class Telling(Struct, frozen=True):
    """The words of a game's reports.

    Attributes:
        action_words, status_words, effect_words, check_words: the phrases.
        missed, great: words in the result of an attack that is a miss, or a critical.
        graze: reasons for points lost by a miss.
        proper: fields of actions whose values are proper names without an article (`Widowsong`, `Lightning`).
        marks: damage in marks instead of a pool.
        low_dice: dice of which a low number is good for the roller.
    """

    action_words: tuple[ActionWords, ...] = ()
    status_words: tuple[StatusWords, ...] = ()
    effect_words: tuple[EffectWords, ...] = ()
    check_words: tuple[CheckWords, ...] = ()
    missed: tuple[str, ...] = ("miss", "fail", "defended", "resisted", "evaded", "parried")
    great: tuple[str, ...] = ("critical", "grievous", "great success")
    graze: tuple[str, ...] = ()
    proper: tuple[str, ...] = ("spell", "power", "instant")
    marks: Marks | None = None
    low_dice: tuple[int, ...] = ()

    def status(self, key: str) -> StatusWords | None:
        """Return the words for a status, None if the game has none."""
        return next((words for words in self.status_words if words.key == key), None)

    def is_great(self, result: str) -> bool:
        """Tell whether a result is a critical."""
        return self.great_word(result) != ""

    def great_word(self, result: str) -> str:
        """Return the word of a result that makes it a critical, "" if it is none."""
        return next((word for word in self.great if word in result.casefold()), "")

    def phrases(self) -> Iterator[tuple[str, str]]:
        """Yield every phrase with the record it belongs to, for checks."""
        for action in self.action_words:
            for phrase in (
                action.does, action.tries, action.hits, action.great, action.grazes, action.misses, action.turned,
                action.vain, action.over, action.fails,
            ):  # fmt: skip # a plain list of names
                yield f'action "{action.key}"', phrase
        for status in self.status_words:
            for phrase in (status.by, status.alone):
                yield f'status "{status.key}"', phrase
        for effect in self.effect_words:
            yield from ((f'effect "{effect.name}"', phrase) for phrase in (effect.does, *dict(effect.ends).values()))
        for check in self.check_words:
            yield f'check "{check.what}"', check.does


BLANK = re.compile(r"\{(\w+)\}")
"""A part of a phrase that an action fills in."""
