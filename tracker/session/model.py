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
    """Parses the stored text of steps; the encounter is stored once."""

    codec: Codec
    encounter: Encounter

    def step(self, text: bytes) -> Step:
        """Parse a step; one that opens the fight gets the fight's encounter."""
        step: Step = guarded_call("a step", self.codec.decode, text, Step)
        return replace(step, encounter=self.encounter) if step.kind == "start" and step.encounter is None else step

    def answers(self, text: bytes) -> Answers:
        """Parse answers."""
        return guarded_call("an answer", self.codec.decode, text, Answers)

    def entries(self, text: bytes) -> tuple[Entry, ...]:
        """Parse entries."""
        return guarded_call("an entry", self.codec.decode, text, tuple[Entry, ...])

    def without_encounter(self, step: Step) -> Step:
        """Return a step as it is stored: without the fight's own encounter."""
        return replace(step, encounter=None) if step.encounter == self.encounter else step


class StepRecord(Struct, frozen=True, dict=True):
    """A finished step as it is stored; its texts are parsed at their first use."""

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
        """The stored position that `Undo` leads to; None: that after the parent."""
        return self.row.back

    @cached_property
    def step(self) -> Step:
        """The parsed step; CorruptJournal if its text is damaged."""
        return self._read(self.reader.step, self.row.step)

    @cached_property
    def answers(self) -> Answers:
        """Every answer that was used, in the order of the requests; CorruptJournal if one is damaged."""
        return self._read(self.reader.answers, self.row.answers)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The events of the step; of a damaged record only a line that says so."""
        try:
            return self._read(self.reader.entries, self.row.entries)
        except CorruptJournal:
            return (Entry(Noted(f"the record of step {self.seq} is damaged and cannot be shown")),)

    @cached_property
    def public(self) -> tuple[Entry, ...]:
        """The entries that players may read."""
        from tracker.views.public.event_words import public_entries  # a resumed fight is drawn without

        return public_entries(self.entries)

    def history(self) -> tuple[Entry, ...]:
        """Return the entries for folding, or raise CorruptJournal if the record is damaged."""
        cached: tuple[Entry, ...] | None = self.__dict__.get("entries")
        return self._read(self.reader.entries, self.row.entries) if cached is None else cached

    def _read(self, read: Callable[[bytes], _T], text: bytes) -> _T:
        try:
            return read(text)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CorruptJournal(f"the record of step {self.seq} is damaged: {error}") from error


class WhatIfState(Struct, frozen=True):
    """An open what-if, as it is shown.

    Attributes:
        step: the last step of the real fight; None: it has none.
        first: steps with this number or a higher one belong to the what-if.
    """

    step: int | None
    first: int


class Model(Struct, frozen=True):
    """A fight as it is shown.

    Attributes:
        fight: its id in the journal.
        title: its title.
        state: of the past step that is shown, else of the pending step, else of the head.
        head: the last finished step.
        steps: the finished steps of this branch, oldest first.
        pending: the pending request, with the events of its step so far.
        pending_step: the step it belongs to.
        refusal: why the last intent was refused; None: it was not.
        problem: one line about an error; "": there was none.
        can_undo, can_redo: whether there is anything to undo or redo.
        read_only: this program may not write the fight.
        looking_at: the past step that is shown; None: the present is.
        resumed: when the last step was done before this program resumed the fight; "" for a new fight.
        unused_answers: answers of the pending step that no request has taken so far.
        notice: one line that stays: why the fight is read-only, what could not be read; "": nothing.
        waiting: steps that an amendment replays after the pending one.
        trial: the open what-if; None: this is the real fight.
        screen_held: the players' screen stays as it was.
        screen_covered: the players' screen shows nothing of this fight yet.
        by_side: the program rolls the dice of some sides, as the fight says.
        left_out: steps that an amendment has dropped after its last answer, since the rules forbid them now.
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
        """The events of the step that is shown: the pending one, a past one, or the last one."""
        if self.looking_at is None and self.pending is not None:
            return self.pending.entries
        shown = self.head if self.looking_at is None else self.looking_at
        return next((record.entries for record in reversed(self.steps) if record.seq == shown), ())


class BranchTip(Struct, frozen=True):
    """The end of a branch.

    Attributes:
        seq: its last step.
        at: when that was done, in ISO form.
        steps: how many of its steps are not on the present branch.
        fork: the last step it shares with the present branch; None: no step.
        name: the branch's name; "": it has none.
        why: why the branch was left: its end was undone, or a step was amended; `present`: it was not left.
    """

    seq: int
    at: str
    steps: int
    fork: int | None
    name: str = ""
    why: Literal["undone", "amended", "present"] = "undone"


Outcome: TypeAlias = Literal["same", "changed", "unused", "open", "refused", "gone", "waiting"]


class Change(Struct, frozen=True):
    """A difference between two states: the trait `what` of the combatant `who` ("": the fight) before and after."""

    who: str
    what: str
    was: Value
    now: Value


class StepOutcome(Struct, frozen=True):
    """The result of a step that an amendment replays.

    Attributes:
        seq: its number on the old branch; None: the step that was pending.
        outcome: `same`; `changed`; `unused`: changed, and not every answer was asked for; `open`: it asks a new
            question; `refused`; `gone`: an advance to a moment that has passed; `waiting`: behind an open question.
        step: the step.
        kept: a refused step that was forced.
        refusal: why it was refused.
        request: the open question.
        unused: keys of answers that were not asked for.
        changes: differences between the states after the old step and after the new one.
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
    """A new question of a replayed step, and the answer with which the preview goes on."""

    seq: int
    request: Request
    answer: Answer


class AmendReport(Struct, frozen=True):
    """The results of an amendment, or of its preview.

    Attributes:
        step: the amended step.
        outcomes: the results of this step and of all later ones.
        changes: differences between the fight before and after.
        refusal: why it cannot be done at all.
        problem: one line about an error; "": there was none.
        states: the fight before and after.
        asks: the new questions, with the likely answers with which a preview goes on.
        until: the step before which the states are compared, if the preview ends there; None: the last.
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
