"""The modes of the action pane: what they see, and what comes of a key.

A mode is plain data. It reads keys while it is open, so no printable key reaches the screen's bindings then. It never
changes a fight: what it wants done is in its `Result`, and a refusal leaves it as it was. What the rules ask is no
mode's state but the model's, so it survives a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Trail
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Pending
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.encounter import Member
from tracker.core.terms.requests import Answer, Passed, Request, Responded, Roll, Window
from tracker.session.intents import Amend, Do, Intent, Interrupt, Reply
from tracker.session.model import AmendReport, Model
from tracker.ui.desk.kept import Offered
from tracker.ui.keys.command import Call, Command, Place
from tracker.ui.keys.table import KEYS, commands, key_of
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.rows import entry_row, option_number, problem_rows
from tracker.views.time.marks import spent
from tracker.views.words.sides import camp_of
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.library.shelves.effects import Kept
    from tracker.ui.desk.phones import Handed


Way: TypeAlias = Literal["do", "respond"]
BESIDE: Sequence[Member] = ()
MOVES: Mapping[str, int] = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
"""Keys that move in a list, by how many rows."""


class Following(Struct, frozen=True):
    """What is really asked now: the request behind the windows that stand in its prompt.

    Attributes:
        request: it, or the window itself where nothing follows.
        windows: those in front of it; an answer to the request passes them first.
        row: the dice of one kind that are asked for one after the other, this request's first.
    """

    request: Request
    windows: tuple[Window, ...] = ()
    row: tuple[Roll, ...] = ()

    @property
    def offers(self) -> tuple[tuple[int, ActionSpec], ...]:
        """What can be done in between, each with the number of windows passed before."""
        windows = (*self.windows, self.request) if isinstance(self.request, Window) else self.windows
        return tuple((place, offer) for place, window in enumerate(windows) for offer in window.offers)


@per_state
def _labels(state: State) -> dict[str, Id]:
    return {combatant.label: combatant.id for combatant in state.combatants}


class Scene(Struct, frozen=True, dict=True):
    """What a mode sees.

    Attributes:
        ruleset, model: the fight.
        selected: who is under the cursor.
        following: what is asked, or None.
        find: the bestiary.
        last: the last action done here, for doing it again.
        preview: says what a correction of the past would do.
        table: the keys as they are now.
        known_offers: says what a combatant can do, from memory where it was asked of this state before.
        known_forms: gives the specification of an action, from memory likewise.
        kept: the GM's own effects for a game, and what is wrong with their file.
        earlier: the command lines typed before, the newest last.
        trial: says how far dice in hand would reach, were an action done now.
        asked: brings a step of the past to ask again for the answer under a key.
        at: gives the state after a step.
        handed: gives the dice that a phone has sent for what is asked.
        chance: gives the chance of an action on a sheet, as far as it is known.
        seen: keys of the reminders that have been shown at their moment.
        drawn: the first picture is there, which does without what the game would have to choose.
    """

    ruleset: Ruleset
    model: Model
    selected: Id | None = None
    following: Following | None = None
    find: Callable[[str], Sequence[Member]] = lambda text: BESIDE
    last: Action | None = None
    preview: Callable[[Amend], AmendReport] = lambda intent: AmendReport(intent.step, problem="nothing to correct here")
    table: tuple[Command, ...] = KEYS
    known_offers: Callable[[State, Id | None, bool, frozenset[str]], tuple[ActionSpec, ...]] | None = None
    known_forms: Callable[[State, Action], ActionSpec] | None = None
    kept: Callable[[Ruleset], Offered] = lambda ruleset: ((), ())
    earlier: Callable[[], tuple[str, ...]] = tuple
    trial: Callable[[Action, tuple[str, ...]], Trial] = lambda action, hand: Trial(left=hand)
    asked: Callable[[int, str], Pending | None] = lambda step, key: None
    at: Callable[[int | None], State] = lambda step: State()
    handed: Callable[[], Handed | None] = lambda: None
    chance: Callable[[Action], str] = lambda action: ""
    seen: frozenset[str] = frozenset()
    drawn: bool = True

    def offers(self, by: Id | None, generic: bool = True, but: frozenset[str] = frozenset()) -> tuple[ActionSpec, ...]:
        """Return everything a combatant can do now, or is refused.

        For None it is what the GM and the sides can, and generic actions `but` some if wanted.
        """
        known = self.known_offers or partial(offers, self.ruleset)
        return known(self.model.state, by, generic, but)

    def form(self, action: Action) -> ActionSpec:
        known = self.known_forms or partial(spec_of, self.ruleset)
        return known(self.model.state, action)

    def key(self, name: str) -> str:
        """Return the present name of the key of a command."""
        return key_of(name, self.table)

    def command(self, key: str) -> str:
        """Return the id of the command of a key, or ""."""
        found = commands(self.table).get(key)
        return found.id if found is not None else ""

    @cached_property
    def labels(self) -> dict[str, Id]:
        return _labels(self.model.state)

    @cached_property
    def active(self) -> Id | None:
        """The combatant that acts.

        It is the chosen one if it has its turn, else the one whose turn is open, else the first one left.
        """
        state = self.model.state
        clock = state.clock
        slot = clock.current
        if slot is not None and self.selected in slot.members:
            return self.selected
        if clock.acting is not None and clock.acting in state:
            return clock.acting
        return self.following_up or self.selected

    @cached_property
    def following_up(self) -> Id | None:
        """The first combatant of the turn that can act and has an action left."""
        state, clock = self.model.state, self.model.state.clock
        members = clock.current.members if clock.current is not None else ()
        able = (
            who
            for who in members
            if who in state and who not in clock.acted and self.ruleset.status(state[who].status).acts
        )
        return next((who for who in able if not spent(clock, state[who])), None)

    def who(self, labels: Sequence[str]) -> tuple[Id, ...]:
        return tuple(self.labels[label] for label in labels if label in self.labels)

    def person(self, key: Id | None) -> Combatant | None:
        return self.model.state.get(key)


class Mode(Struct, frozen=True, kw_only=True):
    """Base of everything the action pane can be busy with: a frozen value that reads the keys while it is open.

    Attributes:
        place: which footer is shown meanwhile.
        over: it is a dialog over the panes, not in the action pane.
        beside: it is a line beside a chosen pane, which keeps the focus.
        takes_labels: a click on a combatant types its label.
    """

    over: ClassVar[bool] = False
    beside: ClassVar[bool] = False
    takes_labels: ClassVar[bool] = False

    @property
    def place(self) -> Place:
        return "report"

    @property
    def title(self) -> str:
        raise NotImplementedError

    @property
    def unfinished(self) -> bool:
        return False

    @property
    def scroll(self) -> Scroll | None:
        """How far the mode is scrolled, if it can be."""
        return None

    @property
    def typed_text(self) -> str:
        return ""

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        raise NotImplementedError

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Return the result of a key, or None if the key means nothing here."""
        raise NotImplementedError

    def paste(self, scene: Scene, text: str) -> Mode:
        return self

    def point(self, scene: Scene, row: str) -> Result | None:
        """Return the result of a click on one of the rows, or None if the click means nothing."""
        return None

    def filled(self, scene: Scene, seconds: float | None = None) -> Mode:
        """Return the mode with more of it worked out, within so many seconds; None: all of it."""
        return self

    def aim(self, scene: Scene) -> Action | None:
        """Return the action that Enter would do, if it is complete and allowed."""
        return None

    def aims(self, scene: Scene) -> tuple[Action, ...] | None:
        """Return the actions beside which the rows show a chance, or None if they show none."""
        return None

    def before(self, scene: Scene) -> Mapping[Action, Action]:
        """Return which of `aims` are done after another action, with that action."""
        return {}

    def planned(self, action: Action) -> Mode:
        return self

    def course(self, scene: Scene) -> tuple[Id, Trail] | None:
        """Return a combatant and the way it would go, for the map to draw."""
        return None


