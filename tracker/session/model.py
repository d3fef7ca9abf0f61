"""The model: what every surface shows of a fight, and the records of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import Entry, Noted
from tracker.core.fight.state import Combatant, State
from tracker.core.game.durations import until_words
from tracker.core.run import Answers, Pending, Step
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import CorruptJournal, Refusal
from tracker.core.terms.requests import Answer, Request
from tracker.core.terms.values import Codec, Value
from tracker.library.guard import guarded_call
from tracker.session.rows import StepRow

_T = TypeVar("_T")


class Reader(Struct, frozen=True):
    """Reads and writes the stored text of steps; the encounter is stored once."""

    codec: Codec
    encounter: Encounter

    def step(self, text: bytes) -> Step:
        """Read a step."""
        step: Step = guarded_call("a step", self.codec.decode, text, Step)
        return replace(step, encounter=self.encounter) if step.kind == "start" and step.encounter is None else step

    def answers(self, text: bytes) -> Answers:
        """Read answers."""
        return guarded_call("an answer", self.codec.decode, text, Answers)

    def entries(self, text: bytes) -> tuple[Entry, ...]:
        """Read entries."""
        return guarded_call("an entry", self.codec.decode, text, tuple[Entry, ...])

    def without_encounter(self, step: Step) -> Step:
        """Return a step as it is stored: without the fight's own encounter."""
        return replace(step, encounter=None) if step.encounter == self.encounter else step


class StepRecord(Struct, frozen=True, dict=True):
    """A step that was done, as it is stored; its texts are read when they are first wanted."""

    row: StepRow
    reader: Reader

    @staticmethod
    def create(
        reader: Reader,
        step: Step,
        answers: Answers,
        entries: tuple[Entry, ...],
        *,
        seq: int,
        parent: int | None,
        at: str,
        reached: str = "",
    ) -> StepRecord:
        """Make the record of a step that was just done."""
        encode = reader.codec.encode
        row = StepRow(
            seq=seq,
            parent=parent,
            at=at,
            reached=reached,
            step=encode(reader.without_encounter(step)),
            answers=encode(answers),
            entries=encode(entries),
        )
        record = StepRecord(row, reader)
        record.__dict__.update(step=step, answers=answers, entries=entries)
        return record

    def moved_to(self, row: StepRow) -> StepRecord:
        """Return this step at another place in the tree, with the texts of the row."""
        record = StepRecord(row, self.reader)
        record.__dict__.update(self.__dict__)
        return record

    @property
    def seq(self) -> int:
        """Its number in the fight."""
        return self.row.seq

    @property
    def parent(self) -> int | None:
        """The step it follows, or None for the first."""
        return self.row.parent

    @property
    def at(self) -> str:
        """When it was done, in ISO form."""
        return self.row.at

    @property
    def reached(self) -> str:
        """The slot an advance reached, or ""."""
        return self.row.reached

    @property
    def back(self) -> bytes | None:
        """Where `Undo` leads, as it is stored; None: to the parent."""
        return self.row.back

    @cached_property
    def step(self) -> Step:
        """What was asked for; CorruptJournal if it is damaged."""
        return self._read(self.reader.step, self.row.step)

    @cached_property
    def answers(self) -> Answers:
        """Every answer that was used, in the order of asking; CorruptJournal if one is damaged."""
        return self._read(self.reader.answers, self.row.answers)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """What happened; of a damaged record only a line that says so."""
        try:
            return self._read(self.reader.entries, self.row.entries)
        except CorruptJournal:
            return (Entry(Noted(f"the record of step {self.seq} is damaged and cannot be shown")),)

    @cached_property
    def public(self) -> tuple[Entry, ...]:
        """What of it players may read."""
        from tracker.views.public.event_words import public_entries  # a fight that is taken up is drawn without

        return public_entries(self.entries)

    def history(self) -> tuple[Entry, ...]:
        """Return what happened, for folding, or raise CorruptJournal if the record is damaged."""
        held: tuple[Entry, ...] | None = self.__dict__.get("entries")
        return self._read(self.reader.entries, self.row.entries) if held is None else held

    def _read(self, read: Callable[[bytes], _T], text: bytes) -> _T:
        try:
            return read(text)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CorruptJournal(f"the record of step {self.seq} is damaged: {error}") from error


class WhatIfState(Struct, frozen=True):
    """A what-if that is open.

    Attributes:
        step: the last step of the real fight; None: it began before there was one.
        first: steps with this number or a higher one are only tried.
    """

    step: int | None
    first: int


