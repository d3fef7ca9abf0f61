"""Whatever a file calls a combatant, every view shows it, within its width."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shares import tries
from tests.support.tables import for_each
from tests.views.log.logging_support import attack
from tests.views.toy import RULESET, named
from tracker.core.fight import events as ev
from tracker.core.terms.actions import ActionSpec, Option, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.core.terms.labels import Rule
from tracker.core.terms.requests import Choice, Pick, Roll, Window
from tracker.views.log.rendering import log_markdown, log_rows, log_text
from tracker.views.panes.blocks import block_rows, rule_rows
from tracker.views.panes.header import header_line
from tracker.views.panes.order import OrderRows
from tracker.views.panes.roster import combatant_header, combatant_row
from tracker.views.public.build import public_view
from tracker.views.words.prompts import hint_words, prompt_title
from tracker.views.words.spans import Row, Span, width_of, wrap_spans

NASTY = (
    "",
    "\x1b[2J\x1b]0;x\x07",
    "[bold red]x[/]",
    "ゴブリン" * 30,
    "\u202egnilbog\u2066",
    "שלום עליכם",
    "e" + "\u0301" * 9_990,
    "x" * 10_000,
    "a\nb\r\nc\t\x00\x85\u2028",
    "👨\u200d👩\u200d👧 ❤\ufe0f",
    "\ud800\udfff",
)
NAMES = st.one_of(st.sampled_from(NASTY), st.text(st.characters(), max_size=60))


def every_row(name: str, width: int) -> list[Row]:
    """Return the rows of every view of a fight in which everything has this name."""
    state = named(name)
    refusal = Refusal("x", name, "T-1")
    options = (Option("goblin-1", name, name), Option("b", name, name, refusal))
    entries = (
        *attack(),
        ev.Entry(ev.Noted(name, "wolf", True), ("T-1",)),
        ev.Entry(ev.Forced("wolf", name, name)),
        ev.Entry(ev.Decided(name, name, "wolf", name)),
        ev.Entry(ev.WaveArrived(state.waves[0])),
        ev.Entry(ev.CombatantJoined(state.combatants[0])),
        ev.Entry(ev.ActionTaken(action("note", text=name, target="goblin-2"), name)),
        ev.Entry(ev.StatusChanged("wolf", "up", name)),
        ev.Entry(ev.OrderSet((), state.clock.slots)),
        ev.Entry(ev.SlotReached(None, "r2/goblins")),
    )
    requests = (
        Roll("r", Dice.of(1, 6), "wolf", "player", name),
        Choice("c", options, "goblin-1", "wolf", "player", name),
        Pick("p", options, ("b",), why=name),
        Window("w", name, (ActionSpec("x", name, "wolf", name, "T-1"),), "wolf", "ava", why=name),
    )
    rule = Rule("T-1", name, name, "ruling", name)
    rows = [
        combatant_header(RULESET, width),
        header_line(RULESET, state, width, resumed=name),
        header_line(RULESET, state, width, problem=name, past=True),
    ]
    rows += [combatant_row(RULESET, state, one.id, width) for one in state.combatants]
    rows += [
        *OrderRows(RULESET, state, width),
        *log_rows(RULESET, state, entries, 3, width),
        *block_rows(RULESET, state, "wolf", width),
    ]
    for request in requests:
        rows += [
            Row("question", spans)
            for spans in wrap_spans((*prompt_title(state, request), Span(hint_words(state, request))), width, 2)
        ]
    rows += rule_rows(rule, width)
    return rows


@tries(100)
@given(NAMES, st.sampled_from((8, 20, 36, 57, 80, 120)))
def test_every_view_stays_within_its_width(name: str, width: int) -> None:
    """No name widens a row, or brings in anything a terminal would obey."""
    rows = every_row(name, width)

    assert [row.key for row in rows if width_of(row.spans) > width] == []
    assert [row.key for row in rows if not row.text.isprintable()] == []


@for_each("name", NASTY)
def test_nasty_names(name: str) -> None:
    """The worst names known, one by one, in a narrow and in a wide pane."""
    rows = every_row(name, 36) + every_row(name, 120)

    assert all(row.text.isprintable() for row in rows)


@given(NAMES)
def test_exports_are_clean(name: str) -> None:
    """Text, Markdown and the players' view hold nothing a terminal would obey."""
    state = named(name)
    story = ((state, attack()),)

    assert (log_text(RULESET, name, story) + log_markdown(RULESET, name, story)).replace("\n", "").isprintable()
    view = public_view(RULESET, state)
    assert all(
        text.isprintable()
        for text in (
            view.title,
            view.moment,
            *(one.name for one in view.combatants),
            *(slot.title for slot in view.order),
        )
    )
    assert msgspec.json.encode(view)


def test_brackets_are_shown_as_typed() -> None:
    """A name that looks like markup is a name."""
    assert "[bold red]x[/]" in combatant_row(RULESET, named("[bold red]x[/]"), "wolf", 120).text