class ListMode(Mode, frozen=True, kw_only=True):
    """A mode with a list of options."""

    @property
    def chosen(self) -> int | None:
        """The place of the option under the cursor."""
        return None

    @override
    def point(self, scene: Scene, row: str) -> Result | None:
        number = option_number(row)
        if number is None:
            return None
        return self.press(scene, "enter", None) if self.chosen == number else Result(replace(self, chosen=number))


class InputMode(ListMode, frozen=True, kw_only=True):
    """A mode with a line of typed text, and usually a list below it.

    Attributes:
        entry: the typed text.
        problem: why the last key did nothing.
    """

    steps: ClassVar[Mapping[str, int]] = {"up": -1, "down": 1}
    entry: Entry = Entry()
    problem: str = ""

    @property
    @override
    def typed_text(self) -> str:
        return self.entry.text

    @override
    def paste(self, scene: Scene, text: str) -> Mode:
        return self.typed(scene, self.entry.typed(text))

    @override
    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return self.leave(scene)
        result: Result | None = None
        if key in self.steps:
            result = self.step(scene, self.steps[key])
        elif key in ("enter", "tab"):
            result = self.take(scene, form=key == "tab")
        if result is not None:
            return result
        entry = self.entry.press(key, character)
        return None if entry is None else self.changed(scene, entry)

    def typed(self, scene: Scene, entry: Entry) -> Mode:
        """Return the mode with another text in its line."""
        return replace(self, entry=entry, problem="")

    def changed(self, scene: Scene, entry: Entry) -> Result:
        """Return the result of a key that changes the text or moves the cursor in it."""
        return Result(self.typed(scene, entry))

    def leave(self, scene: Scene) -> Result:
        return Result(None)

    def step(self, scene: Scene, by: int) -> Result | None:
        """Return the result of a key that moves in the list."""
        return None

    def take(self, scene: Scene, form: bool) -> Result | None:
        """Return the result of Enter, or of Tab, which opens the form."""
        return None

    def head(self, width: int, hint: str = "") -> tuple[Row, ...]:
        """Return the line that is typed in, and the problem below it."""
        return (entry_row(self.entry.spans(width - 2, hint), width), *problem_rows(self.problem, width))


