"""Correcting the past: choose an earlier die or decision, give it another value, see what would differ, and take it or leave it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.events import ActionTaken, Decided, Rolled
from tracker.core.requests import Answer, Chosen, Roll, Stated, Thrown, problem_with
from tracker.session.intents import Amend
from tracker.session.model import AmendReport, StepRecord
from tracker.ui.entry import Entry
from tracker.ui.keys import Place
from tracker.ui.modes import Mode, Result, Scene, entry_row, said, scrolled
from tracker.views.spans import Row, Span, cut_spans, spread
from tracker.views.text import clean

__all__ = ["Amended", "Amending", "Given", "givens"]

MOST_STEPS = 400
WORDS = {
    "same": "",
    "changed": "comes out otherwise",
    "unused": "comes out otherwise; some answers are not asked for any more",
    "open": "asks something that nobody has answered",
    "refused": "is not allowed any more; it is kept, forced",
    "gone": "falls away: its moment has passed",
    "waiting": "waits for the open question",
}


class Given(Struct, frozen=True):
    """An answer given earlier: of which step, under which key, and what the fight said of it."""

    step: int
    key: str
    answer: Answer
    title: str
    shown: str
    roll: Roll | None = None


def givens(scene: Scene) -> tuple[Given, ...]:
    """Return every die and decision of this branch, the newest first."""
    found: list[Given] = []
    for record in reversed(scene.model.steps[-MOST_STEPS:]):
        found += _of_step(scene, record)
    return tuple(found)


def _of_step(scene: Scene, record: StepRecord) -> list[Given]:
    state, answers = scene.model.state, dict(record.answers)
    title, found = "", list[Given]()
    for entry in record.entries:
        event = entry.event
        if isinstance(event, ActionTaken):
            title = f"{state.name(event.action.by)}: {event.label}" if event.action.by else event.label
        if not isinstance(event, Rolled | Decided):
            continue
        key = event.key if event.key in answers else next((name for name in answers if name.endswith("/" + event.key)), "")
        if not key:
            continue
        whose = state.name(event.who) + " " if event.who else ""
        if isinstance(event, Rolled):
            faces = " ".join(map(str, event.faces)) if len(event.faces) > 1 else ""
            shown = f"{event.total}" + (f" ({faces})" if faces else "")
            found.append(Given(record.seq, key, answers[key], f"{title} · {whose}{event.why} {event.dice}", shown, Roll(key, event.dice, event.who)))
        else:
            found.append(Given(record.seq, key, answers[key], f"{title} · {event.why or event.key}", event.answer))
    return found[::-1]


class Amending(Struct, frozen=True):
    """Choosing what was given wrongly, and typing what it should have been."""

    entry: Entry = Entry()
    chosen: int = 0
    problem: str = ""

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "verb"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "Correct"

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return the mode with a pasted text in its line."""
        return replace(self, entry=self.entry.typed(text), problem="")

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in and what was given, the newest first."""
        listed = givens(scene)
        head = [entry_row(self.entry.spans(width - 2, "up and down choose; the right value"), width)]
        if self.problem:
            head += said((Span("✗ " + self.problem, "bad"),), width, "problem")
        chosen = min(self.chosen, len(listed) - 1)
        rows = []
        for number, given in enumerate(listed):
            here = number == chosen
            start = (Span("▸ " if here else "  ", "title"), Span(clean(given.title), "strong" if here else ""))
            rows.append(Row(f"given:{number}", spread(start, (Span(" " + clean(given.shown), "typed"),), width), "current" if here else ""))
        if not rows:
            rows.append(Row("none", cut_spans((Span("nothing has been rolled or decided yet", "dim"),), width)))
        return (*head, *scrolled(rows, max(0, chosen), max(1, height - len(head))))

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Choose, type, and ask what would differ."""
        listed = givens(scene)
        if key == "escape":
            return Result(None)
        if key in ("up", "down") and listed:
            return Result(replace(self, chosen=(min(self.chosen, len(listed) - 1) + (1 if key == "down" else -1)) % len(listed), problem=""))
        if key == "enter" and listed:
            return self._ask(scene, listed[min(self.chosen, len(listed) - 1)])
        entry = self.entry.press(key, character)
        return None if entry is None else Result(replace(self, entry=entry, problem=""))

    def _ask(self, scene: Scene, given: Given) -> Result:
        answer, problem = _read(given, self.entry.text)
        if answer is None:
            return Result(replace(self, problem=problem))
        intent = Amend(given.step, ((given.key, answer),))
        report = scene.preview(intent)
        if report.refusal is not None or report.problem:
            text = report.refusal.text if report.refusal is not None else report.problem
            return Result(replace(self, problem=clean(text)))
        return Result(Amended(intent, report, f"{given.title}: {given.shown} → {self.entry.text.strip()}"))