class Model(Struct, frozen=True):
    """A fight as it is to be shown.

    Attributes:
        fight: its id in the journal.
        title: its title.
        state: of the step looked at if there is one, else of the pending step, else of the head.
        head: the last step done.
        steps: the steps done on this branch, oldest first.
        pending: the request that waits, with what its step did so far.
        pending_step: the step it belongs to.
        refusal: why the last intent was refused; None: it was not.
        problem: one line about what went wrong; "": nothing did.
        can_undo, can_redo: whether there is anything.
        read_only: this program may not write the fight.
        looking_at: the past step that is shown; None: the present is.
        resumed: when the last step was done before this program took the fight up again; "" for a new fight.
        unused_answers: answers of the pending step that no request has taken so far.
        notice: one line that stays: why the fight is read-only, what could not be read; "": nothing.
        waiting: steps that an amendment does again once the pending one is done.
        trial: the what-if that is open; None: this is the real fight.
        screen_held: the players' screen stays as it was.
        screen_covered: the players' screen shows nothing of this fight yet.
        by_side: the program rolls the dice of some sides, as the fight says.
        left_out: steps that the last answer, given late in an amendment, has left out: the rules forbid them now.
    """

    fight: str
    title: str
    state: State
    head: int | None = None
    steps: Sequence[StepRecord] = ()
    pending: Pending | None = None
    pending_step: Step | None = None
    refusal: Refusal | None = None
    problem: str = ""
    can_undo: bool = False
    can_redo: bool = False
    read_only: bool = False
    looking_at: int | None = None
    resumed: str = ""
    unused_answers: Answers = ()
    notice: str = ""
    waiting: tuple[int, ...] = ()
    trial: WhatIfState | None = None
    screen_held: bool = False
    screen_covered: bool = False
    by_side: bool = False
    left_out: tuple[StepOutcome, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What the step shown did: pending, looked at, or the last one."""
        if self.looking_at is None and self.pending is not None:
            return self.pending.entries
        shown = self.head if self.looking_at is None else self.looking_at
        return next((record.entries for record in reversed(self.steps) if record.seq == shown), ())


class BranchTip(Struct, frozen=True):
    """A way the fight has gone.

    Attributes:
        seq: its last step.
        at: when that was done, in ISO form.
        steps: how many it has that the present way has not.
        fork: the last step it shares with the present way; None: not even the first.
        name: what people call it; "": nothing in particular.
        why: how it was left: its end was taken back, or something in it was corrected; `present`: it was not.
    """

    seq: int
    at: str
    steps: int
    fork: int | None
    name: str = ""
    why: Literal["undone", "amended", "present"] = "undone"


Outcome: TypeAlias = Literal["same", "changed", "unused", "open", "refused", "gone", "waiting"]


class Change(Struct, frozen=True):
    """A difference between two courses of a fight: `what` of `who` was, now is."""

    who: str
    what: str
    was: Value
    now: Value


class StepOutcome(Struct, frozen=True):
    """How a step comes out when it is done again.

    Attributes: seq: its number on the old branch; None: the step that was pending. outcome: `same`; `changed`;
        `unused`: changed, and answers were not asked for; `open`: a question nobody has answered;
            `refused`; `gone`: an advance to a moment that has passed already; `waiting`: behind an open question.
        step: the step.
        kept: a refused step that was forced.
        refusal: why it was refused.
        request: the open question.
        unused: keys of answers that were not asked for.
        changes: how the fight after it differs from what it was after it.
    """

    seq: int | None
    outcome: Outcome
    step: Step
    kept: bool = False
    refusal: Refusal | None = None
    request: Request | None = None
    unused: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class Assumed(Struct, frozen=True):
    """A question a step would ask anew, and the answer the preview goes on with."""

    seq: int
    request: Request
    answer: Answer


class AmendReport(Struct, frozen=True):
    """What an amendment does, or would do, to its step and all later ones.

    Attributes:
        step: the amended one.
        outcomes: its own and those of all later ones.
        changes: how the fight after them differs from what it was.
        refusal: why it cannot be done at all.
        problem: one line about what went wrong; "": nothing did.
        states: the fight before and after.
        asks: what would be asked anew, with the likely answers a preview goes on with.
        until: the step before which the states are compared, where a preview gets no further; None: the last.
    """

    step: int
    outcomes: tuple[StepOutcome, ...] = ()
    changes: tuple[Change, ...] = ()
    refusal: Refusal | None = None
    problem: str = ""
    states: tuple[State, State] = (State(), State())
    asks: tuple[Assumed, ...] = ()
    until: int | None = None


def differences(was: State, now: State) -> tuple[Change, ...]:
    """Return what differs between two states: clock, combatants, order, facts."""
    return tuple(_differences(was, now))


def _differences(was: State, now: State) -> Iterator[Change]:
    if was is now:
        return
    yield from _compare("", _clock(was), _clock(now))
    order = tuple(slot.id for slot in was.clock.slots), tuple(slot.id for slot in now.clock.slots)
    if order[0] != order[1]:
        yield Change("", "order", *order)
    for who in dict.fromkeys((*was.places, *now.places)):
        before, after = was.get(who), now.get(who)
        if before is None or after is None:
            yield Change(who, "in the fight", before is not None, after is not None)
        elif before != after:
            yield from _compare(who, _traits(was, before), _traits(now, after))
    if (was.facts, was.effects) != (now.facts, now.effects):
        yield from _compare("", _facts(was), _facts(now))


def _clock(state: State) -> dict[str, Value]:
    clock = state.clock
    return {"round": clock.round, "slot": clock.at, "acting": clock.acting, "over": clock.over}


def _traits(state: State, combatant: Combatant) -> dict[str, Value]:
    traits: dict[str, Value] = {
        "name": combatant.name,
        "side": combatant.side,
        "status": combatant.status,
        "position": combatant.position,
    }
    for pool in combatant.pools:
        traits |= {pool.key: pool.now, f"{pool.key}_max": pool.max}
    traits |= {f"left_{key}": left for key, left in combatant.budget}
    for effect in combatant.effects:
        traits[f"effect {effect.shown}"] = until_words(state, effect)
    return traits | dict(combatant.facts)


def _facts(state: State) -> dict[str, Value]:
    facts: dict[str, Value] = {f"{owner} {key}": value for owner, key, value in state.facts}
    return facts | {f"{effect.bearer} effect {effect.shown}": until_words(state, effect) for effect in state.effects}


def _compare(who: str, was: Mapping[str, Value], now: Mapping[str, Value]) -> Iterator[Change]:
    for what in dict.fromkeys((*was, *now)):
        before, after = was.get(what), now.get(what)
        if before != after:
            yield Change(who, what, before, after)
