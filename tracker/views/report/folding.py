"""Which actions of a round share a sentence.

1. An item joins an earlier item of the same kind only if the order of the two and of the items between them does not
   matter: a combatant that falls, flees, is saved or gets an effect keeps its deeds and losses before and after that,
   and the losses of one combatant keep their order.
2. No item is moved past newcomers, notes or a round.
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
        key: what the items have in common.
        people: their actors and targets; `changed`: the combatants that flee or whose status or effects change; `hurt`:
            the combatants that lose or gain points.
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
    """Return the items of a fight, a unit for each sentence."""
    units: list[Unit] = []
    sides = {person.id: person.side for person in record.people}
    for item in record.items:
        unit = _unit(item, _key(item, record, sides, crowds))
        earlier = _earlier(units, unit)
        if earlier is None:
            units.append(unit)
            continue
        if earlier.key == unit.key or not isinstance(item, Act):
            earlier.items += unit.items
        else:
            earlier.then = item
        earlier.people |= unit.people
        earlier.changed |= unit.changed
        earlier.hurt |= unit.hurt
    return units


def _unit(item: Item, key: Key | None) -> Unit:
    if isinstance(item, Milestone):
        changed = {*item.who, *([item.change.who] if item.change else [])}
        hurt = {item.harm.who} if item.harm else set[Id]()
        return Unit(key, [item], changed | hurt, changed, hurt)
    acts = item.with_answers
    changed = {change.who for act in acts for change in act.changes}
    changed |= {effect.who for act in acts for effect in act.effects}
    changed |= {act.by for act in acts if (act.flees or act.again) and act.by is not None}
    hurt = {harm.who for act in acts for harm in act.harms}
    people = {who for act in acts for who in (act.by, *act.targets, *act.touched) if who is not None}
    return Unit(key, [item], people | changed, changed, hurt)


def _earlier(units: Sequence[Unit], unit: Unit) -> Unit | None:
    """Return the unit that an item joins, None if it has a sentence of its own."""
    for earlier in reversed(units):
        alike = unit.key is not None and earlier.key == unit.key and earlier.then is None
        if alike or _ends(earlier, unit) or _is_shared(earlier, unit):
            return earlier
        if _in_order(earlier, unit):
            return None
    return None


def _in_order(earlier: Unit, later: Unit) -> bool:
    """Tell whether the later of two units cannot be told first."""
    first = earlier.items[0]
    if isinstance(first, Milestone) and first.kind in BARRIERS:
        return True
    return bool(earlier.changed & later.people or earlier.people & later.changed or earlier.hurt & later.hurt)


def _is_shared(earlier: Unit, unit: Unit) -> bool:
    """Tell whether others have the same loss without an action in the same step: `Sefa and Nele get back 3 each`."""
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
    return act.touched[0] == who and all(each.by == act.by for each in acts) and any(each.hurt(who) for each in acts)


def _key(item: Item, record: FightRecord, sides: dict[Id, Id], crowds: Collection[Id]) -> Key | None:
    """Return what items must have in common to share a sentence, None if this item cannot share a sentence."""
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
    """Tell whether an action is an attack on one target with a result and without interruptions."""
    has_result = bool(act.last or act.harms or act.changes)
    if not has_result or act.words.kind != "attack" or act.answers or act.stopped or len(act.targets) != 1:
        return False
    return act.touched == act.targets


def _move_key(act: Act, side: Id, crowds: Collection[Id]) -> Key | None:
    """Return the key of a combatant of a crowd that is struck down as it moves, or of a flight that succeeds."""
    others = [each for each in act.answers if not each.is_blow and each.words.kind not in ("guard", "silent")]
    changes = [change for each in act.with_answers for change in each.changes]
    if others or any(each.effects for each in act.answers):
        return None
    if act.stopped or changes:
        own = changes and all(change.who == act.by and change.falls for change in changes)
        felled = own and act.by in crowds and not act.changes
        return ("struck", side, changes[-1].words.key, "run" if act.flees or act.again else "") if felled else None
    return ("flight", side) if act.flees else None


def _is_turned(act: Act, crowds: Collection[Id]) -> bool:
    """Tell whether a combatant of a crowd has turned an attack aside that has no other result."""
    if act.words.kind != "attack" or act.stopped or not act.answers or len(act.targets) != 1:
        return False
    target = act.targets[0]
    first = act.first.get(target)
    if target not in crowds or first is None or first.missed or act.harms or act.changes or act.effects:
        return False
    return all(answer.words.kind == "guard" and answer.by == target for answer in act.answers)
