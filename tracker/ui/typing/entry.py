"""A line of typed text, its cursor, and the keys that edit it."""

from __future__ import annotations

from msgspec import Struct

from tracker.views.words.spans import Span, cells
from tracker.views.words.text import clean

LONGEST = 20_000
"""Most characters of a line."""


class Entry(Struct, frozen=True):
    """A text and the position of the cursor in it."""

    text: str = ""
    at: int = 0

    @staticmethod
    def of(text: str) -> Entry:
        return Entry(text, len(text))

    def typed(self, text: str) -> Entry:
        """Return the entry with a text inserted at the cursor, cleaned to one line."""
        room = LONGEST - len(self.text)
        added = clean(text.replace("\r", " ").replace("\n", " "))[:room]
        return Entry(self.text[: self.at] + added + self.text[self.at :], self.at + len(added))

    def press(self, key: str, character: str | None) -> Entry | None:
        before, after = self.text[: self.at], self.text[self.at :]
        match key:
            case "backspace" | "ctrl+h":
                return Entry(before[:-1] + after, max(0, self.at - 1))
            case "delete":
                return Entry(before + after[1:], self.at)
            case "left":
                return Entry(self.text, max(0, self.at - 1))
            case "right":
                return Entry(self.text, min(len(self.text), self.at + 1))
            case "home" | "ctrl+a":
                return Entry(self.text, 0)
            case "end" | "ctrl+e":
                return Entry(self.text, len(self.text))
            case "ctrl+u":
                return Entry(after, 0)
            case "ctrl+k":
                return Entry(before, self.at)
            case "ctrl+w":
                kept = before.rstrip()
                kept = kept[: len(kept) - len(kept.split(" ")[-1])]
                return Entry(kept + after, len(kept))
            case _ if character is not None and len(character) == 1 and character.isprintable():
                return self.typed(character)
        return None

    def spans(self, width: int, hint: str = "") -> tuple[Span, ...]:
        """Return the text with its cursor, scrolled so that the cursor is visible; an empty entry shows the hint.

        A hint that is too long loses its last parts.
        """
        if not self.text:
            while cells(hint) > width - 2 and " · " in hint:
                hint = hint.rpartition(" · ")[0]
            return (Span(" ", "cursor"), Span(" " + hint, "dim")) if hint else (Span(" ", "cursor"),)
        start, room = self.at, max(0, width - 2)
        while start and (wide := cells(self.text[start - 1])) <= room:
            start, room = start - 1, room - wide
        under = self.text[self.at : self.at + 1] or " "
        return (
            Span(self.text[start : self.at], "strong"),
            Span(under, "cursor"),
            Span(self.text[self.at + 1 :], "strong"),
        )
