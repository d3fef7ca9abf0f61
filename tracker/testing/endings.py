"""How the effects of a game end, seen over all fights of an inspection."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tracker.core.fight.events import EffectAdded, EffectEnded, Event, OrderSet
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At


class Effects:
    """The effects that were seen beginning and ending, and the phases and segments there were."""

    def __init__(self) -> None:
        self.added: dict[str, tuple[Effect, str]] = {}
        self.ended: set[str] = set()
        self.phases: set[str | None] = {None}
        self.segments: set[int | None] = {None}

    def see(self, event: Event, place: Callable[[], str]) -> None:
        """Remember what an event tells of effects."""
        match event:
            case EffectEnded(was=gone, reason=reason) if reason != "replaced":
                self.ended.add(gone.name)
            case EffectAdded(effect=effect):
                self.added[effect.name] = (effect, place())
            case OrderSet(now=slots):
                self.phases |= {slot.phase for slot in slots}
                self.segments |= {slot.segment for slot in slots}
            case _:
                pass

    def endless(self) -> Iterator[tuple[str, str]]:
        """Yield the effects that end in a phase or segment no order has."""
        for name, (effect, place) in sorted(self.added.items()):
            ends = [end for end in effect.until if isinstance(end, At)]
            strange = [end.phase for end in ends if end.phase not in self.phases]
            strange += [f"segment {end.segment}" for end in ends if end.segment not in self.segments]
            if strange and name not in self.ended:
                yield f'nothing ends the effect "{name}": no order has {strange[0]}', place

    def left_to_the_gm(self, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
        """Yield the effects without a moment to end at that nothing ended or offers."""
        offered = {effect.name for effect in ruleset.effects}
        for name, (effect, place) in sorted(self.added.items()):
            moments = any(isinstance(end, At) for end in effect.until)
            if not moments and name not in self.ended | offered and effect.parent is None:
                yield f'nothing ended the effect "{name}": it lasts until the GM removes it', place
