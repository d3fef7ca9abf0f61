"""The latest events in words for players.

It is a whitelist of events, each with only what can be seen. Dice are told only if players rolled them; of attacks of
the GM's combatants only the result against a combatant of the players. The number to reach is never told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.visibility import knowledge
from tracker.views.public.build import health_of, roll_word, seen_as
from tracker.views.public.redaction import UNSEEN, Redactor, redactor_of
from tracker.views.words.moments import stat_words
from tracker.views.words.text import clean, key_words

TOLD = (ev.FightEnded, ev.StatusChanged, ev.PoolChanged, ev.EffectAdded, ev.EffectEnded, ev.Checked, ev.Found)
"""Kinds of events that players may read, besides rounds, dice and changes of hidden combatants by the GM."""
_DIGIT = re.compile("[0-9]")


def public_entries(entries: Sequence[ev.Entry]) -> tuple[ev.Entry, ...]:
    return tuple([entry for entry in entries if _is_public(entry.event)])


def _is_public(event: ev.Event) -> bool:
    if isinstance(event, ev.FactSet):
        return event.owner == knowledge.PLAYERS
    if isinstance(event, ev.BoundaryCrossed):
        return event.boundary.edge == "round_start"
    if isinstance(event, ev.Rolled):
        return not event.secret
    return isinstance(event, TOLD)


def event_words(
    ruleset: Ruleset, after: State, entries: Sequence[ev.Entry], now: State | None = None
) -> tuple[str, ...]:
    """Return the words of a step for players: only of what they could see then and may still see.

    Args:
        ruleset: the game.
        after: the state after the step. What was hidden or kept back then is not told, even if it is shown now.
        entries: the events of the step.
        now: the present state, with the names that players read; None: the state after the step.
    """
    words = _Words(ruleset, redactor_of(after, ""), redactor_of(after if now is None else now, ""))
    lines: list[str] = []
    public = public_entries(entries)
    for entry, before in reversed(tuple(zip(public, _before(public), strict=True))):
        lines[:0] = words.lines(entry.event, before)
        match entry.event:
            case ev.FactSet(owner=knowledge.PLAYERS, key=key, was=str(), now=None) if key.startswith("hidden:"):
                words = words.hiding(key.removeprefix("hidden:"))  # players did not see its acts before the reveal
    return tuple(dict.fromkeys(lines))


def _before(entries: Sequence[ev.Entry]) -> Iterator[ev.Rolled | ev.Checked | None]:
    """Yield for each check of a step the dice rolled for it, and for each roll the last check of its combatant."""
    rolls, checks = dict[Id | None, ev.Rolled](), dict[Id | None, ev.Checked]()
    for entry in entries:
        match entry.event:
            case ev.Rolled(who=who) as roll:
                rolls[who] = roll
                yield checks.get(who)
            case ev.Checked(who=who) as check:
                checks[who] = check
                yield rolls.pop(who, None)
            case _:
                yield None


class _Words:
    """The words for the events of a step.

    `then` is the redactor of the state after the step, `redactor` the redactor of the present state, which also hides
    the combatants that were hidden in the step.
    """

    def __init__(self, ruleset: Ruleset, then: Redactor, now: Redactor) -> None:
        self.ruleset, self.then = ruleset, then
        alike = then is now or then.hidden <= now.hidden
        self.redactor = now if alike else replace(now, facts=now.facts or then.facts, hidden=now.hidden | then.hidden)

    def hiding(self, who: Id) -> _Words:
        return _Words(self.ruleset, replace(self.then, hidden=self.then.hidden | {who}), self.redactor)

    def lines(self, event: ev.Event, before: ev.Rolled | ev.Checked | None = None) -> tuple[str, ...]:
        """Return the words for an event; `before`: the dice of a check, or the check before a roll."""
        match event:
            case ev.Checked():
                return self._result(event, before if isinstance(before, ev.Rolled) else None)
            case ev.BoundaryCrossed(boundary=boundary) if boundary.edge == "round_start":
                return (f"Round {boundary.round}",)
            case ev.FightEnded():
                return ("The fight is over",)
            case ev.Found(items=items, who=None):
                return (self.redactor.text(", ".join(items)),)
            case ev.Found(items=items, who=str(who)):
                words = f": {self.redactor.text(', '.join(items))}"
            case ev.FactSet(owner=knowledge.PLAYERS, key="unseen_at", now=str()):
                return (f"{UNSEEN.capitalize()} attacks",)
            case ev.FactSet(owner=knowledge.PLAYERS, key=key, was=str(), now=None) if key.startswith("hidden:"):
                who, words = key.removeprefix("hidden:"), " appears"
            case ev.StatusChanged(who=who, now=status):
                words = f" is {clean(status_of(self.ruleset, status).word)}"
            case ev.PoolChanged() as change:
                return self._points(change)
            case ev.Rolled(who=str(who), plus=plus, key=key) if roll_word(key) == "damage" and self._known_own(who):
                if not isinstance(before, ev.Checked) or not self._result(before, None):
                    return ()  # the target may be hidden
                words = f" rolls {event.total + (0 if plus is UNSET else plus)} damage"
            case ev.EffectAdded(effect=effect) if name := seen_as(effect, self._own(effect.bearer)):
                who, words = effect.bearer, f": {self.redactor.text(name)}"
            case ev.EffectEnded(was=effect, reason=reason) if reason != "replaced" and (
                name := seen_as(effect, self._own(effect.bearer))
            ):
                who, words = effect.bearer, f": {self.redactor.text(name)} ends"
            case _:
                return ()
        combatant = self._seen(who)
        return () if combatant is None else (f"{self.redactor.name(combatant)}{words}",)

    def _result(self, checked: ev.Checked, roll: ev.Rolled | None) -> tuple[str, ...]:
        """Return the result of a check: a player's with its dice, any other only if it is an attack on a player's."""
        actor, target = self._seen(checked.who), self._seen(checked.target)
        if actor is None or checked.success is UNSET or not checked.result or _DIGIT.search(checked.result):
            return ()
        own = self._known_own(actor.id)
        if checked.target is not None and (target is None or (target.side == actor.side and not own)):
            return ()
        at, result = "" if target is None else f" → {self.redactor.name(target)}", self.redactor.text(checked.result)
        if not own:
            hostile = target is not None and self._own(target.id)
            return (f"{self.redactor.name(actor)}{at}: {result}",) if hostile else ()
        what = self.redactor.text(key_words(checked.what)).lower()
        number = f" {roll.total}" if roll is not None else ""
        return (f"{self.redactor.name(actor)}{at}: {what}{number}, {result}",)

    def _known_own(self, who: Id) -> bool:
        """Tell whether the players ran and saw a combatant in the step, and still do."""
        return self._seen(who) is not None and self.then.sees(who) and self._own(who)

    def _seen(self, who: Id | None) -> Combatant | None:
        one = self.redactor.state.get(who)
        return None if one is None or not self.redactor.sees(one.id) else one

    def _own(self, who: Id) -> bool:
        """Tell whether the players ran a combatant then and run it now."""
        redactors = (self.then, self.redactor)
        return all((one := redactor.state.get(who)) and redactor.own(one.side) for redactor in redactors)

    def _allows(self, key: str) -> bool:
        return self.then.allows(key) and self.redactor.allows(key)

    def _points(self, change: ev.PoolChanged) -> tuple[str, ...]:
        """Return points lost or gained in words; of the GM's combatants only the new health."""
        one, then = self._seen(change.who), self.then.state.get(change.who)
        lost = change.was - change.now
        if one is None or then is None or not lost or change.pool not in self.ruleset.schema.pools[:1]:
            return ()
        name = self.redactor.name(one)
        if self._own(one.id) and self._allows("points"):
            verb = "loses" if lost > 0 else "regains"
            source = self._seen(change.source) if change.source != change.who else None
            by = f" ({self.redactor.name(source)})" if source is not None and lost > 0 else ""
            return (f"{name} {verb} {abs(lost)} {stat_words(change.pool)}{by}",)
        if not all(self._allows(f"health:{side}") for side in {one.side, then.side}) or not then.has_pool(change.pool):
            return ()
        full = then.pool(change.pool).max
        before, after = health_of(change.was, full), health_of(change.now, full)
        return (f"{name} is {after}",) if before != after else ()
