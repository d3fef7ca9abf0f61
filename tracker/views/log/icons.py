"""Icons of the log and of combatants.

A hit, a miss, a fall, a departure, a wave and a broken side have an icon each; its colour only repeats it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Status

Icon: TypeAlias = Literal["", "miss", "hit", "left", "down", "wave", "broken", "dead"]

ICONS: Mapping[Icon, str] = {
    "miss": "◇",
    "hit": "◆",
    "left": "→",
    "down": "▼",
    "wave": "»",
    "broken": "⚑",
    "dead": "†",
}
"""Each sign, the gravest last. The keys are style words too."""
_GRAVITY: Mapping[str, int] = {"": 0, **{sign: place for place, sign in enumerate(ICONS, start=1)}}
_HIT = frozenset({"hit", "hits", "critical", "grievous", "not"})
_MISS = frozenset({"miss", "misses", "missed", "defended", "resisted", "evaded", "parried"})
_BROKEN = frozenset({"breaks", "broken", "fails", "failed", "flees"})
_DEAD = frozenset({"dead", "slain", "killed", "destroyed"})


def gravest(one: Icon, other: Icon) -> Icon:
    return one if _GRAVITY[one] >= _GRAVITY[other] else other


def result_icon(checked: ev.Checked) -> Icon:
    """Return whether a comparison is a hit, a miss or a broken spirit."""
    words = checked.result.casefold().replace(",", " ").split()
    first = words[0] if words else ""
    if checked.what.casefold().startswith("morale"):
        return "broken" if first in _BROKEN else ""
    if checked.target is None or checked.against is None:
        return ""
    if first in _HIT:
        return "hit" if first != "not" or words[1:2] == ["resisted"] else ""
    return "miss" if first in _MISS else ""


def status_icon(combatant: Combatant | None, status: Status) -> Icon:
    """Return the icon of a status in which a combatant cannot act: dead, gone or down."""
    if status.acts:
        return ""
    if status.takes_part:
        return "down"
    spent = combatant is not None and bool(combatant.pools) and combatant.pools[0].now <= 0
    return "dead" if spent or not _DEAD.isdisjoint(status.word.casefold().split()) else "left"


def gravest_icons(ruleset: Ruleset, state: State, entries: Iterable[ev.Entry]) -> dict[Id, Icon]:
    """Return the gravest icon for each combatant from some entries."""
    found: dict[Id, Icon] = {}
    opens = False
    for entry in entries:
        whom: Id | None = None
        sign: Icon = ""
        match entry.event:
            case ev.Checked() as checked:
                sign = result_icon(checked)
                defends = checked.what.casefold() in ("defence", "defense")
                whom = checked.who if defends or sign == "broken" else checked.target
            case ev.StatusChanged(who=who, now=now):
                whom, sign = who, status_icon(state.get(who), ruleset.status(now))
            case ev.FightOpened():
                opens = True
            case ev.CombatantJoined(combatant=combatant) if not opens:
                whom, sign = combatant.id, "wave"
            case _:
                continue
        if whom is not None and sign:
            found[whom] = gravest(found.get(whom, ""), sign)
    return found
