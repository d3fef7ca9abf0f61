"""Those who come late (R20). A new side rolls on arrival, new members act from their side's next phase on."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign import RULESET
from tests.support.tables import read_block
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll


def member(name: str, kind: str, **keys: object) -> Member:
    return Member(read_block(RULESET, kind, {"name": name, "hp": 5, **keys}), name, kind)


def take(state: State, step: Step, **dice: int) -> tuple[State, list[str]]:
    asked: list[str] = []
    known = {key.replace("__", "/").replace("_of_", ":"): value for key, value in dice.items()}

    def answer(request: Request) -> Answer | None:
        asked.append(request.key)
        return DiceAnswer(known[request.key]) if isinstance(request, Roll) else request.default_answer

    outcome = run(RULESET, state, step, (), answer)
    assert isinstance(outcome, Done), outcome
    return outcome.state, asked


def fight() -> State:
    sides = (
        SideSetup("party", "Party", "players", (member("K", "pc"),)),
        SideSetup("foes", "Foes", "gm", (member("Thug", "monster"),)),
    )
    return take(
        State(),
        Step("start", encounter=Encounter("sovereign", "x", sides)),
        r1__initiative_of_party=6,
        r1__initiative_of_foes=2,
    )[0]


def test_a_late_side_rolls_on_arrival_and_acts_where_it_belongs() -> None:
    """Given a new side with an initiative between the two, it acts between them."""
    state, asked = take(
        fight(),
        Step("do", (action("insert", members=(member("Wolf", "monster"),), side="Pack"),)),
        initiative_of_pack=4,
    )

    assert asked == ["initiative:pack"]
    assert [slot.title for slot in state.clock.slots] == ["Party", "Pack", "Foes"]
    after, _ = take(state, Step("advance"))
    assert after.clock.at == "r1/pack"


def test_late_members_wait_for_the_next_phase() -> None:
    """Given a newcomer in its side's running phase, it acts in the next round."""
    state, _ = take(fight(), Step("do", (action("insert", members=(member("Ally", "pc"),), side="party"),)))

    slot = state.clock.current
    assert slot is not None
    assert "ally" not in slot.members
    run = RULESET.form(state, action("run", "ally"))
    assert run is not None
    assert run.refusal is not None
    later, _ = take(take(state, Step("advance"))[0], Step("advance"))
    assert later.clock.current is not None
    assert "ally" in later.clock.current.members


def test_late_members_of_a_side_still_to_come_act_with_it() -> None:
    """Given a newcomer of the foes in the Party's phase, it acts this round."""
    state, _ = take(fight(), Step("do", (action("insert", members=(member("Late", "monster"),), side="foes"),)))

    assert "late" in next(slot.members for slot in state.clock.slots if slot.side == "foes")


def joined(state: State, count: int, **keys: object) -> tuple[State, list[str]]:
    """Return the fight with so many more thugs, and what their arrival asked."""
    more = replace(member("Thug", "monster", **keys), count=Dice(plus=count))
    return take(state, Step("do", (action("insert", members=(more,), side="foes"),)))


def fallen(state: State, *who: str) -> tuple[State, list[str]]:
    """Return the fight after these have fallen, and what that asked."""
    return take(state, Step("do", (action("damage", amount=5, targets=who),)))


def test_newcomers_cross_no_morale_line() -> None:
    """Given a line crossed while nobody could flee, newcomers are not asked; the group's next crossing is (SV-R19)."""
    state, asked = fallen(fight(), "thug")
    assert asked == []
    state, asked = joined(state, 2)
    assert asked == []
    state, asked = fallen(state, "thug-2")
    assert asked == []

    state, asked = joined(state, 4)
    assert asked == []
    state, asked = fallen(state, "thug-4")
    assert asked == ["morale:group:Foes"]
    assert fallen(state, "thug-5")[1] == []


def test_newcomers_who_lie_are_no_loss_at_their_arrival() -> None:
    """Given newcomers at 0 hit points, no line is crossed by them; the next loss is judged by all (SV-R19)."""
    state, asked = joined(fight(), 2, hp_now=0)
    assert asked == []
    state, asked = joined(state, 4)
    assert asked == []

    assert fallen(state, "thug")[1] == ["morale:group:Foes"]
