"""English for the story: verbs, plurals, numbers in words, and names of combatants.

1. A combatant with a number is one of a crowd: `a smuggler`, `another smuggler`, `the last smuggler`. All others have
   their names.
2. A name that combatants of two sides share makes no crowd, so that the reader can tell the two apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tracker.core.fight.slots import Id
from tracker.views.report.record import CombatantRecord, FightRecord, Ref, Side
from tracker.views.words.text import clean

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip # a plain list of words
IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
PLURALS = ("dead", "undead", "folk", "men", "women", "people", "living", "watch")
OBJECTS = {"she": "her", "he": "him", "they": "them", "it": "it"}
NUMBERED = re.compile(r"(.+) (\d+|[A-Z])")

Mentions: TypeAlias = tuple[dict[str, Id], dict[str, Id], set[tuple[Id | None, str]]]
"""What the reader has read: `Names.last`, `Names.first` and `Names.armed`."""


def conjugated(phrase: str, one: bool = True) -> str:
    """Return a phrase in the infinitive as said of one subject or of several."""
    first, _, rest = phrase.partition(" ")
    if first == "be" and not one:
        first = "are"
    elif one:
        if first in IRREGULAR:
            first = IRREGULAR[first]
        elif first.endswith(("s", "sh", "ch", "x", "z")):
            first += "es"
        elif re.search(r"[^aeiou]y$", first):
            first = f"{first[:-1]}ies"
        else:
            first += "s"
    return f"{first} {rest}".strip()


def plural(noun: str) -> str:
    if noun.endswith("man"):
        return f"{noun[:-3]}men"
    if noun.endswith("wolf"):
        return f"{noun[:-1]}ves"
    if noun.endswith(("s", "sh", "ch", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if re.search(r"[^aeiou]y$", noun) else f"{noun}s"


def enumerated(words: Sequence[str]) -> str:
    """Return words as an enumeration, however many."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def number_words(count: int) -> str:
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def in_round(number: int) -> str:
    """Return when something happened: `in round 3`, `before the first round`."""
    return f"in round {number}" if number else "before the first round"


def sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def one_of(phrase: str, ref: Ref) -> str:
    """Return one of the variants of a phrase; always the same one for the same event."""
    ways = phrase.split("|")
    return ways[(ref[0] * 7 + ref[1]) % len(ways)]


def placed(phrase: str, name: str) -> str:
    """Return a phrase with its object: instead of `{whom}`, else at the end."""
    return phrase.replace("{whom}", name) if "{whom}" in phrase else f"{phrase} {name}"


def side_name(side: Side) -> str:
    """Return the name of a side in a sentence: `the smugglers`, `Red Cairn`."""
    name = clean(side.name)
    if name.casefold().startswith("the "):
        return f"the{name[3:]}"
    return f"the {name.lower()}" if name[:1] + name[1:].lower() == name else name


def is_plural(side: Side) -> bool:
    words = side_name(side).casefold().split()
    return words[-1].endswith("s") or words[-1] in PLURALS


def plain_name(person: CombatantRecord) -> str:
    """Return the name of a combatant in a sentence."""
    name = clean(person.name)
    if name.startswith("The "):
        return f"the {name[4:]}"
    return f"the {name}" if person.article else name


