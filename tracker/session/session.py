"""The session: all changes of a fight pass through it.

Each intent is planned, written to the journal, and only then taken over: what the model shows is on disk. An error
leaves the fight as it was; the model names it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Pending, Step
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refused, RulesBug, TrackerError, impossible
from tracker.core.terms.values import Value
from tracker.library.guard import Guarded, guarded
from tracker.library.ruleset_errors import write_crash_report
from tracker.session.intents import Amend, Branch, Intent, LookAt, NameBranch, Override, Redo, Undo
from tracker.session.model import AmendReport, BranchTip, Change, Model, Reader, StepOutcome, differences
from tracker.session.rows import Commit, NewFight, Stored
from tracker.session.settings import Settings
from tracker.session.step.amending import Drawn
from tracker.session.step.plan import Cursor, Plan, SessionState
from tracker.session.step.planning import Planner, model_of, present_state, real_state
from tracker.session.step.runner import Runner, StepError
from tracker.session.store import loading
from tracker.session.store.exchange import write_replay
from tracker.session.store.journal import Journal
from tracker.session.store.locks import Lock
from tracker.session.store.player_view import PlayerView, ScreenMode, write_player_view
from tracker.session.tree import History, branch_tips, present_tip


class Session:
    """An open fight: use `start` or `resume`.

    `model` is the fight as the GM sees it, `player_view` as players do; `settings` may be replaced at any time.
    """

    model: Model
    ruleset = Guarded()

    def __init__(self, journal: Journal, ruleset: Ruleset, reader: Reader, settings: Settings) -> None:
        self.journal, self.ruleset, self.settings = journal, ruleset, settings
        self._reader, self._history = reader, History()
        self._number, self._fight = 0, ""
        self._lock: Lock | None = None
        self._standing = SessionState()
        self.player_view = PlayerView()
        self._drawn: Drawn = {}
        self._previewed: tuple[Amend, Plan] | None = None  # valid until the fight changes
        self._closed = False
        self._cannot_write = self._resumed = ""

    # -- opening and closing -------------------------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        journal: Journal,
        ruleset: Ruleset,
        encounter: Encounter,
        settings: Settings | None = None,
        *,
        source_text: str = "",
        covered: bool = False,
    ) -> Session:
        """Open a new fight and go to its first stop, or to the first question.

        `covered`: players see nothing of it until `freeze_player_view(False)`.

        Raises:
            Refused: if the rules do not accept the encounter.
            RulesBug: if the ruleset fails; the message names the replay file.
            TrackerError: if nothing can be written.
        """
        reader = loading.new_reader(guarded(ruleset), encounter)
        session = cls(journal, ruleset, reader, settings or Settings())
        session.player_view = PlayerView(covered=covered)
        fight = NewFight(
            title=encounter.title,
            ruleset=ruleset.key,
            version=ruleset.version,
            encounter=reader.codec.encode(reader.encounter),
            source=source_text,
            created=session.settings.clock(),
        )
        try:
            plan = session._planner.begin(Step("start", encounter=reader.encounter))
            change, trouble = session._commit_of(plan)
        except StepError as failed:
            raise RulesBug(session._report(failed)) from failed
        created = journal.create(fight, change)
        session._number, session._fight, session._lock = created.number, created.fight, created.lock
        session.player_view.mark_written(change.shown)
        session._take_over(plan, trouble)
        session.model = session._model()
        return session

    @classmethod
    def resume(
        cls, journal: Journal, fight: str, rulesets: Callable[[str], Ruleset], settings: Settings | None = None
    ) -> Session:
        """Resume a fight, even in the middle of a step.

        Raises:
            TrackerError: if there is no such fight or ruleset, or the record is damaged from its start.
        """
        journal.check(fight)
        lock, why = journal.lock(fight)
        try:
            stored = journal.load(fight)
            ruleset = guarded(rulesets(stored.fight.ruleset))
            session = cls(journal, ruleset, loading.reader(ruleset, stored), settings or Settings())
            session._number, session._fight = stored.number, fight
            session._lock, session._cannot_write = lock, why
            session._load(stored)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        if not why:
            journal.backups.soon()
        return session

    @property
    def problems(self) -> Path:
        """The folder of problem files."""
        return self.settings.problems or self.journal.path.parent / "problems"

    @property
    def encounter(self) -> Encounter:
        """The encounter the fight was opened with."""
        return self._reader.encounter

    def close(self) -> None:
        """Give the lock back, so that other programs may write the fight; the journal stays open."""
        if self._standing.looking is not None:
            self._standing = replace(self._standing, looking=None)
            self._publish()
        self._closed = True
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def refresh(self) -> Model:
        """Load the fight again, after another program has written it."""
        self._load(self.journal.load(self._fight))
        return self.model

    def _load(self, stored: Stored) -> None:
        self._history = loading.history(stored, self._reader)
        head, damaged = loading.last_readable_step(self._history, stored.head.seq)
        position, unasked = loading.stored_position(
            self._reader, head, stored.head.draft if head == stored.head.seq else None
        )
        self._previewed = None
        self._resumed = stored.head.at
        sandbox, unread = loading.stored_sandbox(self._reader, self._history, stored.head.sandbox)
        notice = damaged or unasked or unread
        self._standing = SessionState(
            Cursor(position.head), redo=stored.redo, sandbox=sandbox, names=dict(stored.names), notice=notice
        )
        self.player_view, problem = PlayerView(stored.shown), ""
        try:
            plan = self._planner.go_to(position, "keep")
        except StepError as failed:
            problem = self._report(failed)
        else:
            self._standing = replace(
                self._standing, position=plan.position, pending=plan.pending, notice=notice or plan.notice
            )
        self.model = self._model(problem)

    def warm(self) -> None:
        """Bring the players' screen up to date in idle time; its caches serve the next step."""
        with suppress(Exception):  # the next step names the error
            self._publish()

    def freeze_player_view(self, on: bool) -> Model:
        """Keep the players' screen as it is, or let it show the fight again."""
        return self._set_screen("held" if on else "live")

    def cover_player_view(self) -> Model:
        """Show players nothing of the fight until `freeze_player_view(False)`."""
        return self._set_screen("covered")

    def _set_screen(self, mode: ScreenMode) -> Model:
        why = self._cannot_write or ("this fight has been closed" if self._closed else "")
        self.model = self._model(why or self._publish(mode))
        return self.model

    def _publish(self, mode: ScreenMode | None = None) -> str:
        if self._cannot_write or self._closed:
            return ""
        return write_player_view(
            self.journal, self._number, self._runner, self._standing, shown=self.player_view, mode=mode
        )

    # -- intents and queries -------------------------------------------------------------------------------------------

    def dispatch(self, intent: Intent) -> Model:
        """Carry out an intent and return the new model; a refusal is in the model and changes nothing."""
        left_out: tuple[StepOutcome, ...] = ()
        try:
            if isinstance(intent, LookAt):
                self._look(intent.step)
                self._publish()
            else:
                self._allow(intent)
                plan = self._plan(intent)
                change, trouble = self._commit_of(plan)
                if change.redo == "clear" and not self._standing.redo:
                    change = replace(change, redo="keep")
                self.journal.commit(self._number, change)
                if change.shown:
                    self.player_view.mark_written(change.shown)
                self._take_over(plan, trouble)
                if plan.report is not None and not isinstance(intent, Amend):
                    results = plan.report.outcomes
                    left_out = tuple(result for result in results if result.outcome == "refused" and not result.kept)
            self.model = replace(self._model(), left_out=left_out)
        except Refused as refused:
            self.model = replace(self.model, refusal=refused.refusal, problem="")
        except StepError as failed:
            self.model = replace(self.model, refusal=None, problem=self._report(failed))
        except TrackerError as error:
            self.model = replace(self.model, refusal=None, problem=error.message)
        return self.model

    def preview(self, intent: Amend, override: tuple[str, Value] | None = None) -> AmendReport:
        """Return the results that an amendment would have.

        Nothing is written. The same amendment, dispatched next, gives the same result, dice of the program included.
        """
        step = intent.step
        try:
            plan = self._planner.amend(intent, self._drawn, override, ahead=True)
        except Refused as refusal:
            return AmendReport(step, refusal=refusal.refusal)
        except StepError as failed:
            place = write_crash_report(failed.message, failed.details, self.problems)
            return AmendReport(step, problem=f"{failed.message}; problem file: {place}")
        except TrackerError as error:
            return AmendReport(step, problem=error.message)
        if override is None:
            self._previewed = (intent, plan)
        return plan.report if plan.report is not None else AmendReport(step)

    def asked_at(self, step: int, key: str) -> Pending | None:
        """Return a past step as it was at the request of this key, None if that is not asked again."""
        record = self._history.records.get(step)
        return None if record is None else self._runner.replay_to_request(record, key)

    def state_at(self, step: int | None) -> State:
        """Return the state after a step, or raise CorruptJournal if its record is damaged."""
        return self._history.state(step)

    def branches(self) -> tuple[BranchTip, ...]:
        """Return the ends of all other branches, the newest first."""
        return branch_tips(self._history, self._standing.position.head, self._standing.names)

    def present(self) -> BranchTip | None:
        """Return the end of the present branch, None before its first step."""
        return present_tip(self._history, self._standing.position.head, self._standing.names)

    def real_state(self) -> State:
        """Return the state of the real fight, without an open what-if."""
        return real_state(self._runner, self._standing)

    def tried(self) -> tuple[Change, ...]:
        """Return the differences between the open what-if and the real fight."""
        return differences(self.real_state(), present_state(self._runner, self._standing))

    # -- helpers -------------------------------------------------------------------------------------------------------

    @property
    def _runner(self) -> Runner:
        return Runner(self.ruleset, self._reader, self._history, self.settings)

    @property
    def _planner(self) -> Planner:
        return Planner(self._runner, self._standing)

    def _plan(self, intent: Intent) -> Plan:
        if isinstance(intent, Amend) and self._previewed is not None and self._previewed[0] == intent:
            return self._previewed[1]
        return self._planner.plan(intent, self._drawn)

    def _allow(self, intent: Intent) -> None:
        if self._closed:
            raise impossible("closed", "this fight has been closed")
        if self._cannot_write:
            raise impossible("read_only", self._cannot_write)
        elsewhere = isinstance(intent, Branch | Amend | Undo | Redo | NameBranch) or (
            isinstance(intent, Override) and intent.step is not None
        )
        looking = self._standing.looking
        if looking is not None and not elsewhere:
            raise impossible(
                "looking_back",
                f"this is the fight after step {looking}: come back to the present, or go on from here as a new branch",
            )

    def _look(self, step: int | None) -> None:
        if step is not None and step not in self._history.records:
            raise impossible("no_such_step", f"there is no step {step}")
        self._history.state(step)
        present = step == self._standing.position.head and self._standing.pending is None
        self._standing = replace(self._standing, looking=None if present else step)

    def _commit_of(self, plan: Plan) -> tuple[Commit, str]:
        standing = self._standing
        return loading.commit_of(
            self._runner, plan, was=standing.position, tried=standing.sandbox, shown=self.player_view
        )

    def _take_over(self, plan: Plan, trouble: str) -> None:
        self._standing = self._standing.after(plan, self._reader, trouble)
        for record, state in plan.done:
            self._history.add(record, state)
        self._drawn, self._previewed = {}, None

    def _model(self, problem: str = "") -> Model:
        model = model_of(self._runner, self._standing, fight=self._fight, read_only=bool(self._cannot_write))
        return replace(
            model,
            problem=problem,
            resumed=self._resumed,
            notice=self._cannot_write or model.notice or self.journal.backups.problem,
            screen_held=self.player_view.mode == "held",
            screen_covered=self.player_view.mode == "covered",
        )

    def _report(self, failed: StepError) -> str:
        """Write the replay file and return the one line about it."""
        stored = None
        if self._fight:
            with suppress(TrackerError):  # the file then has the step alone
                stored = self.journal.load(self._fight)
        name = self._fight or self.ruleset.key
        place = write_replay(self.problems, name, failed, stored=stored, codec=self._reader.codec)
        return f"{failed.message}; nothing has changed; problem file: {place}"
