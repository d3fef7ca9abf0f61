"""Things found by name: their list, and how typed words find them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Call
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.typing.mode import Result, Scene, deliver, refusal_spans, refused_row, said, scrolled
from tracker.ui.typing.tokens import WORST, rank, rank_of, same_meaning
from tracker.views.words.spans import Row, Span, fit, spread
from tracker.views.words.text import clean

__all__ = ["Item", "about_rows", "grouped", "item_rows", "moved", "rule_items", "searched", "taken"]

HELD = 3
FACES = 10
MOST_RULES = 200


class Item(Struct, frozen=True):
    """One thing that is found by name: a command, an action, a sign, a rule.

    Attributes:
        option: its name, a note, and why it cannot be done now.
        key: its key, as it is called.
        call, spec, rule: what Enter does: it runs a command, does an action, or opens a rule.
        about: what else is said of it while it is marked.
        group: the heading it stands under.
        words: further words it is found by.
    """

    option: Option
    key: str = ""
    call: Call | None = None
    spec: ActionSpec | None = None
    rule: str = ""
    about: str = ""
    group: str = ""
    words: str = ""


def searched(text: str, every: Sequence[Item]) -> tuple[Item, ...]:
    """Return what a text names, the likeliest first, in its groups.

    Of those as likely come first the ones that show the text: the rest of a name is not in sight.
    """
    wanted = folded(text)
    if not wanted:
        return grouped(every)
    ranked = sorted((worth, place) for place, item in enumerate(every) if (worth := _worth(wanted, item)) < WORST)
    named = [pair for pair in ranked if pair[0] <= HELD] or ranked
    shown = {place: rank_of(wanted, folded(every[place].option.shown)) for _, place in named}
    return grouped(every[place] for _, place in sorted(named, key=lambda pair: (pair[0], shown[pair[1]], pair[1])))


def grouped(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return items group by group, the groups in the order they come in."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    return tuple(item for group in groups.values() for item in group)


def _worth(wanted: str, item: Item) -> int:
    """Return how well a text names an item.

    All its words somewhere in what is said of the item, or what another game calls them, are as good as its letters.
    """
    worth = rank(wanted, item.option)
    if worth <= HELD:
        return worth
    option = item.option
    said_of = folded(f"{option.key} {option.shown} {option.note} {item.about} {item.words}")
    held = all(any(word in said_of for word in same_meaning(part)) for part in wanted.split())
    return HELD if held else worth


def moved(chosen: int, by: int, many: int) -> int:
    """Return the place in a list so many rows on: a single step goes round its ends."""
    place = min(chosen, many - 1)
    if not many:
        return 0
    return (place + by) % many if abs(by) == 1 else max(0, min(many - 1, place + by))


def item_rows(items: Sequence[Item], place: int, width: int, room: int) -> tuple[Row, ...]:
    """Return the part of a list that fits, each group under its heading."""
    lines: list[int | str] = []
    at, group = 0, ""
    for number, item in enumerate(items):
        if item.group != group:
            group = item.group
            lines.append(group)
        if number == place:
            at = len(lines)
        lines.append(number)
    if not lines:
        return (Row("none", (Span("  nothing fits", "dim"),)),)
    name = min(30, max(12, width // 3))
    return tuple(
        Row(f"group:{line}", (Span(clean(line), "title"),), "head")
        if isinstance(line, str)
        else _row(items[line], line, line == place, width, name)
        for line in scrolled(lines, at, max(1, room))
    )


def _row(item: Item, number: int, here: bool, width: int, name: int) -> Row:
    """Return an item's line: key, name and note, or why it is refused."""
    option, key = item.option, f"option:{number}"
    shown = clean(option.shown)
    head = (Span("▸ " if here else "  ", "title"), Span(fit(item.key, FACES, "right") + "  ", "key"))
    if option.refusal is not None:
        return refused_row(key, (*head, Span(fit(shown, name) + "  ", "dim")), option.refusal, width)
    note = (Span("  " + clean(option.note), "dim"),) if option.note else ()
    rule = (Span(item.rule, "rule"),) if item.rule and item.spec is not None else ()
    words = Span(fit(shown, name) if note else shown, "strong" if here else "")
    return Row(key, spread((*head, words, *note), rule, width), "current" if here else "")


def about_rows(item: Item, width: int) -> tuple[Row, ...]:
    """Return why a marked item is refused, and what it does."""
    rows: tuple[Row, ...] = ()
    if item.spec is not None and item.spec.refusal is not None:
        rows += said((Span("  "), *refusal_spans(item.spec.refusal)), width, "refusal")
    if item.about:
        rows += said((Span(f"  {clean(item.about)}", "dim"),), width, "about")
    return rows[:3]


def rule_items(scene: Scene, text: str) -> tuple[Item, ...]:
    """Return the rules that hold every word of a text, under their chapters."""
    try:
        rules = scene.ruleset.rulebook.search(text)
    except BadData:
        return ()
    return grouped(
        Item(Option(rule.id, rule.title, rule.text.partition("\n")[0]), rule.id, rule=rule.id, group=rule.chapter)
        for rule in rules[:MOST_RULES]
    )


def taken(scene: Scene, item: Item) -> Result | None:
    """Do what an item says, an action with fields by its form.

    None where there is nothing to do.
    """
    spec = item.spec
    if spec is not None:
        return Result(Form.open(spec, Action(spec.key, spec.by))) if spec.fields else deliver(scene, spec.bare)
    return Result(None, call=item.call) if item.call is not None else None
