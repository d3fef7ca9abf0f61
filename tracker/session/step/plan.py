"""Plans: what an intent would change, and how the fight stands after it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.run import Pending
from tracker.session.model import AmendReport, Reader, StepRecord
from tracker.session.rows import RedoChange
from tracker.session.step.draft import Position, Sandbox, write_position

__all__ = ["Plan", "Standing", "question"]


class Plan(Struct, frozen=True):
    """What changes.

    Attributes:
        position: where the fight stands then.
        pending: the request it waits with then.
        done: new steps with the states after them.
        redo: what becomes of the positions that `Redo` leads to.
        report: what an amendment came to.
        notice: what could not be taken over as it was.
        restored: what `Redo` leads to, where `redo` says so.
        sandbox: the what-if that is open then, where that changes.
        names: given to branches, by a step on each.
    """

    position: Position
    pending: Pending | None = None
    done: tuple[tuple[StepRecord, State], ...] = ()
    redo: RedoChange = "clear"
    report: AmendReport | None = None
    notice: str = ""
    restored: tuple[Position, ...] = ()
    sandbox: Sandbox | UnsetType | None = UNSET
    names: tuple[tuple[int, str], ...] = ()


class Standing(Struct, frozen=True):
    """How an open fight stands, beside its history.

    Attributes:
        position: after which step, and in the middle of which.
        pending: the request it waits with.
        redo: the positions that `Redo` leads to, as they are stored, the last one first to come.
        sandbox: the what-if that is open.
        names: of branches, by a step on each.
        looking: the past step that is shown; None: the present is.
        notice: one line that stays; "": nothing.
    """

    position: Position = Position()
    pending: Pending | None = None
    redo: tuple[bytes, ...] = ()
    sandbox: Sandbox | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    looking: int | None = None
    notice: str = ""

    def after(self, plan: Plan, reader: Reader, trouble: str = "") -> Standing:
        """Return how the fight stands once a plan is on disk.

        `trouble` is what went wrong on the way there.
        """
        only_named = bool(plan.names) and plan.sandbox is UNSET  # a name changes nothing of what is shown
        names = dict(self.names) | dict(plan.names)
        return replace(
            self,
            position=plan.position,
            pending=plan.pending,
            redo=self._redo_after(plan, reader),
            sandbox=self.sandbox if plan.sandbox is UNSET else plan.sandbox,
            names={seq: name for seq, name in names.items() if name},
            looking=self.looking if only_named else None,
            notice=plan.notice or trouble,
        )

    def _redo_after(self, plan: Plan, reader: Reader) -> tuple[bytes, ...]:
        match plan.redo:
            case "clear":
                return ()
            case "push":
                return (*self.redo, write_position(reader, self.position))
            case "pop":
                return self.redo[:-1]
            case "restore":
                return tuple(write_position(reader, position) for position in plan.restored)
            case "keep":
                return self.redo


def question(pending: Pending | None) -> str:
    """Return what is asked, in a few words, or "" for nothing."""
    return "" if pending is None else pending.request.why or pending.request.key
