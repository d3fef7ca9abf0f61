"""Redaction: names and ids that players read.

Names and labels are core's (`tracker.core.visibility.knowledge`). Ids are made here, so that no id gives away the name
of a stat block. In every text, names that players do not know are replaced by names that they know.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.values import Value
from tracker.core.visibility import knowledge
from tracker.core.visibility.knowledge import PLAYERS, STOPPED_AT
from tracker.views.words.text import clean

UNSEEN = "an unseen foe"


class Redactor(Struct, frozen=True, dict=True):
    """The names and ids that players read in one state.

    Attributes:
        facts: the GM's settings for players, and what players have seen of hidden combatants.
        hidden: the hidden combatants, also those that have left.
    """

    state: State
    salt: str
    facts: tuple[tuple[str, Value], ...]
    hidden: frozenset[Id]

    def sees(self, who: Id) -> bool:
        return who not in self.hidden

    def own(self, side: Id) -> bool:
        """Tell whether the players run a side."""
        return self.state.side(side).control == "players"

    def id(self, key: str) -> str:
        return public_id(self.salt, key)

    def side_id(self, side: Id) -> str:
        return self.id(f"side {side}")

    def name(self, combatant: Combatant) -> str:
        return clean(knowledge.called(self.state, combatant) if self.facts else combatant.name)

    def label(self, combatant: Combatant) -> str:
        return knowledge.label_of(self.state, combatant) if self.facts else combatant.label

    def side(self, key: Id) -> str:
        return clean(knowledge.side_called(self.state, key) if self.facts else self.state.name(key))

    def allows(self, key: str) -> bool:
        """Tell whether the GM allows players to read something, such as `points`."""
        return not self.facts or knowledge.setting(self.state, key) is not False

    def text(self, words: str) -> str:
        """Return words with every name as players read it."""
        cleaned = clean(words)
        if not self.facts or self._names is None:
            return cleaned
        return self._names.sub(lambda name: self._read[name[0].casefold()], cleaned)

    @cached_property
    def _read(self) -> dict[str, str]:
        """The words that players read for each name that they do not know."""
        state, read = self.state, dict[str, str]()
        for who, name in state.gone:
            if not self.sees(who):
                read[clean(name).casefold()] = UNSEEN
        seen = self._seen.combatants
        for one in seen:
            if (alias := knowledge.setting(state, f"alias:{one.id}")) is not None:
                for kind in self._kinds(one):
                    read.setdefault(kind, clean(str(alias)))
            read[clean(one.name).casefold()] = self.name(one)
        for one in state.combatants:
            if not self.sees(one.id):
                for name in (*self._kinds(one), clean(one.name).casefold()):
                    read.setdefault(name, UNSEEN)
        known = {self.name(one).casefold() for one in seen}
        own_name = [one for one in seen if knowledge.setting(state, f"alias:{one.id}") is None]
        known |= {kind for one in own_name for kind in self._kinds(one)}
        return {
            name: words for name, words in read.items() if name and name != words.casefold() and name not in known
        } | {clean(one.name).casefold(): self.name(one) for one in seen if self.name(one) != clean(one.name)}

    def _kinds(self, one: Combatant) -> tuple[str, ...]:
        """Return the names of a combatant's kind; for a visible one as if no combatant were hidden."""
        state = self._seen if self.sees(one.id) else self.state
        words = (getattr(one.block, "name", "") or "", knowledge.base_name(state, one))
        return tuple([clean(name).casefold() for name in words])

    @cached_property
    def _seen(self) -> State:
        """The state without hidden combatants, also without those that have left."""
        if not self.hidden:
            return self.state
        people = tuple([one for one in self.state.combatants if self.sees(one.id)])
        gone = tuple([(who, name) for who, name in self.state.gone if self.sees(who)])
        return replace(self.state, combatants=people, gone=gone)

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        names = sorted(self._read, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE) if names else None


def redactor_of(state: State, salt: str) -> Redactor:
    facts = tuple([(key, value) for owner, key, value in state.facts if owner == PLAYERS and key != STOPPED_AT])
    return Redactor(state, salt, facts, knowledge.hidden(state) if facts else frozenset())


@lru_cache(maxsize=4096)
def public_id(salt: str, key: str) -> str:
    """Return an id that does not give away the original."""
    from hashlib import blake2b  # slow to load, and not needed for the first picture of a resumed fight

    return blake2b(key.encode(), digest_size=6, key=salt.encode()[:64]).hexdigest()
