"""Items in both games: reloading, readying, and a roll for anything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.kit.deeds import Deed
from tracker.kit.economy import Budget
from tracker.kit.fields import text

__all__ = ["Named", "item_field", "ready", "ready_field", "reload_deed", "roll_for", "wanted"]


class Named(Protocol):
    """A weapon, as far as a form knows it."""

    @property
    def name(self) -> str:
        """Its name, unique within the stat block."""


N = TypeVar("N", bound=Named)


def wanted(empty: Sequence[N], action: Action) -> N | None:
    """Return the empty weapon that a form names, else the first."""
    return next((arm for arm in empty if arm.name == text(action, "weapon")), empty[0] if empty else None)


def reload_deed(
    label: str,
    rule: str,
    price: Callable[[State, Action], Budget],
    perform: Callable[[Ctx, Action], None],
    empty: Callable[[State, Id | None], Sequence[Named]],
) -> Deed:
    """Return the deed that loads one of the weapons that are empty."""

    def fields(state: State, action: Action) -> tuple[Field, ...]:
        names = [arm.name for arm in empty(state, action.by)]
        usual = names[0] if names else None
        return (Field("weapon", "choice", default=usual, options=tuple(Option(name) for name in names), required=True),)

    def refusal(state: State, action: Action) -> Refusal | None:
        if action.by is None or empty(state, action.by):
            return None
        return Refusal("nothing_to_reload", "nothing has to be reloaded", rule, forcible=False)

    return Deed("reload", label, rule, "by weapon", price, "turn", perform, fields, refusal, group="items")


def item_field(names: Sequence[str]) -> Field:
    """Return the field for an item, its owner's weapons suggested."""
    return Field("item", "text", default=names[0] if names else "", note=", ".join(names))


def ready_field() -> Field:
    """Return the choice between readying and stowing."""
    return Field("what", "choice", default="ready", options=(Option("ready"), Option("stow")))


def ready(ctx: Ctx, action: Action, rule: str) -> None:
    """Tell that an item is readied or stowed."""
    verb = "stows" if text(action, "what") == "stow" else "readies"
    ctx.note(f"{verb} {text(action, 'item')}".rstrip(), rule, about=action.by)


def roll_for(ctx: Ctx, who: Id, written: str, why: str, rule: str) -> None:
    """Make the roll that an action of the GM's own naming asks for, if any."""
    if written:
        dice = Dice.parse(written)
        ctx.roll("roll", dice, rule, who=who, why=why)
