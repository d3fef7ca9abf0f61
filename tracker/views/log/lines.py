"""Lines of the log, and how lines that follow from an action join its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Status
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
"""Each sign, the gravest last. The keys are style words too."""
_GRAVITY: Mapping[str, int] = {"": 0, **{sign: place for place, sign in enumerate(ICONS, start=1)}}
_HIT = frozenset({"hit", "hits", "critical", "grievous", "not"})
_MISS = frozenset({"miss", "misses", "missed", "defended", "resisted", "evaded", "parried"})
_BROKEN = frozenset({"breaks", "broken", "fails", "failed", "flees"})
_DEAD = frozenset({"dead", "slain", "killed", "destroyed"})


def gravest(one: Icon, other: Icon) -> Icon:
    return one if _GRAVITY[one] >= _GRAVITY[other] else other


def result_icon(checked: ev.Checked) -> Icon:
    """Return whether a comparison is a hit, a miss or a broken spirit."""
    words = checked.result.casefold().replace(",", " ").split()
    first = words[0] if words else ""
    if checked.what.casefold().startswith("morale"):
        return "broken" if first in _BROKEN else ""
    if checked.target is None or checked.against is None:
        return ""
    if first in _HIT:
        return "hit" if first != "not" or words[1:2] == ["resisted"] else ""
    return "miss" if first in _MISS else ""


def status_icon(combatant: Combatant | None, status: Status) -> Icon:
    """Return the icon of a status in which a combatant cannot act: dead, gone or down."""
    if status.acts:
        return ""
    if status.takes_part:
        return "down"
    spent = combatant is not None and bool(combatant.pools) and combatant.pools[0].now <= 0
    return "dead" if spent or not _DEAD.isdisjoint(status.word.casefold().split()) else "left"


def gravest_icons(ruleset: Ruleset, state: State, entries: Iterable[ev.Entry]) -> dict[Id, Icon]:
    """Return the gravest icon for each combatant from some entries."""
    found: dict[Id, Icon] = {}
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
                whom, sign = who, status_icon(state.get(who), ruleset.status(now))
            case ev.FightOpened():
                opens = True
            case ev.CombatantJoined(combatant=combatant) if not opens:
                whom, sign = combatant.id, "wave"
            case _:
                continue
        if whom is not None and sign:
            found[whom] = gravest(found.get(whom, ""), sign)
    return found


class Line(Struct, frozen=True, gc=False):
    """One line of the log, however long.

    Attributes:
        spans: its text.
        depth: how deep it is indented.
        rules: ids of the rules behind it.
        round: the round it happens in.
        kind: "" for an action or what follows from it, `round` and `turn` for headings, `gm` if the GM overrules.
        asked: the key of the last answer it shows.
        sign: the gravest icon of what it shows.
    """

    spans: tuple[Span, ...]
    depth: int
    rules: tuple[str, ...]
    round: int
    kind: str = ""
    asked: str = ""
    icon: Icon = ""

    @property
    def text(self) -> str:
        """The line without its styles."""
        return "".join(span.text for span in self.spans)


WIDTH = 100
"""Columns a joined line may have."""


class Rolled(Struct, frozen=True, gc=False):
    """One of several rolls for the same thing: the side, the purpose, the name, the roll, and whether it has dice."""

    side: str
    what: str
    name: str
    spans: tuple[Span, ...]
    dice: bool = True


class LineDraft(Struct, frozen=True, gc=False):
    """A line before it is joined to others.

    Attributes:
        line: the line as it reads alone.
        whose: the combatant it is about.
        lead: how many spans at its beginning only name that combatant.
        joins: it may join the line of the action it follows from.
        deed: the label of the action, if it is the line of one; texts that would repeat it are left out.
        ends: the short text if the line before shows points of the same combatant.
        points: it shows points lost or gained.
        aim: the only target of an action, if its line ends with the name.
        many: the action has several targets.
        duel: its action has one target, so that all that follows is between the two.
        same: it compares the roll of the line before with another combatant's number, in these words.
        roll: a roll that no combatant's own action asked for; those of one side for the same thing share a line.
    """

    line: Line
    whose: str | None = None
    lead: int = 0
    joins: bool = False
    action: str = ""
    ends: str = ""
    points: bool = False
    aim: str | None = None
    many: bool = False
    duel: bool = False
    same: tuple[Span, ...] = ()
    roll: Rolled | None = None


def joined_lines(told: Iterable[LineDraft]) -> tuple[Line, ...]:
    """Return the lines; those that follow from an action join its line if they fit.

    The same action of several combatants, the same effect on several, and a side's rolls for the same thing share a
    line.
    """
    lines: list[Line] = []
    last: LineDraft | None = None
    rolls: list[Rolled] = []
    names: list[str] = []
    bearers: list[str] = []
    for one in told:
        if one.roll is not None and not one.same and rolls and _of_a_row(rolls[-1], one.roll):
            rolls.append(one.roll)
            lines[-1] = replace(lines[-1], rules=_rules(lines[-1], one.line))
            last = one
            continue
        _close(lines, rolls)
        name = _name_of(one)
        if name and names and last is not None and name not in names and _same_action(last.line, one.line):
            names.append(name)
            lines[-1] = replace(_of_several(one.line, names), rules=_rules(lines[-1], one.line))
            last, rolls = one, []
            continue
        alone = len(names) < 2  # what follows of one of several has a line of its own
        joined = _joined(lines[-1], last, one) if last is not None and alone and _may_join(last, one) else None
        rolls = [] if one.roll is None or one.same else [one.roll]
        names = [name] if name and joined is None else []
        if joined is None:
            lines.append(one.line)
            bearers.append(_bearer_of(one))
        else:
            lines[-1] = joined
        last = one
    _close(lines, rolls)
    return _group_bearers(lines, bearers)


def _close(lines: list[Line], rolls: Sequence[Rolled]) -> None:
    """Tell all rolls of a row in its line, the last one."""
    if len(rolls) > 1:
        lines[-1] = replace(lines[-1], spans=_row(rolls))


def _name_of(one: LineDraft) -> str:
    """Return the name of the combatant whose action a line shows, or ""."""
    line = one.line
    plain = bool(one.action) and not line.asked and not line.kind and one.whose is not None
    return line.spans[0].text if plain and len(line.spans) > 1 and line.spans[1].text.startswith(": ") else ""


def _bearer_of(one: LineDraft) -> str:
    """Return the name of the combatant that bears what a line without an action says, or ""."""
    plain = one.lead == 1 and not (one.action or one.points or one.line.kind or one.line.asked) and one.roll is None
    first = one.line.spans[0].text
    return first.removesuffix(": ") if plain and first.endswith(": ") else ""


def _group_bearers(lines: Sequence[Line], bearers: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines, those that say the same of several combatants in a row as one."""
    found: list[Line] = []
    names: list[str] = []
    for line, name in zip(lines, bearers, strict=True):
        last = found[-1] if names else None
        if name and not line.asked and last is not None and line.icon == last.icon and _same_action(last, line):
            names.append(name)
            found[-1] = replace(_of_several(line, names), rules=_rules(last, line))
        else:
            names = [name] if name and not line.asked else []
            found.append(line)
    return tuple(found)


