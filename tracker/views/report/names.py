"""English for the story: verbs, plurals, numbers in words, and what combatants are called.

1. A combatant with a number is one of a crowd: `a smuggler`, `another smuggler`, `the last smuggler`. All others have
   their names.
2. A name that two sides share belongs to no crowd, so that both are told apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tracker.core.fight.slots import Id
from tracker.views.report.record import FightRecord, Ref, Side
from tracker.views.words.text import clean

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip # a plain list of words
IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
PLURALS = ("dead", "undead", "folk", "men", "women", "people", "living", "watch")
OBJECTS = {"she": "her", "he": "him", "they": "them", "it": "it"}
NUMBERED = re.compile(r"(.+) (\d+|[A-Z])")


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
    """Return one of the ways to say the same; the same one for the same event, in every run."""
    ways = phrase.split("|")
    return ways[(ref[0] * 7 + ref[1]) % len(ways)]


def placed(phrase: str, name: str) -> str:
    """Return a phrase with its object: in the place of `{whom}`, or behind it."""
    return phrase.replace("{whom}", name) if "{whom}" in phrase else f"{phrase} {name}"


def side_name(side: Side) -> str:
    """Return a side as it is called in a sentence: `the smugglers`, `Red Cairn`."""
    name = clean(side.name)
    if name.casefold().startswith("the "):
        return f"the{name[3:]}"
    return f"the {name.lower()}" if name[:1] + name[1:].lower() == name else name


def is_plural(side: Side) -> bool:
    words = side_name(side).casefold().split()
    return words[-1].endswith("s") or words[-1] in PLURALS


class Names:
    """What combatants are called at a point of the story; `full`: by their names only."""

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
            if found := NUMBERED.fullmatch(clean(person.name)):
                crowds.setdefault((found[1], person.side), []).append(person.id)
        sides = Counter(stem for stem, _ in crowds)
        self.crowds = {
            who: crowd
            for (stem, _), crowd in crowds.items()
            if len(crowd) > 1 and sides[stem] == 1 and not full
            for who in crowd
        }
        self.stems = {who: _noun(clean(self.people[who].name).rpartition(" ")[0]) for who in self.crowds}

    def plain(self, who: Id) -> str:
        """Return the name of a combatant as it is said in a sentence."""
        name = clean(self.people[who].name)
        if name.startswith("The "):
            return f"the {name[4:]}"
        return f"the {name}" if self.people[who].article else name

    def __call__(self, who: Id) -> str:
        """Return a name, and remember which of a crowd was named last."""
        if who not in self.stems:
            return self.plain(who)
        stem = self.stems[who]
        able = [one for one in self.crowds[who] if one not in self.out and self.people[one].since <= self.now]
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
        """Return a name for a combatant that the same sentence has named."""
        return f"the {self.stems[who]}" if who in self.stems else self.plain(who)

    def subject(self, who: Id, companion: Id | None = None) -> str:
        """Return a pronoun as a subject, or the name if the pronoun could mean the combatant beside it."""
        pronoun = self.people[who].pronoun
        other = self.people[companion].pronoun if companion is not None else "none"
        clear = pronoun and other and pronoun != other and pronoun != "they"
        return pronoun if clear else self.again(who)

    def object(self, who: Id) -> str:
        """Return a pronoun as an object, or the name if none is known."""
        return OBJECTS.get(self.people[who].pronoun) or self.again(who)

    def several(self, people: Sequence[Id]) -> str:
        """Return several combatants: `Mother Teal and three smugglers`."""
        people = tuple(dict.fromkeys(people))
        if len(people) == 1:
            return self(people[0])
        counts = Counter(self.stems[who] for who in people if who in self.stems)
        found = [self.plain(who) for who in people if who not in self.stems]
        for stem, count in counts.items():
            if count > 1:
                self.last.pop(stem, None)
                found.append(f"{number_words(count)} {plural(stem)}")
            else:
                found.append(next(self(who) for who in people if self.stems.get(who) == stem))
        return enumerated(found)

    def others(self, people: Sequence[Id], besides: Sequence[Id]) -> str:
        """Return combatants beside others of the same sentence: `the other smuggler and Cook`."""
        named = Counter(self.stems[who] for who in besides if who in self.stems)
        counts = Counter(self.stems[who] for who in people if who in self.stems)
        found = [self.plain(who) for who in people if who not in self.stems]
        for stem, count in counts.items():
            crowd = next(crowd for who, crowd in self.crowds.items() if self.stems[who] == stem)
            able = [one for one in crowd if one not in self.out and self.people[one].since <= self.now]
            if not named[stem]:
                found.append(self.several([who for who in people if self.stems.get(who) == stem]))
            elif named[stem] + count == len(able):
                found.append(f"the other {stem if count == 1 else f'{number_words(count)} {plural(stem)}'}")
            else:
                found.append(f"another {stem}" if count == 1 else f"{number_words(count)} {plural(stem)}")
            self.last.pop(stem, None)
        return enumerated(found)

    def forget(self, people: Sequence[Id]) -> None:
        """Name a crowd anew where several of it are in a sentence."""
        for stem, count in Counter(self.stems[who] for who in people if who in self.stems).items():
            if count > 1:
                self.last.pop(stem, None)

    def counted(self, people: Sequence[Id], known: Sequence[Id] = ()) -> str:
        """Return combatants for a summary: by name, crowds by number; all of a crowd that is known: `the zombies`."""
        counts = Counter(self.stems[who] for who in people if who in self.stems)
        among = Counter(self.stems[who] for who in known if who in self.stems)
        found = [self.plain(who) for who in people if who not in self.stems]
        for stem, count in counts.items():
            number = "the" if among[stem] == count else number_words(count)
            found.append(f"{number} {plural(stem) if count > 1 else stem}")
        return enumerated(found)


def _noun(stem: str) -> str:
    """Return a stat block's name as a common noun; words in capitals stay."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in stem.split())
