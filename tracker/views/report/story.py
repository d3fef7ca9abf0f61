"""The story of a fight, to be read aloud: a paragraph a round.

1. Always told: falls, deaths, flights, arrivals, failed morale, powers, rescues, and attacks that were turned aside or
   stopped. Of the rest the heaviest are told, until a round has a few sentences.
2. In full every action has its sentence, and every combatant its name.
3. The GM's notes are told only if they are asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.views.report.folding import Unit, units_of
from tracker.views.report.names import Names, conjugated, enumerated, placed, sentence, side_name
from tracker.views.report.record import Act, FightRecord, Harm, Milestone, Ref, StatusChange, groups_of_friends
from tracker.views.report.sentences import Clauses, Sum
from tracker.views.words.text import clean

ALWAYS = 4.0
"""The least weight of a sentence that is always told."""
A_ROUND = 4
"""About how many sentences a round has, if fewer are always told."""
REASON = re.compile(r"[A-Za-z][A-Za-z '-]*")
"""A reason in words; any other reason, such as a factor, is no part of a sentence."""
FALLEN, AREA, GUARDED, HURT, LOSS, MISSED, MINOR = 5.0, 3.5, 2.5, 2.0, 1.5, 0.5, 0.2


class Line(Struct, frozen=True):
    """A sentence of the story.

    Attributes:
        kind: "" for a sentence, `round` for a heading, `opened`, `wave`, `fell`, `found`, `note`.
        weight: how much the sentence matters.
        refs: the events that the sentence tells.
        sums: the numbers in the sentence.
    """

    words: str
    kind: str
    round: int
    weight: float
    refs: tuple[Ref, ...] = ()
    sums: tuple[Sum, ...] = ()


def story(record: FightRecord, full: bool = False, notes: bool = False) -> list[Line]:
    """Return the sentences of a story, by default those that matter; `full`: one for every action."""
    lines = _Writer(record, full, notes).lines()
    if full:
        return lines
    kept = _kept(lines)
    lines = _Writer(record, full, notes, kept).lines()
    return [lines[place] for place in sorted(kept)]


def _kept(lines: Sequence[Line]) -> frozenset[int]:
    """Return the places of the sentences that are told."""
    kept: set[int] = set()
    for _, group in groupby(range(len(lines)), key=lambda place: lines[place].round):
        places = list(group)
        always = [place for place in places if lines[place].weight >= ALWAYS]
        count = sum(lines[place].kind not in ("round", "opened", "note") for place in always)
        others = sorted(set(places) - set(always), key=lambda place: -lines[place].weight)
        heavy = [place for place in others if lines[place].weight >= 1][: max(1, A_ROUND - count)]
        kept |= {*always, *(heavy or others[: count == 0])}
    return frozenset(kept)


class _Writer:
    """Writes the sentences of a whole fight.

    A sentence whose place is not in `kept` is left out, and the names in it are forgotten: else the next sentence would
    say `another smuggler` of a smuggler that the reader meets for the first time.
    """

    def __init__(self, record: FightRecord, full: bool, notes: bool, kept: frozenset[int] | None = None) -> None:
        self.record, self.full, self.notes, self.kept = record, full, notes, kept
        self.sides = {side.id: side for side in record.sides}
        self.names = Names(record, full)
        self.named = self.names.mentions()
        self.clauses = Clauses(record, self.names)
        self.written: list[Line] = []
        self.loss: tuple[set[Id], int] = (set(), -1)

    def lines(self) -> list[Line]:
        if self.full:
            units = [Unit(None, [item]) for item in self.record.items]
        else:
            units = units_of(self.record, self.names.crowds)
        for unit in units:
            self.names.now = unit.items[-1].ref
            self._write(unit)
            for item in unit.items:
                self._note_out(item)
            if unit.then is not None:
                self._note_out(unit.then)
        return self.written

    def _write(self, unit: Unit) -> None:
        acts, then = unit.acts, unit.then
        match unit.key[0] if unit.key is not None else "":
            case "hurt":
                self._write_attacks(acts, acts[0].touched[0], then)
            case "great" if len(acts) > 1 or then is not None:
                self._write_great(acts, acts[0].touched[0], then)
            case "effect on" if then is not None:
                self._write_effect(acts[0], then)
            case "vain rescue" if len(acts) > 1:
                self._write_vain_rescues(acts)
            case "fall" if len(acts) > 1:
                self._write_falls(acts, [act.changes[-1] for act in acts])
            case "struck" if len(acts) > 1:
                moving = "turn to run" if acts[0].flees or acts[0].again else "move"
                changes = [change for act in acts for answer in act.answers for change in answer.changes]
                self._write_falls(acts, changes, f" as they {moving}")
            case "turned" if len(acts) > 1:
                self._write_turned(acts)
            case "flight" if len(acts) > 1 or not acts[0].answers:
                self._write_flights(acts)
            case _ if acts:
                self._write_act(acts[0])
            case _:
                self._write_milestones([item for item in unit.items if isinstance(item, Milestone)])

    def _write_milestones(self, milestones: Sequence[Milestone]) -> None:
        harms = [item.harm for item in milestones if item.harm is not None]
        changes = [item.change for item in milestones if item.change is not None]
        if harms:
            self._write_loss(milestones, harms)
        elif changes:
            self._write_change(milestones, changes)
        else:
            self._write_milestone(_joined(milestones))

    def _note_out(self, item: Act | Milestone) -> None:
        """Keep in `names.out` which combatants are out of the fight after an item."""
        if isinstance(item, Act):
            changes = [change for act in item.with_answers for change in act.changes]
            out = {act.by for act in item.with_answers if act.flees and act.by is not None}
        else:
            changes = [item.change] if item.change is not None else []
            out = set(item.who) if item.kind == "left" else set()
        for change in changes:
            (self.names.out.add if change.falls else self.names.out.discard)(change.who)
        self.names.out |= out

    def _add(
        self, words: str, kind: str, round_number: int, weight: float, refs: Sequence[Ref], as_is: bool = False
    ) -> None:
        if self.kept is not None and len(self.written) not in self.kept:
            self.names.restore(self.named)
        self.named = self.names.mentions()
        sums, self.clauses.sums = tuple(self.clauses.sums), []
        words = words if as_is else sentence(words)
        self.written.append(Line(words, kind, round_number, weight, tuple(refs), sums))
        self.loss = (set(), -1)

    def _add_acts(self, words: str, acts: Sequence[Act], weight: float, kind: str = "") -> None:
        """Add a sentence that tells several actions of a round."""
        self._add(words, kind, acts[0].round, weight, [ref for act in acts for ref in act.all_refs])

    # -- several actions in a sentence ---------------------------------------------------------------------------------

    def _write_vain_rescues(self, acts: Sequence[Act]) -> None:
        """Write failed rescues: `Ysolt and Kerrow try in vain to save Mother Ade`."""
        actors = _actors(acts)
        words = self.clauses.misses(acts, self.names(acts[0].targets[0]), len(actors) == 1)
        self._add_acts(f"{self.names.several(actors)} {words}", acts, AREA)

    def _write_falls(self, acts: Sequence[Act], changes: Sequence[StatusChange], tail: str = "") -> None:
        """Write falls of a crowd: `Maud and Corvin kill two goblins`, `Oaf kills two guardsmen as they turn to run`."""
        actors = list(dict.fromkeys(str(change.by) for change in changes))
        attackers, fallen = self.names.several(actors), self.names.several([change.who for change in changes])
        words = conjugated(placed(changes[0].words.by.split("|")[0], fallen), len(actors) == 1)
        self._add_acts(f"{attackers} {words}{tail}", acts, FALLEN, "fell")

    def _write_turned(self, acts: Sequence[Act]) -> None:
        """Write attacks that a crowd turned aside: `Ysolde and a guardsman go for two goblins, who parry`."""
        actors = _actors(acts)
        targets = list(dict.fromkeys(act.targets[0] for act in acts))
        guard = acts[0].answers[0]
        turned = self.clauses.filled(guard.words.turned or guard.words.does, guard)
        tries = conjugated(acts[0].words.tries.split("|")[0], len(actors) == 1)
        words = f"{self.names.several(actors)} {tries} {self.names.several(targets)}"
        self._add_acts(f"{words}, who {conjugated(turned, len(targets) == 1)}", acts, ALWAYS)

    def _write_flights(self, acts: Sequence[Act]) -> None:
        """Write that combatants run, and what they lost by it."""
        runners = [str(act.by) for act in acts]
        words = f"{self.names.several(runners)} {'turn and run' if len(runners) > 1 else 'turns and runs'}"
        hits = [(hit, who) for act, who in zip(acts, runners, strict=True) for hit in act.answers if hit.hurt(who)]
        blows = [f"{self.names(str(hit.by))} {self.clauses.struck([hit], who, self.names(who))}" for hit, who in hits]
        self._add_acts(f"{words}{'; ' if blows else ''}{enumerated(blows)}", acts, ALWAYS)

    def _write_great(self, acts: Sequence[Act], who: Id, then: Act | None) -> None:
        """Write criticals against one combatant: `lands a terrible blow on Brass twice for 24 in all`."""
        name = self.names(who)
        words = f"{self.names.several(_actors(acts))} {self.clauses.struck_hard(acts, who, name)}"
        words += self.clauses.rest(who, acts) if then is None else ""
        self._add_then(words, acts, who, then, AREA)

    def _write_effect(self, act: Act, then: Act) -> None:
        """Write an attack with the effect it had, and the attack that brings its target down."""
        who, change = act.touched[0], then.change(act.touched[0])
        assert change is not None
        words = f"{self._plain(act, self.names(str(act.by)))}; then {self.names.subject(str(act.by), who)} "
        words += self.clauses.brought(then, change, self.names.object(who))
        self._add_acts(words, [act, then], FALLEN, "fell")

    def _write_attacks(self, acts: Sequence[Act], who: Id, then: Act | None) -> None:
        """Write attacks on one target, as in `Lookout and two smugglers hurt Sefa for 11 in all; Cook misses`."""
        hits = [act for act in acts if act.hurt(who)]
        misses = [act for act in acts if not act.hurt(who)]
        hitting = _actors(hits)
        others = [by for by in _actors(misses) if by not in hitting]
        self.names.forget([*hitting, *others])
        if not hits:
            attackers = self.names.several(others)
            words = f"{attackers} {self.clauses.misses(misses, self.names(who), len(others) == 1)}"
            self._add_acts(words, acts, MISSED)
            return
        words = f"{self.names.several(hitting)} {self.clauses.struck(hits, who, self.names(who))}"
        words += self.clauses.rest(who, hits) if then is None else ""
        if others:
            missed = all(act.words.misses.startswith("miss") and not act.landed for act in misses)
            vain = "miss" if missed else "strike in vain"
            words += f"; {self.names.others(others, hitting)} {conjugated(vain, len(others) == 1)}"
        self._add_then(words, acts, who, then, HURT + self._share(hits, who))

    def _add_then(self, words: str, acts: Sequence[Act], who: Id, then: Act | None, weight: float) -> None:
        """Add attacks with the one that brings their target down."""
        if then is None:
            self._add_acts(words, acts, weight)
            return
        change = then.change(who)
        assert change is not None
        words += f" and then {self.clauses.brought(then, change, self.names.object(who))}"
        self._add_acts(words, [*acts, then], FALLEN, "fell" if change.falls else "")

    def _share(self, acts: Sequence[Act], who: Id) -> float:
        """Return the part of a combatant's points that attacks took."""
        most = self.names.people[who].max
        marks = sum(max(0, mark) for act in acts for harm in act.harms_of(who) for mark in harm.marks)
        return sum(act.lost(who) for act in acts) / most if most else marks / 10

    # -- one action ----------------------------------------------------------------------------------------------------

    def _write_act(self, act: Act) -> None:
        if act.by is None or act.by not in self.names.people:
            self._write_changes(act)
        elif act.flees and not act.answers and not act.stopped:
            self._write_flights([act])
        elif not (self._is_idle(act) or (act.again and not act.answers)):
            who = self.names(act.by)
            interrupted = act.stopped or any(answer.words.kind != "silent" for answer in act.answers)
            weight = self._exchange_weight(act) if interrupted else self._weight(act)
            words = self.clauses.exchange(act, who) if interrupted else self._plain(act, who)
            falls = any(change.falls for each in act.with_answers for change in each.changes)
            self._add(words, "fell" if falls else "", act.round, weight, act.all_refs)

    def _is_idle(self, act: Act) -> bool:
        silent = act.words.kind == "silent" or (act.words.kind == "attack" and act.skipped and not act.first)
        return silent and not (act.harms or act.changes or act.effects or act.answers or act.stopped)

    def _plain(self, act: Act, who: str) -> str:
        """Return an action without interruptions."""
        if act.words.kind == "rescue":
            return self.clauses.rescue(act, who)
        landed = any(harm.who != act.by for harm in act.harms) or bool(act.changes or act.bearing)
        if act.words.kind == "attack" and (landed or act.first or not act.words.does):
            return self.clauses.attack(act, who)
        if act.words.kind == "silent" or not act.words.does:
            return f"{who}: {clean(act.label)}{self.clauses.consequences(act)}"
        return f"{who} {self.clauses.does(act)}{self.clauses.consequences(act)}"

    def _weight(self, act: Act) -> float:
        if act.changes or act.effects:
            return FALLEN if act.changes else ALWAYS
        if act.words.kind in ("power", "rescue"):
            return ALWAYS if act.words.kind == "power" else AREA
        if any(act.is_great(who, self.record.telling) for who in act.touched) or (act.harms and len(act.touched) > 1):
            return AREA
        if act.bearing and not act.harms:
            return HURT
        if act.harms:
            return HURT + max(self._share([act], who) for who in act.touched)
        return MISSED if act.words.kind == "attack" else MINOR

    def _exchange_weight(self, act: Act) -> float:
        acts = act.with_answers
        if act.stopped or act.flees or any(each.changes or each.effects or each.words.kind == "power" for each in acts):
            return ALWAYS
        guarded = any(answer.words.kind == "guard" and answer.by in act.targets for answer in act.answers)
        if guarded and act.first and not next(iter(act.first.values())).missed and not act.harms:
            return ALWAYS
        return GUARDED if any(each.harms for each in acts) else MISSED

    def _write_changes(self, act: Act) -> None:
        """Write the status changes of an action without an actor: a procedure of the GM or a side."""
        for change in {change.who: change for change in act.changes}.values():
            words = f"{self.names(change.who)} {conjugated(change.words.alone)}"
            self._add(words, "fell" if change.falls else "", act.round, FALLEN, [change.ref])

    # -- milestones ----------------------------------------------------------------------------------------------------

    def _write_milestone(self, item: Milestone) -> None:
        match item.kind:
            case "opened":
                self._write_opening(item)
            case "round":
                title = f"Round {item.round}" if item.round else "Before the first round"
                self.names.last.clear()
                self._add(title, "round", item.round, ALWAYS, item.refs, as_is=True)
            case "wave":
                self._add(clean(item.words).rstrip("."), "wave", item.round, ALWAYS, item.refs)
            case "joined":
                self._add_subject(item, f"join {side_name(self.sides[item.words])}", "wave")
            case "turned":
                self._add_subject(item, f"go over to {side_name(self.sides[item.words])}")
            case "left":
                self._add_subject(item, "leave the fight")
            case "effect" | "check":
                self._add_subject(item, item.words.replace("{whom}", self.names(item.whom) if item.whom else ""))
            case "found":
                counts = Counter(clean(each) for each in item.items)
                words = ", ".join(each if times == 1 else f"{times} × {each}" for each, times in counts.items())
                self._add(f"The spoils: {words}", "found", item.round, ALWAYS, item.refs)
            case "note" if self.notes:
                self._add(clean(item.words), "note", item.round, ALWAYS, item.refs, as_is=True)

    def _add_subject(self, item: Milestone, phrase: str, kind: str = "") -> None:
        """Add what the combatants of a milestone do."""
        words = conjugated(phrase, len(set(item.who)) == 1)
        self._add(f"{self.names.several(item.who)} {words}", kind, item.round, ALWAYS, item.refs)

    def _write_opening(self, item: Milestone) -> None:
        members: dict[Id, list[Id]] = {side.id: [] for side in self.record.sides}
        for person in self.record.people:
            if person.since[0] == item.step:
                members[person.came].append(person.id)
        groups = groups_of_friends(side for side in self.record.sides if members[side.id])
        words = [
            enumerated([f"{side_name(side)} ({self.names.several(members[side.id])})" for side in group])
            for group in groups
        ]
        self.names.last.clear()
        self._add(" against ".join(words), "opened", 0, ALWAYS, item.refs)
        if self.notes and item.words:
            self._add(clean(" ".join(item.words.split())), "note", 0, ALWAYS, (), as_is=True)

    def _write_change(self, items: Sequence[Milestone], changes: Sequence[StatusChange]) -> None:
        """Write changes of status that belong to no action, joined to the sentence of the loss just before them."""
        first, people = changes[0], [change.who for change in changes]
        refs = [ref for item in items for ref in item.refs]
        does = conjugated(first.words.alone, len(set(people)) == 1)
        if self.loss == (set(people), items[0].step):
            loss = self.written.pop()
            words, refs = f"{loss.words.rstrip('.')} and {does}", [*loss.refs, *refs]
            self.clauses.sums = list(loss.sums)
        else:
            words = f"{self.names.several(people)} {does}"
        self._add(words, "fell" if first.falls else "", items[0].round, FALLEN, refs)

    def _write_loss(self, items: Sequence[Milestone], harms: Sequence[Harm]) -> None:
        """Write points or marks that belong to no action: bleeding, poison, a correction by the GM."""
        first, last = harms[0], items[-1]
        people = dict.fromkeys(harm.who for harm in harms)
        amounts = {self.clauses.amount([harm for harm in harms if harm.who == who]): who for who in people}
        amount = next(iter(amounts))
        if not all(amounts):
            return
        one = len(people) == 1
        if any(mark < 0 for mark in first.marks) and first.hurts:
            words = f"{self.names(first.who)} gets worse: {amount}"
        else:
            takes = "lose" if first.points > 0 else "get back" if first.points else "take"
            words = f"{self.names.several(list(people))} {conjugated(takes, one)} {amount}{'' if one else ' each'}"
        why = f" to {clean(first.why)}" if first.hurts and REASON.fullmatch(first.why) else ""
        most = max(self.names.people[who].max for who in people)
        weight = LOSS if not most or abs(sum(harm.points for harm in harms)) * 10 >= most else MISSED
        self._add(f"{words}{why}", "", last.round, weight, [ref for item in items for ref in item.refs])
        self.loss = (set(people), last.step)