class Scroll(Struct):
    """How far a list is scrolled, never beyond its end: `room` of its `total` lines are shown."""

    top: int = 0
    total: int = 0
    room: int = 0

    def seen(self, rows: Sequence[Row], room: int) -> Sequence[Row]:
        self.top, self.total, self.room = max(0, min(self.top, len(rows) - room)), len(rows), room
        return rows[self.top :]

    def press(self, key: str) -> bool:
        """Scroll if the key is for that, and tell whether it is."""
        by = MOVES.get(key, 0)
        self.top = max(0, self.top + by)
        return by != 0


class Result(Struct, frozen=True):
    """What comes of a key.

    Attributes:
        mode: what is open afterwards; None: nothing. If an intent is refused, what was open before stays open.
        intents: what to do to the fight, in order.
        action: the action among them, so that it can be forced or done again.
        select: who is to be under the cursor.
        reading: the rules to open for reading, by id.
        narrow: a word to show only some lines by; None: leave that alone.
        keep: an effect to be kept in the GM's file once the intents are done.
        hand: dice for the questions of the action, in order.
        call: a command of the screen to run after all this.
        remember: a line to keep for the next time.
        plan: turns or acts to be done one after another.
        answers: answers by key, each given after the intents and only while that is asked.
        told: what to say of it once it is done, by the model that comes of it; None: nothing.
    """

    mode: Mode | None
    intents: tuple[Intent, ...] = ()
    action: Action | None = None
    select: Id | None = None
    reading: tuple[str, ...] = ()
    narrow: str | None = None
    keep: Kept | None = None
    hand: tuple[str, ...] = ()
    call: Call | None = None
    remember: str = ""
    plan: tuple[Turn, ...] | Acts = ()
    answers: tuple[tuple[str, Answer | None], ...] = ()
    told: Callable[[Model], str] | None = None


