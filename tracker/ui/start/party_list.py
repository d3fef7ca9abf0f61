"""How the party comes into a fight: rested, or as an earlier fight left it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.session.party import Party
from tracker.ui.start.rows import when_words
from tracker.ui.widgets.lists import Listed
from tracker.views.words.spans import Row, Span, wrap_spans
from tracker.views.words.text import clean
from tracker.views.words.values import condition_words


def party_items(ruleset: Ruleset, encounter: Encounter, party: Party, dead: bool, now: datetime) -> tuple[Listed, ...]:
    """Return the ways into the fight, with what would be carried over.

    With `dead` those come too who would stay out.
    """
    left = f'as "{clean(party.fight.title)}" left it, {when_words(party.fight.at, now)}'
    told: list[tuple[Span, ...]] = []
    for person in party.people:
        if not person.out:
            told.append(
                (
                    Span(clean(person.name), "players"),
                    Span(f" {condition_words(ruleset, party.state, person.who, person.condition)}"),
                )
            )
        elif dead:
            told.append(
                (
                    Span(clean(person.name), "players"),
                    Span(f" comes as the file has {clean(person.name)}"),
                    Span(f" ({clean(person.out)})", "dim"),
                )
            )
        else:
            told.append((Span(f"{clean(person.name)} stays out: {clean(person.out)}", "dim"),))
    here = {(person.side, person.place) for person in party.people}
    fresh = [
        clean(member.name)
        for side in encounter.sides
        if side.control == "players"
        for place, member in enumerate(side.members)
        if (side.id, place) not in here
    ]
    if fresh:
        told.append((Span(f"{', '.join(fresh)}: as in the file", "dim"),))
    return (
        _listed(
            "rested", lambda width: _way("rested", "1", title="rested", more="everybody as in the file", width=width)
        ),
        _listed(
            "carried", lambda width: [*_way("carried", "2", title=left, more="", width=width), *_loss_rows(told, width)]
        ),
    )


def _listed(key: str, rows: Callable[[int], list[Row]]) -> Listed:
    return Listed(key, rows, lambda width: len(rows(width)))


def _way(key: str, number: str, title: str, more: str, width: int) -> list[Row]:
    spans = (Span(f"  {number} ", "key"), Span(title, "strong"), Span(f"  {more}" if more else "", "dim"))
    return [Row(key, part) for part in wrap_spans(spans, width, 4)]


def _loss_rows(told: Sequence[tuple[Span, ...]], width: int) -> list[Row]:
    return [
        Row("carried", (Span("      "), *part)) for spans in told for part in wrap_spans(spans, max(10, width - 6), 2)
    ]
