"""A monkey at the keyboard of the running app.

Keys, pastes, resizes and mouse by a seed, with everything checked after each event.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import NamedTuple

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.message import Message

from tests.faults.harness.killing import digest
from tests.support.quick import at_rest, settled
from tests.ui.drive import stumbles
from tracker.core import engine
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.testing.random_play import concerned
from tracker.testing.state_machine import FightMachine
from tracker.ui.app import TrackerApp
from tracker.ui.fight.screen import FightScreen
from tracker.ui.keys.table import KEYS

__all__ = ["MEDDLING", "MonkeyRun", "events_of", "let_loose"]

MEDDLING = ("remove", "status", "place", "side")
"""What the GM does while a question is open: combatants leave, fall, move and change sides."""
MEDDLES = 0.3

# What leads on is pressed most, so that the fight goes on under the monkey's hands.
USUAL = (
    ("enter",) * 12
    + ("n",) * 6
    + ("a",) * 4
    + ("*",) * 4
    + ("u",) * 3
    + ("escape",) * 6
    + ("U", "tab", "up", "down", "left", "right", "backspace")
)
VERBS = tuple("-+exsim=fo.'/rb?!")
LABELS = tuple("abcdefghijkl")
SIGNS = (
    *(*"1234567890", "space", "shift+tab", "home", "end", "pageup", "pagedown", "delete", "f1", "f5", "ctrl+z"),
    *("ctrl+y", "ctrl+a", "ctrl+w", "ctrl+k", "insert"),
)
# Whatever else there is in the table of keys, but to leave.
EVERY = tuple(
    name
    for entry in KEYS
    if entry.call and "fight" in entry.screens and entry.id != "quit"
    for name in entry.key.split(",")
)
STRANGE = tuple("äß§漢😀\u202e\u0301\uff57\u200b")
CHARACTERS = {"space": " ", "enter": "\r", "tab": "\t"}
NAMES = {
    "*": "asterisk",
    "-": "minus",
    "+": "plus",
    "=": "equals_sign",
    ".": "full_stop",
    "'": "apostrophe",
    "/": "slash",
    "?": "question_mark",
    "!": "exclamation_mark",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    ":": "colon",
}
SAID = {name: sign for sign, name in NAMES.items()}
LINES = (
    *("-7g", "+3a", "prone a 2", "2d6+3", "g: afraid of fire", "2 gob", "s d", "=a 12", "m b a", "14", "4 2"),
    *("a b c", "until the end of the round", "0", "-1", "99999999999999999999"),
)
SEVERAL = (
    ("escape", "escape", "n"),
    ("escape", "a", "enter", "enter"),
    ("escape", "escape", "a", "enter", "enter", "enter", "enter"),
    ("escape", "a", "2", "enter"),
    ("escape", "enter", "*"),
    ("escape", "escape", "a", "tab", "tab", "enter"),
    ("escape", "w", "enter"),
    ("[", "[", "enter"),
    ("escape", "3", "up", "c", "enter", "enter"),
    ("escape", "B", "down", "enter"),
    ("escape", ":", "tab", "enter"),
    ("escape", "ctrl+p", "down", "down", "enter"),
)
PASTES = (
    *(*LINES, "", "\x1b[2J\x1b[31mred", "[bold]loud[/bold]", "[/]", "x" * 10_000, "one\ntwo\r\nthree", "\x00"),
    *("\u202egnp.exe", "漢" * 300, "${HOME} $(true) `true`"),
)
SIZES = (
    *((120, 40), (80, 24), (160, 50), (40, 12), (20, 5), (5, 20), (1, 1), (2, 2), (300, 100), (100, 3), (99, 30)),
    *((1, 60), (200, 1)),
)


def key(name: str) -> events.Key:
    return events.Key(NAMES.get(name, name), CHARACTERS.get(name) or SAID.get(name, name if len(name) == 1 else None))


def mouse(kind: type[events.MouseEvent], x: int, y: int, button: int = 1) -> events.MouseEvent:
    return kind(None, x, y, 0, 0, button, False, False, False, x, y, None)


def typing(text: str) -> tuple[Message, ...]:
    """Return the keys of a line and of Enter."""
    return tuple(key("space" if sign == " " else sign) for sign in (*text, "enter"))


def meddling(chance: Random, ruleset: Ruleset, model: Model) -> tuple[str, str]:
    """Return the key and the line of what to put before a question."""
    assert model.pending is not None
    assert model.pending_step is not None
    state = model.state
    about = concerned(model.pending.request, model.pending_step.actions, state) or [one.id for one in state.combatants]
    label = state[chance.choice(about)].label if about else ""
    command = chance.choice(MEDDLING)
    if command == "status":
        return command, f":status {chance.choice(ruleset.statuses).key} {label}"

    def value(field: Field) -> str:
        if field.kind in ("combatant", "combatants"):
            return label
        return chance.choice(field.options).key if field.options else str(chance.randint(0, 9))

    spec = engine.spec_of(ruleset, state, Action(command))
    given = [f"{field.name}={value(field)}" for field in spec.fields if field.required or field.kind == "number"]
    return command, f":{command} {' '.join(given)}"


def events_of(chance: Random) -> Iterator[tuple[str, tuple[Message, ...]]]:
    """Yield what the monkey does, one thing at a time, with its name. Without end."""
    size = SIZES[0]
    while True:
        dice = chance.random()
        if dice < 0.08:
            yield "several keys", tuple(map(key, chance.choice(SEVERAL)))
        elif dice < 0.55:
            name = chance.choice(USUAL)
            yield name, (key(name),)
        elif dice < 0.86:
            name = chance.choice(chance.choice((VERBS, LABELS, LABELS, SIGNS, SIGNS, EVERY)))
            yield name, (key(name),)
        elif dice < 0.90:
            typed = chance.choice(("", "", ":")) + chance.choice(LINES)
            yield f"type {typed}", typing(typed)
        elif dice < 0.91:
            name = chance.choice(STRANGE)
            yield f"strange {name!a}", (key(name),)
        elif dice < 0.93:
            text = chance.choice(PASTES)
            yield f"paste {text[:20]!a}", (events.Paste(text),)
        elif dice < 0.95:
            size = chance.choice(SIZES) if chance.random() < 0.8 else (chance.randint(1, 200), chance.randint(1, 60))
            yield f"size {size}", (events.Resize(Size(*size), Size(*size)),)
            if size[0] * size[1] < 200:  # nobody plays long on a stamp
                yield "size back", (events.Resize(Size(*SIZES[0]), Size(*SIZES[0])),)
        elif dice < 0.98:
            x, y = chance.randrange(size[0]), chance.randrange(size[1])
            yield f"click {x},{y}", (mouse(events.MouseDown, x, y), mouse(events.MouseUp, x, y))
        elif dice < 0.995:
            x, y = chance.randrange(size[0]), chance.randrange(size[1])
            kind = chance.choice((events.MouseScrollDown, events.MouseScrollUp, events.MouseMove))
            yield f"{kind.__name__} {x},{y}", (mouse(kind, x, y, 0),)
        else:
            yield "focus", (events.AppBlur(), events.AppFocus())


def check(app: TrackerApp, session: Session) -> None:
    """What holds after each event."""
    assert app.is_running, "the app has ended"
    if app._exception is not None:
        raise app._exception
    screen, model = app.screen, session.model
    assert isinstance(screen, FightScreen)
    controller = screen.controller
    assert controller.model == model, "the screen shows another fight than the session's"
    assert model.problem == "", model.problem
    assert "nothing has changed" not in controller.problem, controller.problem
    assert stumbles(app) == []
    if model.looking_at is None and model.pending is None:
        FightMachine.holds(SimpleNamespace(state=model.state))  # type: ignore[arg-type]  # reads nothing but the state
    assert controller.selected is None or controller.selected in model.state, (
        f"the cursor is on a combatant who is gone: {controller.selected}"
    )


class MonkeyRun(NamedTuple):
    """What came of a monkey.

    Attributes:
        steps: how many steps were done, on all branches.
        asked: the kinds of questions that were open, by how often.
        meddled: what was put before them: `remove before roll`.
    """

    steps: int
    asked: Counter[str]
    meddled: Counter[str]


class Monkey:
    """What a monkey does in an open fight, one thing at a time."""

    def __init__(self, chance: Random, session: Session) -> None:
        self.chance, self.session = chance, session
        self.usual = events_of(chance)
        self.asked, self.meddled = Counter[str](), Counter[str]()
        self._putting: tuple[str, tuple[int | None, int]] | None = None

    def next(self) -> tuple[str, tuple[Message, ...]]:
        """Return the next thing: often the GM meddles while a question is open."""
        model = self.session.model
        if model.pending is None or model.looking_at is not None:
            return next(self.usual)
        self.asked[model.pending.request.kind] += 1
        if self.chance.random() >= MEDDLES:
            return next(self.usual)
        command, line = meddling(self.chance, self.session.ruleset, model)
        self._putting = f"{command} before {model.pending.request.kind}", self._put()
        # pasted, not typed: a line of twenty keys would leave little of the run for answers
        return f"meddle {line}", (key("escape"), key("escape"), key(":"), events.Paste(line[1:]), key("enter"))

    def look(self) -> None:
        """Count what has been put before a question."""
        if self._putting is not None and self._put() != self._putting[1]:
            self.meddled[self._putting[0]] += 1
        self._putting = None

    def _put(self) -> tuple[int | None, int]:
        """Return where the fight stands, and how much has been put before its questions."""
        step = self.session.model.pending_step
        return self.session.model.head, 0 if step is None else len(step.interrupts)


def let_loose(folder: Path, ruleset: Ruleset, encounter: Encounter, seed: int, most: int) -> MonkeyRun:
    """Let a monkey make so many events."""
    chance = Random(seed)

    def roll(request: Roll) -> DiceAnswer:
        faces = tuple(chance.randint(1, sides) for sides in request.dice.sides)
        return DiceAnswer(sum(faces), faces)

    settings = Settings(roller=roll, clock=lambda: "2031-05-01T19:40:00+00:00", step_seconds=60.0)
    members = [member for side in encounter.sides for member in side.members]
    done: list[str] = []
    with Journal.open(folder / "fights.db") as journal, Session.start(journal, ruleset, encounter, settings) as session:
        app = TrackerApp(
            session, lambda text: [member for member in members if text.casefold() in member.name.casefold()]
        )

        app.exit = lambda *_: None  # type: ignore[method-assign]  # a click on the last line leaves; nobody is let go

        monkey = Monkey(chance, session)

        async def run() -> None:
            async with app.run_test(size=SIZES[0]):
                await settled(app, paint=True)
                driver = app._driver
                assert isinstance(driver, HeadlessDriver)
                while len(done) < most:
                    name, messages = monkey.next()
                    for message in messages:
                        if isinstance(message, events.Resize):
                            driver._size = message.size  # the driver has no other way
                        driver.send_message(message)
                        await at_rest()
                        done.append(name)
                        check(app, session)
                    monkey.look()

        try:
            asyncio.run(run())
        except BaseException as error:
            error.add_note(f"{ruleset.key}, seed {seed}, event {len(done)}: {' | '.join(done[-12:])}")
            raise
        shown = digest(ruleset, session.model)
        journal.backups.wait()
    with (
        Journal.open(folder / "fights.db") as again,
        Session.resume(again, session.model.fight, lambda wanted: ruleset, settings) as found,
    ):
        assert digest(ruleset, found.model) == shown, "the journal and the screen differ"
        return MonkeyRun(len(again.load(found.model.fight).steps), monkey.asked, monkey.meddled)
