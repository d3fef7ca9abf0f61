"""Rare events in words: everything of the story that is one plain line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight import events as ev
from tracker.core.fight.state import State
from tracker.core.terms.effects import Effect
from tracker.core.terms.words import possessive
from tracker.views.words.sums import TYPED
from tracker.views.words.text import clean, clean_lines, key_words
from tracker.views.words.values import plain_words, seconds_words, switched_words

Name: TypeAlias = Callable[[str | None], str]


class Told(Struct, frozen=True, gc=False):
    """A line without dice.

    Its text, style, depth and kind, and whether players do not see it.
    """

    text: str
    style: str = ""
    depth: int = 1
    kind: str = ""
    secret: bool = False


_OfMaster: TypeAlias = ev.Noted | ev.Forced | ev.Overruled | ev.HouseRulesChanged | ev.ReminderDismissed
_OfEffects: TypeAlias = ev.EffectChanged | ev.EffectUsed
_OfPeople: TypeAlias = (
    ev.BudgetsChanged
    | ev.FactSet
    | ev.PoolSet
    | ev.Moved
    | ev.CombatantLeft
    | ev.SideJoined
    | ev.SideChanged
    | ev.Renamed
)
_OfFight: TypeAlias = ev.FightOpened | ev.FightEnded | ev.WaveArrived | ev.TimePassed | ev.Skipped | ev.ActionStopped
Rare: TypeAlias = _OfMaster | _OfEffects | _OfPeople | _OfFight


def rare_words(state: State, event: Rare, name: Name, until: Callable[[Effect], str]) -> Told:
    """Return what to say of an event.

    `name` says what combatants are called, `until` when an effect ends.
    """
    match event:
        case ev.EffectChanged() | ev.EffectUsed():
            return _of_effects(state, event, name, until)
        case ev.Noted() | ev.Forced() | ev.Overruled() | ev.HouseRulesChanged() | ev.ReminderDismissed():
            return _of_master(event, name)
        case (
            ev.FightOpened() | ev.FightEnded() | ev.WaveArrived() | ev.TimePassed() | ev.Skipped() | ev.ActionStopped()
        ):
            return _of_fight(event, name)
        case _:
            return _of_people(event, name)


def _of_effects(state: State, event: _OfEffects, name: Name, until: Callable[[Effect], str]) -> Told:
    match event:
        case ev.EffectChanged(was=was, now=now, why=why):
            ending = "" if was.until == now.until or not now.until else f", now until {until(now)}"
            because = f" ({why})" if why else ""
            same = f"{now.shown} changes" if now.shown == was.shown else now.shown
            what = f"{was.shown}→{now.value}" if was.value != now.value else same
            return Told(clean(f"{name(now.bearer)}: {what}{ending}{because}"), secret=now.secret)
        case ev.EffectUsed(bearer=bearer, effect=number, key=key):
            held = state.effect(bearer, number)
            if held is None:  # used up: its end is told next
                return Told("")
            return Told(clean(f"{name(bearer)}: {held.shown} is used ({key_words(key)})"), secret=held.secret)


def _of_master(event: _OfMaster, name: Name) -> Told:
    match event:
        case ev.Noted(text=text, about=about, keep=keep):
            lead = "note" if keep else ""
            whose = name(about) if about is not None else ""
            head = f"{lead} on {whose}: " if lead and whose else f"{lead or whose}: " if lead or whose else ""
            said = _one_line(text)
            return Told(said if whose and not lead and _begins(said, whose) else f"{head}{said}")
        case ev.Forced(text=text):
            return Told(f"forced, although {clean(text)}", "warn", kind="gm")
        case ev.Overruled(key=key, computed=computed, value=value):
            what = clean(key.rpartition("/")[2].replace("_", " "))
            stands, instead = clean(plain_words(value)), clean(plain_words(computed))
            over = f" instead of {instead}" if instead != stands else ""
            return Told(f"{TYPED} overruled: {what} {stands}{over}", "warn", kind="gm")
        case ev.HouseRulesChanged(was=was, now=now):
            return Told(clean(switched_words(was, now)), kind="gm")
        case ev.ReminderDismissed():
            return Told("a reminder is dismissed", "dim")


def _of_people(event: _OfPeople, name: Name) -> Told:
    match event:
        case ev.BudgetsChanged(changes=changes):
            left = []
            for change in changes:
                amounts = ", ".join(f"{key_words(key)} {amount}" for key, amount in change.now)
                left.append(f"{name(change.who)} {amounts or 'nothing'}")
            return Told(clean(f"left of the turn: {'; '.join(left)}"), "dim")
        case ev.FactSet(owner=owner, key=key, now=now):
            held = "no more" if now is None else plain_words(now)
            return Told(clean(f"{name(owner)}: {key_words(key)} {held}").rstrip(), "dim")
        case ev.PoolSet(who=who, was=pool_was, now=pool):
            before = "" if pool_was is None else f"{pool_was.now}/{pool_was.max} → "
            return Told(f"{name(who)}: {clean(key_words(pool.key))} {before}{pool.now}/{pool.max}")
        case ev.Moved(who=who, was=place_was, now=place):
            if place_was is None:
                return Told(f"{name(who)} stands at {plain_words(place)}")
            return Told(f"{name(who)} moves {plain_words(place_was)} → {plain_words(place)}")
        case ev.CombatantLeft(was=gone, reason=reason):
            because = f" ({reason})" if reason and reason != "removed" else ""
            return Told(clean(f"{gone.name} leaves the fight{because}"))
        case ev.SideJoined(side=side):
            return Told(f"a new side: {clean(side.name)}")
        case ev.SideChanged(who=who, now=side_now):
            return Told(f"{name(who)} changes sides: {name(side_now)}")
        case ev.Renamed(was=name_was, now=name_now):
            return Told(f"{clean(name_was)} is now called {clean(name_now)}")


def _of_fight(event: _OfFight, name: Name) -> Told:
    match event:
        case ev.Skipped(what=what, why=why, who=who):
            skipped = _whose(name(who), clean(what)) if who is not None else clean(what)
            return Told(f"{skipped} skipped: {clean(why)}", "dim")
        case ev.ActionStopped(by=by, label=label, why=why):
            return Told(clean(f"{name(by)}: {label} is interrupted" + (f": {why}" if why else "")), "warn")
        case ev.WaveArrived(wave=wave):
            side = name(wave.side)
            return Told(f"wave: {clean(wave.title)} ({side})" if wave.title else f"a wave ({side})", "title", 0)
        case ev.TimePassed(seconds=seconds, why=why):
            return Told(clean(seconds_words(seconds) + (f" pass: {why}" if why else " pass")))
        case ev.FightOpened(title=title, notes=notes):
            return Told(f"{clean(title)}: {_one_line(notes)}" if notes else clean(title), "title", 0, "round")
        case ev.FightEnded(reason=reason):
            return Told("the fight is over" + (f": {clean(reason)}" if reason else ""), "title", 0, "round")


def _whose(name: str, what: str) -> str:
    """Return what is skipped and whose it is, with the name once."""
    if what == name:
        return f"{possessive(name)} turn"
    return what if what.startswith(f"{name}: ") else f"{name}: {what}"


def _begins(text: str, name: str) -> bool:
    """Tell whether a text begins with a name already."""
    return text == name or text.startswith((f"{name} ", f"{name}: ", f"{name}'", f"{name},"))


def _one_line(text: str) -> str:
    """Return a text of several lines as one."""
    return " ".join(line.strip() for line in clean_lines(text)).strip()
