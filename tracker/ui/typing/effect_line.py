"""The line of an effect: name, labels, then changes and duration in any order: `blessed gh +1 attack 3 rounds`.

The name is an effect of the game, a kept effect of the GM, or any words. A final `*` saves the effect in the GM's file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import EffectAdded
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game import durations
from tracker.core.game.ruleset import Ruleset, effect_called
from tracker.core.game.schema import Schema, kind_and_stat
from tracker.core.run import Done, Outcome, Step
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.moments import At
from tracker.session.step.runner import StepFailure, dry_run
from tracker.ui.keys.command import Call
from tracker.ui.typing.mode import ModeContext, name_spans
from tracker.ui.typing.parser import ParsedCommand, labels_of, leading_labels
from tracker.ui.typing.tokens import BEGINS, SHORTEST_NAME, matching_options, rank
from tracker.views.words.spans import Span
from tracker.views.words.text import clean, key_words

if TYPE_CHECKING:
    from tracker.library.content.effect_presets import EffectPreset


_LABELS = re.compile(r"^(?P<labels>[^\W\d_]+)(?P<count>\d+)?$")
_VALUE = re.compile(r"[1-9][0-9]{0,2}")
_AMOUNT = re.compile(r"([+−-])([0-9]{1,3}(?!d?[0-9])|[0-9]{0,2}d[0-9]{1,3})(.*)", re.IGNORECASE)
KEEP = "*"
FIGHT = "fight"
"""The word for an effect on the whole fight."""
MOST_STAT_WORDS = 3
MOST_SHOWN = 6


class EffectLine(Struct, frozen=True):
    """The parts of a line: name, labels, changes and duration, the problem, and the options to solve it."""

    name: str = ""
    labels: tuple[str, ...] = ()
    changes: tuple[tuple[str, int | str], ...] = ()
    lasts: str = ""
    keep: bool = False
    problem: str = ""
    asks: tuple[Option, ...] = ()


class ParsedEffect(Struct, frozen=True):
    """A parsed effect: its name, targets, changes and duration."""

    name: str
    line: EffectLine
    shown: str
    people: tuple[Id, ...]
    changes: tuple[tuple[str, int | str], ...]
    lasts: str


def parse_effect(scene: ModeContext, key: str, text: str, at: int) -> ParsedCommand:
    ruleset = scene.ruleset
    kept, warns = scene.files.effect_presets(ruleset)
    at = -1 if _AMOUNT.search(text) else at
    titles = {effect.name: clean(effect.title or effect.name.replace("_", " ")) for effect in ruleset.effects}
    named = tuple(Option(name, title) for name, title in titles.items())
    presets = {f"kept:{preset.name}": preset for preset in kept}
    offered = (*(Option(key, clean(preset.name), _notes(preset)) for key, preset in presets.items()), *named)
    line = _read(scene, text, offered)
    named_by, value = _valued(ruleset, line.name, offered, named)
    fitting = matching_options(named_by, named if value else offered) if line.name else offered
    found = fitting[at] if 0 <= at < len(fitting) else fitting[0] if fitting and line.name else None
    preset = None if found is None else presets.get(found.key)
    name = line.name if found is None else found.key if preset is None else preset.name
    name = f"{name} {value}" if value else name
    if not name:
        wants = "which effect? a name, then labels, then how long"
        return ParsedCommand(Action(key), wants=wants, options=fitting, at=at, warns=warns)
    if found is not None and value:
        found = replace(found, label=f"{found.shown} {value}")
    meant = ParsedEffect(
        name,
        line,
        shown="" if found is None else found.shown,
        people=scene.combatants_of(line.labels),
        changes=line.changes or (() if preset is None else tuple(preset.modifiers.items())),
        lasts=line.lasts or ("" if preset is None else preset.duration),
    )
    action = _action(scene, key, meant)
    says = _says(scene, action, meant)
    keep = Call("keep", _kept(scene, meant, preset)) if line.keep else None
    if line.problem:
        options = line.asks or _moments(ruleset)
        return ParsedCommand(action, says, wants=line.problem, options=options, warns=warns)
    wants = "" if meant.people or FIGHT in line.labels else "on whom? labels, or the word fight"
    names = fitting if wants or (at >= 0 and len(fitting) > 1) else ()
    at = max(0, at) if names else -1
    return ParsedCommand(action, says, wants=wants, options=names, at=at, warns=warns, keep=keep)


def _valued(ruleset: Ruleset, name: str, offered: Sequence[Option], named: Sequence[Option]) -> tuple[str, int]:
    """Split `frightened 2` into the name of an effect of the game and its value; 0: no value."""
    words, _, value = name.rpartition(" ")
    if not words or not _VALUE.fullmatch(value) or matching_options(name, offered):
        return name, 0
    fitting = matching_options(words, named)
    found = effect_called(ruleset, fitting[0].key)[0] if fitting else None
    return (words, int(value)) if found is not None and found.value else (name, 0)


def _moments(ruleset: Ruleset) -> tuple[Option, ...]:
    return tuple(Option(moment.words, moment.words.replace("{n}", "3")) for moment in durations.moments_of(ruleset))


def _action(scene: ModeContext, key: str, meant: ParsedEffect) -> Action:
    action = Action(key).put(name=meant.name)
    if meant.people:
        action = action.put(targets=meant.people)
    if meant.changes:
        action = action.put(modifiers=tuple(_row(scene.ruleset, words, amount) for words, amount in meant.changes))
    try:
        ends = _ends(scene, meant.lasts)
    except ValueError:
        return action
    if meant.lasts:
        action = action.put(until=meant.lasts)
    anchors = [end.anchor for end in ends if isinstance(end, At)]
    if scene.active is not None and ("source" in anchors or "source_side" in anchors):
        action = action.put(source=scene.active)  # the acting combatant is the source
    return action


def _row(ruleset: Ruleset, words: str, amount: int | str) -> tuple[tuple[str, str | int], ...]:
    kind, stat = kind_and_stat(ruleset.schema, words)
    dice = (("amount", 1), ("dice", amount)) if isinstance(amount, str) else (("amount", amount),)
    return (("stat", stat), *dice, *((("kind", kind),) if kind else ()))


def _ends(scene: ModeContext, words: str) -> Sequence[object]:
    """Parse a duration into ends of an effect; raises ValueError if the words are no duration."""
    return durations.read(words, scene.ruleset, scene.model.state)


def _says(scene: ModeContext, action: Action, meant: ParsedEffect) -> tuple[Span, ...]:
    line = meant.line
    says = [Span(meant.shown or clean(line.name), "strong"), Span("" if meant.shown else " (own words)", "dim")]
    for number, who in enumerate(meant.people):
        says += [Span(" → " if number == 0 else ", ", "dim"), *name_spans(scene, who)]
    if source := action.get("source"):
        says += [Span(" from ", "dim"), *name_spans(scene, str(source))]
    until = scene.spec(action).field("until")
    usual = str(until.default) if until is not None and until.default else "until removed"
    wrong = line.problem and line.lasts and not line.asks
    says.append(Span(f"  {clean(_counted(meant.lasts or usual))}", "bad" if wrong else ""))
    outcome = dry_run(scene.ruleset, scene.model.state, Step("do", (action,)))
    says.append(Span(_ends_when(outcome, meant.lasts or usual), "dim"))
    if meant.changes:
        says += _differences(scene, outcome, meant)
    if line.keep:
        says.append(Span("  kept", "good"))
    return tuple(says)


def _counted(words: str) -> str:
    return f"{words} rounds" if words.isdigit() and int(words) != 1 else "1 round" if words == "1" else words


def _ends_when(outcome: Outcome | StepFailure, words: str) -> str:
    """Return the end of an effect whose duration begins with a number, if it has exactly one bearer."""
    if not isinstance(outcome, Done) or not words[:1].isdigit():
        return ""
    added = [entry.event.effect for entry in outcome.entries if isinstance(entry.event, EffectAdded)]
    return f" (until {clean(durations.until_words(outcome.state, added[0]))})" if len(added) == 1 else ""


def _differences(scene: ModeContext, outcome: Outcome | StepFailure, meant: ParsedEffect) -> list[Span]:
    before, ruleset = scene.model.state, scene.ruleset
    spans: list[Span] = []
    for words, amount in meant.changes:
        spans.append(Span(f"  {words.replace('_', ' ')} {_signed(amount)}"))
        _, stat = kind_and_stat(ruleset.schema, words)
        if not isinstance(outcome, Done) or isinstance(amount, str) or stat not in ruleset.schema.derived:
            continue
        for who in meant.people[:MOST_SHOWN]:
            was, now = ruleset.derived(before, who, stat), ruleset.derived(outcome.state, who, stat)
            label = before[who].label + " " if len(meant.people) > 1 else ""
            change = f" {label}{was.text or was.value}→{now.text or now.value}"
            spans.append(Span(change, "good" if now != was else "dim"))
    return spans


def _signed(amount: int | str) -> str:
    return amount if isinstance(amount, str) else f"{amount:+d}"


def _notes(preset: EffectPreset) -> str:
    parts = [f"{_signed(amount)} {stat.replace('_', ' ')}" for stat, amount in preset.modifiers.items()]
    return clean(" · ".join(part for part in (*parts, preset.duration, preset.note) if part))


def _kept(scene: ModeContext, meant: ParsedEffect, preset: EffectPreset | None) -> EffectPreset:
    from tracker.library.content.effect_presets import EffectPreset  # only needed for an effect to keep

    lasts = meant.lasts if _holds_anywhere(scene.ruleset, meant.lasts) else ""
    if preset is not None:
        return replace(preset, modifiers=dict(meant.changes), duration=lasts)
    return EffectPreset(meant.name, scene.ruleset.key, dict(meant.changes), lasts)


def _holds_anywhere(ruleset: Ruleset, words: str) -> bool:
    """Tell whether a duration is valid in every fight, since it names no combatant."""
    try:
        durations.read(words, ruleset, State())
    except ValueError:
        return False
    return True


def _read(scene: ModeContext, text: str, offered: Sequence[Option]) -> EffectLine:
    """Parse the line: first `*` and the signed changes, then name, labels and duration from the other words."""
    words = text.split()
    keep = len(words) > 1 and words[-1] == KEEP
    words, changes, problem, asks = _changes(words[:-1] if keep else words, scene.ruleset.schema)
    name, labels, lasts, valid = _split(scene, words, offered)
    if not problem and not valid:
        problem = f'"{lasts}" is not a duration here'
    return EffectLine(name, labels, changes=tuple(changes.items()), lasts=lasts, keep=keep, problem=problem, asks=asks)


def _changes(words: list[str], schema: Schema) -> tuple[list[str], dict[str, int | str], str, tuple[Option, ...]]:
    """Take changes such as `+2 attack` out of a line: return the rest, the changes, the problem, the possible stats."""
    left: list[str] = words[:1]
    changes: dict[str, int | str] = {}
    stats = schema.derived
    on_offer = tuple(Option(stat) for stat in stats)
    place = 1
    while place < len(words):
        match = _AMOUNT.fullmatch(words[place].rstrip(","))
        if match is None:
            left.append(words[place])
            place += 1
            continue
        following = [
            word.rstrip(",")
            for word in ([match[3]] if match[3] else []) + words[place + 1 : place + 2 + MOST_STAT_WORDS]
        ]
        kind = following[0].casefold() if following and following[0].casefold() in schema.modifier_kinds else ""
        following = following[1:] if kind else following
        meant, used = _stats(following, stats)
        if not meant:
            problem = f'"{following[0]}" is no number of this game' if following else f"{match[1]}{match[2]} to what?"
            return left, changes, problem, on_offer
        sign = "+" if match[1] == "+" else "-"
        amount = int(f"{sign}{match[2]}") if match[2].isdigit() else f"{sign}{match[2].casefold()}"
        if isinstance(amount, str) and (fixed := [stat for stat in meant if stat not in schema.rolled]):
            return left, changes, _no_die(amount, fixed[0], schema), ()
        changes |= dict.fromkeys([f"{kind} {stat}".strip() for stat in meant], amount)
        place += 1 + used + (1 if kind else 0) - (1 if match[3] else 0)
    return left, changes, "", ()


def _no_die(amount: str, stat: str, schema: Schema) -> str:
    """Return the sentence that a die cannot be added to a stat, with the stats to which it can."""
    known = f"only to {', '.join(map(key_words, schema.rolled))}" if schema.rolled else "in this game to none"
    return f"{amount}: no die can be added to {key_words(stat)}, {known}"


def _stats(words: Sequence[str], stats: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the stats that the first words name, by name, first word or beginning, and the number of used words."""
    shown = {stat: stat.replace("_", " ").casefold() for stat in stats}
    for count in range(min(MOST_STAT_WORDS, len(words)), 0, -1):
        wanted = " ".join(words[:count]).replace("_", " ").casefold()
        if not stats and count == 1:
            return (words[0],), 1
        exact = tuple(stat for stat, name in shown.items() if name == wanted) or tuple(
            stat for stat, name in shown.items() if name.startswith(wanted + " ")
        )
        if exact:
            return exact, count
    begun = tuple(
        stat for stat, name in shown.items() if words and len(words[0]) > 1 and name.startswith(words[0].casefold())
    )
    return (begun, 1) if len(begun) == 1 else ((), 0)


