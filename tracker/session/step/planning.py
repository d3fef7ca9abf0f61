"""Planning: the plan for each intent; nothing is written or changed before the session carries it out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain, count
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import Entry, Overruled
from tracker.core.fight.state import State
from tracker.core.gm.commands import any_time
from tracker.core.run import Answers, Outcome, Pending, Step
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
    """Return the position that `Undo` leads to, or None."""
    head, draft = position.head, position.draft
    if draft is None:
        if head is None:
            return None
        record = runner.history.records[head]
        if record.back is not None:
            with suppress(CorruptJournal):  # then it is that after the parent
                return read_position(runner.reader, record.back)
        return None if record.parent is None else Cursor(record.parent)
    if draft.marks:
        return Cursor(head, _without_last_mark(draft))
    if draft.back is not None:
        return draft.back
    return None if head is None else Cursor(head)


def begins_here(sandbox: OpenWhatIf, position: Cursor) -> bool:
    """Tell whether the fight is at the start of the what-if, so that only dropping it leads further back."""
    if (position.head or 0) >= sandbox.first:
        return False
    draft, begun = position.draft, sandbox.start.draft
    if draft is None:
        return True
    return (
        begun is not None
        and position.head == sandbox.start.head
        and draft.marks == begun.marks
        and draft.step.actions == begun.step.actions
    )


def _without_last_mark(draft: PendingStep) -> PendingStep:
    """Return a pending step at its last undo point; dice rolled since are kept."""
    *marks, last = draft.marks
    step, aside = draft.step, dict(draft.aside)
    if last.kind == "override":
        step, answers = replace(step, overrides=step.overrides[:-1]), last.answers
    else:
        if last.kind == "interrupt":
            step = replace(step, interrupts=step.interrupts[:-1])
        answers, recorded = draft.answers[: last.count], dict(draft.recorded)
        aside |= {
            key: answer
            for key, answer in draft.answers[last.count :]
            if key not in recorded and not (isinstance(answer, DiceAnswer) and answer.typed)
        }
    return replace(draft, step=step, answers=answers, aside=tuple(aside.items()), marks=tuple(marks), asked=last.asked)


LONGEST_NAME = 60


class Planner(Struct, frozen=True):
    """Makes the plans for a fight at its position."""

    runner: Runner
    standing: SessionState = SessionState()

    @property
    def position(self) -> Cursor:
        """The position of the fight."""
        return self.standing.position

    @property
    def pending(self) -> Pending | None:
        """The pending request."""
        return self.standing.pending

    def plan(self, intent: Intent, drawn: Drawn) -> Plan:
        """Return the plan for an intent.

        `drawn`: the program's dice of amendments that were previewed.

        Raises:
            Refused: if it cannot be done.
        """
        match intent:
            case Do():
                return self.do(intent)
            case Advance():
                return self.begin(Step("advance"))
            case Reply(answer=answer):
                return self.reply(answer)
            case RollRest(leave_player_choices=left):
                return self.rest(left)
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
        """Begin a step of actions; while another one is pending, a GM action may interrupt it."""
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
        return self._run(replace(_marked(draft, "answer"), answers=(*draft.answers, (key, answer))), (key,))

    def rest(self, leave_player_choices: bool) -> Plan:
        """Let the program answer the rest of the step, if wanted except a player's decisions."""
        draft, pending = self._waiting()
        if leave_player_choices and decided_by_player(pending.state, pending.request):
            text = f"a player decides this, so * does not pass it by: {question(pending)}"
            raise impossible("players_decision", text, at=pending.request.key)
        plan = self._run(_marked(draft, "answer"), rest=True, leave_player_choices=leave_player_choices)
        if plan.pending is not None and plan.pending.request.key == pending.request.key:
            text = f"the program cannot answer this: {question(pending)}"
            raise impossible("no_default", text, at=pending.request.key)
        return plan

    def interrupt(self, action: Action) -> Plan:
        """Perform an action before the pending request."""
        draft, _ = self._waiting()
        step = replace(draft.step, interrupts=(*draft.step.interrupts, Interruption(draft.asked, action)))
        return self._run(replace(_marked(draft, "interrupt"), step=step))

    def override(self, key: str, value: Value) -> Plan:
        """Replace a computed value of the pending step."""
        draft, _ = self._waiting()
        step = replace(draft.step, overrides=(*draft.step.overrides, (key, value)))
        return self._run(replace(_marked(draft, "override", draft.answers), step=step))

    def _waiting(self) -> tuple[PendingStep, Pending]:
        draft = self.position.draft
        if draft is None or self.pending is None:
            raise impossible("nothing_asked", "nothing is being asked")
        return draft, self.pending

    def _run(
        self,
        draft: PendingStep,
        must_fit: Collection[str] = (),
        rest: bool = False,
        leave_player_choices: bool = False,
    ) -> Plan:
        state = self.runner.history.state(self.position.head)
        amendment = self._amendment(draft)
        recall = None if amendment is None else amendment.recall(draft, draft.later)
        outcome, draft = self.runner.run(
            state, draft, must_fit, rest=rest, leave_player_choices=leave_player_choices, recall=recall
        )
        return self._after(draft, outcome)

    def _amendment(self, draft: PendingStep) -> Amendment | None:
        """Return the amendment in progress that a pending step belongs to, None if it belongs to none."""
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
        """Replay a step with other answers, actions or an override, then every later one.

        `ahead`: the report goes on beyond open questions.
        """
        seq, answers = intent.step, intent.answers
        path = self.runner.history.path(self.position.head)
        place = next((place for place, record in enumerate(path) if record.seq == seq), None)
        if place is None:
            raise impossible("no_such_step", f"step {seq} is not on this branch")
        old = path[place]
        step, recorded = old.step, dict(old.answers)
        _check_amendable(intent, step, recorded)
        if intent.actions is not None:
            step = replace(step, actions=intent.actions)
        amended = recorded | {key: _amended(recorded[key], answer) for key, answer in answers}
        if override is not None:
            step = replace(step, overrides=(*step.overrides, override))
        amendment = Amendment(self.runner, old.parent, refused=intent.refused, back=self.position, drawn=drawn)
        later, carried = tuple(record.seq for record in path[place + 1 :]), self.position.draft
        if amendment.first(old, step, tuple(amended.items()), [key for key, _ in answers]):
            amendment.replay_later_steps(later, carried)
        else:
            amendment.postpone_later_steps(later, carried)
        if override is not None and not _overruled(amendment, override[0]):
            raise impossible("no_such_ruling", f'step {seq} has no ruling "{override[0]}"')
        report = amendment.report(seq, ahead)
        if ahead or (override is not None and amendment.draft is not None):
            amendment.agree(report if ahead else amendment.report(seq, ahead=True))
        return Plan(amendment.position, amendment.pending, amendment.steps(), report=report)

    # -- undo, branches, what-if ---------------------------------------------------------------------------------------

    def can_undo(self) -> bool:
        """Tell whether there is anything to undo."""
        return not self._begins_here() and previous_cursor(self.runner, self.position) is not None

    def undo(self) -> Plan:
        """Undo the last answer, step or amendment."""
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
        """Return to the position before the last `Undo` or `Branch`."""
        if not self.standing.redo:
            raise impossible("nothing_to_redo", "there is nothing to do again")
        return self.go_to(read_position(self.runner.reader, self.standing.redo[-1]), "pop")

    def branch(self, step: int) -> Plan:
        """Go back to just after a step."""
        if step not in self.runner.history.records:
            raise impossible("no_such_step", f"there is no step {step}")
        return self.go_to(Cursor(step), "push")

    def what_if(self, what: Trying) -> Plan:
        """Begin a what-if, or end it."""
        sandbox, history, names = self.standing.sandbox, self.runner.history, self.standing.names
        if what == "begin":
            if sandbox is not None:
                raise impossible("what_if_open", "a what-if is open already: keep it or drop it first")
            redo = tuple(read_position(self.runner.reader, text) for text in self.standing.redo)
            begun = OpenWhatIf(self.position, history.next, question(self.pending), redo)
            return Plan(self.position, self.pending, redo="clear", sandbox=begun)
        if sandbox is None:
            raise impossible("no_what_if", f"there is nothing to {what}: no what-if is open")
        plan = Plan(self.position, self.pending, redo="keep")
        if what == "drop" or self.position == sandbox.start:
            plan = replace(self.go_to(sandbox.start, "restore"), restored=sandbox.redo)
        ends = history.ends(plan.position.head)
        unnamed = [seq for seq in ends if seq >= sandbox.first and seq not in names]
        return replace(plan, sandbox=None, names=tuple(zip(unnamed, _free_names(names.values()), strict=False)))

    def name(self, step: int, name: str) -> Plan:
        """Name the branch of a step."""
        if step not in self.runner.history.records:
            raise impossible("no_such_step", f"there is no step {step}")
        words = " ".join(name.split())
        if len(words) > LONGEST_NAME:
            raise impossible("name_too_long", f"a name has at most {LONGEST_NAME} letters; this has {len(words)}")
        return Plan(self.position, self.pending, redo="keep", names=((step, words),))

    def go_to(self, position: Cursor, redo: RedoChange) -> Plan:
        """Go to a position and replay its pending step, or begin that again if its requests are others now."""
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


