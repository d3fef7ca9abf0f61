"""The keyboard of a fight: a key goes to the page that is read, to the open mode, or to its command."""

from __future__ import annotations

import math

from textual.events import Key as KeyPress
from textual.events import Paste

from tracker.core.run import Pending
from tracker.session.intents import Do
from tracker.ui.fight.commands.pages import help_of
from tracker.ui.fight.controller import FightController
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.typing.entry import LONGEST
from tracker.ui.typing.mode import InputMode, Mode, Result

SHEETS = ("sheet", "acts")
ANSWERS = ("prompt", "picker", "sheet", "acts", "missed", "area", "trial", "branches")
"""Places where no answer contains a question mark."""
SEARCHES = ("palette", "verb")
"""Places where no text begins with a question mark."""
SOON = 0.3
"""Seconds within which a key still belongs to the previous question."""
NEVER = -math.inf
"""The time of an event that has not happened; 0 may be a real time of the clock."""


class Keyboard:
    """Passes keys to the open mode, except keys that were meant for the previous question."""

    def __init__(self, controller: FightController) -> None:
        self._controller = controller
        self._answered = self._wiped = self._chosen = NEVER
        self._rests: tuple[str, ...] = ()

    def take(self, event: KeyPress, character: str | None) -> bool:
        controller = self._controller
        if controller.panes.cover is controller.panes.reader:
            return controller.screen.read_key(event.key)
        if (event.character == "!" and self._force()) or self._too_soon(event):
            return True
        self._answered = self._wiped = self._chosen = NEVER
        mode, model = controller.mode, controller.model
        if mode is None or self._asks_for_help(event, mode):
            return False
        if isinstance(mode, Prompt) and mode.leaves_key(controller.context, event.key, "serve"):
            return False
        result = mode.press(controller.context, event.key, character)
        if result is None:
            return character is not None
        question = model.pending
        controller.apply(result)
        if event.key == "enter" and controller.context.model.pending is None:
            follows = _is_sheet(mode) and _is_sheet(controller.mode) and controller.mode is not result.mode
            self._answered = event.time if question is not None or follows else NEVER
        if isinstance(mode, Prompt):
            if character is not None and not mode.entry.text:
                self._note_choice(event, question)
            if event.key == "backspace" and mode.entry.text:
                self._wiped = event.time
        return True

    def _asks_for_help(self, event: KeyPress, mode: Mode) -> bool:
        """Tell whether a question mark opens the help: only if it cannot be an answer here."""
        if event.character != "?" or self._controller.context.command(event.key) != "help":
            return False
        empty = isinstance(mode, InputMode) and not mode.entry.text
        return mode.place in ANSWERS or (mode.place in SEARCHES and empty and mode != help_of(self._controller))

    def _note_choice(self, event: KeyPress, question: Pending | None) -> None:
        """Remember a key that was a whole answer, and the rest of each option's name that begins with it."""
        if question is None or question is self._controller.context.model.pending:
            return
        names = [name.casefold() for option in question.request.options for name in (option.key, option.shown)]
        self._chosen = event.time
        self._rests = tuple(name[1:] for name in names if name.startswith(event.character or "\0"))

    def _too_soon(self, event: KeyPress) -> bool:
        """Tell whether a key belongs to a question that has just ended; show a note if Enter does.

        Such keys are: Enter right after the last answer, with no mode open or on a sheet that opened by itself; Enter
        or the rest of a word after a key that was a whole answer; Backspace held down until the prompt was empty.
        """
        controller = self._controller
        if event.time - self._chosen < SOON:
            goes_on = tuple(rest[1:] for rest in self._rests if event.character and rest.startswith(event.character))
            if event.key == "enter" or goes_on:
                self._chosen, self._rests = event.time, goes_on
                if event.key == "enter":
                    controller.say(note="Enter was not taken: the key before it was the whole answer")
                return True
        rests = controller.mode is None or _is_sheet(controller.mode)
        if event.key == "enter" and rests and event.time - self._answered < SOON:
            self._answered = event.time
            controller.say(note="Enter was not taken: the question before it was the last")
            return True
        empty = isinstance(controller.mode, Prompt) and not controller.mode.entry.text
        if event.key == "backspace" and empty and event.time - self._wiped < SOON:
            self._wiped = event.time
            return True
        return False

    def paste(self, event: Paste) -> None:
        controller, panes = self._controller, self._controller.panes
        if controller.mode is not None and panes.cover is not panes.reader:
            controller.open(controller.mode.paste(controller.context, event.text))
            if len(event.text) > LONGEST:
                controller.say(f"{LONGEST:,} characters fit in a line: the rest of the pasted text is left out")

    def _force(self) -> bool:
        """Force the last refused action, and tell whether that is possible."""
        controller = self._controller
        if controller.refused is None or controller.model.pending is not None:
            return False
        result, refusal = controller.refused
        if result.action is None or not refusal.forcible:
            return False
        controller.apply(
            Result(None, (Do((result.action,), forced=True),), result.action, typed_answers=result.typed_answers)
        )
        return True


def _is_sheet(mode: Mode | None) -> bool:
    return mode is not None and mode.place in SHEETS
