"""Windows: requests at which an action may interrupt."""

from __future__ import annotations

from typing import ClassVar

from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refused
from tracker.core.terms.requests.answers import Answer, Name, Passed, Responded
from tracker.core.terms.requests.kind import ActionReader, Asked, Kind, OptionReader, Plain, document

PASS = "pass"


class Window(Kind, frozen=True, tag=True):
    """A request at which an action may interrupt.

    Attributes:
        key: unique within the step; `after_roll`, asked again as `after_roll:2`.
        name: the ruleset's name of this kind of window.
        offers: the actions that are possible here, each with its actor; never empty.
        actor, target: the combatant whose action it interrupts, and that action's target.
        why: the situation in a few words ("19 against AC 17: hit").
        info: the ruleset's own words about the situation (`hit`), for its `windows`.

    A window is not asked if none of its offers can change what follows; a script, a journal or the GM may still answer.
    """

    kind: ClassVar[str] = "window"

    key: str
    name: str
    offers: tuple[ActionSpec, ...] = ()
    actor: str | None = None
    target: str | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    info: tuple[str, ...] = ()
    secret: bool = False

    @property
    def matters(self) -> bool:
        """Whether one of the offers can change what follows."""
        return any(not spec.moot for spec in self.offers)

    @property
    def default_answer(self) -> Answer | None:
        """Passing."""
        return Passed()

    def offers_to(self, action: Action) -> bool:
        """Tell whether an action is on offer here, to its actor."""
        return any((spec.key, spec.by) == (action.key, action.by) for spec in self.offers)

    def problem(self, answer: Answer) -> str | None:
        """Return why an answer is not possible, in one line, or None."""
        if isinstance(answer, Passed):
            return None
        if not isinstance(answer, Responded):
            return "a window is asked for"
        if unknown := [action for action in answer.actions if not self.offers_to(action)]:
            offers = ", ".join(f"{spec.key} by {spec.by}" if spec.by else spec.key for spec in self.offers)
            return f'"{unknown[0].key}" by {unknown[0].by or "nobody"} is not on offer ({offers})'
        return None if answer.actions else "an interruption needs an action"

    @property
    def _answers(self) -> list[str]:
        return [f"{spec.key}:{spec.by}" if spec.by else spec.key for spec in self.offers]

    def to_dict(self) -> Plain:
        """Return the window and its answers in plain values."""
        asked: Plain = {"name": self.name, "actor": self.actor, "target": self.target, "answers": self._answers}
        return document(self, asked, PASS)

    @property
    def expected(self) -> str:
        """The actions on offer."""
        return f"pass or an action ({', '.join(self._answers)})"

    def question(self, name: Name) -> tuple[str, str]:
        """Return the situation, with actor and target."""
        moment = self.why or self.name.replace("_", " ")
        who = " → ".join(name(key) for key in (self.actor, self.target) if key is not None)
        return "", f"{who}: {moment}" if who else moment

    @property
    def hint(self) -> str:
        """How to pass it, and how to interrupt."""
        return "Enter: nobody interrupts · a label: what they can do"

    def matches(self, value: object, acts: ActionReader) -> bool:
        """Tell whether it is `pass` or an action on offer."""
        if isinstance(value, str):
            return value == PASS or self._offered(value, acts) is not None
        parts = value if isinstance(value, tuple) else (value,)
        offers = {(spec.key, spec.by) for spec in self.offers}
        return bool(parts) and all(not isinstance(part, str) and acts.whose(part) in offers for part in parts)

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return `pass`, `key:actor`, an action, or several actions at the same time, as the answer."""
        if isinstance(value, str):
            if value == PASS:
                return Passed()
            offered = self._offered(value, acts)
            return None if offered is None else Responded((offered,))
        together = isinstance(value, tuple)
        parts = value if isinstance(value, tuple) else (value,)
        actions = [None if isinstance(part, str) else acts.action(part) for part in parts]
        read = tuple(self._as_offered(action) for action in actions if action is not None)
        return Responded(read, together) if read and len(read) == len(parts) else None

    def _offered(self, value: str, acts: ActionReader) -> Action | None:
        """Return the offered action `total_defense:ansa`, without the actor if only one is offered."""
        key, _, by = value.partition(":")
        matching = [spec for spec in self.offers if spec.key == key]
        if by and matching:
            try:
                pair = acts.whose(value)
            except Refused:
                return None
            matching = [spec for spec in matching if (spec.key, spec.by) == pair]
        return self._as_offered(Action(key, matching[0].by)) if len(matching) == 1 else None

    def _as_offered(self, action: Action) -> Action:
        """Return an action with the values that this window fixes, unless the action has others."""
        fitting = [
            spec
            for spec in self.offers
            if (spec.key, spec.by) == (action.key, action.by)
            and all(action.get(name) in (None, value) for name, value in spec.fixed)
        ]
        return action.put(**dict(fitting[0].fixed)) if len(fitting) == 1 else action

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return `Passed` for an empty text; raises ValueError for any other."""
        if text:
            raise ValueError("enter passes; the label of one who can do something opens it")
        return Passed()
