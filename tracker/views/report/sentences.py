"""The sentences of a story: each knows the events it tells, and the events that each of its numbers adds up.

1. What changed is told, never what was rolled: an attack strikes only if its target lost something.
2. A number gets into a sentence by `Clauses.amount` or `Clauses.rest` alone, which write its sum beside it.
3. Actions that interrupt another are told in its sentence, before the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.game.telling import BLANK, Telling
from tracker.views.report.names import Names, conjugated, enumerated, number_words, one_of, placed
from tracker.views.report.record import Act, FightRecord, Harm, Ref, StatusChange
from tracker.views.words.text import clean

LOW = 3
"""A player's character with at most a third of its points is said to be low."""
SumKind: TypeAlias = Literal["lost", "gained", "left", "marks"]


class Sum(Struct, frozen=True):
    """A number of a sentence and the events it adds up; `mark`: which kind of marks."""

    number: int
    refs: tuple[Ref, ...]
    kind: SumKind = "lost"
    mark: int = 0


class Clauses:
    """Writes the sentence of one action after another; `sums` are those of the sentence under way."""

    def __init__(self, record: FightRecord, names: Names) -> None:
        self.telling: Telling = record.telling
        self.people = {person.id: person for person in record.people}
        self.names = names
        self.sums: list[Sum] = []

    # -- numbers -------------------------------------------------------------------------------------------------------

    def amount(self, harms: Sequence[Harm]) -> str:
        """Return points and marks in words, "" where players do not know the number."""
        if not harms or self.people[harms[0].who].hidden:
            return ""
        refs, found = tuple(harm.ref for harm in harms), []
        points = sum(harm.points for harm in harms)
        if points:
            self.sums.append(Sum(abs(points), refs, "lost" if points > 0 else "gained"))
            found.append(str(abs(points)))
        for mark, (one, many) in enumerate(self.telling.marks.kinds if self.telling.marks else ()):
            count = sum(harm.marks[mark] for harm in harms if harm.marks)
            if count > 0:
                self.sums.append(Sum(count, refs, "marks", mark))
                found.append(f"{count} {one if count == 1 else many}")
        return enumerated(found)

    def rest(self, who: Id, acts: Sequence[Act]) -> str:
        """Return what a player's character has left if that is little: `, leaving 3`."""
        harms = [harm for act in acts for harm in act.harms_of(who) if harm.points]
        person = self.people[who]
        if not harms or person.hidden or not person.players or not 0 < harms[-1].now <= person.max / LOW:
            return ""
        self.sums.append(Sum(harms[-1].now, (harms[-1].ref,), "left"))
        return f", leaving {harms[-1].now}"

    # -- phrases -------------------------------------------------------------------------------------------------------

    def filled(self, phrase: str, act: Act) -> str:
        """Return a phrase with the blanks of an action filled in; a part in brackets needs its blank."""
        values = {
            name: self.names(str(value)) if value in self.people else clean(str(value)).replace("_", " ")
            for name, value in act.action.fields
            if value is not None and f"{{{name}}}" in phrase
        }
        others = [one for one in act.targets if one != act.by]
        values["whom"] = self.names.several(others) if others and "{whom}" in phrase else ""
        values["means"] = clean(act.means)
        head, bracket, tail = phrase.partition("[")
        if bracket:
            part, _, rest = tail.partition("]")
            wanted = [values.get(name, "") for name in BLANK.findall(part)]
            phrase = head + (part if all(wanted) else "") + rest
        words = BLANK.sub(lambda found: values.get(found[1], "") or "something", phrase)
        return " ".join(words.split())

    def does(self, act: Act, one: bool = True) -> str:
        lost = act.failed or (bool(act.last) and all(result.missed for result in act.last.values()))
        fails = act.words.fails if lost and not act.effects else ""
        return conjugated(self.filled(fails or act.words.does or f"use {clean(act.label)}", act), one)

    def misses(self, acts: Sequence[Act], name: str, one: bool = True) -> str:
        """Return what attacks that changed nothing did: `miss Tavi`, `fail to hurt Tavi`, `cast Doze on it in vain`."""
        alike = len({(act.words.misses, act.means) for act in acts}) == 1
        phrase = one_of(acts[0].words.misses, acts[0].ref)
        if not alike and "{" in phrase:
            phrase = "strike in vain at"
        elif any(act.landed for act in acts) and "{means}" not in phrase and acts[0].words.kind == "attack":
            phrase = "fail to hurt"
        return conjugated(self.filled(placed(phrase, name), acts[0]), one)

    def weapon(self, act: Act) -> str:
        """Return the weapon or spell of an attack, named once for its bearer: ` with the hand axe`."""
        means = clean(act.means)
        if not means or means.casefold() == "attack" or act.words.kind != "attack":
            return ""
        if (act.by, means) in self.names.armed and not self.names.full:
            return ""
        self.names.armed.add((act.by, means))
        if act.proper:
            return f" with {means}"
        return f" with the {means if means.isupper() else means[:1].lower() + means[1:]}"

    def struck(self, acts: Sequence[Act], who: Id, name: str) -> str:
        """Return what attacks that did harm did: `strike Tavi with the hand axe for 12 in all`."""
        several = len({act.by for act in acts}) > 1
        harms = [harm for act in acts for harm in act.harms_of(who)]
        words = acts[0].words
        if len(acts) == 1 and acts[0].is_great(who, self.telling):
            verb = words.great or words.hits
        elif all(harm.graze for harm in harms) and words.grazes:
            verb = words.grazes
        elif any(harm.graze for harm in harms) or len({act.words.hits for act in acts}) > 1:
            verb = "hurt"
        else:
            verb = words.hits
        weapon = self.weapon(acts[0]) if not several and len({act.means for act in acts}) == 1 else ""
        amount = self.amount(harms)
        total = f" for {amount}{' in all' if len(acts) > 1 else ''}" if amount else ""
        return f"{conjugated(placed(one_of(verb, acts[0].ref), name), not several)}{weapon}{total}"

    def struck_hard(self, acts: Sequence[Act], who: Id, name: str) -> str:
        """Return what several criticals against one target did: `land a terrible blow on Tavi twice for 24 in all`."""
        words, several = acts[0].words, len({act.by for act in acts}) > 1
        amount = self.amount([harm for act in acts for harm in act.harms_of(who)])
        verb = conjugated(placed(one_of(words.great or words.hits, acts[0].ref), name), not several)
        each = "each " if several else ""
        weapon, times = "" if several else self.weapon(acts[0]), ""
        if len(acts) > len({act.by for act in acts}):
            often = "twice" if len(acts) == 2 else f"{number_words(len(acts))} times"
            times = " again and again" if several else f" {often}"
        total = f" for {amount}{' in all' if len(acts) > 1 else ''}" if amount else ""
        return f"{each}{verb}{weapon}{times}{total}"

    def brought(self, act: Act, change: StatusChange, name: str) -> str:
        """Return what the actor did that changed a status: `kill Growl with the short sword`."""
        return f"{conjugated(placed(one_of(change.words.by, act.ref), name))}{self.weapon(act)}"

    def result(self, act: Act, who: Id, name: str) -> str:
        """Return the result of an attack for one target."""
        change = act.change(who)
        if change is not None:
            return self.brought(act, change, name)
        if act.hurt(who):
            return self.struck([act], who, name) + self.rest(who, [act])
        if act.lost(who) < 0:
            amount = self.amount(act.harms_of(who))
            return f"heals {name}{self.weapon(act)}{f' for {amount}' if amount else ''}"
        if who in act.bearing and "{means}" in act.words.over:
            return conjugated(self.filled(placed(act.words.over, name), act))
        if any(effect.who == who for effect in act.effects) or who in act.bearing or not act.last:
            return f"{conjugated(one_of(act.words.tries, act.ref))} {name}{self.weapon(act)}"
        return self.misses([act], name)

    def effects(self, act: Act) -> str:
        """Return what the targets of an action bear from now on: `, and Growl is stunned`."""
        found: dict[str, list[Id]] = {}
        for effect in act.effects:
            does = effect.does.replace("{whom}", self.names(effect.whom) if effect.whom else "")
            found.setdefault(does, []).append(effect.who)
        words = [
            f"{enumerated([self.names.subject(one) for one in dict.fromkeys(people)])} "
            f"{conjugated(does, len(set(people)) == 1)}"
            for does, people in found.items()
        ]
        return f", and {enumerated(words)}" if words else ""

    def own_loss(self, act: Act) -> str:
        """Return what the actor itself lost by its action."""
        harms = [] if act.by is None or act.by in act.targets else act.harms_of(act.by)
        amount = self.amount(harms) if sum(harm.points for harm in harms) > 0 else ""
        return f" and loses {amount}" if amount else ""

    # -- one action ----------------------------------------------------------------------------------------------------

    def attack(self, act: Act, who: str) -> str:
        """Return an attack that no other action interrupted."""
        touched = [one for one in act.touched if one != act.by or one in act.targets]
        aside = [one for one in act.targets if one not in touched]
        if len(act.targets) > 1 or len(touched) > 1:
            return f"{who} {self.on_several(act, touched)}{self.own_loss(act)}"
        words = f"{who} "
        if aside and touched:
            words += f"{conjugated(one_of(act.words.tries, act.ref))} {self.names.several(aside)} but "
        if not touched:
            return f"{words}{self.does(act) if act.words.does else 'attacks'}{self.own_loss(act)}"
        if aside and touched and act.landed and not act.harms and not act.changes:
            return f"{words}reaches {self.names(touched[0])} without harm instead{self.effects(act)}"
        results = [self.result(act, one, self.names(one)) for one in touched]
        outcome, rest, left = " and ".join(results).partition(", leaving ")
        return f"{words}{outcome}{' instead' if aside else ''}{rest}{left}{self.effects(act)}{self.own_loss(act)}"

    def on_several(self, act: Act, touched: Sequence[Id]) -> str:
        """Return an attack on several targets: what each lost, and who fell."""
        known = tuple(dict.fromkeys((*act.targets, *touched)))
        words = f"{conjugated(self.filled(act.words.over, act))} {self.names.several(known)}"
        amounts: dict[str, list[Id]] = {}
        for one in touched:
            if (harms := act.harms_of(one)) and (amount := self.amount(harms)):
                amounts.setdefault(amount, []).append(one)
        parts: list[str] = []
        for amount, people in amounts.items():
            whom = self.names.counted(people, known)
            again = whom.startswith("one ") and any(part.endswith(f" for {whom}") for part in parts)
            each = " each" if len(people) > 1 else ""
            if len(people) == len(known) > 1:
                parts.append(f"{amount} each")
                continue
            parts.append(f"{amount}{each} for {f'another {whom[4:]}' if again else whom}")
        changes = {change.who: change for change in act.changes}
        fallen: dict[str, list[Id]] = {}
        for change in changes.values():
            fallen.setdefault(change.words.alone, []).append(change.who)
        bearing = {*act.bearing, *(effect.who for effect in act.effects), *changes}
        unhurt = [one for one in act.targets if one not in bearing and not act.harms_of(one)]
        if not amounts and not fallen:
            return f"{words}{' in vain' if unhurt else ''}"
        if unhurt and parts:
            parts.append(f"nothing for {self.names.counted(unhurt, known)}")
        falls = [
            f"{self.names.counted(people, known)} {conjugated(phrase, len(people) == 1)}"
            for phrase, people in fallen.items()
        ]
        text = f"{words}{': ' if parts else ''}{', '.join(parts)}{'; ' if falls else ''}{enumerated(falls)}"
        return f"{text}{self.effects(act)}"

    def consequences(self, act: Act) -> str:
        """Return what an action that is no attack changed: `, and Goblin 1 loses 6`."""
        found, own = [], ""
        for who in act.touched:
            change, harms = act.change(who), act.harms_of(who)
            amount = self.amount(harms) if change is None else ""
            if amount and who == act.by:
                own = f" and {'gets back' if sum(harm.points for harm in harms) < 0 else 'loses'} {amount}"
            elif change is not None:
                found.append(f"{self.names(who)} {conjugated(change.words.alone)}")
            elif amount:
                gains = sum(harm.points for harm in harms) < 0
                found.append(f"{self.names(who)} {'gets back' if gains else 'loses'} {amount}")
        return f"{own}{', and ' if found else ''}{enumerated(found)}{self.effects(act)}"

    def rescue(self, act: Act, who: str) -> str:
        if not act.changes and act.last and all(result.missed for result in act.last.values()):
            return f"{who} {self.misses([act], self.names.several(act.targets))}"
        others = [change for change in act.changes if change.falls]
        return f"{who} {self.does(act)}{self.consequences(act) if others else ''}"

    # -- an action and its answers -------------------------------------------------------------------------------------

    def exchange(self, act: Act, who: str) -> str:
        """Return an action that others interrupted or stopped, each before the result."""
        target = next(iter(act.targets), None)
        start = self._start(act, who, target)
        blows = [one for one in act.answers if one.harms or one.changes or one.words.kind == "attack"]
        others = [one for one in act.answers if one not in blows and one.words.kind != "silent"]
        helpers = [one for one in others if one.by not in (act.by, target) and any(one.by == blow.by for blow in blows)]
        guards = [one for one in others if one.by != act.by and one not in helpers]
        powers = [one for one in others if one.by == act.by]
        fell = any(change.who == act.by and change.falls for one in act.answers for change in one.changes)
        if act.stopped or (fell and not (act.harms or act.changes or act.effects)):
            return self._stopped(act, start, target, blows, helpers, guards)
        words = f"as {start}, {enumerated(self._blows(blows, helpers, act, target))}" if blows else start
        attacked = act.words.kind == "attack" and target is not None
        landed = attacked and any(act.hurt(one) or act.change(one) for one in act.touched)
        if guards:
            return self._guarded(act, who, words, target, guards, powers, bool(blows), landed)
        if powers:
            return self._empowered(act, words, target, powers, landed)
        if not attacked or target is None:
            after = self.consequences(act) if act.harms or act.changes else ""
            return f"{words}{after}"
        return f"{words}; {self.names.again(str(act.by))} {self._results(act)}"

    def _results(self, act: Act) -> str:
        """Return the results of an interrupted attack for all it changed, else for its targets."""
        known = act.targets[:1]
        results = [
            self.result(act, one, self.names.object(one) if one in known else self.names.again(one))
            for one in act.touched
        ]
        instead = " instead" if known and known[0] not in act.touched else ""
        return f"{' and '.join(results)}{instead}{self.effects(act)}"

    def _start(self, act: Act, who: str, target: Id | None) -> str:
        if act.words.kind == "attack" and target is not None:
            return f"{who} {conjugated(one_of(act.words.tries, act.ref))} {self.names(target)}"
        if act.words.kind == "move":
            return f"{who} {'turns to run' if act.flees or act.again else 'moves'}"
        return f"{who} {self.does(act)}"

    def _blows(
        self, blows: Sequence[Act], helpers: Sequence[Act], act: Act, target: Id | None, first: bool = False
    ) -> list[str]:
        """Return the attacks that interrupt another action, each with the powers that its actor used for it."""
        return [
            f"{self.names.again(str(one.by)) if one.by == target else self.names(str(one.by))} "
            + self._blow(one, [each for each in helpers if each.by == one.by], act, target, first)
            for one in blows
        ]

    def _blow(self, one: Act, helpers: Sequence[Act], act: Act, target: Id | None, first: bool) -> str:
        known = (act.by, target)
        results = [
            self.result(one, each, self.names.again(each) if each in known else self.names(each))
            for each in one.touched
        ]
        did = [*(self._guard(each, True) for each in helpers), *(results or [self.does(one)])]
        return f"{' and '.join(did)}{' first' if first and one.changes else ''}{self.effects(one)}"

    def _stopped(
        self,
        act: Act,
        start: str,
        target: Id | None,
        blows: Sequence[Act],
        helpers: Sequence[Act],
        guards: Sequence[Act],
    ) -> str:
        if len(blows) == 1 and blows[0].by == target and not guards and act.words.kind == "attack":
            return f"{start}, who {self._blow(blows[0], helpers, act, target, act.stopped)}"
        parts = [f"{self.names.again(str(one.by))} {self._guard(one, True)}" for one in guards]
        parts += self._blows(blows, helpers, act, target, act.stopped)
        return f"{start}, but {enumerated(parts) if parts else 'cannot go on'}"

    def _guard(self, one: Act, turned: bool) -> str:
        phrase = (one.words.turned if turned else one.words.vain) or one.words.does
        return conjugated(self.filled(phrase, one))

    def _guarded(
        self,
        act: Act,
        who: str,
        words: str,
        target: Id | None,
        guards: Sequence[Act],
        powers: Sequence[Act],
        blows: bool,
        landed: bool,
    ) -> str:
        """Return an attack that guards answered, the actor's own powers before its result."""
        missed = target is not None and target in act.first and act.first[target].missed
        turned = not landed and not missed
        grazed = landed and not act.changes and all(harm.graze for harm in act.harms)
        helped = not landed or grazed or bool(powers)
        did: dict[Id, list[str]] = {}
        for one in guards:
            did.setdefault(str(one.by), []).append(self._guard(one, helped))
        by_target = set(did) == {target} and not blows
        if by_target:
            words += f", who {' and '.join(did[str(target)])}"
        else:
            text = enumerated([f"{self.names.again(by)} {' and '.join(what)}" for by, what in did.items()])
            words += f"{';' if blows else ','} {'but ' if turned else ''}{text}"
        calls = "".join(f"{self.does(one)} and " for one in powers)
        if landed and target is not None:
            joined = "but" if helped else "and"
            by = self.names.subject(str(act.by), target) if by_target else self.names.again(str(act.by))
            return f"{words}, {joined} {by} {calls}{self._results(act)}"
        if act.harms or act.changes:
            return f"{words}{self.consequences(act)}"
        if turned or target is None:
            return f"{words}{f', and {self.names.again(str(act.by))} ' + calls.removesuffix(' and ') if calls else ''}"
        if by_target:
            also = f", and {calls.removesuffix(' and ')}" if calls else ""
            return f"{who} {self.misses([act], self.names.again(target))}, who {' and '.join(did[target])}{also}"
        return f"{words}, and {self.names.again(str(act.by))} {calls}misses"

    def _empowered(self, act: Act, words: str, target: Id | None, powers: Sequence[Act], landed: bool) -> str:
        """Return an action that its actor improves with powers of its own."""
        calls = enumerated([self._guard(one, True) for one in powers])
        if target is None or act.words.kind != "attack":
            after = self.consequences(act) if act.harms or act.changes else ""
            return f"{words}, and {self.names.again(str(act.by))} {calls}{after}"
        missed = target in act.first and act.first[target].missed
        doubt = " and misses at first, but" if missed and landed else ","
        return f"{words}{doubt} {calls} and {self._results(act)}"
