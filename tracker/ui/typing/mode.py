"""The base classes of the modes of the action pane, the context of a mode, and the result of a key.

A mode is plain data. While it is open, it reads the keys, so no printable key reaches the bindings of the screen. It
never changes a fight: its `Result` holds the intents, and after a refusal the mode stays unchanged. A question of the
rules is part of the model, not of a mode, so it survives a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import offers, spec_of
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.encounter import Member
from tracker.core.terms.requests import Answer, Passed, Request, Responded, Roll, Window
from tracker.session.intents import Do, Intent, Interrupt, Reply
from tracker.session.model import Model
from tracker.ui.keys.command import Call, Command, Footer
from tracker.ui.keys.table import KEYS, commands, key_of
from tracker.ui.platform.settings import Offered
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.rows import entry_row, option_number, problem_rows
from tracker.views.time.turn_marks import active_of
from tracker.views.words.sides import allegiance_of
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.session.session import Session
    from tracker.ui.platform.phones import SubmittedRoll


Delivery: TypeAlias = Literal["do", "respond"]
NO_MEMBERS: Sequence[Member] = ()
MOVES: Mapping[str, int] = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
"""Keys that move in a list, and the number of rows."""


class PendingQuestion(Struct, frozen=True):
    """The question to be answered now, with the reaction windows shown in its prompt.

    Attributes:
        request: the question, or the last window if no question follows it.
        windows: the windows before it; an answer to the request passes them first.
        row: the rolls of the same kind that follow one another, this request first.
        submitted: returns the dice that a phone has sent for a request.
        behind: returns the rolls that will follow these answers to a row.
    """

    request: Request
    windows: tuple[Window, ...] = ()
    row: tuple[Roll, ...] = ()
    submitted: Callable[[Request], SubmittedRoll | None] = lambda request: None
    behind: Callable[[Sequence[ReplyTo]], tuple[Roll, ...]] = lambda replies: ()

    @property
    def reactions(self) -> tuple[tuple[int, ActionSpec], ...]:
        """The possible reactions, each with the number of windows passed before it."""
        windows = (*self.windows, self.request) if isinstance(self.request, Window) else self.windows
        return tuple((place, offer) for place, window in enumerate(windows) for offer in window.offers)


@per_state
def _labels(state: State) -> dict[str, Id]:
    return {combatant.label: combatant.id for combatant in state.combatants}


@per_state
def _offers(
    state: State, ruleset: Ruleset, by: Id | None, generic: bool, but: frozenset[str]
) -> tuple[ActionSpec, ...]:
    return offers(ruleset, state, by, generic, but)


@per_state
def _spec(state: State, ruleset: Ruleset, action: Action) -> ActionSpec:
    return spec_of(ruleset, state, action)


class GmFiles(Struct, frozen=True):
    """The GM's own files.

    Attributes:
        find: searches the bestiary.
        effect_presets: returns the GM's effects for a game, and the problems of their file.
        earlier_lines: returns the earlier command lines, the newest last.
    """

    find: Callable[[str], Sequence[Member]] = lambda text: NO_MEMBERS
    effect_presets: Callable[[Ruleset], Offered] = lambda ruleset: ((), ())
    earlier_lines: Callable[[], tuple[str, ...]] = tuple


class ModeContext(Struct, frozen=True, dict=True):
    """The context of a mode: everything that it may read.

    Attributes:
        ruleset, model: the fight.
        history: the session, for reading the past.
        selected: the combatant under the cursor.
        following: the question to be answered, or None.
        files: the GM's own files.
        table: the commands with the user's keys.
        caught: the combatants in the area on the map.
        chance: returns the chance of an action, "" while it is unknown.
        drawn: whether the first frame is drawn; before that, no choices of the game are computed.
    """

    ruleset: Ruleset
    model: Model
    history: Session
    selected: Id | None = None
    following: PendingQuestion | None = None
    files: GmFiles = GmFiles()
    table: tuple[Command, ...] = KEYS
    caught: tuple[Id, ...] = ()
    chance: Callable[[Action], str] = lambda action: ""
    drawn: bool = True

    def offers(self, by: Id | None, generic: bool = True, but: frozenset[str] = frozenset()) -> tuple[ActionSpec, ...]:
        """Return the actions of a combatant, with the refused ones; None: of the GM and the sides, except `but`."""
        return _offers(self.model.state, self.ruleset, by, generic, but)

    def spec(self, action: Action) -> ActionSpec:
        return _spec(self.model.state, self.ruleset, action)

    def key(self, name: str) -> str:
        return key_of(name, self.table)

    def command(self, key: str) -> str:
        found = commands(self.table).get(key)
        return found.id if found is not None else ""

    @cached_property
    def labels(self) -> dict[str, Id]:
        return _labels(self.model.state)

    @cached_property
    def active(self) -> Id | None:
        """The combatant that acts; if no combatant acts, the selected one."""
        return active_of(self.ruleset, self.model.state, self.selected) or self.selected

    def combatants_of(self, labels: Sequence[str]) -> tuple[Id, ...]:
        return tuple(self.labels[label] for label in labels if label in self.labels)


class Mode(Struct, frozen=True, kw_only=True):
    """Base of the modes: a frozen value that reads the keys while it is open.

    Attributes:
        place: the footer of the mode.
        where: in the action pane, in a dialog over the panes, or a line beside the chosen pane, which keeps the focus.
        takes_labels: a click on a combatant types its label.
    """

    where: ClassVar[Literal["pane", "over", "beside"]] = "pane"
    takes_labels: ClassVar[bool] = False

    @property
    def place(self) -> Footer:
        return "report"

    @property
    def title(self) -> str:
        raise NotImplementedError

    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        raise NotImplementedError

    def scrolled(self) -> Scroll | None:
        """Return the scroll position, if the mode is a page to read, else None."""
        return None

    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        """Return the result of a key, or None if the mode does not use the key."""
        raise NotImplementedError

    def paste(self, scene: ModeContext, text: str) -> Mode:
        return self

    def point(self, scene: ModeContext, row: str) -> Result | None:
        """Return the result of a click on a row, or None if the mode does not use the click."""
        return None

    def aim(self, scene: ModeContext) -> Action | None:
        """Return the action that Enter would do, if it is complete and allowed."""
        return None

    def looks_at(self, scene: ModeContext) -> Action | None:
        """Return the action whose target is shown: the action that Enter would do, or the chosen one of several."""
        return self.aim(scene)

    def aims(self, scene: ModeContext) -> Mapping[Action, Action | State | None] | None:
        """Return the actions whose rows show a chance, each with the action or the state before it."""
        return None


class GradualMode(Mode, frozen=True, kw_only=True):
    """A mode whose content is computed in parts, between two frames."""

    @property
    def to_come(self) -> tuple[object, ...]:
        """The parts that are still to be computed."""
        return ()

    def filled(self, scene: ModeContext, seconds: float | None = None) -> Mode:
        """Return the mode with more parts computed, within so many seconds; None: with all parts."""
        raise NotImplementedError


class ListMode(Mode, frozen=True, kw_only=True):
    """A mode with a list of options."""

    @property
    def chosen(self) -> int | None:
        return None

    @override
    def point(self, scene: ModeContext, row: str) -> Result | None:
        number = option_number(row)
        if number is None:
            return None
        return self.press(scene, "enter", None) if self.chosen == number else Result(replace(self, chosen=number))


class InputMode(ListMode, frozen=True, kw_only=True):
    """A mode with a line of typed text, and usually a list below it; `problem`: why the last key did nothing."""

    entry: Entry = Entry()
    problem: str = ""

    @override
    def paste(self, scene: ModeContext, text: str) -> Mode:
        return self.typed(scene, self.entry.typed(text))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return self.leave(scene)
        result: Result | None = None
        if key in ("up", "down") or (key in MOVES and self.where == "over"):
            result = self.step(scene, MOVES[key])
        elif key in ("enter", "tab"):
            result = self.take(scene, form=key == "tab")
        if result is not None:
            return result
        entry = self.entry.press(key, character)
        return None if entry is None else self.changed(scene, entry)

    def typed(self, scene: ModeContext, entry: Entry) -> Mode:
        return replace(self, entry=entry, problem="")

    def changed(self, scene: ModeContext, entry: Entry) -> Result:
        """Return the result of a key that changes the text or moves the cursor in it."""
        return Result(self.typed(scene, entry))

    def leave(self, scene: ModeContext) -> Result:
        return Result(None)

    def step(self, scene: ModeContext, by: int) -> Result | None:
        """Return the result of a key that moves in the list."""
        return None

    def take(self, scene: ModeContext, form: bool) -> Result | None:
        """Return the result of Enter, or of Tab, which opens the form."""
        return None

    def head(self, width: int, hint: str = "") -> tuple[Row, ...]:
        return (entry_row(self.entry.spans(width - 2, hint), width), *problem_rows(self.problem, width))


class Scroll(Struct):
    """The scroll position of a list, never beyond its end: `room` of its `total` lines are shown."""

    top: int = 0
    total: int = 0
    room: int = 0

    def seen(self, rows: Sequence[Row], room: int) -> Sequence[Row]:
        self.top, self.total, self.room = max(0, min(self.top, len(rows) - room)), len(rows), room
        return rows[self.top :]

    def press(self, key: str) -> bool:
        """Scroll if the key scrolls, and tell whether it does."""
        by = MOVES.get(key, 0)
        self.top = max(0, self.top + by)
        return by != 0


class Result(Struct, frozen=True):
    """The result of a key.

    Attributes:
        mode: the mode to open; None closes the open mode. If an intent is refused, the open mode stays.
        intents: the changes of the fight, in order.
        action: the action among the intents, so that the GM can force it or do it again.
        typed_answers: typed answers for the questions of the action, in order.
        call: a command of the screen to run at the end, unless an intent was refused.
        remember: a command line to remember.
        plan: turns or acts to be done one after another.
    """

    mode: Mode | None
    intents: tuple[Intent | ReplyTo, ...] = ()
    action: Action | None = None
    typed_answers: tuple[str, ...] = ()
    call: Call | None = None
    remember: str = ""
    plan: tuple[PlannedTurn, ...] | UntilActor = ()


class ReplyTo(Struct, frozen=True):
    """The answer to the question with a key, used only if that question is open; None: the program answers."""

    key: str
    answer: Answer | None


def deliver(scene: ModeContext, action: Action, way: Delivery = "do", passes: int = 0) -> Result:
    """Return the result that does an action: as a step, as an interruption, or as a reaction after some windows."""
    if way == "respond":
        return Result(None, (*[Reply(Passed())] * passes, Reply(Responded((action,)))), action)
    if scene.model.pending is not None:
        return Result(None, (Interrupt(action),), action)
    return Result(None, (Do((action,)),), action)


def target_field(spec: ActionSpec) -> Field | None:
    """Return the field that labels fill: the first field for combatants, a required one if there is any."""
    people = [field for field in spec.fields if field.kind in ("combatant", "combatants") and field.name != "halved"]
    return next((field for field in people if field.required), people[0] if people else None)


def targets_of(spec: ActionSpec, action: Action) -> Sequence[Id]:
    field = target_field(spec)
    if field is None:
        return ()
    value = action.get(field.name)
    value = field.default if value is None else value
    return tuple(map(str, value)) if isinstance(value, tuple) else () if value in (None, "") else (str(value),)


def put_targets(
    spec: ActionSpec,
    action: Action,
    targets: Sequence[Id],
    capitals: Sequence[Id],
    shares: Sequence[tuple[Id, str]] = (),
) -> Action:
    """Return an action with typed targets in their field, and the halved targets and shares if it has these fields."""
    field = target_field(spec)
    if field is None or not targets:
        return action
    action = action.put(**{field.name: targets[0] if field.kind == "combatant" else tuple(targets)})
    if capitals and spec.field("halved") is not None:
        action = action.put(halved=tuple(capitals))
    if shares and spec.field("shares") is not None:
        action = action.put(shares=tuple((("who", who), ("times", times)) for who, times in shares))
    return action


def name_spans(scene: ModeContext, who: Id) -> tuple[Span, ...]:
    person = scene.model.state.get(who)
    if person is None:
        return (Span(clean(scene.model.state.name(who))),)
    camp = allegiance_of(scene.ruleset, scene.model.state, person.side)
    return (Span(person.label + " ", "strong"), Span(clean(person.name), camp))


class PlannedTurn(Struct, frozen=True):
    """The planned turn of one combatant of a sheet.

    Attributes:
        by, action: the combatant and its action.
        opener: the action that begins its turn, in games whose turns begin with an action.
        fixed: the GM has typed it, so the game's default replaces it only if its targets are gone.
        risk: the risk shown on the sheet; the game's default also replaces the action if its risk has changed.
        dice: the answers typed for it already, by the key of the roll; None: the program rolls.
    """

    by: Id
    action: Action
    opener: Action | None = None
    fixed: bool = False
    risk: str = ""
    dice: tuple[tuple[str, Answer | None], ...] = ()


class UntilActor(Struct, frozen=True):
    """The due declared acts, up to the next act of `before`; None: to the end of the round."""

    before: Id | None = None


class ScrolledMode(Mode, frozen=True, kw_only=True):
    """A mode with fixed lines and, below them, lines that scroll."""

    scroll: Scroll = field(default_factory=Scroll)

    def head(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        raise NotImplementedError

    def body(self, scene: ModeContext, width: int) -> Sequence[Row]:
        raise NotImplementedError

    @override
    def scrolled(self) -> Scroll | None:
        return self.scroll

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        head = self.head(scene, width)
        return (*head, *self.scroll.seen(self.body(scene, width), height - len(head)))[:height]

    def decide(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        """Return the result of a key that neither leaves nor scrolls."""
        raise NotImplementedError

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return Result(None)
        return Result(self) if self.scroll.press(key) else self.decide(scene, key, character)