class Names:
    """The names of combatants at a point of the story; `full`: their own names only.

    Attributes:
        out: the combatants that are out of the fight.
        now: the event that is told.
        last, first: the last named combatant of each crowd, and the one that is `the first smuggler`.
        armed: combatants with the weapons that were named.
        crowds: the crowd of each combatant that belongs to one; `stems`: its noun (`smuggler`).
    """

    def __init__(self, record: FightRecord, full: bool = False) -> None:
        self.full = full
        self.people = {person.id: person for person in record.people}
        self.out: set[Id] = set()
        self.now: Ref = (0, 0)
        self.last: dict[str, Id] = {}
        self.first: dict[str, Id] = {}
        self.armed: set[tuple[Id | None, str]] = set()
        crowds: dict[tuple[str, Id], list[Id]] = {}
        for person in record.people:
            if match := NUMBERED.fullmatch(clean(person.name)):
                crowds.setdefault((match[1], person.side), []).append(person.id)
        sides = Counter(stem for stem, _ in crowds)
        self.crowds = {
            who: crowd
            for (stem, _), crowd in crowds.items()
            if len(crowd) > 1 and sides[stem] == 1 and not full
            for who in crowd
        }
        self.stems = {who: _noun(clean(self.people[who].name).rpartition(" ")[0]) for who in self.crowds}

    def mentions(self) -> Mentions:
        return dict(self.last), dict(self.first), set(self.armed)

    def restore(self, mentions: Mentions) -> None:
        self.last, self.first, self.armed = mentions

    def plain(self, who: Id) -> str:
        return plain_name(self.people[who])

    def _able(self, who: Id) -> list[Id]:
        """Return the combatants of a crowd that are in the fight now."""
        return [each for each in self.crowds[who] if each not in self.out and self.people[each].since <= self.now]

    def __call__(self, who: Id) -> str:
        """Return a name, and remember which combatant of a crowd was named last."""
        if who not in self.stems:
            return self.plain(who)
        stem, able = self.stems[who], self._able(who)
        was, self.last[stem] = self.last.get(stem), who
        first = self.first.get(stem)
        if was is None or first is None or len(able) != 2 or first not in able:
            self.first[stem] = who
        if was == who:
            return f"the {stem}"
        if able == [who]:
            return f"the last {stem}"
        if was is None:
            return f"{'an' if stem[:1] in 'aeiou' else 'a'} {stem}"
        if len(able) == 2 and was in able:
            return f"the {'first' if first == who else 'other'} {stem}"
        return f"another {stem}"

    def again(self, who: Id) -> str:
        """Return the name of a combatant that the same sentence has named before."""
        return f"the {self.stems[who]}" if who in self.stems else self.plain(who)

    def subject(self, who: Id, companion: Id | None = None) -> str:
        """Return the pronoun as a subject, or the name if the pronoun could mean the companion."""
        pronoun = self.people[who].pronoun
        other = self.people[companion].pronoun if companion is not None else "none"
        clear = pronoun and other and pronoun != other and pronoun != "they"
        return pronoun if clear else self.again(who)

    def object(self, who: Id) -> str:
        """Return the pronoun as an object, or the name if no pronoun is known."""
        return OBJECTS.get(self.people[who].pronoun) or self.again(who)

    def several(self, people: Sequence[Id]) -> str:
        """Return several combatants: `Mother Teal and three smugglers`."""
        people = tuple(dict.fromkeys(people))
        if len(people) == 1:
            return self(people[0])
        parts = self._apart(people)
        for stem, crowd in self._crowds_of(people).items():
            if len(crowd) > 1:
                self.last.pop(stem, None)
                parts.append(f"{number_words(len(crowd))} {plural(stem)}")
            else:
                parts.append(self(crowd[0]))
        return enumerated(parts)

    def others(self, people: Sequence[Id], besides: Sequence[Id]) -> str:
        """Return combatants beside others of the same sentence: `the other smuggler and Cook`."""
        parts, named = self._apart(people), self._crowds_of(besides)
        for stem, crowd in self._crowds_of(people).items():
            noun = stem if len(crowd) == 1 else f"{number_words(len(crowd))} {plural(stem)}"
            if stem not in named:
                parts.append(self.several(crowd))
            elif len(named[stem]) + len(crowd) == len(self._able(crowd[0])):
                parts.append(f"the other {noun}")
            else:
                parts.append(f"another {noun}" if len(crowd) == 1 else noun)
            self.last.pop(stem, None)
        return enumerated(parts)

    def forget(self, people: Sequence[Id]) -> None:
        """Forget the last named combatant of each crowd of which several are in a sentence."""
        for stem, crowd in self._crowds_of(people).items():
            if len(crowd) > 1:
                self.last.pop(stem, None)

    def counted(self, people: Sequence[Id], known: Sequence[Id] = ()) -> str:
        """Return combatants for a summary: names and numbers of crowds; `the zombies` are all of the known zombies."""
        parts, among = self._apart(people), self._crowds_of(known)
        for stem, crowd in self._crowds_of(people).items():
            number = "the" if len(among.get(stem, ())) == len(crowd) else number_words(len(crowd))
            parts.append(f"{number} {plural(stem) if len(crowd) > 1 else stem}")
        return enumerated(parts)

    def _apart(self, people: Iterable[Id]) -> list[str]:
        """Return the names of the combatants that belong to no crowd."""
        return [self.plain(who) for who in people if who not in self.stems]

    def _crowds_of(self, people: Iterable[Id]) -> dict[str, list[Id]]:
        """Return the combatants that belong to a crowd, by its noun."""
        crowds: dict[str, list[Id]] = {}
        for who in people:
            if who in self.stems:
                crowds.setdefault(self.stems[who], []).append(who)
        return crowds


def _noun(stem: str) -> str:
    """Return the name of a stat block as a common noun; words in capitals stay."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in stem.split())
