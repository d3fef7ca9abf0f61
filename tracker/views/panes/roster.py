"""The rows of the combatants pane: a row for each combatant, or for several equal ones.

Full bars are quiet; only wounds have colour. Changes since the last step are marked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, Pool, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.schema import Badge, Status
from tracker.core.visibility.knowledge import seen_words
from tracker.views.log.lines import ICONS, Icon, status_icon
from tracker.views.panes.columns import GAP, LABEL, USUAL, Layout, Place, Wanted, header, layout
from tracker.views.time.turn_marks import ACTING, DONE, WAITING, budget_words, marks_of
from tracker.views.words.moments import Worded, effect_words, worded
from tracker.views.words.ruleset_answers import Fails, badges_of, cell_of, gauge_of, tolerate
from tracker.views.words.sides import CAMPS, allegiance_of, names_of
from tracker.views.words.spans import (
    MORE,
    Align,
    Row,
    Span,
    cells,
    cut,
    cut_end,
    cut_name,
    cut_spans,
    fit,
    join,
    width_of,
    wrap_spans,
)
from tracker.views.words.text import clean

FULL, CHANGED, EMPTY, UNHURT = "█", "▓", "░", "─"
FELL, ROSE, OTHER = "▾", "▴", "•"
"""Signs for the change of a value since the last step."""
BETWEEN = " · "
_NUMBERS = re.compile(r"\d+")


class Since(Struct, frozen=True):
    """The state before the last step, and the icon of the gravest event of each combatant since."""

    state: State | None = None
    signs: dict[Id, Icon] = {}

    def before(self, combatant: Combatant) -> Combatant | None:
        """Return a combatant as it was before the step, None if its row is the same."""
        was = None if self.state is None else self.state.get(combatant.id)
        if was is None or was is combatant:
            return None
        same = was.pools == combatant.pools and was.effects == combatant.effects and was.facts == combatant.facts
        return None if same and (was.status, was.side) == (combatant.status, combatant.side) else was


NOTHING = Since()


class RosterContent(Struct, frozen=True):
    """The content of a combatant's row: rows of equal content are equal.

    Attributes:
        mark: its glyph in the current slot.
        ground: the values that the words for ends of effects depend on.
        seen: how players see it, if not as the GM does.
        sign: the icon of its gravest event since the last step.
        was: the combatant before that step and its cells then, if something differs.
        alike: the labels of the other combatants that share the row.
        aside: texts of columns of long words that do not fit.
    """

    combatant: Combatant
    mark: str
    badges: tuple[Badge, ...]
    cells: tuple[str, ...]
    ground: tuple[object, ...]
    seen: str = ""
    sign: Icon = ""
    was: tuple[Combatant, tuple[str, ...]] | None = None
    alike: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


def effect_end_context(state: State) -> tuple[object, ...]:
    """Return the values that the words for ends of effects depend on besides the effects: the round, and all names."""
    return (state.clock.round, state.clock.in_round, state.sides, state.gone, names_of(state))


def roster_content(
    ruleset: Ruleset,
    state: State,
    who: Id,
    plan: Layout,
    ground: tuple[object, ...] = (),
    *,
    active: Id | None = None,
    since: Since = NOTHING,
    alike: tuple[Id, ...] = (),
    fails: Fails = tolerate,
) -> RosterContent:
    """Return the content of a row; `ground` can be shared by many rows, `fails` is called for each failed answer."""
    combatant = state[who]
    before = since.before(combatant)
    was = None
    if before is not None and since.state is not None:
        was = (before, _cells(plan, since.state, who, tolerate))
    return RosterContent(
        combatant,
        mark=marks_of(state.clock).of(combatant, status_of(ruleset, combatant.status), active),
        badges=badges_of(ruleset, state, who, fails),
        cells=_cells(plan, state, who, fails, alike),
        ground=ground,
        seen=seen_words(state, combatant),
        sign=since.signs.get(who, ""),
        was=was,
        alike=tuple(state[other].label for other in alike),
        aside=() if alike else tuple([cell_of(column, state, who, fails) for column in plan.without(ruleset)]),
    )


def _cells(plan: Layout, state: State, who: Id, fails: Fails, alike: tuple[Id, ...] = ()) -> tuple[str, ...]:
    """Return the cells of the columns; a cell in which equal combatants differ is empty."""
    texts = [cell_of(place.column, state, who, fails) for place in plan.places]
    if alike:
        unlike = _unlike(state, who, alike)
        for at, place in enumerate(plan.places):
            others = unlike if place.column.own else alike
            if any(cell_of(place.column, state, other, fails) != texts[at] for other in others):
                texts[at] = ""
    return tuple(texts)


def _unlike(state: State, who: Id, alike: tuple[Id, ...]) -> list[Id]:
    """Return the combatants that may have another cell in a column of `own` data, one of each kind."""
    first = state[who]
    kinds = {}
    for other in (state[other] for other in alike):
        data = (other.facts, other.effects, other.position, other.data)
        if other.block != first.block or data != (first.facts, first.effects, first.position, first.data):
            kinds[id(other.block), data] = other.id
    return list(kinds.values())


def combatant_header(ruleset: Ruleset, width: int, texts: Wanted = USUAL) -> Row:
    return header(ruleset, layout(ruleset, width, texts), width)


def combatant_row(
    ruleset: Ruleset, state: State, who: Id, width: int, content: RosterContent | None = None, texts: Wanted = USUAL
) -> Row:
    return combatant_rows(ruleset, state, who, width, content, texts)[0]


def combatant_rows(
    ruleset: Ruleset, state: State, who: Id, width: int, content: RosterContent | None = None, texts: Wanted = USUAL
) -> tuple[Row, ...]:
    """Return the row of a combatant; if the effects do not fit in it, also two lines that show more of them."""
    plan = layout(ruleset, width, texts)
    content = roster_content(ruleset, state, who, plan) if content is None else content
    combatant, mark, badges = content.combatant, content.mark, content.badges
    status = status_of(ruleset, combatant.status)
    word = "" if status.key == ruleset.statuses[0].key else clean(status.word)
    spans = _who(ruleset, state, content, plan, acts=status.acts)
    was = content.was[1] if content.was is not None else content.cells
    broken: tuple[Sequence[Span], ...] = ()
    for place, text, before in zip(plan.places, content.cells, was, strict=True):
        pool = _pool(combatant, place.column.bar) or gauge_of(place.column, state, who)
        fallen = pool is not None and pool.now <= 0 and not status.acts
        if fallen and word and not plan.effects and not plan.flows and cells(word) <= place.width:
            spans += (Span(" " * GAP), Span(fit(word, place.width), "bad"))
            word = ""
            continue
        if plan.flows and place is plan.places[-1]:
            more = _effects(state, content, word, "strong" if status.acts else "bad", place.width)
            broken = _broken(spans, place, clean(text), clean(before), more)
            spans += _flowing(place, clean(text), clean(before), more, quiet=not status.acts)
            continue
        old = None if content.was is None else _pool(content.was[0], place.column.bar)
        spans += _cell(place, clean(text), clean(before), pool, old, quiet=not status.acts)
    if plan.turn:
        left = clean(budget_words(badges)) if status.acts else ""
        spans.append(Span(" " * GAP + fit(left, plan.turn - GAP), "dim" if mark == DONE else ""))
    kind = "acting" if mark == ACTING else "down" if not status.acts else "done" if mark == DONE else ""
    if not plan.effects:
        return tuple(Row(who, _within(line, width), kind) for line in (spans, *broken))
    spans.append(Span(" " * GAP))
    look = "strong" if status.acts else "bad"
    row = Row(who, _within([*spans, *_effects(state, content, word, look, plan.effects)], width), kind)
    first, second = _in_two(_effect_texts(state, content, word, look, MOST_CELLS)[0], plan.effects)
    if not second:
        return (row,)
    below = (Span(" " * width_of(spans)), *second)
    return (row, Row(who, _within([*spans, *first], width), kind), Row(who, _within(list(below), width), kind))


def _who(ruleset: Ruleset, state: State, content: RosterContent, plan: Layout, acts: bool) -> list[Span]:
    """Return mark, sign, label and name, strongest for the acting combatant.

    Where signs have one cell, the side's gives way for the step that has befallen the combatant.
    """
    combatant, mark = content.combatant, content.mark
    camp = allegiance_of(ruleset, state, combatant.side)
    label, name = combatant.label, clean(combatant.name)
    room = plan.name + min(0, LABEL - 1 - len(label))
    if content.alike:
        many = f" ×{len(content.alike) + 1}"
        shown = fit(cut(name.rpartition(" ")[0], room - len(many)) + many, room)
    else:
        shown = fit(cut_name(name, room), room)
    now = mark == ACTING
    turn = f"turn-{camp}" if now else ""
    side = Span(CAMPS[camp], turn or (camp if acts else "dim"))
    sign = Span(ICONS[content.sign], content.sign) if content.sign else None
    spans = [Span(mark, turn or ("strong" if mark == WAITING else "dim"))]
    spans += (sign or side,) if plan.mark == 2 else (Span(" ", turn), sign or Span(" ", turn), side)
    spans += (Span(f"{label:<{LABEL - 1}} ", turn or "strong"), Span(shown, turn or (camp if acts else "dim")))
    return spans


def _cell(place: Place, text: str, before: str, pool: Pool | None, was: Pool | None, quiet: bool) -> list[Span]:
    changed = _changed(before, text) if text != before and place.column.key != "turn" else ""
    style = "" if pool is None or quiet else danger(pool.now, pool.max)
    if pool is not None and was is not None and pool.now != was.now:
        changed, style = (FELL, "worse") if pool.now < was.now else (ROSE, "better")
    elif changed:
        style = "fresh"
    elif style == "quiet":
        style = "dim"
    lead = " " * GAP
    if not place.bar:
        return _written(lead, text, place.width, place.column.align, changed, style)
    rest = place.width - place.bar
    if pool is None:
        return _written(lead + " " * place.bar, text, rest, place.column.align, changed, style)
    return [
        Span(lead),
        *_bar(pool, was, place.bar - 1, quiet),
        *_written(" ", text, rest, place.column.align, changed, style),
    ]


def _flowing(place: Place, text: str, before: str, more: Sequence[Span], quiet: bool) -> list[Span]:
    """Return the column of long words with the effects right behind them; the words are cut for the effects."""
    if not text:
        return [Span(" " * GAP), *more]
    if not more:
        return _cell(place, text, before, None, None, quiet)
    behind = width_of(more) + cells(BETWEEN)
    short = replace(place, width=min(cells(text), max(0, place.width - behind)))
    return [*_cell(short, text, before, None, None, quiet), Span(BETWEEN, "dim"), *more]


def _broken(
    before: Sequence[Span], place: Place, text: str, was: str, more: Sequence[Span]
) -> tuple[Sequence[Span], ...]:
    """Return a row in two lines, if its long words and the effects behind them need exactly two; else none."""
    changed = _changed(was, text) if text != was else ""
    between = (Span(BETWEEN, "dim"),) if text and more else ()
    parts = wrap_spans((Span(text, "fresh" if changed else ""), *between, *more), place.width)
    if len(parts) != 2:
        return ()
    lead = " " * (width_of(before) + GAP)
    return (*before, Span(" " * (GAP - len(changed)) + changed, "fresh"), *parts[0]), (Span(lead), *parts[1])


def _written(lead: str, cell: str, width: int, align: Align, changed: str, style: str) -> list[Span]:
    """Return a value in its column, with the sign of its change right before it."""
    shown = fit(cut_end(cell, width) if align == "left" else cell, width, align)
    text = shown.lstrip(" ")
    blanks = lead + " " * (len(shown) - len(text))
    if not changed:
        return [Span(blanks), Span(text, style)]
    return [Span(blanks[:-1]), Span(changed + text, style)]


def _changed(before: str, text: str) -> str:
    """Return the sign of a change, by the first number that differs."""
    pairs = zip(_NUMBERS.findall(before), _NUMBERS.findall(text), strict=False)
    was, now = next(((int(one), int(other)) for one, other in pairs if one != other), (0, 0))
    return FELL if now < was else ROSE if now > was else OTHER


def _pool(combatant: Combatant, key: str) -> Pool | None:
    return next((pool for pool in combatant.pools if pool.key == key), None) if key else None


def danger(now: int, most: int) -> str:
    """Return the style of points: `quiet` if none are lost, then `good`, `warn` at a half, `bad` at a quarter."""
    if most <= 0 or now >= most:
        return "quiet"
    if now * 2 > most:
        return "good"
    return "warn" if now * 4 > most else "bad"


def _bar(pool: Pool, was: Pool | None, size: int, quiet: bool) -> list[Span]:
    """Return a pool as cells, changed ones apart; only a full one looks full, only an empty one empty."""
    now, before = _filled(pool, size), _filled(pool if was is None else was, size)
    if now == before == size:
        return [Span(UNHURT * size, "quiet")]
    style = "dim" if quiet else danger(pool.now, pool.max)
    kept, other = min(now, before), max(now, before)
    if was is not None and was.now != pool.now and kept == other:  # a change of less than a cell is shown as one
        kept = max(0, kept - 1) if pool.now > was.now else kept
        other = min(size, kept + 1)
    parts = (
        (FULL * kept, style),
        (CHANGED * (other - kept), "better" if was is not None and pool.now > was.now else "worse"),
        (EMPTY * (size - other), style),
    )
    return [Span(text, look) for text, look in parts if text]


def _filled(pool: Pool, size: int) -> int:
    if pool.now <= 0 or pool.max <= 0:
        return 0
    return size if pool.now >= pool.max else max(1, min(size - 1, round(size * pool.now / pool.max)))


# -- effects, whose ends are never cut ---------------------------------------------------------------------------------


MOST_CELLS = 400
"""Cells of effects at most that two lines choose from."""


def _effects(state: State, content: RosterContent, word: str, style: str, width: int) -> list[Span]:
    return _listed(*_effect_texts(state, content, word, style, width), width)


def _effect_texts(
    state: State, content: RosterContent, word: str, style: str, width: int
) -> tuple[list[tuple[Worded, str]], int]:
    """Return the texts beside the columns, the worst first, and the number of effects beyond the width."""
    combatant = content.combatant
    had = None if content.was is None else {effect.id for effect in content.was[0].effects}
    texts: list[tuple[Worded, str]] = []
    if content.alike:
        texts.append((Worded("also " + " ".join(content.alike)), "dim"))
    named = next((effect for effect in combatant.effects if word and clean(effect.shown) == word), None)
    if word:  # an effect with the name of the status is shown once
        texts.append((Worded(word) if named is None else worded(state, named), style))
    badges = [badge for badge in content.badges if badge.kind != "budget"]
    looks = {badge.text: "" if badge.kind == "plain" else badge.kind for badge in badges}
    shown = {effect.shown for effect in combatant.effects}
    alone = [(Worded(clean(text)), look) for text, look in looks.items() if text not in shown]
    texts += [badge for badge in alone if badge[1] == "bad"]
    texts += [(Worded(part), "") for aside in content.aside for part in clean(aside).split(", ") if part]
    if content.seen:
        texts.append((Worded(clean(content.seen)), "warn"))
    texts += [badge for badge in alone if badge[1] != "bad"]
    taken = 0
    others = [effect for effect in combatant.effects if effect is not named]
    worst_first = sorted(others, key=lambda effect: looks.get(effect.shown) != "bad")
    for place, effect in enumerate(worst_first):
        words = worded(state, effect)
        fresh = had is not None and effect.id not in had
        if fresh:
            words = replace(words, what=f"{OTHER}{words.what}")
        texts.append((words, "fresh" if fresh else looks.get(effect.shown, "")))
        taken += cells(words.what) + cells(words.short)
        if taken > width:
            return texts, len(others) - place - 1
    return texts, 0


def _in_two(texts: Sequence[tuple[Worded, str]], width: int) -> tuple[list[Span], list[Span]]:
    """Return the first texts, whole, and the others for a line below; no texts if all fit in one line."""
    short = [(words.what + words.short, style) for words, style in texts]
    if sum(cells(text) for text, _ in short) + 2 * (len(short) - 1) <= width:
        return [], []
    first: list[tuple[str, str]] = []
    left = width - 1
    for (words, style), (brief, _) in zip(texts, short, strict=True):
        room = left - 2 * bool(first)
        text = words.text if cells(words.text) <= room else brief
        if cells(text) > room:
            break
        first.append((text, style))
        left = room - cells(text)
    rest = _listed(texts[len(first) :], 0, width)
    if first and all(MORE not in span.text for span in rest):
        return [*_with_commas(first), Span(",")], rest
    names = [(words.what, style) for words, style in texts]
    for every in ([(words.text, style) for words, style in texts], short, names):
        parts = wrap_spans(_with_commas(every), width)
        if len(parts) == 2:
            return list(parts[0]), list(parts[1])
    return ([*_with_commas(first), Span(",")], rest) if first else ([], [])


def _listed(texts: Sequence[tuple[Worded, str]], more: int, width: int) -> list[Span]:
    """Return texts with commas, whole or with short ends; else the first texts and the number of the others."""
    if not texts:
        return []
    commas = 2 * (len(texts) - 1) + more * width
    whole = [(words.text, style) for words, style in texts]
    short = [(words.what + words.short, style) for words, style in texts]
    for kept in (whole, short):
        if sum(cells(text) for text, _ in kept) + commas <= width:
            return _with_commas(kept)
    kept = []
    left = width
    for place, (words, style) in enumerate(texts):
        behind = len(texts) + more - place - 1
        room = left - (2 if kept else 0) - (len(f", +{behind}") if behind else 0)
        text = _shortened(words, room, not kept)
        if not text:
            break
        kept.append((text, style))
        left -= cells(text) + (2 if len(kept) > 1 else 0)
        if text not in (words.text, words.what + words.short):
            break
    if len(kept) < len(texts) + more:
        kept.append((f"+{len(texts) + more - len(kept)}", "dim"))
    return _with_commas([(cut(text, width), style) for text, style in kept])


def _with_commas(texts: Sequence[tuple[str, str]]) -> list[Span]:
    return list(join([(Span(text, style),) for text, style in texts], ", "))


def _shortened(words: Worded, room: int, first: bool) -> str:
    """Return a text that fits: its name is cut rather than its end; "" if neither fits. The first always has a name."""
    for text in (words.text, words.what + words.short):
        if cells(text) <= room:
            return text
    least = room - cells(words.short)
    if least >= 3:
        return cut(words.what, least) + words.short
    return cut(words.what, room) if room >= 3 and (first or not words.short) else ""


def _within(spans: Sequence[Span], width: int) -> tuple[Span, ...]:
    """Return the spans cut to the width, for panes narrower than any layout."""
    taken = 0
    for place, span in enumerate(spans):
        taken += cells(span.text)
        if taken > width:
            size = cells(span.text)
            return (*spans[:place], Span(cut(span.text, max(0, width - taken + size)), span.style))
    return tuple(spans)


MOST_KINDS = 4000
FOLD = "fold"
"""The key of the fold in `opened`."""
Likeness: TypeAlias = tuple[object, ...]


class EqualCombatants:
    """A cache of the number that equal combatants share, None for a combatant that never shares a row."""

    def __init__(self) -> None:
        self.numbers: dict[Likeness, int] = {}
        self.of: dict[Id, tuple[Combatant, int | None]] = {}


class Entry(Struct, frozen=True):
    """One row of the list: a combatant, several equal ones, or the fold."""

    kind: Literal["one", "alike", "fold"]
    who: tuple[Id, ...]
    open: bool = False


def listing(
    ruleset: Ruleset,
    state: State,
    room: int,
    *,
    active: Id | None = None,
    opened: frozenset[str] = frozenset(),
    signs: Mapping[Id, Icon] = {},
    cache: EqualCombatants | None = None,
) -> tuple[Entry, ...]:
    """Return the entries of a list with `room` lines.

    A combatant that has left the fight in the last step is still in its place. `opened` holds the first combatant of
    each group that is unfolded, and `FOLD` if the fold is open.
    """
    out = {status.key for status in ruleset.statuses if not status.takes_part}
    here = [one for one in state.combatants if one.status not in out or one.id in signs]
    gone = tuple([one.id for one in state.combatants if one.status in out and one.id not in signs])
    tail = [Entry("fold", gone, FOLD in opened)] if gone else []
    if FOLD in opened:
        tail += [Entry("one", (who,)) for who in gone]
    if len(here) + len(tail) <= room:
        return (*[Entry("one", (one.id,)) for one in here], *tail)
    entries: list[Entry] = []
    for who in _groups(ruleset, state, here, active, signs, EqualCombatants() if cache is None else cache):
        if len(who) == 1 or not opened.isdisjoint(who):
            entries += [Entry("one", (one,)) for one in who]
        else:
            entries.append(Entry("alike", tuple(who)))
    return (*entries, *tail)


def _groups(
    ruleset: Ruleset,
    state: State,
    people: list[Combatant],
    active: Id | None,
    signs: Mapping[Id, Icon],
    cache: EqualCombatants,
) -> Iterable[list[Id]]:
    """Return the combatants, those with equal rows together; the acting combatant is alone."""
    marks, statuses = marks_of(state.clock), {status.key: status for status in ruleset.statuses}
    acting, here, acted = marks.acting if active is None else active, marks.here, marks.acted
    clock = state.clock
    turned = frozenset(clock.turned if clock.current is not None and clock.current.turns == "opened" else ())
    cached, groups = cache.of, dict[Likeness, list[Id]]()
    shown: dict[Likeness, str] = {}
    for one in people:
        who = one.id
        entry = cached.get(who)
        if entry is None or entry[0] is not one:
            entry = cached[who] = (one, _number(one, statuses, cache))
        number = entry[1]
        if number is None or who == acting:
            groups[who,] = [who]
            continue
        key = (number, who in here, who in acted, who in turned)
        if key not in shown:  # combatants that are equal in all these have the same mark
            shown[key] = marks.of(one, status_of(ruleset, one.status), active)
        # The words for ends of effects change with the round.
        effects = tuple([effect_words(state, effect) for effect in one.effects]) if one.effects else ()
        groups.setdefault((number, shown[key], effects, signs.get(who, "")), []).append(who)
    return groups.values()


def _number(one: Combatant, statuses: Mapping[str, Status], cache: EqualCombatants) -> int | None:
    """Return the number that equal combatants share, effects apart; None for a combatant that never shares a row."""
    name, _, number = one.name.rpartition(" ")
    status = statuses.get(one.status)
    if not number.isdigit() or status is None or not status.acts:
        return None
    for pool in one.pools:
        if pool.now < pool.max:
            return None
    if len(cache.numbers) > MOST_KINDS:
        cache.numbers.clear()
        cache.of.clear()
    likeness = (name, one.side, one.kind, one.status, one.pools, one.budget)
    return cache.numbers.setdefault(likeness, len(cache.numbers))


def places_of(entries: tuple[Entry, ...]) -> dict[Id, int]:
    places: dict[Id, int] = {}
    for place, entry in enumerate(entries):
        if not entry.open:
            places.update(dict.fromkeys(entry.who, place))
    return places


def fold_row(ruleset: Ruleset, state: State, entry: Entry, width: int) -> Row:
    """Return the fold: `▸ 3 dead, 1 fled`, with the labels of the combatants in it."""
    people = [state[who] for who in entry.who]
    counts = Counter(clean(status_of(ruleset, one.status).word) for one in people)
    words = ", ".join(f"{many} {word}" for word, many in counts.items())
    sign = status_icon(ruleset, people[0], status_of(ruleset, people[0].status))
    lead = "▾ " if entry.open else "▸ "
    labels = "" if entry.open else "  " + " ".join(one.label for one in people)
    spans = (Span(lead, "key"), Span(f"{ICONS[sign]} ", "dim"), Span(words, "dim"), Span(labels, "dim"))
    return Row(FOLD if entry.open else entry.who[0], cut_spans(spans, width), "ghost")
