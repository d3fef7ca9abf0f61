"""The keyboard of a fight.

A key goes to the page that is read, to the open mode, or to its command.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.events import Key as KeyPress
from textual.events import Paste

from tracker.core.run import Pending
from tracker.session.intents import Do
from tracker.ui.fight.commands.table import run, take
from tracker.ui.fight.controller import FightController
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import called, commands, on
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.panes.reader import MOVES
from tracker.ui.typing.entry import LONGEST
from tracker.ui.typing.mode import Result

SOON = 0.3
"""Seconds within which a key still belongs to the question before."""


class Keyboard:
    """The reader of keys.

    `typed` tells whether any came since it was last set back.
    """

    def __init__(self, controller: FightController, keymap: Callable[[], Keymap]) -> None:
        self._controller = controller
        self._unread: Callable[[], Keymap] | None = keymap
        self._commands = commands()
        self._answered = self._wiped = self._chosen = 0.0
        self._rests: tuple[str, ...] = ()

    def learn(self) -> None:
        """Read the user's keymap, once.

        That is after the first picture, which does not need it, or at the first key.
        """
        if self._unread is None:
            return
        read, self._unread = self._unread, None
        keymap, controller = read(), self._controller
        if keymap == Keymap():
            return
        controller.keymap = keymap
        self._commands, controller.table = commands(keymap.table), on("fight", keymap.table)
        controller.footer.table = keymap.table
        controller.footer.refresh()
        if keymap.problems:
            many, key = len(keymap.problems), next(row.key for row in keymap.table if row.id == "help").split(",")[-1]
            more = f"{many} mistakes in the keymap file, listed under {called(key)}: " if many > 1 else ""
            controller.problem = more + keymap.problems[0]
        controller.refresh()

    async def press(self, event: KeyPress) -> None:
        """Do what a key means, at once.

        The next key must find what this one opened.
        """
        done = True
        with self._controller.contained():
            done = await self._done(event)
        if done:
            event.stop()

    async def _done(self, event: KeyPress) -> bool:
        """Do what a key means, and tell whether it means anything here."""
        self.learn()
        controller = self._controller
        if controller.panes.cover is controller.panes.reader:
            return self._read(event.key)
        if event.character == "!" and self._force():
            return True
        if self._too_soon(event):
            return True
        self._answered = self._wiped = self._chosen = 0.0
        if controller.mode is not None and controller.model is not None:
            character = event.character if event.is_printable else None
            result = controller.mode.press(controller.context, event.key, character)
            if result is not None:
                asked, mode = controller.model.pending, controller.mode
                await take(controller, result)
                if event.key == "enter" and asked is not None and controller.model.pending is None:
                    self._answered = event.time
                if character is not None and isinstance(mode, Prompt) and not mode.entry.text:
                    self._note_choice(event, asked)
                if event.key == "backspace" and isinstance(mode, Prompt) and mode.entry.text:
                    self._wiped = event.time
            if result is not None or character is not None:
                return True
        command = self._commands.get(event.key)
        if command is not None:
            await run(controller, command.call)
        return command is not None

    def _note_choice(self, event: KeyPress, asked: Pending | None) -> None:
        """Remember a key that answered by itself, and the words it may begin."""
        if asked is self._controller.context.model.pending or asked is None:
            return
        names = [name.casefold() for option in asked.request.options for name in (option.key, option.shown)]
        self._chosen = event.time
        self._rests = tuple(name[1:] for name in names if name.startswith(event.character or "\0"))

    def _too_soon(self, event: KeyPress) -> bool:
        """Tell whether a key belongs to a question that has just ended, and say so.

        That is Enter at rest right after the last answer, Enter or the rest of a word after a key that answered by
        itself, and Backspace held down in a prompt that is empty by now.
        """
        controller = self._controller
        if event.time - self._chosen < SOON:
            goes_on = tuple(rest[1:] for rest in self._rests if event.character and rest.startswith(event.character))
            if event.key == "enter" or goes_on:
                self._chosen, self._rests = event.time, goes_on
                if event.key == "enter":
                    controller.say(note="Enter was not taken: the key before it was the whole answer")
                return True
        if event.key == "enter" and controller.mode is None and event.time - self._answered < SOON:
            self._answered = event.time
            controller.say(note="Enter was not taken: the question before it was the last")
            return True
        held = event.key == "backspace" and isinstance(controller.mode, Prompt) and not controller.mode.entry.text
        if held and event.time - self._wiped < SOON:
            self._wiped = event.time
            return True
        return False

    def paste(self, event: Paste) -> None:
        """Type a pasted text."""
        controller, panes = self._controller, self._controller.panes
        if controller.mode is not None and controller.model is not None and panes.cover is not panes.reader:
            controller.open(controller.mode.paste(controller.context, event.text))
            if len(event.text) > LONGEST:
                controller.say(f"{LONGEST:,} characters fit in a line: the rest of the pasted text is left out")

    def _read(self, key: str) -> bool:
        """Move in the page that is read, or close it."""
        if key in MOVES:
            self._controller.panes.reader.move(MOVES[key])
        elif key == "ctrl+q":  # the app's own
            return False
        else:
            self._controller.close_page()
        return True

    def _force(self) -> bool:
        """Overrule the last refusal, and tell whether that can be."""
        controller = self._controller
        if controller.refused is None or (controller.model is not None and controller.model.pending is not None):
            return False
        result, refusal = controller.refused
        if result.action is None or not refusal.forcible:
            return False
        controller.apply(
            Result(None, (Do((result.action,), forced=True),), result.action, typed_answers=result.typed_answers)
        )
        return True
