"""Which actions of a round share a sentence.

1. An item joins an earlier one of the same kind only if the order of the two and of those between them does not matter:
   who falls, flees, is saved or bears an effect does and suffers the same before and after it, and the losses of one
   combatant keep their order.
2. Nothing is moved past newcomers, notes or a round.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from tracker.core.fight.slots import Id
from tracker.views.report.record import Act, FightRecord, Milestone

Item: TypeAlias = Act | Milestone
Key: TypeAlias = tuple[str, ...]
BARRIERS = ("opened", "round", "wave", "joined", "found", "note", "ended")


class Unit(Struct):
    """Items that share a sentence.

    Attributes:
        key: what they have in common.
        people: all who act in them or are their targets; `changed`: whose status or effects change or who flee; `hurt`:
            who lose or gain points.
        then: the attack that brings their target down.
    """

    key: Key | None
    items: list[Item]
    people: set[Id] = field(default_factory=set)
    changed: set[Id] = field(default_factory=set)
    hurt: set[Id] = field(default_factory=set)
    then: Act | None = None

    @property
    def acts(self) -> list[Act]:
        return [item for item in self.items if isinstance(item, Act)]


def units_of(record: FightRecord, crowds: Collection[Id]) -> list[Unit]:
    """Return the items of a fight, those that share a sentence together."""
    found: list[Unit] = []
    sides = {person.id: person.side for person in record.people}
    for item in record.items:
        unit = _unit(item, _key(item, record, sides, crowds))
        earlier = _earlier(found, unit)
        if earlier is None:
            found.append(unit)
            continue
        if earlier.key == unit.key or not isinstance(item, Act):
            earlier.items += unit.items
        else:
            earlier.then = item
        earlier.people |= unit.people
        earlier.changed |= unit.changed
        earlier.hurt |= unit.hurt
    return found


def _unit(item: Item, key: Key | None) -> Unit:
    if isinstance(item, Milestone):
        own = () if item.change is None else (item.change.who,)
        changed = {*item.who, *own}
        hurt = {item.harm.who} if item.harm else set[Id]()
        return Unit(key, [item], changed | hurt, changed, hurt)
    acts = (item, *item.answers)
    changed = {change.who for act in acts for change in act.changes}
    changed |= {effect.who for act in acts for effect in act.effects}
    changed |= {act.by for act in acts if (act.flees or act.again) and act.by is not None}
    hurt = {harm.who for act in acts for harm in act.harms}
    people = {one for act in acts for one in (act.by, *act.targets, *act.touched) if one is not None}
    return Unit(key, [item], people | changed, changed, hurt)


def _earlier(found: Sequence[Unit], unit: Unit) -> Unit | None:
    """Return the unit that an item joins, None if it has a sentence of its own."""
    for earlier in reversed(found):
        if (unit.key is not None and earlier.key == unit.key and earlier.then is None) or _ends(earlier, unit):
            return earlier
        if _is_shared(earlier, unit):
            return earlier
        if _in_order(earlier, unit):
            return None
    return None


def _in_order(earlier: Unit, later: Unit) -> bool:
    """Tell whether the later of two units cannot be told first."""
    first = earlier.items[0]
    if isinstance(first, Milestone) and first.kind in BARRIERS:
        return True
    crossed = (earlier.changed & later.people) | (earlier.people & later.changed) | (earlier.hurt & later.hurt)
    return bool(crossed)


def _is_shared(earlier: Unit, unit: Unit) -> bool:
    """Tell whether a loss of itself is that of others in the same step: `Sefa and Nele get back 3 each`."""
    last, item = earlier.items[-1], unit.items[0]
    if not (isinstance(last, Milestone) and last.harm and isinstance(item, Milestone) and item.harm):
        return False
    alike = last.step == item.step and last.harm.points == item.harm.points != 0 and last.harm.why == item.harm.why
    return alike and item.harm.who not in earlier.hurt and len(earlier.hurt) == len(earlier.items)


def _ends(earlier: Unit, unit: Unit) -> bool:
    """Tell whether an attack brings down the target that the same attacker has just hurt."""
    act = unit.items[0]
    if earlier.key is None or earlier.key[0] not in ("hurt", "great", "effect on") or earlier.then is not None:
        return False
    if not isinstance(act, Act) or not _is_plain(act) or act.effects or act.change(act.touched[0]) is None:
        return False
    who = earlier.key[2]
    acts = earlier.acts
    return act.touched[0] == who and all(one.by == act.by for one in acts) and any(one.hurt(who) for one in acts)


def _key(item: Item, record: FightRecord, sides: dict[Id, Id], crowds: Collection[Id]) -> Key | None:
    """Return what items must have in common to share a sentence, None if this one cannot share any."""
    if isinstance(item, Milestone):
        if item.harm is not None:
            return "loss", item.harm.who, item.harm.why, str(item.harm.points > 0)
        if item.change is not None:
            return "change", item.change.words.key, str(item.step)
        return (item.kind, item.words, item.whom) if item.kind in ("effect", "check") else None
    if item.by is None or item.by not in sides:
        return None
    side = sides[item.by]
    if item.words.kind == "rescue" and not item.changes and not item.answers and len(item.targets) == 1:
        return "vain rescue", side, item.words.key, item.targets[0]
    if item.words.kind == "move":
        return _move_key(item, side, crowds)
    if _is_turned(item, crowds):
        return "turned", side, item.answers[0].words.key
    if not _is_plain(item):
        return None
    who = item.touched[0]
    if item.effects:
        return None if item.changes else ("effect on", side, who, str(item.ref))
    change = item.change(who)
    if change is not None:
        return ("fall", side, change.words.key) if who in crowds else None
    if item.lost(who) < 0 or (item.bearing and not item.hurt(who)):
        return None
    return ("great", side, who) if item.is_great(who, record.telling) else ("hurt", side, who)


def _is_plain(act: Act) -> bool:
    """Tell whether an action is an attack on one target with a result, that nothing interrupted."""
    if (
        not (act.last or act.harms or act.changes)
        or act.words.kind != "attack"
        or act.answers
        or act.stopped
        or len(act.targets) != 1
    ):
        return False
    return len(act.touched) == 1 and act.touched[0] in act.targets


def _move_key(act: Act, side: Id, crowds: Collection[Id]) -> Key | None:
    """Return the key of one of a crowd that is struck down as it moves, or of a flight that succeeds."""
    others = [one for one in act.answers if not _is_blow(one) and one.words.kind not in ("guard", "silent")]
    changes = [change for one in (act, *act.answers) for change in one.changes]
    if others or any(one.effects for one in act.answers):
        return None
    if act.stopped or changes:
        own = changes and all(change.who == act.by and change.falls for change in changes)
        felled = own and act.by in crowds and not act.changes
        return ("struck", side, changes[-1].words.key, "run" if act.flees or act.again else "") if felled else None
    return ("flight", side) if act.flees else None


def _is_blow(act: Act) -> bool:
    return act.words.kind == "attack" or bool(act.harms or act.changes)


def _is_turned(act: Act, crowds: Collection[Id]) -> bool:
    """Tell whether one of a crowd has turned an attack aside, and nothing else came of it."""
    if act.words.kind != "attack" or act.stopped or not act.answers or len(act.targets) != 1:
        return False
    target = act.targets[0]
    first = act.first.get(target)
    if target not in crowds or first is None or first.missed or act.harms or act.changes or act.effects:
        return False
    return all(one.words.kind == "guard" and one.by == target for one in act.answers)
