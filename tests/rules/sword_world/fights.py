"""Fights for the tests of Sword World 2.0, played with their dice."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import HouseRules, MemberKeys, Setup, StatBlock, Zone
from rulesets.sword_world.stat_blocks.shorthand import shorthand
from tracker.core.fight.events import Entry, Noted
from tracker.core.fight.state import State
from tracker.core.game.schema import codec_of
from tracker.core.run import Done, Pending, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import (
    Answer,
    Choice,
    ChoiceAnswer,
    DiceAnswer,
    Number,
    NumberAnswer,
    Pick,
    PickAnswer,
    Request,
    Roll,
)
from tracker.core.terms.values import Value

PC: dict[str, object] = {"hp": 20, "mp": 20, "agility": 12, "initiative_fixed": 12}
MONSTER: dict[str, object] = {
    "hp": 20,
    "mp": 20,
    "move": 12,
    "initiative_fixed": 5,
    "evasion_fixed": 10,
    "willpower_fixed": 10,
}


def member(name: str, kind: str, pos: float | None = None, **keys: object) -> Member:
    """Return a combatant to enlist, from the plain block of its kind."""
    typed = shorthand(kind, {**(PC if kind == "character" else MONSTER), **keys, "name": name})
    block = codec_of(RULESET.schema).convert(typed, StatBlock)
    return Member(block, name, kind, data=MemberKeys(pos), ref=name.casefold())


class Fight:
    """One fight, played step by step."""

    def __init__(
        self, pcs: Sequence[Member], foes: Sequence[Member], setup: Setup | None = None, house: HouseRules | None = None
    ) -> None:
        sides = (SideSetup("party", "Party", "players", tuple(pcs)), SideSetup("foes", "Foes", "gm", tuple(foes)))
        self.state, self.entries, self.asked = State(), tuple[Entry, ...](), list[str]()
        self.take(
            Step(
                "start",
                encounter=Encounter("sword_world", "A test fight", sides, house or HouseRules(), setup or Setup()),
            )
        )

    def take(self, step: Step, *dice: object) -> Fight:
        """Play a step with its dice, all of which must be asked for."""
        left = list(dice)

        def source(request: Request) -> Answer | None:
            return _answer(request, left)

        outcome = run(RULESET, self.state, step, (), source)
        self.asked = [key for key, _ in outcome.answers] if isinstance(outcome, Done | Pending) else []
        assert not isinstance(outcome, Refusal), f"refused: {outcome.text} ({outcome.rule})"
        assert isinstance(outcome, Done), f"asks for {outcome.request.key}"
        assert not left, f"not asked for: {left}"
        self.state, self.entries = outcome.state, outcome.entries
        return self

    def do(self, key: str, by: str | None = None, /, *dice: object, **fields: Value) -> Fight:
        """Perform one action."""
        return self.take(Step("do", (Action(key, by, tuple(sorted(fields.items()))),)), *dice)

    def refused(self, key: str, by: str | None = None, **fields: Value) -> Refusal:
        """Return why an action is refused."""
        outcome = run(RULESET, self.state, Step("do", (Action(key, by, tuple(sorted(fields.items()))),)))
        assert isinstance(outcome, Refusal), f"{key} is not refused"
        return outcome

    def next(self, times: int = 1) -> Fight:
        """Go on to the next stop."""
        for _ in range(times):
            self.take(Step("advance"))
        return self

    def to_round(self, number: int = 1, phase: str = "leading") -> Fight:
        """Go on until a phase of a round begins."""
        while (self.state.clock.round, self.state.clock.phase) != (number, phase):
            self.next()
        return self

    def zone(self, key: str = "zone:1") -> Zone | None:
        """Return a zone, or None where there is none."""
        found = self.state.fact(key, "zone")
        return found if isinstance(found, Zone) else None

    @property
    def notes(self) -> list[str]:
        """What the last step wrote into the log."""
        return [entry.event.text for entry in self.entries if isinstance(entry.event, Noted)]


def _answer(request: Request, left: list[object]) -> Answer | None:
    match request:
        case Roll():
            said = left.pop(0) if left else None
            return (
                DiceAnswer(said)
                if isinstance(said, int)
                else DiceAnswer(sum(said), said)
                if isinstance(said, tuple)
                else None
            )
        case Choice(options=options, default=default):
            if left and left[0] in {option.key for option in options}:
                return ChoiceAnswer(str(left.pop(0)))
            return None if default is None else ChoiceAnswer(default)
        case Pick(default=default):
            if left and isinstance(left[0], list):
                return PickAnswer(tuple(map(str, left.pop(0))))  # type: ignore[arg-type]  # the test says a list here
            return None if default is None else PickAnswer(default)
        case Number(default=default):
            return None if default is None else NumberAnswer(default)
        case _:
            return None
