"""A fight without a file: the party, a line of foes, and the parsed foes, shown while the line is typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.terms.encounter import Encounter
from tracker.ui.start.catalog import Catalog, PartyOption, Prepared
from tracker.ui.typing.entry import Entry
from tracker.ui.widgets.lines import window
from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.library.content.improvise import Improvised

EXAMPLE = '3 goblin, ogre hp 40 +5 2d6 "Old Grum", 1d4+1 wolf round 2'
NO_PARTY = (
    "No party has fought yet, and none was found in these folders.",
    "A party is a YAML file with characters: in it; tracker new party GAME DIR writes one to begin with.",
)
MOST_SHOWN = 6


class Improvisation:
    """The chosen party and the typed line of foes; keys change them, rows show them."""

    def __init__(self, repertoire: Catalog, parties: Sequence[PartyOption]) -> None:
        self._repertoire, self.parties = repertoire, parties
        self.entry, self.place = Entry(), 0
        self.refusal = ""
        self._understood: tuple[int, str, Improvised] | None = None

    @property
    def party(self) -> PartyOption | None:
        return self.parties[self.place] if self.parties else None

    @property
    def understood(self) -> Improvised | None:
        """The parsed line against the chosen party; None: nothing is typed, or no party exists."""
        party, line = self.party, self.entry.text.strip()
        if party is None or not line:
            return None
        if self._understood is None or self._understood[:2] != (self.place, line):
            self._understood = (self.place, line, self._repertoire.improvise(party, line))
        return self._understood[2]

    def press(self, key: str, character: str | None) -> None:
        self.refusal = ""
        if key in ("up", "down"):
            self.place = max(0, min(len(self.parties) - 1, self.place + (1 if key == "down" else -1)))
        elif (entry := self.entry.press(key, character)) is not None:
            self.entry = entry

    def paste(self, text: str) -> None:
        self.entry = self.entry.typed(text)

    def prepared(self) -> Prepared | None:
        """Return the fight to begin; if that is impossible, show why and return None."""
        party, made = self.party, self.understood
        if party is None:
            self.refusal = NO_PARTY[0]
        elif made is None:
            self.refusal = f"type who they fight, such as {EXAMPLE}"
        elif made.problems or made.loaded is None or made.loaded.encounter is None:
            self.refusal = made.problems[0] if made.problems else "nobody is there to fight"
        else:
            return Prepared(party.path, _with_party(made.loaded.encounter, party), party.ruleset, text=made.text)
        return None

    def rows(self, width: int) -> tuple[Row, ...]:
        return tuple(Row("", spans) for spans in self._lines(width))

    def _lines(self, width: int) -> Iterator[tuple[Span, ...]]:
        wrapped = partial(wrap_spans, width=width, indent=4)
        yield (Span("> ", "key"), *self.entry.spans(max(10, width - 2), EXAMPLE))
        made = self.understood
        for note in () if made is None else made.notes:
            yield from wrapped((Span("  "), Span(clean(note))))
        problems = () if made is None else made.problems
        for problem in dict.fromkeys((*problems, *((self.refusal,) if self.refusal else ()))):
            yield from wrapped((Span("  "), Span(clean(problem), "warn")))
        yield ()
        if not self.parties:
            for words in NO_PARTY:
                yield from wrapped((Span(words, "dim"),))
            return
        more = "  ↑ ↓ another" if len(self.parties) > 1 else ""
        yield Span("The party", "title"), Span(more, "dim")
        first = window(self.place - MOST_SHOWN // 2, -1, MOST_SHOWN, len(self.parties))
        for place, option in list(enumerate(self.parties))[first : first + MOST_SHOWN]:
            chosen = place == self.place
            names = Span(clean(option.names), "strong" if chosen else "")
            about = Span(f"  {clean(option.ruleset.title)} · {clean(option.source)}", "dim")
            yield from wrapped((Span("▸ " if chosen else "  ", "key"), names, about))


def _with_party(encounter: Encounter, party: PartyOption) -> Encounter:
    """Return the encounter with the characters and the house rules of the party's earlier fight."""
    earlier = party.earlier
    if earlier is None:
        return encounter
    players = tuple(side for side in earlier.sides if side.control == "players")
    fresh = tuple(
        replace(side, members=tuple(replace(member, condition=None) for member in side.members)) for side in players
    )
    screen = encounter.screen
    if screen is not UNSET and earlier.screen is not UNSET:
        screen = replace(earlier.screen, title=screen.title)
    return replace(encounter, sides=(*fresh, *encounter.sides), house_rules=earlier.house_rules, screen=screen)
