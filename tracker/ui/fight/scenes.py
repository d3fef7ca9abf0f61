"""What a mode sees of a fight, put together from its sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tracker.core.engine import offers, spec_of
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Member
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.desk.kept import KeptEffects
from tracker.ui.desk.memory import Memory
from tracker.ui.fight.following import following
from tracker.ui.keys.table import on
from tracker.ui.typing.mode import Following, Scene, Trial

if TYPE_CHECKING:
    from tracker.ui.desk.phones import Handed

__all__ = ["Scenes"]


class Scenes:
    """The maker of scenes, which keeps what is costly between two of them.

    Attributes:
        table: the keys of the fight as they are now.
        last: the last action done here.
        find: the bestiary.
        handed: gives the dice that a phone has sent for a model's question.
        chance: gives the chance of an action on a sheet.
        seen: keys of the reminders that have been shown at their moment.
        drawn: the first picture is there.
    """

    def __init__(
        self, session: Session, find: Callable[[str], Sequence[Member]], kept: KeptEffects, memory: Memory
    ) -> None:
        self._session, self.find, self._kept, self._memory = session, find, kept, memory
        self.table = on("fight")
        self.last: Action | None = None
        self.handed: Callable[[Model], Handed | None] = lambda model: None
        self.chance: Callable[[Action], str] = lambda action: ""
        self.seen: frozenset[str] = frozenset()
        self.drawn = False
        self._offers = per_state(partial(offers, session.ruleset))
        self._forms = per_state(partial(spec_of, session.ruleset))
        self._following: tuple[object, Following | None] = (None, None)

    def of(self, model: Model, selected: Id | None) -> Scene:
        """Return what a mode sees of a model with the cursor on a combatant."""
        session = self._session
        if self._following[0] is not model.pending:
            before = session.state_at(model.head)
            self._following = (model.pending, following(session.ruleset, session.settings, before, model))
        return Scene(
            session.ruleset,
            model,
            selected=selected if selected in model.state else None,
            following=self._following[1],
            find=self.find,
            last=self.last,
            preview=session.preview,
            table=self.table,
            known_offers=self._offers,
            known_forms=self._forms,
            kept=self._kept.offered,
            earlier=self._earlier,
            trial=partial(self._trial, model),
            asked=session.asked_at,
            at=session.state_at,
            handed=partial(self.handed, model),
            chance=self.chance,
            seen=self.seen,
            drawn=self.drawn,
        )

    def _earlier(self) -> tuple[str, ...]:
        return self._memory.lines

    def _trial(self, model: Model, action: Action, hand: tuple[str, ...]) -> Trial:
        from tracker.ui.typing.hand import tried  # only a command line has dice in hand

        if model.pending is not None or model.looking_at is not None:
            return Trial(left=hand)
        return tried(self._session.ruleset, self._session.settings, state=model.state, action=action, hand=hand)