def _same_action(line: Line, other: Line) -> bool:
    """Tell whether two lines say the same of different combatants."""
    return line.depth == other.depth and line.spans[1:] == other.spans[1:]


def _of_several(line: Line, names: Sequence[str]) -> Line:
    """Return the line of a deed with all who did it."""
    first, *rest = line.spans
    ending = ": " if first.text.endswith(": ") else ""
    return replace(line, spans=(replace(first, text=named(names) + ending), *rest))


def _of_a_row(roll: Rolled, other: Rolled) -> bool:
    return (roll.side, roll.what) == (other.side, other.what)


def _row(rolls: Sequence[Rolled]) -> tuple[Span, ...]:
    """Return the rolls of one side, or of one combatant, for the same thing.

    A number without dice comes before the names of all that have it.
    """
    alone = all(roll.name == rolls[0].name for roll in rolls)
    spans = [Span(f"{rolls[0].name if alone else rolls[0].side} {rolls[0].what}: ")]
    told: set[tuple[Span, ...]] = set()
    bare: dict[tuple[Span, ...], list[str]] = {}
    for roll in rolls:
        if not roll.dice:
            bare.setdefault(roll.spans, []).append(roll.name)
    for number, roll in enumerate(rolls):
        again = number > 0 and rolls[number - 1].name == roll.name
        if not roll.dice and roll.spans in told and not again:
            continue
        if number:
            spans[-1] = replace(spans[-1], text=spans[-1].text + (", " if again else "; "))
        if roll.dice and not (alone or again):
            spans.append(Span(f"{roll.name} "))
        spans += roll.spans
        told.add(roll.spans)
        if not (roll.dice or alone or again):
            spans.append(Span(f" ({named(bare[roll.spans])})"))
    return tuple(spans)