def deliver(scene: Scene, action: Action, way: Way = "do", passes: int = 0) -> Result:
    """Return the intents that do an action.

    It is done by itself, as an interruption, or as a response after passing some windows.
    """
    if way == "respond":
        return Result(None, (*[Reply(Passed())] * passes, Reply(Responded((action,)))), action)
    if scene.model.pending is not None:
        return Result(None, (Interrupt(action),), action)
    return Result(None, (Do((action,)),), action)


def target_field(spec: ActionSpec) -> Field | None:
    """Return the field that labels go to: the first for combatants, required ones before."""
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
    """Return an action with typed targets in the field they belong to.

    Capitals take half, others another share, where there are such fields.
    """
    field = target_field(spec)
    if field is None or not targets:
        return action
    action = action.put(**{field.name: targets[0] if field.kind == "combatant" else tuple(targets)})
    if capitals and spec.field("halved") is not None:
        action = action.put(halved=tuple(capitals))
    if shares and spec.field("shares") is not None:
        action = action.put(shares=tuple((("who", who), ("times", times)) for who, times in shares))
    return action


def name_spans(scene: Scene, who: Id) -> tuple[Span, ...]:
    """Return a combatant's label and name in its side's colour."""
    person = scene.person(who)
    if person is None:
        return (Span(clean(scene.model.state.name(who))),)
    camp = camp_of(scene.ruleset, scene.model.state, person.side)
    return (Span(person.label + " ", "strong"), Span(clean(person.name), camp))


class Trial(Struct, frozen=True):
    """What the dice in hand would answer.

    Attributes:
        given: each answer as typed, with what it answers.
        left: what nothing has taken so far.
        problem: why the next one cannot be an answer; "": it can.
        asks: what is asked for next, when the hand is empty or cannot answer it.
        open: what comes next cannot be known, since the program rolls dice there.
        refused: the step itself cannot be begun.
    """

    given: tuple[tuple[str, Request], ...] = ()
    left: tuple[str, ...] = ()
    problem: str = ""
    asks: Request | None = None
    open: bool = False
    refused: bool = False

    @property
    def rolls(self) -> bool:
        """Whether a number is asked for at all."""
        requests = [request for _, request in self.given] + ([self.asks] if self.asks is not None else [])
        return any(request.numeric for request in requests) or self.open


class Turn(Struct, frozen=True):
    """What one combatant of a sheet is to do.

    Attributes:
        by, action: who does what.
        opener: what begins its turn, where turns are opened.
        fixed: the GM has typed it, so the game's choice replaces it only where its targets are gone.
        risk: what was said of it on the sheet; the game's choice replaces it too where it risks something else by now.
    """

    by: Id
    action: Action
    opener: Action | None = None
    fixed: bool = False
    risk: str = ""


class Acts(Struct, frozen=True):
    """The acts that are due one after another, as they were declared.

    Attributes:
        before: whose next act they stop before; None: they go on to the last of the round.
    """

    before: Id | None = None


class Report(Mode, frozen=True, kw_only=True):
    """A mode with lines that stay and, below them, lines that scroll."""

    scroll: Scroll = field(default_factory=Scroll)

    def head(self, scene: Scene, width: int) -> tuple[Row, ...]:
        """Return the lines that stay."""
        raise NotImplementedError

    def body(self, scene: Scene, width: int) -> Sequence[Row]:
        """Return the lines that scroll."""
        raise NotImplementedError

    @override
    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        head = self.head(scene, width)
        return (*head, *self.scroll.seen(self.body(scene, width), height - len(head)))[:height]

    def decide(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Return the result of a key that neither leaves nor scrolls."""
        raise NotImplementedError

    @override
    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return Result(None)
        return Result(self) if self.scroll.press(key) else self.decide(scene, key, character)