def _marked(draft: PendingStep, kind: Literal["answer", "interrupt", "override"], answers: Answers = ()) -> PendingStep:
    """Return a pending step with an undo point."""
    return replace(draft, marks=(*draft.marks, UndoPoint(kind, draft.asked, len(draft.answers), answers)))


def _check_amendable(intent: Amend, step: Step, asked: Collection[str]) -> None:
    """Raise Refused if a step has no question or action in the place of those it is to have."""
    if unknown := [key for key, _ in intent.answers if key not in asked]:
        others = ", ".join(asked) or "it asked nothing"
        raise impossible("no_such_request", f'step {intent.step} did not ask for "{unknown[0]}" ({others})')
    if intent.actions is not None and (step.kind != "do" or not intent.actions):
        raise impossible("no_action", f"step {intent.step} is no action, so no other action can replace it")


def _amended(old: Answer, answer: Answer) -> Answer:
    if not isinstance(answer, DiceAnswer):
        return answer
    same = isinstance(old, DiceAnswer) and (old.total, old.faces) == (answer.total, answer.faces)
    return old if same else replace(answer, typed=True, amended=True)


def _overruled(amendment: Amendment, key: str) -> bool:
    """Tell whether the amended step has a ruling of this key."""
    entries: tuple[Entry, ...] = amendment.done[0][0].entries if amendment.done else ()
    if amendment.pending is not None:
        entries += amendment.pending.entries
    return any(isinstance(entry.event, Overruled) and entry.event.key == key for entry in entries)


def _free_names(taken: Iterable[str]) -> Iterator[str]:
    """Yield names for branches of a what-if: `what-if`, `what-if 2` ..."""
    used = set(taken)
    return (name for name in chain(["what-if"], (f"what-if {number}" for number in count(2))) if name not in used)


def present_state(runner: Runner, standing: SessionState) -> State:
    """Return the state of the fight now, of a pending step as far as it is done."""
    pending = standing.pending
    return runner.history.state(standing.position.head) if pending is None else pending.state


def real_state(runner: Runner, standing: SessionState) -> State:
    """Return the state of the real fight, without an open what-if."""
    if standing.sandbox is None:
        return present_state(runner, standing)
    start = standing.sandbox.start
    state = runner.history.state(start.head)
    pending = None if start.draft is None else runner.replay(state, start.draft)
    return state if pending is None else pending.state


def model_of(runner: Runner, standing: SessionState, *, fight: str, read_only: bool) -> Model:
    """Return the model of a fight without the fields that only the session knows."""
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
        fight=fight,
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
        by_side=runner.settings.by_side,
    )
