"""Planning: which plan each intent comes to.

Nothing is written or changed here; the session carries a plan out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import Entry, Overruled
from tracker.core.fight.state import State
from tracker.core.gm.commands import any_time
from tracker.core.run import Outcome, Pending, Step
from tracker.core.step.ctx import Interruption
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import CorruptJournal, Refusal, Refused, impossible
from tracker.core.terms.requests import Answer, DiceAnswer
from tracker.core.terms.values import Value
from tracker.session.intents import (
    Advance,
    Amend,
    Branch,
    Do,
    Intent,
    Interrupt,
    NameBranch,
    Override,
    Redo,
    Reply,
    RollRest,
    Trying,
    Undo,
    WhatIf,
)
from tracker.session.model import Model, WhatIfState
from tracker.session.rows import RedoChange
from tracker.session.settings import decided_by_player, program_answer
from tracker.session.step.amending import Amendment, Drawn
from tracker.session.step.plan import (
    Cursor,
    OpenWhatIf,
    PendingStep,
    Plan,
    SessionState,
    UndoPoint,
    question,
    read_position,
)
from tracker.session.step.runner import Runner


def previous_cursor(runner: Runner, position: Cursor) -> Cursor | None:
    """Return where the fight was before the last thing that was done, or None."""
    head, draft = position.head, position.draft
    if draft is None:
        if head is None:
            return None
        record = runner.history.records[head]
        if record.back is not None:
            with suppress(CorruptJournal):  # the step before is there all the same
                return read_position(runner.reader, record.back)
        return None if record.parent is None else Cursor(record.parent)
    if draft.marks:
        return Cursor(head, _taken_back(draft))
    if draft.back is not None:
        return draft.back
    return None if head is None else Cursor(head)


def begins_here(sandbox: OpenWhatIf, position: Cursor) -> bool:
    """Tell whether the fight is where the what-if began: then only dropping it leads back."""
    if (position.head or 0) >= sandbox.first:
        return False
    draft, begun = position.draft, sandbox.start.draft
    if draft is None:
        return True
    return (
        begun is not None
        and position.head == sandbox.start.head
        and draft.marks[: len(begun.marks)] == begun.marks
        and begun.step.actions == draft.step.actions
        and len(draft.marks) <= len(begun.marks)
    )


def _taken_back(draft: PendingStep) -> PendingStep:
    """Return a draft without the last thing a person did to it; dice rolled since are kept."""
    *marks, last = draft.marks
    step = draft.step
    if last.kind == "interrupt":
        step = replace(step, interrupts=step.interrupts[:-1])
    elif last.kind == "override":
        return replace(
            draft,
            step=replace(step, overrides=step.overrides[:-1]),
            answers=last.answers,
            marks=tuple(marks),
            asked=last.asked,
        )
    kept, dropped = draft.answers[: last.count], draft.answers[last.count :]
    recorded = dict(draft.recorded)
    aside = dict(draft.aside) | {
        key: answer
        for key, answer in dropped
        if key not in recorded and not (isinstance(answer, DiceAnswer) and answer.typed)
    }
    return replace(draft, step=step, answers=kept, aside=tuple(aside.items()), marks=tuple(marks), asked=last.asked)


LONGEST_NAME = 60


class Planner(Struct, frozen=True):
    """A fight and its position."""

    runner: Runner
    standing: SessionState = SessionState()

    @property
    def position(self) -> Cursor:
        """The position of the fight."""
        return self.standing.position

    @property
    def pending(self) -> Pending | None:
        """The request it waits with."""
        return self.standing.pending

    def plan(self, intent: Intent, drawn: Drawn) -> Plan:
        """Return what an intent would make of the fight.

        `drawn`: the program's dice of amendments that were looked at.

        Raises:
            Refused: where it cannot be done.
        """
        match intent:
            case Do():
                return self.do(intent)
            case Advance():
                return self.begin(Step("advance"))
            case Reply(answer=answer):
                return self.reply(answer)
            case RollRest(leave_player_choices=spared):
                return self.rest(spared)
            case Interrupt(action=action):
                return self.interrupt(action)
            case Override(key=key, value=value, step=None):
                return self.override(key, value)
            case Override(key=key, value=value, step=int(step)):
                return self.amend(Amend(step, ()), drawn, (key, value))
            case Amend():
                return self.amend(intent, drawn)
            case Undo():
                return self.undo()
            case Redo():
                return self.redo()
            case Branch(step=step):
                return self.branch(step)
            case NameBranch(step=step, name=name):
                return self.name(step, name)
            case WhatIf(what=what):
                return self.what_if(what)
            case _:
                raise impossible("unknown_intent", "this is nothing a session can do")

    # -- steps ---------------------------------------------------------------------------------------------------------

    def begin(self, step: Step) -> Plan:
        """Begin a step, or raise Refused if the rules do not allow it."""
        if self.pending is not None:
            raise impossible("pending", f"first answer what is asked: {question(self.pending)}")
        return self._run(PendingStep(step))

    def do(self, intent: Do) -> Plan:
        """Begin a step of actions; while another step waits, one GM action may interrupt it."""
        actions = intent.actions
        if not actions:
            raise impossible("nothing_to_do", "there is no action in this")
        if self.pending is not None and len(actions) == 1 and any_time(actions[0]):
            return self.interrupt(actions[0])
        return self.begin(Step("do", actions, forced=intent.forced, told=intent.told))

    def reply(self, answer: Answer | None) -> Plan:
        """Answer the pending request."""
        draft, pending = self._waiting()
        if answer is None:
            answer = program_answer(self.runner.settings, pending.request, dict(draft.aside))
            if answer is None:
                raise impossible("no_default", f"there is no default: {question(pending)}", at=pending.request.key)
        elif isinstance(answer, DiceAnswer):
            answer = replace(answer, typed=True)
        key = pending.request.key
        mark = UndoPoint("answer", draft.asked, len(draft.answers))
        return self._run(replace(draft, answers=(*draft.answers, (key, answer)), marks=(*draft.marks, mark)), key)

    def rest(self, spared: bool = False) -> Plan:
        """Let the program answer the rest of the step; with `spared` it answers no decision of a player."""
        draft, pending = self._waiting()
        if spared and decided_by_player(pending.state, pending.request):
            text = f"a player decides this, so * does not pass it by: {question(pending)}"
            raise impossible("players_decision", text, at=pending.request.key)
        marks = (*draft.marks, UndoPoint("answer", draft.asked, len(draft.answers)))
        plan = self._run(replace(draft, marks=marks), rest=True, spared=spared)
        if plan.pending is not None and plan.pending.request.key == pending.request.key:
            raise impossible(
                "no_default", f"the program cannot answer this: {question(pending)}", at=pending.request.key
            )
        return plan

    def interrupt(self, action: Action) -> Plan:
        """Perform an action before the pending request."""
        draft, _ = self._waiting()
        step = replace(draft.step, interrupts=(*draft.step.interrupts, Interruption(draft.asked, action)))
        return self._run(
            replace(draft, step=step, marks=(*draft.marks, UndoPoint("interrupt", draft.asked, len(draft.answers))))
        )

    def override(self, key: str, value: Value) -> Plan:
        """Replace a computed value of the pending step."""
        draft, _ = self._waiting()
        step = replace(draft.step, overrides=(*draft.step.overrides, (key, value)))
        return self._run(
            replace(
                draft,
                step=step,
                marks=(*draft.marks, UndoPoint("override", draft.asked, len(draft.answers), draft.answers)),
            )
        )

    def _waiting(self) -> tuple[PendingStep, Pending]:
        draft = self.position.draft
        if draft is None or self.pending is None:
            raise impossible("nothing_asked", "nothing is being asked")
        return draft, self.pending

    def _run(self, draft: PendingStep, key: str = "", rest: bool = False, spared: bool = False) -> Plan:
        state, firm = self.runner.history.state(self.position.head), {key} if key else ()
        amendment = self._amendment(draft)
        recall = None if amendment is None else amendment.recall(draft, draft.later)
        outcome, draft = self.runner.run(state, draft, firm, rest=rest, leave_player_choices=spared, recall=recall)
        return self._after(draft, outcome)

    def _amendment(self, draft: PendingStep) -> Amendment | None:
        """Return the amendment a pending step belongs to, as far as it has come."""
        if not draft.amends or draft.back is None:
            return None
        return Amendment(
            self.runner, self.position.head, refused=draft.refused, back=draft.back, drawn={}, agreed=draft.agreed
        )

    def _after(self, draft: PendingStep, outcome: Outcome) -> Plan:
        head = self.position.head
        if isinstance(outcome, Refusal):
            raise Refused(outcome)
        if isinstance(outcome, Pending):
            return Plan(Cursor(head, draft), outcome)
        record = self.runner.record(draft, outcome, seq=self.runner.history.next, parent=head)
        amendment = self._amendment(draft)
        if amendment is None:
            return Plan(Cursor(record.seq), done=((record, outcome.state),))
        amendment.add_step(record, outcome.state)
        amendment.replay_later_steps(draft.later, draft.carried)
        return Plan(amendment.position, amendment.pending, amendment.steps(), report=amendment.report(record.seq))

    # -- amending ------------------------------------------------------------------------------------------------------

    def amend(
        self, intent: Amend, drawn: Drawn, override: tuple[str, Value] | None = None, ahead: bool = False
    ) -> Plan:
        """Do a step again with other answers, actions or an override, then every later one.

        `ahead`: the report goes on beyond open questions.
        """
        seq, answers, refused = intent.step, intent.answers, intent.refused
        path = self.runner.history.path(self.position.head)
        place = next((place for place, record in enumerate(path) if record.seq == seq), None)
        if place is None:
            raise impossible("no_such_step", f"step {seq} is not on this branch")
        old = path[place]
        step, recorded = old.step, dict(old.answers)
        if unknown := [key for key, _ in answers if key not in recorded]:
            raise impossible(
                "no_such_request",
                f'step {seq} did not ask for "{unknown[0]}" ({", ".join(recorded) or "it asked nothing"})',
            )
        if intent.actions is not None:
            if step.kind != "do" or not intent.actions:
                raise impossible("no_action", f"step {seq} is no action, so no other action can replace it")
            step = replace(step, actions=intent.actions)
        given = recorded | {key: _amended(recorded[key], answer) for key, answer in answers}
        if override is not None:
            step = replace(step, overrides=(*step.overrides, override))
        amendment = Amendment(self.runner, old.parent, refused=refused, back=self.position, drawn=drawn)
        later, carried = tuple(record.seq for record in path[place + 1 :]), self.position.draft
        if amendment.first(old, step, tuple(given.items()), [key for key, _ in answers]):
            amendment.replay_later_steps(later, carried)
        else:
            amendment.postpone_later_steps(later, carried)
        if override is not None and not _overruled(amendment, override[0]):
            raise impossible("no_such_ruling", f'step {seq} has no ruling "{override[0]}"')
        report = amendment.report(seq, ahead)
        if ahead or (override is not None and amendment.draft is not None):
            amendment.agree(report if ahead else amendment.report(seq, ahead=True))
        return Plan(amendment.position, amendment.pending, amendment.steps(), report=report)

    # -- there and back ------------------------------------------------------------------------------------------------

    def can_undo(self) -> bool:
        """Tell whether there is anything to take back."""
        return not self._begins_here() and previous_cursor(self.runner, self.position) is not None

    def undo(self) -> Plan:
        """Take back the last thing that was done."""
        if self._begins_here():
            raise impossible("what_if_begins", "the what-if begins here: to go further back, drop it (w)")
        earlier = previous_cursor(self.runner, self.position)
        if earlier is None:
            raise impossible("nothing_to_undo", "nothing is left to take back")
        return self.go_to(earlier, "push")

    def _begins_here(self) -> bool:
        sandbox = self.standing.sandbox
        return sandbox is not None and begins_here(sandbox, self.position)

    def redo(self) -> Plan:
        """Go forward again to where the fight stood before the last `Undo` or `Branch`."""
        if not self.standing.redo:
            raise impossible("nothing_to_redo", "there is nothing to do again")
        return self.go_to(read_position(self.runner.reader, self.standing.redo[-1]), "pop")

    def branch(self, step: int) -> Plan:
        """Go back to just after a step."""
        if step not in self.runner.history.records:
            raise impossible("no_such_step", f"there is no step {step}")
        return self.go_to(Cursor(step), "push")

    def what_if(self, what: Trying) -> Plan:
        """Begin to try things, or end it."""
        sandbox, history, names = self.standing.sandbox, self.runner.history, self.standing.names
        if what == "begin":
            if sandbox is not None:
                raise impossible("what_if_open", "a what-if is open already: keep it or drop it first")
            redo = tuple(read_position(self.runner.reader, text) for text in self.standing.redo)
            begun = OpenWhatIf(self.position, history.next, question(self.pending), redo)
            return Plan(self.position, self.pending, redo="clear", sandbox=begun)
        if sandbox is None:
            raise impossible("no_what_if", f"there is nothing to {what}: no what-if is open")
        dropped = what == "drop" or self.position == sandbox.start
        plan = (
            replace(self.go_to(sandbox.start, "restore"), restored=sandbox.redo)
            if dropped
            else Plan(self.position, self.pending, redo="keep")
        )
        ends = history.ends(plan.position.head)
        left = [seq for seq in ends if seq >= sandbox.first and seq not in names]
        return replace(plan, sandbox=None, names=tuple(zip(left, _free_names(names.values()), strict=False)))

    def name(self, step: int, name: str) -> Plan:
        """Name the branch of a step."""
        if step not in self.runner.history.records:
            raise impossible("no_such_step", f"there is no step {step}")
        words = " ".join(name.split())
        if len(words) > LONGEST_NAME:
            raise impossible("name_too_long", f"a name has at most {LONGEST_NAME} letters; this has {len(words)}")
        return Plan(self.position, self.pending, redo="keep", names=((step, words),))

    def go_to(self, position: Cursor, redo: RedoChange) -> Plan:
        """Take up a position and replay its pending step, or offer it again if the rules ask otherwise now."""
        draft = position.draft
        if draft is None:
            return Plan(position, redo=redo)
        state = self.runner.history.state(position.head)
        pending = self.runner.replay(state, draft)
        if pending is not None:
            return Plan(Cursor(position.head, replace(draft, answers=pending.answers)), pending, redo=redo)
        aside = tuple((dict(draft.aside) | dict(draft.recorded) | dict(draft.answers)).items())
        outcome, draft = self.runner.run(state, replace(draft, answers=(), recorded=(), marks=(), aside=aside))
        if isinstance(outcome, Pending):
            again = "the rules have changed since this step began: it starts again from its first question"
            return Plan(Cursor(position.head, draft), outcome, redo=redo, notice=again)
        why = outcome.text if isinstance(outcome, Refusal) else "it asks nothing any more"
        return Plan(
            Cursor(position.head),
            redo=redo,
            notice=f"the step that was pending is left out, for the rules have changed: {why}",
        )


def _amended(old: Answer, answer: Answer) -> Answer:
    if not isinstance(answer, DiceAnswer):
        return answer
    same = isinstance(old, DiceAnswer) and (old.total, old.faces) == (answer.total, answer.faces)
    return old if same else replace(answer, typed=True, amended=True)


def _overruled(amendment: Amendment, key: str) -> bool:
    entries: tuple[Entry, ...] = amendment.done[0][0].entries if amendment.done else ()
    if amendment.pending is not None:
        entries += amendment.pending.entries
    return any(isinstance(entry.event, Overruled) and entry.event.key == key for entry in entries)


def _free_names(taken: Iterable[str]) -> Iterator[str]:
    """Yield names for what was tried: `what-if`, `what-if 2` ..."""
    known = set(taken)
    return (name for number in count(1) if (name := "what-if" if number == 1 else f"what-if {number}") not in known)


def present_state(runner: Runner, standing: SessionState) -> State:
    """Return the fight now, in the middle of a step if need be."""
    pending = standing.pending
    return runner.history.state(standing.position.head) if pending is None else pending.state


def real_state(runner: Runner, standing: SessionState) -> State:
    """Return the real fight, without what is only tried."""
    if standing.sandbox is None:
        return present_state(runner, standing)
    start = standing.sandbox.start
    state = runner.history.state(start.head)
    pending = None if start.draft is None else runner.replay(state, start.draft)
    return state if pending is None else pending.state


def model_of(runner: Runner, standing: SessionState, *, read_only: bool) -> Model:
    """Return what is shown of a fight, without its id and what only the session knows."""
    history, head = runner.history, standing.position.head
    draft, looking, sandbox = standing.position.draft, standing.looking, standing.sandbox
    path = history.path(head)
    if looking is None:
        state = present_state(runner, standing)
    else:
        state, depth = history.state(looking), history.depth(looking)
        if len(path) < depth or path[depth - 1].seq != looking:
            path = history.path(looking)
    return Model(
        fight="",
        title=runner.reader.encounter.title,
        state=state,
        head=head,
        steps=path,
        pending=standing.pending,
        pending_step=None if draft is None else draft.step,
        can_undo=not read_only and Planner(runner, standing).can_undo(),
        can_redo=not read_only and bool(standing.redo),
        read_only=read_only,
        looking_at=looking,
        unused_answers=() if draft is None else draft.aside,
        notice=standing.notice,
        waiting=() if draft is None else draft.later,
        trial=None if sandbox is None else WhatIfState(sandbox.start.head, sandbox.first),
    )