def _read(given: Given, text: str) -> tuple[Answer | None, str]:
    """Read what is typed as an answer of the same kind; return it, or why it cannot be one."""
    words = text.replace(",", " ").split()
    match given.answer:
        case Thrown() if given.roll is not None:
            if not words or not all(word.isdigit() for word in words):
                return None, f"type what the dice show ({given.roll.dice})"
            numbers = tuple(int(word) for word in words)
            sides = given.roll.dice.sides
            faces = numbers if len(numbers) > 1 or len(sides) == 1 else ()
            total = 100 if numbers == (0,) and given.roll.dice.maximum == 100 else sum(numbers)
            answer = Thrown(total, (total,) if len(sides) == 1 else faces, typed=True, amended=True)
            problem = problem_with(given.roll, answer)
            return (None, problem) if problem else (answer, "")
        case Chosen():
            return (Chosen(text.strip().replace(" ", "_")), "") if text.strip() else (None, "type the option")
        case Stated():
            return (Stated(int(words[0])), "") if len(words) == 1 and words[0].lstrip("-").isdigit() else (None, "type a number")
        case _:
            return None, "this cannot be corrected here; branch off before it instead"


class Amended(Struct, frozen=True):
    """What would differ: take it or leave it."""

    intent: Amend
    report: AmendReport
    headline: str
    top: int = 0

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "report"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "What would differ"

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return it unchanged."""
        return self

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return was and now side by side, and the steps that come out otherwise."""
        state = scene.model.state
        rows = [*said((Span(clean(self.headline), "strong"),), width, "headline")]
        if not self.report.changes:
            rows.append(Row("same", cut_spans((Span("nothing in the fight would be different now", "dim"),), width)))
        for change in self.report.changes:
            what = (Span(f"{clean(state.name(change.who))}  {clean(change.what.replace('_', ' '))}  "),)
            values = (Span(f"{clean(str(change.was))}", "dim"), Span(" → ", "title"), Span(clean(str(change.now)), "strong"))
            rows.append(Row("change", cut_spans((*what, *values), width)))
        told = [outcome for outcome in self.report.outcomes if WORDS.get(outcome.outcome)]
        for outcome in told:
            actions = ", ".join(action.key.replace("_", " ") for action in outcome.step.actions) or outcome.step.kind
            style = "warn" if outcome.outcome in ("refused", "open", "gone") else "dim"
            rows += said((Span(f"step {outcome.seq or 'pending'} ({clean(actions)}) {WORDS[outcome.outcome]}", style),), width, "outcome")
        hint = Row(
            "hint", cut_spans((Span("enter", "key"), Span(" takes it · "), Span("x", "key"), Span(" drops what is not allowed · "), Span("esc", "key")), width)
        )
        top = max(0, min(self.top, len(rows) - (height - 1)))
        return (hint, *rows[top : top + max(1, height - 1)])

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Take it, or leave everything as it is."""
        if key == "escape":
            return Result(None)
        if key in ("up", "down"):
            return Result(replace(self, top=max(0, self.top + (1 if key == "down" else -1))))
        if key == "enter":
            return Result(None, (self.intent,))
        if key == "x":
            return Result(None, (replace(self.intent, refused="drop"),))
        return Result(self)