def _actors(acts: Sequence[Act]) -> list[Id]:
    return list(dict.fromkeys(str(act.by) for act in acts))


def _joined(items: Sequence[Milestone]) -> Milestone:
    """Return effects or checks of the same words as one milestone."""
    who, refs = [who for item in items for who in item.who], [ref for item in items for ref in item.refs]
    return replace(items[0], who=who, refs=refs)


# -- on the page and in text -------------------------------------------------------------------------------------------


class Paragraph(Struct, frozen=True):
    """A round of the story with its title, or the sentences before the first round."""

    title: str
    lines: tuple[Line, ...]


def paragraphs(lines: Sequence[Line]) -> Iterator[Paragraph]:
    """Yield the story round by round; rounds without a sentence are joined in one."""
    rounds: list[tuple[Line | None, list[Line]]] = [(None, [])]
    for line in lines:
        if line.kind == "round":
            rounds.append((line, []))
        else:
            rounds[-1][1].append(line)
    empty: list[Line] = []
    for head, sentences in rounds:
        if head is not None and not sentences:
            empty.append(head)
            continue
        yield from _passed(empty)
        empty = []
        if sentences:
            yield Paragraph("" if head is None else head.words, tuple(sentences))
    yield from _passed(empty)


def _passed(rounds: Sequence[Line]) -> Iterator[Paragraph]:
    numbers = [line.round for line in rounds if line.round]
    if numbers:
        words = f"Round {numbers[0]} passes"
        if len(numbers) > 1:
            between = "and" if len(numbers) == 2 else "to"
            words = f"Rounds {numbers[0]} {between} {numbers[-1]} pass"
        yield Paragraph("", (Line(f"{words}.", "", numbers[0], 0),))