def _split(scene: ModeContext, words: list[str], offered: Sequence[Option]) -> tuple[str, tuple[str, ...], str, bool]:
    """Split a line into the name of one or more words, the labels, the duration, and whether the duration is valid."""
    fallback: tuple[str, tuple[str, ...], str, bool] | None = None
    for place in range(1, len(words)):
        labels, rest = _targets(scene, words[place:], names=fallback is None)
        if not labels:
            continue
        name = " ".join(words[:place])
        longer = " ".join(words[: place + 1]).casefold()
        if any(option.shown.casefold().startswith(longer) for option in matching_options(longer, offered)):
            continue
        if not _is_duration(scene, rest):
            fallback = fallback or (name, labels, rest, False)
            continue
        return name, labels, rest, True
    return fallback or _labels_first(scene, words, offered) or (" ".join(words), (), "", True)


def _targets(scene: ModeContext, words: Sequence[str], *, names: bool) -> tuple[tuple[str, ...], str]:
    """Return the targets at the beginning of the words, and the text after them, which is the duration."""
    labels, count = leading_labels(scene, words) if names else ((), 0)
    if count > 1:
        return labels, " ".join(words[count:])
    match = _LABELS.match(words[0])
    if match is None:
        return (), ""
    whole_fight = match["labels"].casefold() == FIGHT
    labels = (FIGHT,) if whole_fight else labels_of(scene, match["labels"], names=names)
    return labels, " ".join([*([match["count"]] if match["count"] else []), *words[1:]])


def _labels_first(
    scene: ModeContext, words: Sequence[str], offered: Sequence[Option]
) -> tuple[str, tuple[str, ...], str, bool] | None:
    """Split a line that begins with its targets: `g prone 3`; None if it does not, or names no known effect."""
    labels, count = leading_labels(scene, words)
    left = words[count:]
    if not labels or not left or any(rank(words[0], option) < BEGINS for option in offered):
        return None
    for place in range(1, len(left) + 1):
        name, lasts = " ".join(left[:place]), " ".join(left[place:])
        known = len(left[0]) >= SHORTEST_NAME and bool(matching_options(left[0], offered))
        if known and _is_duration(scene, lasts):
            return name, labels, lasts, True
    return None


def _is_duration(scene: ModeContext, words: str) -> bool:
    try:
        _ends(scene, words)
    except ValueError:
        return False
    return True
