"""Redaction: what players read instead of what the GM hides.

Names and labels are core's (`tracker.core.visibility.knowledge`). Ids are made here, so that none gives away the name
of a stat block. In every text, names that players do not know are replaced by the names they read.
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
        facts: the GM's settings about players, and what they have seen of hidden combatants.
        hidden: the hidden combatants, those that have left included.
    """

    state: State
    salt: str
    facts: tuple[tuple[str, Value], ...]
    hidden: frozenset[Id]

    def sees(self, who: Id) -> bool:
        return who not in self.hidden

    def id(self, key: str) -> str:
        return public_id(self.salt, key)

    def name(self, combatant: Combatant) -> str:
        return clean(knowledge.called(self.state, combatant) if self.facts else combatant.name)

    def label(self, combatant: Combatant) -> str:
        return knowledge.label_of(self.state, combatant) if self.facts else combatant.label

    def side(self, key: Id) -> str:
        return clean(knowledge.side_called(self.state, key) if self.facts else self.state.name(key))

    def allows(self, key: str) -> bool:
        """Tell whether something is shown that the GM can keep back."""
        return not self.facts or knowledge.setting(self.state, key) is not False

    def text(self, words: str) -> str:
        """Return words with every name as players read it."""
        cleaned = clean(words)
        if not self.facts or self._names is None:
            return cleaned
        return self._names.sub(lambda found: self._read[found[0].casefold()], cleaned)

    @cached_property
    def _read(self) -> dict[str, str]:
        """What players read for each name that is not theirs."""
        state, read = self.state, dict[str, str]()
        for who, name in state.gone:
            if who in self.hidden:
                read[clean(name).casefold()] = UNSEEN
        for one in sorted(state.combatants, key=lambda one: one.id in self.hidden):  # the names of the seen come first
            words = UNSEEN if one.id in self.hidden else self.name(one)
            alias = knowledge.setting(state, f"alias:{one.id}")
            if one.id in self.hidden or alias is not None:
                plain = UNSEEN if one.id in self.hidden else clean(str(alias))
                for name in self._kinds(one):
                    read.setdefault(name, plain)
            if one.id in self.hidden:
                read.setdefault(clean(one.name).casefold(), words)
            else:
                read[clean(one.name).casefold()] = words
        seen = self._seen.combatants
        known = {self.name(one).casefold() for one in seen}
        own_name = [one for one in seen if knowledge.setting(state, f"alias:{one.id}") is None]
        known |= {kind for one in own_name for kind in self._kinds(one)}
        return {
            name: words for name, words in read.items() if name and name != words.casefold() and name not in known
        } | {
            clean(one.name).casefold(): self.name(one)
            for one in state.combatants
            if one.id not in self.hidden and self.name(one) != clean(one.name)
        }

    def _kinds(self, one: Combatant) -> tuple[str, ...]:
        """Return the names of a combatant's kind; those of a visible one as if the hidden were not there."""
        state = self.state if one.id in self.hidden else self._seen
        words = (getattr(one.block, "name", "") or "", knowledge.base_name(state, one))
        return tuple([clean(name).casefold() for name in words])

    @cached_property
    def _seen(self) -> State:
        """The state without hidden combatants, those that have left included."""
        if not self.hidden:
            return self.state
        people = tuple([one for one in self.state.combatants if one.id not in self.hidden])
        gone = tuple([(who, name) for who, name in self.state.gone if who not in self.hidden])
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
    """Return an id from which the original cannot be read."""
    from hashlib import blake2b  # slow to load, and a fight that is taken up is drawn without

    return blake2b(key.encode(), digest_size=6, key=salt.encode()[:64]).hexdigest()
