"""Reactions: actions of combatants before a request is answered, opened by their labels in its prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import ActionSpec, Field, Option
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import spec_rows
from tracker.ui.typing.action_line import is_called
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, ModeContext, Result, deliver, name_spans, put_targets
from tracker.ui.typing.parser import missing_field, tokens_of, value_of
from tracker.ui.typing.rows import visible_rows, wrapped_rows
from tracker.ui.typing.tokens import no_such_number, tokenize
from tracker.views.words.prompts import option_keys
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean
from tracker.views.words.values import field_words


class ReactionList(InputMode, frozen=True):
    """A list of reactions, each with the number of windows passed before it."""

    place: ClassVar[Footer] = "picker"
    title: ClassVar[str] = "In between"
    takes_labels: ClassVar[bool] = True
    offers: tuple[tuple[int, ActionSpec], ...]
    chosen: int = 0

    def _chosen(self) -> int:
        typed = tokenize(self.entry.text, ())
        if typed.number is not None and 1 <= typed.number <= len(self.offers):
            return typed.number - 1
        named = (self._place(word) for word in typed.words)
        return next((place for place in named if place >= 0), self.chosen)

    def _place(self, word: str) -> int:
        return next((place for place, (_, spec) in enumerate(self.offers) if is_called(spec, word)), -1)

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        specs = tuple(spec for _, spec in self.offers)
        whose = name_spans(scene, specs[0].by) if specs[0].by is not None else (Span("GM", "gm"),)
        head = [
            Row("who", cut_spans((*whose, Span("  in between", "dim")), width)),
            *self.head(width, "number or name of an answer, or labels"),
        ]
        chosen = specs[self._chosen()]
        effect = clean(chosen.does or chosen.moot)
        spans = (Span("  → ", "dim"), Span(effect, "dim" if chosen.moot else ""))
        made = wrapped_rows(spans, width, "made") if effect else ()
        room = max(1, height - len(head) - len(made))
        return (*head, *visible_rows(spec_rows(specs, self._chosen(), width), self._chosen(), room), *made)

    @override
    def step(self, scene: ModeContext, by: int) -> Result:
        return Result(replace(self, chosen=(self._chosen() + by) % len(self.offers), entry=Entry()))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        number = tokenize(self.entry.text, ()).number
        if number is not None and not 1 <= number <= len(self.offers):
            return Result(replace(self, problem=no_such_number(number, len(self.offers))))
        typed = tokens_of(scene, self.entry.text, [Option(spec.key, spec.label) for _, spec in self.offers])
        unknown = [word for word in typed.words if self._place(word) < 0]
        if unknown:
            return Result(replace(self, problem=f'"{clean(unknown[0])}" is neither a label nor an answer'))
        passes, spec = self.offers[self._chosen()]
        action = put_targets(spec, spec.bare, scene.combatants_of(typed.labels), scene.combatants_of(typed.capitals))
        if form or missing_field(spec, action) is not None:
            return Result(Form.open(spec, action, "respond", passes))
        return deliver(scene, action, "respond", passes)


WITH_WHAT = ("weapon", "ability")
"""Choices of a reaction that keep the default of the form, unless the form is opened."""


def is_option(scene: ModeContext, text: str) -> bool:
    following = scene.following
    options = () if following is None else following.request.options
    wanted = folded(text)
    keys = option_keys(scene.model.state, options)
    return wanted in keys or any(wanted in (folded(option.key), folded(option.shown)) for option in options)


def open_reactions(scene: ModeContext, text: str) -> Result | None:
    """Do the only reaction of the combatants whose labels are typed, or list several."""
    found = reactions_of(scene, text)
    plain = only_reaction(found)
    if plain is not None:
        return deliver(scene, plain[1].bare, "respond", plain[0])
    return Result(ReactionList(found)) if found else None


def only_reaction(found: Sequence[tuple[int, ActionSpec]]) -> tuple[int, ActionSpec] | None:
    """Return the only reaction that matters and needs no choice, or a single one with a default weapon."""
    best = [offer for offer in found if not offer[1].moot] or list(found)
    ready = [offer for offer in best if missing_field(offer[1], offer[1].bare) is None]
    sure = [offer for offer in ready if not _open(offer[1])]
    if sure:
        return sure[0] if len(sure) == 1 else None
    lone = ready[0] if len(best) == 1 and ready else None
    return None if lone is None or any(field.name not in WITH_WHAT for field in _open(lone[1])) else lone


def _open(spec: ActionSpec) -> list[Field]:
    given = {name for name, _ in spec.fixed}
    return [field for field in spec.fields if field.required and field.name not in given and len(field.options) > 1]


def reactions_of(scene: ModeContext, text: str) -> tuple[tuple[int, ActionSpec], ...]:
    following = scene.following
    if following is None or not following.reactions or not text.isalpha():
        return ()
    people = scene.combatants_of(tokenize(text, scene.labels).labels)
    if any(option.key in people for option in following.request.options):
        return ()
    theirs = [(passes, offer) for passes, offer in following.reactions if offer.by in people]
    return tuple(sorted(theirs, key=lambda each: bool(each[1].moot)))  # as the prompt lists them


def reaction_lines(scene: ModeContext, text: str, short: bool = False) -> tuple[tuple[Span, ...], ...]:
    """Return the possible reactions, or what the typed label does.

    `short`: with labels only, without the reason of the window, and without the GM if combatants can react.
    """
    following = scene.following
    if following is None:
        return ()
    meant = None if is_option(scene, text.strip()) else only_reaction(reactions_of(scene, text.strip()))
    if meant is not None:
        spec = meant[1]
        effect = clean(spec.does or spec.moot)
        state = scene.model.state
        chosen = filter(None, (field_words(state, field, value_of(field, spec.bare)) for field in _open(spec)))
        does = Span("".join(f" · {word}" for word in (*chosen, effect) if word), "dim")
        return ((Span("enter ", "key"), *_whose(scene, (spec.by,)), Span(f": {clean(spec.label)}"), does),)
    lines: list[tuple[Span, ...]] = []
    if all(offer.moot for _, offer in following.reactions):
        return ()
    whys = {window.why for window in following.windows if window.why and not short}
    for why in sorted(whys):
        lines.append((Span("before: ", "dim"), Span(clean(why))))
    alike: dict[tuple[str, str], list[str | None]] = {}
    others = short and any(offer.by is not None and not offer.moot for _, offer in following.reactions)
    for _, offer in following.reactions:
        if not (offer.moot or (others and offer.by is None)):
            alike.setdefault((offer.label, offer.does), []).append(offer.by)
    for (label, effect), people in alike.items():
        made = (Span(" · ", "dim"), Span(clean(effect), "dim")) if effect else ()
        whose = _whose(scene, tuple(dict.fromkeys(people)), short)
        lines.append((Span("⚡ ", "warn"), *whose, Span(f": {clean(label)}"), *made))
    return tuple(lines)


def _whose(scene: ModeContext, people: tuple[str | None, ...], short: bool = False) -> tuple[Span, ...]:
    if len(people) == 1 and not (short and people[0] is not None):
        return (Span("GM", "gm"),) if people[0] is None else name_spans(scene, people[0])
    known = [scene.model.state.get(who) for who in people if who is not None]
    return (Span(" ".join(person.label for person in known if person is not None), "strong"),)