def _may_join(last: LineDraft, one: LineDraft) -> bool:
    """Tell whether a line follows from the deed under way.

    A status may also follow from points lost or won.
    """
    if one.same:
        return True
    same = one.whose == last.whose
    if last.points and one.ends and same:
        return True
    if last.points and not (last.line.depth or one.line.depth or last.line.asked or one.line.asked or one.line.kind):
        return one.points or (same and one.whose is not None)  # what an edge of the clock brings, without an action
    if not one.joins or not (last.joins or last.action):
        return False
    if last.many:
        return (one.points and not one.line.asked) or (same and one.whose is not None)
    return same or one.points or bool(last.action) or None in (one.whose, last.whose) or (one.duel and last.duel)


def _joined(base: Line, last: LineDraft, one: LineDraft) -> Line | None:
    """Return a line with the next one joined to it.

    None if it would be too long, or would have two dice that can be corrected.
    """
    if base.asked and one.line.asked and base.asked != one.line.asked:
        return None
    if one.same:
        *before, end = base.spans
        spans = (*before, replace(end, text=end.text + "; "), *one.same)
        fits = width_of(spans) + 2 * base.depth <= WIDTH
        return _more(base, spans, one.line) if fits else None
    known = one.whose in (last.whose, last.aim) and (one.whose is not None or not last.action)
    bare = one.line.spans[one.lead :] if known else one.line.spans
    between = "; "
    if last.action:
        bare, between = _without(bare, last.action), ": "
    elif last.points and one.ends and one.whose == last.whose:
        bare, between = (replace(one.line.spans[-1], text=one.ends),), ", "
    elif last.ends and bare[0].text.startswith(f"{last.ends},") and one.whose == last.whose:
        bare, between = (replace(bare[0], text=bare[0].text.removeprefix(last.ends)), *bare[1:]), ""
    # The mark between stands with what is before it, so that no wrapped line begins with it.
    *before, end = base.spans
    spans = (*before, replace(end, text=end.text + between), *bare) if bare else base.spans
    if width_of(spans) + 2 * base.depth > WIDTH:
        return None
    return replace(_more(base, spans, one.line), asked=base.asked or one.line.asked)


def _more(base: Line, spans: tuple[Span, ...], more: Line) -> Line:
    return replace(base, spans=spans, rules=_rules(base, more), icon=gravest(base.icon, more.icon))


def _rules(base: Line, more: Line) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*base.rules, *more.rules)))


def _without(spans: tuple[Span, ...], deed: str) -> tuple[Span, ...]:
    """Return spans without the name of the action at their beginning; none if that name says it all."""
    text, said = "".join(span.text for span in spans), deed.casefold()
    if text.casefold() == said or (text.isalpha() and text.casefold() in said.split()):
        return ()
    first = spans[0]
    lead = next((lead for lead in (f"{said} ", f"{said}: ") if first.text.casefold().startswith(lead)), "")
    return (replace(first, text=first.text[len(lead) :]), *spans[1:]) if lead else spans
