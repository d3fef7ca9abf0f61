"""The check of a game's words for its story: phrases, blanks, and the keys they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tracker.core.game.ruleset import Ruleset
from tracker.core.game.telling import BLANK

VERB = re.compile(r"[a-z]+(?<![^s]s)(?: |$)")
"""A verb in the infinitive at the beginning of a phrase."""
FREE = frozenset(("whom", "means"))


def problems_of_telling(ruleset: Ruleset) -> Iterator[str]:
    """Yield what is wrong in the words of a game, before anything is played."""
    for owner, phrase in ruleset.telling.phrases():
        for way in phrase.split("|") if phrase else ():
            if VERB.match(way) is None:
                yield f'telling: "{way}" of the {owner} does not begin with a verb in the infinitive'
    statuses = {status.key for status in ruleset.statuses}
    for words in ruleset.telling.status_words:
        if words.key not in statuses:
            yield f'telling: there is no status "{words.key}"'


def problems_of_actions(ruleset: Ruleset, offered: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the blanks that no field fills in, of the actions that were offered with these fields."""
    for words in ruleset.telling.action_words:
        fields = offered.get(words.key.partition(":")[0])
        if fields is None:
            continue
        for phrase in (words.does, words.tries, words.over, words.turned, words.vain):
            for blank in BLANK.findall(phrase):
                if blank not in fields | FREE:
                    yield f'telling: the action "{words.key}" has no field "{blank}"'


def remarks_on_actions(ruleset: Ruleset, offered: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the actions that have words and were never offered."""
    for words in ruleset.telling.action_words:
        if words.key.partition(":")[0] not in offered:
            yield f'telling: the action "{words.key}" was never offered'
