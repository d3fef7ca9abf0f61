"""The sentences of a story: each knows the events it tells, and the events that each of its numbers adds up.

1. Changes are told, never rolls: an attack strikes only if its target lost something.
2. Only `Clauses.amount` and `Clauses.rest` put a number into a sentence; they record its sum.
3. Actions that interrupt another are told in the sentence of that action, before its result.
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
"""What a player character has left is told if it is at most this part of its points: a third."""
SumKind: TypeAlias = Literal["lost", "gained", "left", "marks"]


class Sum(Struct, frozen=True):
    """A number of a sentence and the events it adds up; `mark`: the kind of the marks."""

    number: int
    refs: tuple[Ref, ...]
    kind: SumKind = "lost"
    mark: int = 0


class Clauses:
    """Writes the sentences of actions; `sums` are the numbers of the current sentence."""

    def __init__(self, record: FightRecord, names: Names) -> None:
        self.telling: Telling = record.telling
        self.people = {person.id: person for person in record.people}
        self.names = names
        self.sums: list[Sum] = []

    # -- numbers -------------------------------------------------------------------------------------------------------

    def amount(self, harms: Sequence[Harm]) -> str:
        """Return points and marks in words, "" if players do not know the number."""
        if not harms or self.people[harms[0].who].hidden:
            return ""
        refs, parts = tuple(harm.ref for harm in harms), []
        points = sum(harm.points for harm in harms)
        if points:
            self.sums.append(Sum(abs(points), refs, "lost" if points > 0 else "gained"))
            parts.append(str(abs(points)))
        for mark, (one, many) in enumerate(self.telling.marks.kinds if self.telling.marks else ()):
            count = sum(harm.marks[mark] for harm in harms if harm.marks)
            if count > 0:
                self.sums.append(Sum(count, refs, "marks", mark))
                parts.append(f"{count} {one if count == 1 else many}")
        return enumerated(parts)

    def _total(self, acts: Sequence[Act], who: Id) -> str:
        """Return the loss of one target by attacks: ` for 12 in all`."""
        amount = self.amount([harm for act in acts for harm in act.harms_of(who)])
        return f" for {amount}{' in all' if len(acts) > 1 else ''}" if amount else ""

    def rest(self, who: Id, acts: Sequence[Act]) -> str:
        """Return the points that a player character has left if they are few: `, leaving 3`."""
        harms = [harm for act in acts for harm in act.harms_of(who) if harm.points]
        person = self.people[who]
        if not harms or person.hidden or not person.players or not 0 < harms[-1].now <= person.max / LOW:
            return ""
        self.sums.append(Sum(harms[-1].now, (harms[-1].ref,), "left"))
        return f", leaving {harms[-1].now}"

    # -- phrases -------------------------------------------------------------------------------------------------------

    def filled(self, phrase: str, act: Act) -> str:
        """Return a phrase with its blanks filled in from an action; a part in brackets needs the value of its blank."""
        values = {
            name: self.names(str(value)) if value in self.people else clean(str(value)).replace("_", " ")
            for name, value in act.action.fields
            if value is not None and f"{{{name}}}" in phrase
        }
        others = [target for target in act.targets if target != act.by]
        values["whom"] = self.names.several(others) if others and "{whom}" in phrase else ""
        values["means"] = clean(act.means)
        head, bracket, tail = phrase.partition("[")
        if bracket:
            part, _, rest = tail.partition("]")
            wanted = [values.get(name, "") for name in BLANK.findall(part)]
            phrase = head + (part if all(wanted) else "") + rest
        words = BLANK.sub(lambda blank: values.get(blank[1], "") or "something", phrase)
        return " ".join(words.split())

    def does(self, act: Act) -> str:
        fails = act.words.fails if (act.failed or act.missed) and not act.effects else ""
        return conjugated(self.filled(fails or act.words.does or f"use {clean(act.label)}", act))

    def misses(self, acts: Sequence[Act], name: str, one: bool = True) -> str:
        """Return the phrase of attacks without a change: `miss Tavi`, `fail to hurt Tavi`, `cast Doze in vain`."""
        alike = len({(act.words.misses, act.means) for act in acts}) == 1
        phrase = one_of(acts[0].words.misses, acts[0].ref)
        if not alike and "{" in phrase:
            phrase = "strike in vain at"
        elif any(act.landed for act in acts) and "{means}" not in phrase and acts[0].words.kind == "attack":
            phrase = "fail to hurt"
        return conjugated(self.filled(placed(phrase, name), acts[0]), one)

    def weapon(self, act: Act) -> str:
        """Return the weapon or spell of an attack, only at its first mention: ` with the hand axe`."""
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
        """Return the phrase of attacks that did harm: `strike Tavi with the hand axe for 12 in all`."""
        several = len({act.by for act in acts}) > 1
        grazes = [harm.graze for act in acts for harm in act.harms_of(who)]
        words = acts[0].words
        if len(acts) == 1 and acts[0].is_great(who, self.telling):
            verb = words.great or words.hits
        elif all(grazes) and words.grazes:
            verb = words.grazes
        elif any(grazes) or len({act.words.hits for act in acts}) > 1:
            verb = "hurt"
        else:
            verb = words.hits
        weapon = self.weapon(acts[0]) if not several and len({act.means for act in acts}) == 1 else ""
        verb = conjugated(placed(one_of(verb, acts[0].ref), name), not several)
        return f"{verb}{weapon}{self._total(acts, who)}"

    def struck_hard(self, acts: Sequence[Act], who: Id, name: str) -> str:
        """Return the phrase of several criticals: `land a terrible blow on Tavi twice for 24 in all`."""
        words, attackers = acts[0].words, len({act.by for act in acts})
        several, times = attackers > 1, ""
        verb = conjugated(placed(one_of(words.great or words.hits, acts[0].ref), name), not several)
        if len(acts) > attackers:
            often = "twice" if len(acts) == 2 else f"{number_words(len(acts))} times"
            times = " again and again" if several else f" {often}"
        weapon = "" if several else self.weapon(acts[0])
        return f"{'each ' if several else ''}{verb}{weapon}{times}{self._total(acts, who)}"

    def brought(self, act: Act, change: StatusChange, name: str) -> str:
        """Return the phrase of an action that changed a status: `kill Growl with the short sword`."""
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
        """Return the new effects on the targets of an action: `, and Growl is stunned`."""
        bearers: dict[str, list[Id]] = {}
        for effect in act.effects:
            does = effect.does.replace("{whom}", self.names(effect.whom) if effect.whom else "")
            bearers.setdefault(does, []).append(effect.who)
        words = [
            f"{enumerated([self.names.subject(who) for who in dict.fromkeys(people)])} "
            f"{conjugated(does, len(set(people)) == 1)}"
            for does, people in bearers.items()
        ]
        return f", and {enumerated(words)}" if words else ""

    def own_loss(self, act: Act) -> str:
        """Return the loss of the actor by its own action: ` and loses 2`."""
        harms = [] if act.by is None or act.by in act.targets else act.harms_of(act.by)
        amount = self.amount(harms) if sum(harm.points for harm in harms) > 0 else ""
        return f" and loses {amount}" if amount else ""

    # -- one action ----------------------------------------------------------------------------------------------------

    def attack(self, act: Act, who: str) -> str:
        """Return an attack without interruptions."""
        touched = [who for who in act.touched if who != act.by or who in act.targets]
        aside = [target for target in act.targets if target not in touched]
        if len(act.targets) > 1 or len(touched) > 1:
            return f"{who} {self.on_several(act, touched)}{self.own_loss(act)}"
        words = f"{who} "
        if aside and touched:
            words += f"{conjugated(one_of(act.words.tries, act.ref))} {self.names.several(aside)} but "
        if not touched:
            return f"{words}{self.does(act) if act.words.does else 'attacks'}{self.own_loss(act)}"
        if aside and touched and act.landed and not act.harms and not act.changes:
            return f"{words}reaches {self.names(touched[0])} without harm instead{self.effects(act)}"
        results = [self.result(act, target, self.names(target)) for target in touched]
        outcome, rest, left = " and ".join(results).partition(", leaving ")
        return f"{words}{outcome}{' instead' if aside else ''}{rest}{left}{self.effects(act)}{self.own_loss(act)}"

    def on_several(self, act: Act, touched: Sequence[Id]) -> str:
        """Return an attack on several targets: the loss of each, and the targets that fell."""
        known = tuple(dict.fromkeys((*act.targets, *touched)))
        words = f"{conjugated(self.filled(act.words.over, act))} {self.names.several(known)}"
        amounts: dict[str, list[Id]] = {}
        for target in touched:
            if amount := self.amount(act.harms_of(target)):
                amounts.setdefault(amount, []).append(target)
        parts: list[str] = []
        for amount, people in amounts.items():
            whom = self.names.counted(people, known)
            again = whom.startswith("one ") and any(part.endswith(f" for {whom}") for part in parts)
            each = " each" if len(people) > 1 else ""
            rest = "" if len(people) == len(known) > 1 else f" for {f'another {whom[4:]}' if again else whom}"
            parts.append(f"{amount}{each}{rest}")
        changes = {change.who: change for change in act.changes}
        fallen: dict[str, list[Id]] = {}
        for change in changes.values():
            fallen.setdefault(change.words.alone, []).append(change.who)
        bearing = {*act.bearing, *(effect.who for effect in act.effects), *changes}
        unhurt = [target for target in act.targets if target not in bearing and not act.harms_of(target)]
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
        """Return the changes by an action that is no attack: `, and Goblin 1 loses 6`."""
        parts, own = [], ""
        for who in act.touched:
            change = act.change(who)
            if change is not None:
                parts.append(f"{self.names(who)} {conjugated(change.words.alone)}")
            elif amount := self.amount(act.harms_of(who)):
                loses = f"{'gets back' if act.lost(who) < 0 else 'loses'} {amount}"
                if who == act.by:
                    own = f" and {loses}"
                else:
                    parts.append(f"{self.names(who)} {loses}")
        return f"{own}{', and ' if parts else ''}{enumerated(parts)}{self.effects(act)}"

    def rescue(self, act: Act, who: str) -> str:
        if not act.changes and act.missed:
            return f"{who} {self.misses([act], self.names.several(act.targets))}"
        fell = any(change.falls for change in act.changes)
        return f"{who} {self.does(act)}{self.consequences(act) if fell else ''}"

    # -- an action and its answers -------------------------------------------------------------------------------------

    def exchange(self, act: Act, who: str) -> str:
        """Return an action that others interrupted or stopped, each before the result.

        `blows` are attacks and other answers that changed something, `helpers` powers with which an attacker made
        its blow better, `guards` the other answers of others, and `powers` those of the actor itself.
        """
        target = next(iter(act.targets), None)
        start = self._start(act, who, target)
        blows = [each for each in act.answers if each.is_blow]
        others = [each for each in act.answers if not each.is_blow and each.words.kind != "silent"]
        attackers = {blow.by for blow in blows} - {act.by, target}
        helpers = [each for each in others if each.by in attackers]
        guards = [each for each in others if each.by != act.by and each.by not in attackers]
        powers = [each for each in others if each.by == act.by]
        fell = any(change.who == act.by and change.falls for each in act.answers for change in each.changes)
        if act.stopped or (fell and not (act.harms or act.changes or act.effects)):
            return self._stopped(act, start, target, blows, helpers, guards)
        words = f"as {start}, {enumerated(self._blows(blows, helpers, act, target))}" if blows else start
        attacked = act.words.kind == "attack" and target is not None
        landed = attacked and any(act.hurt(each) or act.change(each) for each in act.touched)
        if guards:
            return self._guarded(act, who, words, target, guards, powers, bool(blows), landed)
        if powers:
            return self._empowered(act, words, target, powers, landed)
        if not attacked or target is None:
            return f"{words}{self.consequences(act) if act.harms or act.changes else ''}"
        return f"{words}; {self.names.again(str(act.by))} {self._results(act)}"

    def _results(self, act: Act) -> str:
        """Return the results of an interrupted attack for each combatant that it touched."""
        known = act.targets[:1]
        results = [
            self.result(act, who, self.names.object(who) if who in known else self.names.again(who))
            for who in act.touched
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
            f"{self.names.again(str(blow.by)) if blow.by == target else self.names(str(blow.by))} "
            + self._blow(blow, [power for power in helpers if power.by == blow.by], act, target, first)
            for blow in blows
        ]

    def _blow(self, blow: Act, helpers: Sequence[Act], act: Act, target: Id | None, first: bool) -> str:
        known = (act.by, target)
        results = [
            self.result(blow, who, self.names.again(who) if who in known else self.names(who)) for who in blow.touched
        ]
        parts = [*(self._guard(power, True) for power in helpers), *(results or [self.does(blow)])]
        return f"{' and '.join(parts)}{' first' if first and blow.changes else ''}{self.effects(blow)}"

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
        parts = [f"{self.names.again(str(guard.by))} {self._guard(guard, True)}" for guard in guards]
        parts += self._blows(blows, helpers, act, target, act.stopped)
        return f"{start}, but {enumerated(parts) if parts else 'cannot go on'}"

    def _guard(self, guard: Act, turned: bool) -> str:
        phrase = (guard.words.turned if turned else guard.words.vain) or guard.words.does
        return conjugated(self.filled(phrase, guard))

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
        """Return an attack that guards answered, with the powers of the actor before its result."""
        missed = target is not None and target in act.first and act.first[target].missed
        turned = not landed and not missed
        grazed = landed and not act.changes and all(harm.graze for harm in act.harms)
        helped = not landed or grazed or bool(powers)
        phrases: dict[Id, list[str]] = {}
        for guard in guards:
            phrases.setdefault(str(guard.by), []).append(self._guard(guard, helped))
        by_target = set(phrases) == {target} and not blows
        if by_target:
            words += f", who {' and '.join(phrases[str(target)])}"
        else:
            text = enumerated([f"{self.names.again(by)} {' and '.join(parts)}" for by, parts in phrases.items()])
            words += f"{';' if blows else ','} {'but ' if turned else ''}{text}"
        actor, calls = self.names.again(str(act.by)), " and ".join(map(self.does, powers))
        then = f"{calls} and " if calls else ""
        if landed and target is not None:
            by = self.names.subject(str(act.by), target) if by_target else actor
            return f"{words}, {'but' if helped else 'and'} {by} {then}{self._results(act)}"
        if act.harms or act.changes:
            return f"{words}{self.consequences(act)}"
        if turned or target is None:
            return f"{words}{f', and {actor} {calls}' if calls else ''}"
        if by_target:
            also = f", and {calls}" if calls else ""
            return f"{who} {self.misses([act], self.names.again(target))}, who {' and '.join(phrases[target])}{also}"
        return f"{words}, and {actor} {then}misses"

    def _empowered(self, act: Act, words: str, target: Id | None, powers: Sequence[Act], landed: bool) -> str:
        """Return an action that its actor improves with its own powers."""
        calls = enumerated([self._guard(power, True) for power in powers])
        if target is None or act.words.kind != "attack":
            after = self.consequences(act) if act.harms or act.changes else ""
            return f"{words}, and {self.names.again(str(act.by))} {calls}{after}"
        missed = target in act.first and act.first[target].missed
        doubt = " and misses at first, but" if missed and landed else ","
        return f"{words}{doubt} {calls} and {self._results(act)}"
