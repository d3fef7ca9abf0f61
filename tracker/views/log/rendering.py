"""The log: steps as lines of a pane, or the whole log as text.

The id of the rule is at the right end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from tracker.core.fight.events import Entry
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.views.log.lines import ICONS, Icon, Line
from tracker.views.log.steps import tell
from tracker.views.words.spans import Row, Span, cells, cut_spans, width_of, wrap_spans
from tracker.views.words.text import clean

MARK = 4
INDENT = 4
TRIED = "?"
NARROW, TINY = 48, 16
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")

LoggedStep = tuple[State, Sequence[Entry]]


def log_rows(
    ruleset: Ruleset,
    state_after: State,
    entries: Sequence[Entry],
    seq: int,
    width: int,
    *,
    tried: bool = False,
    before: State | None = None,
) -> tuple[Row, ...]:
    """Return the lines of one step, wrapped to the width.

    Each row has the rules of its line, so that Enter can open them. A step that is only `tried` has a question mark in
    its margin. With the state `before` the step, forms are those of that moment and slots have their titles.
    """
    rows: list[Row] = []
    shown: int | None = None
    step = INDENT if width >= NARROW else 1
    log = tell(ruleset, state_after, entries, before=before)
    margin = max([MARK, *(len(f"R{line.round}") + MARK - 2 for line in log)]) + tried
    for line in log:
        mark = ""
        if line.kind == "round" or line.round != shown:
            mark, shown = f"R{line.round}" if line.round else "", line.round
        lead = margin + step * line.depth
        rule = line.rules[0] if line.rules else ""
        reserved = cells(rule) + 2 if rule and width - lead - cells(rule) - 2 >= 12 else 0
        lines = wrap_spans(line.spans, max(2, width - lead - reserved), 2)
        for number, spans in enumerate(lines):
            head = _head("" if number else mark, "" if number else line.icon, tried, lead)
            if reserved and not number:
                gap = " " * (width - lead - width_of(spans) - cells(rule))
                spans = (*spans, Span(gap + rule, "rule"))
            row = (*head, *spans) if width > TINY else cut_spans((*head, *spans), width)
            rows.append(Row(f"{seq}:{len(rows)}", row, rules=line.rules, about=line.asked))
    return tuple(rows)


def _head(mark: str, sign: Icon, tried: bool, lead: int) -> tuple[Span, ...]:
    """Return the margin of a line: its round, a question mark if it is only tried, its icon."""
    tries = TRIED if tried else ""
    mark = f"{mark:<2}"
    blanks = " " * max(0, lead - 2 - len(mark) - len(tries))
    icon = Span(ICONS.get(sign, " "), sign)
    spans = (Span(mark, "dim"), Span(tries, "warn"), Span(blanks, "dim"), icon, Span(" ", "dim"))
    return tuple(span for span in spans if span.text)


def _cited(line: Line) -> str:
    return f"  [{', '.join(line.rules)}]" if line.rules else ""


def log_text(ruleset: Ruleset, title: str, steps: Iterable[LoggedStep], full: bool = False) -> str:
    """Return the whole log as plain text, from the entries of each step with the state after it."""
    lines = [clean(title), ""]
    for line in _lines(ruleset, title, steps, full):
        lines += [""] if line.kind == "round" else []
        lines.append("  " * line.depth + line.text + (f"  [{', '.join(line.rules)}]" if line.rules else ""))
    return "\n".join(lines) + "\n"


def log_markdown(ruleset: Ruleset, title: str, steps: Iterable[LoggedStep], full: bool = False) -> str:
    lines = [f"# {_escaped(clean(title))}", ""]
    for line in _lines(ruleset, title, steps, full):
        text = _escaped(line.text)
        if line.kind == "round":
            lines += ["", f"## {text}", ""]
        elif line.kind == "turn":
            lines += ["", f"**{text}**", ""]
        else:
            rules = f" *({_escaped(', '.join(line.rules))})*" if line.rules else ""
            lines.append(f"{'  ' * line.depth}- {text}{rules}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def _lines(ruleset: Ruleset, title: str, steps: Iterable[LoggedStep], full: bool) -> Iterator[Line]:
    """Yield the lines of all steps, without the title."""
    own = clean(title)
    before: State | None = None
    for state, entries in steps:
        for line in tell(ruleset, state, entries, full=full, before=before):
            if line.kind == "round" and line.text.startswith(f"{own}: "):
                yield replace(line, spans=(Span(line.text.removeprefix(f"{own}: ")),), kind="")
            elif line.kind != "round" or line.text != own:
                yield line
        before = state


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)
