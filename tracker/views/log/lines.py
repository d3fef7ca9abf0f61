"""Lines of the log, and how the results of an action join its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.schema import Status
from tracker.core.game.telling import StatusKind
from tracker.core.terms.words import named
from tracker.views.words.spans import Span, width_of

Icon: TypeAlias = Literal["", "miss", "hit", "left", "down", "wave", "broken", "dead"]

ICONS: Mapping[Icon, str] = {
    "miss": "◇",
    "hit": "◆",
    "left": "→",
    "down": "▼",
    "wave": "»",
    "broken": "⚑",
    "dead": "†",
}
"""Icons, the gravest last. The keys are also style words."""
STATUS_ICONS: Mapping[StatusKind, Icon] = {"dead": "dead", "down": "down", "gone": "left", "saved": ""}
_GRAVITY: Mapping[str, int] = {"": 0, **{sign: place for place, sign in enumerate(ICONS, start=1)}}
_HIT = frozenset({"hit", "hits", "critical", "grievous", "not"})
_MISS = frozenset({"miss", "misses", "missed", "defended", "resisted", "evaded", "parried"})
_BROKEN = frozenset({"breaks", "broken", "fails", "failed", "flees"})
_DEAD = frozenset({"dead", "slain", "killed", "destroyed"})


def gravest(one: Icon, other: Icon) -> Icon:
    return one if _GRAVITY[one] >= _GRAVITY[other] else other


def result_icon(checked: ev.Checked) -> Icon:
    """Return the icon of a check: a hit, a miss or failed morale."""
    words = checked.result.casefold().replace(",", " ").split()
    first = words[0] if words else ""
    if checked.what.casefold().startswith("morale"):
        return "broken" if first in _BROKEN else ""
    if checked.target is None or (checked.against is None and checked.success is UNSET):
        return ""
    if first in _HIT:
        return "hit" if first != "not" or words[1:2] == ["resisted"] else ""
    return "miss" if first in _MISS else ""


def status_icon(ruleset: Ruleset, combatant: Combatant | None, status: Status) -> Icon:
    """Return the icon of a status in which a combatant cannot act: dead, gone or down; none if it is saved."""
    if status.acts:
        return ""
    if (words := ruleset.telling.status(status.key)) is not None:
        return STATUS_ICONS[words.kind]
    if status.takes_part:
        return "down"
    spent = combatant is not None and bool(combatant.pools) and combatant.pools[0].now <= 0
    return "dead" if spent or not _DEAD.isdisjoint(status.word.casefold().split()) else "left"


def gravest_icons(ruleset: Ruleset, state: State, entries: Iterable[ev.Entry]) -> dict[Id, Icon]:
    icons: dict[Id, Icon] = {}
    opens = False
    for entry in entries:
        whom: Id | None = None
        sign: Icon = ""
        match entry.event:
            case ev.Checked() as checked:
                sign = result_icon(checked)
                defends = checked.what.casefold() in ("defence", "defense")
                whom = checked.who if defends or sign == "broken" else checked.target
            case ev.StatusChanged(who=who, now=now):
                whom, sign = who, status_icon(ruleset, state.get(who), status_of(ruleset, now))
            case ev.FightOpened():
                opens = True
            case ev.CombatantJoined(combatant=combatant) if not opens:
                whom, sign = combatant.id, "wave"
            case _:
                continue
        if whom is not None and sign:
            icons[whom] = gravest(icons.get(whom, ""), sign)
    return icons


class Line(Struct, frozen=True, gc=False):
    """One line of the log, of any length.

    Attributes:
        depth: its indent.
        kind: "" for an action or its result, `round` and `turn` for headings, `gm` if the GM overrules.
        asked: the key of the last answer in it.
    """

    spans: tuple[Span, ...]
    rules: tuple[str, ...] = ()
    depth: int = 1
    round: int = 0
    kind: str = ""
    asked: str = ""
    icon: Icon = ""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


WIDTH = 100
"""Columns of a joined line at most."""


class Rolled(Struct, frozen=True, gc=False):
    """One of several rolls for one purpose: the side, the purpose, the name, the roll, and whether it has dice."""

    side: str
    what: str
    name: str
    spans: tuple[Span, ...]
    dice: bool = True


class LineDraft(Line, frozen=True, gc=False):
    """A line before it is joined to other lines.

    Attributes:
        secret: players do not see it; it is marked, and joins no other line.
        whose: the combatant it is about.
        lead: the number of spans at its beginning that only name that combatant.
        joins: it may join the line of its action.
        action: the label of the action, if it is the line of an action; texts that repeat it are left out.
        ends: the short text if the line before shows points of the same combatant.
        plural: the words after the names if it is about several combatants, where they differ: `have fled`.
        points: it shows points lost or gained.
        aim: the only target of an action, if its line ends with the name.
        many: the action has several targets.
        duel: the action has one target, so that all its results are between the two.
        same: the words if it compares the roll of the line before with the number of another combatant.
        roll: a roll that no action of a combatant asked for; rolls of one side for one purpose share a line.
    """

    secret: bool = False
    whose: str | None = None
    lead: int = 0
    joins: bool = False
    action: str = ""
    ends: str = ""
    plural: str = ""
    points: bool = False
    aim: str | None = None
    many: bool = False
    duel: bool = False
    same: tuple[Span, ...] = ()
    roll: Rolled | None = None

    @property
    def alone(self) -> Line:
        return Line(self.spans, self.rules, self.depth, self.round, self.kind, self.asked, self.icon)


def joined_lines(drafts: Iterable[LineDraft]) -> tuple[Line, ...]:
    """Return the lines; the results of an action join its line if they fit.

    The same action of several combatants, the same effect on several, and the rolls of a side for one purpose share a
    line.
    """
    lines: list[Line] = []
    last: LineDraft | None = None
    rolls: list[Rolled] = []
    names: list[str] = []
    bearers: list[tuple[str, str]] = []
    for draft in drafts:
        own_roll = None if draft.same else draft.roll
        if own_roll is not None and rolls and (rolls[-1].side, rolls[-1].what) == (own_roll.side, own_roll.what):
            rolls.append(own_roll)
            lines[-1] = replace(lines[-1], spans=_row(rolls), rules=_rules(lines[-1], draft))
            last = draft
            continue
        rolls = []
        name = _actor_of(draft)
        if name and names and last is not None and name not in names and _same_action(last, draft):
            names.append(name)
            lines[-1] = replace(_of_several(draft.alone, names), rules=_rules(lines[-1], draft))
            last = draft
            continue
        alone = len(names) < 2  # a result of one of several actors has its own line
        joined = _joined(lines[-1], last, draft) if last is not None and alone and _may_join(last, draft) else None
        rolls = [] if own_roll is None else [own_roll]
        names = [name] if name and joined is None else []
        if joined is None:
            lines.append(draft.alone)
            name = draft.spans[0].text.rstrip() if draft.plural and draft.lead == 1 else _bearer_of(draft)
            bearers.append((name, draft.plural))
        else:
            lines[-1] = joined
        last = draft
    return _group_bearers(lines, bearers)


def _actor_of(draft: LineDraft) -> str:
    """Return the name of the actor of a line, or ""."""
    plain = bool(draft.action) and not draft.asked and not draft.kind and draft.whose is not None
    return draft.spans[0].text if plain and len(draft.spans) > 1 and draft.spans[1].text.startswith(": ") else ""


def _bearer_of(draft: LineDraft) -> str:
    """Return the name of the combatant that a line without an action is about, or ""."""
    plain = draft.lead == 1 and not (draft.action or draft.points or draft.kind or draft.asked) and draft.roll is None
    first = draft.spans[0].text
    return first.removesuffix(": ") if plain and first.endswith(": ") else ""


def _group_bearers(lines: Sequence[Line], bearers: Sequence[tuple[str, str]]) -> tuple[Line, ...]:
    """Return the lines; consecutive lines with the same text about several combatants are one line."""
    grouped: list[Line] = []
    names: list[str] = []
    last: Line | None = None
    for line, (name, plural) in zip(lines, bearers, strict=True):
        single = bool(name) and not line.asked and not (plural and len(line.spans) > 2)
        if single and names and last is not None and line.icon == last.icon and _same_action(last, line):
            names += [] if name in names else [name]  # two equal lines about one combatant are one
            grouped[-1] = replace(_of_several(line, names, plural), rules=_rules(grouped[-1], line))
        else:
            names = [name] if single else []
            grouped.append(line)
        last = line
    return tuple(grouped)


def _same_action(line: Line, other: Line) -> bool:
    return line.depth == other.depth and line.spans[1:] == other.spans[1:]


def _of_several(line: Line, names: Sequence[str], plural: str = "") -> Line:
    """Return a line about several combatants; `plural`: its words after the names where they differ."""
    first, *rest = line.spans
    ending = ": " if first.text.endswith(": ") else " " if plural else ""
    if plural and len(names) > 1:
        rest = [replace(rest[0], text=plural)]
    return replace(line, spans=(replace(first, text=named(names) + ending), *rest))


def _row(rolls: Sequence[Rolled]) -> tuple[Span, ...]:
    """Return the rolls of a side or combatant for one purpose; a number without dice names all that have it."""
    alone = all(roll.name == rolls[0].name for roll in rolls)
    spans = [Span(f"{rolls[0].name if alone else rolls[0].side} {rolls[0].what}: ")]
    shown: set[tuple[Span, ...]] = set()
    bare: dict[tuple[Span, ...], list[str]] = {}
    for roll in rolls:
        if not roll.dice:
            bare.setdefault(roll.spans, []).append(roll.name)
    for number, roll in enumerate(rolls):
        again = number > 0 and rolls[number - 1].name == roll.name
        first = roll.dice or len(bare[roll.spans]) == 1
        if not roll.dice and roll.spans in shown and not again:
            continue
        if number:
            spans[-1] = replace(spans[-1], text=spans[-1].text + (", " if again else "; "))
        if first and not (alone or again):
            spans.append(Span(f"{roll.name} "))
        spans += roll.spans
        shown.add(roll.spans)
        if not (first or alone or again):
            spans.append(Span(f" ({named(bare[roll.spans])})"))
    return tuple(spans)


def _may_join(last: LineDraft, draft: LineDraft) -> bool:
    """Tell whether a line is a result of the current action, or a status that results from points."""
    if draft.same:
        return True
    same = draft.whose == last.whose
    if last.points and draft.ends and same:
        return True
    if last.points and not (last.depth or draft.depth or last.asked or draft.asked or draft.kind):
        return draft.points or (same and draft.whose is not None)  # an edge of the clock, without an action
    if not draft.joins or not (last.joins or last.action):
        return False
    if last.many:
        return (draft.points and not draft.asked) or (same and draft.whose is not None)
    if _bearer_of(last) and not (_bearer_of(draft) or same or draft.points):
        return False  # a note about a combatant is not joined by the next roll
    between_two = None in (draft.whose, last.whose) or (draft.duel and last.duel)
    return same or draft.points or bool(last.action) or between_two


def _joined(base: Line, last: LineDraft, draft: LineDraft) -> Line | None:
    """Return a line with the next one joined, None if too long or with two dice that can be corrected."""
    if base.asked and draft.asked and base.asked != draft.asked:
        return None
    known = draft.whose in (last.whose, last.aim) and (draft.whose is not None or not last.action)
    bare = draft.spans[draft.lead :] if known else draft.spans
    between, asked = "; ", base.asked or draft.asked
    if draft.same:
        bare, asked = draft.same, base.asked
    elif last.action:
        bare, between = _without(bare, last.action), ": "
    elif last.points and draft.ends and draft.whose == last.whose:
        bare, between = (replace(draft.spans[-1], text=draft.ends),), ", "
    elif last.ends and bare[0].text.startswith(f"{last.ends},") and draft.whose == last.whose:
        bare, between = (replace(bare[0], text=bare[0].text.removeprefix(f"{last.ends},")), *bare[1:]), ","
    # The separator belongs to the text before it, so that no wrapped line begins with a separator.
    *before, end = base.spans
    spans = (*before, replace(end, text=end.text + between), *bare) if bare else base.spans
    if width_of(spans) + 2 * base.depth > WIDTH:
        return None
    return replace(base, spans=spans, rules=_rules(base, draft), icon=gravest(base.icon, draft.icon), asked=asked)


def _rules(base: Line, more: Line) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*base.rules, *more.rules)))


def _without(spans: tuple[Span, ...], action: str) -> tuple[Span, ...]:
    """Return spans without the name of the action at their beginning; none if they are only that name."""
    text, label = "".join(span.text for span in spans), action.casefold()
    if text.casefold() == label or (text.isalpha() and text.casefold() in label.split()):
        return ()
    first = spans[0]
    lead = next((lead for lead in (f"{label} ", f"{label}: ") if first.text.casefold().startswith(lead)), "")
    return (replace(first, text=first.text[len(lead) :]), *spans[1:]) if lead else spans
