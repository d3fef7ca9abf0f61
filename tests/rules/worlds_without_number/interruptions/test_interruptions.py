"""Combatants leave, fall or change sides at each request of each action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import settings
from msgspec.structs import replace

from rulesets.worlds_without_number import RULESET
from tests.rules.worlds_without_number.fights import CAST, act, play
from tests.rules.worlds_without_number.test_random_play import check_entry, check_state
from tests.support.tables import for_each
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import State
from tracker.core.run import Done, Interruption, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, DiceAnswer, Passed, Request, Roll, Window

MORE = {"bero": {"skills": {"stab": 1, "shoot": 1, "heal": 2}}, "brute": {"trauma": {"die": "1d8", "rating": 2}}}
SIDES: dict[str, Any] = {
    "party": ["ansa", {"ref": "bero", **MORE["bero"]}, "cadmon"],
    "foes": [{"ref": "raider", "count": 2, "atk": "+3 x2"}, "veteran", {"ref": "brute", **MORE["brute"]}],
}
START: dict[str, Any] = {"house_rules": {"trauma": True, "ask_instants": "all"}, "sides": SIDES}


def fight(first: str, **keys: Any) -> State:
    """Return a fight in which one side goes first."""
    outcome = run(RULESET, State(), Step("start", encounter=CAST.encounter({**START, **keys})), (), winning(first))
    assert isinstance(outcome, Done)
    return outcome.state


def winning(first: str) -> Any:
    """Answer with the best die for one side, the worst for the others."""

    def answer(request: Request) -> Answer | None:
        if isinstance(request, Roll):
            return DiceAnswer(len(request.dice.terms) and request.dice.maximum if first in request.key else 1)
        return request.default_answer

    return answer


def lucky(request: Request) -> Answer | None:
    """Answer so that as much as possible is asked: high dice, checks wanted, nobody answers."""
    match request:
        case Roll():
            return DiceAnswer(request.dice.natural.maximum)
        case Choice() if request.key.rpartition("/")[2].startswith("morale:"):
            return ChoiceAnswer("check")
        case Window():
            return Passed()
        case _:
            return request.default_answer


def grappled(state: State, holder: str, victim: str) -> State:
    """Return the state in which one holds the other."""
    return play(state, act("grapple", holder, target=victim, hands_free=True), [20, 12, 2])


def onward(state: State) -> State:
    """Return the state in the next phase."""
    outcome = run(RULESET, state, Step("advance"), (), lambda request: request.default_answer or DiceAnswer(1))
    assert isinstance(outcome, Done)
    return outcome.state


def situations() -> Mapping[str, tuple[State, Step]]:
    """Return a step for every kind of request, and the state before it."""
    party, foes = fight("party"), fight("foes")
    held = onward(grappled(grappled(foes, "raider-1", "ansa"), "veteran", "ansa"))
    holding = grappled(party, "cadmon", "veteran")
    swarm = play(play(foes, act("swarm_join", "raider-1", target="bero")), act("swarm_join", "raider-2", target="bero"))
    screened = onward(play(play(party, act("screen", "ansa", ward="bero")), act("screen", "cadmon", ward="bero")))
    waiting = onward(play(party, act("hold", "cadmon")))
    fallen = play(party, act("damage", amount=8, targets=("bero",)))
    setup = fight("party", setup={"wait": True})
    trapped = play(party, act("set", who="cadmon", what="left_main", value=1))
    plain = fight("party", house_rules={"companion": False, "ask_instants": "all"})
    deeds: dict[str, tuple[State, Action]] = {
        "attack": (foes, act("melee_attack", "brute", target="ansa")),
        "attacks": (foes, act("melee_attack", "raider-1", targets=("ansa", "bero"))),
        "miss": (foes, act("melee_attack", "brute", target="cadmon", hit_mod=-30)),
        "shot": (party, act("ranged_attack", "bero", target="raider-1")),
        "screened": (screened, act("melee_attack", "raider-1", target="bero", screens="ask")),
        "held back": (waiting, act("melee_attack", "raider-2", target="bero")),
        "swarm": (swarm, act("swarm_strike", "raider-1", target="bero")),
        "snap": (foes, act("snap_attack", "ansa", target="raider-1")),
        "charge": (party, act("charge", "ansa", target="veteran", distance=20, leaving=("raider-1", "raider-2"))),
        "run": (party, act("run", "bero", leaving=("raider-1", "raider-2", "veteran"))),
        "screen": (party, act("screen", "ansa", ward="bero", leaving=("raider-1", "raider-2"))),
        "shove": (party, act("shove", "ansa", target="raider-1")),
        "grapple": (trapped, act("grapple", "cadmon", target="raider-1", hands_free=True)),
        "escape": (held, act("escape_grapple", "ansa")),
        "move": (play(holding, act("set", who="cadmon", what="left_main", value=1)), act("move_grappled", "cadmon")),
        "contest": (party, act("use_skill", "ansa", skill="exert", opponent="raider-1")),
        "skill": (party, act("use_skill", "ansa", skill="exert")),
        "stabilise": (fallen, act("stabilise", "ansa", target="bero")),
        "stabilise by name": (fallen, act("use_skill", "ansa", purpose="stabilise Bero")),
        "other": (party, act("other", "ansa", name="kick the brazier", dice="2d6")),
        "gm check": (party, act("check", who="bero", skill="sneak", opponent="veteran")),
        "gm check alone": (party, act("check", who="bero", skill="sneak")),
        "surprise check": (setup, act("surprise_check", ambusher="bero", watcher="veteran")),
        "morale": (party, act("morale_check", who=("raider-1", "raider-2", "veteran"))),
        "instinct": (party, act("instinct_check", who="veteran")),
        "execution": (setup, act("execution", "ansa", target="veteran", confirmed=True)),
        "shot from hiding": (setup, act("execution", "bero", target="veteran", mode="ranged", confirmed=True)),
        "unknown save": (
            fight("party", setup={"wait": True}, house_rules={"companion": False}),
            act("execution", "ansa", target="brute", confirmed=True),
        ),
        "at zero": (plain, act("damage", amount=30, targets=("ansa", "raider-1", "veteran"))),
    }
    steps = {name: (state, Step("do", (action,))) for name, (state, action) in deeds.items()}
    steps["round end"] = (held, Step("advance"))
    steps["loss"] = (play(party, act("damage", amount=30, targets=("raider-1",))), Step("advance"))
    steps["forced"] = (fallen, Step("do", (act("melee_attack", "bero", target="veteran"),), forced=True))
    opening = {**START, "house_rules": {"initiative": "individual"}}
    steps["start"] = (State(), Step("start", encounter=CAST.encounter(opening)))
    quick = {**SIDES, "party": [{"ref": "ansa", "auto_initiative": True}, {"ref": "bero", "auto_initiative": True}]}
    ambush = {"party": quick["party"], "foes": [{"ref": "veteran", "immune_to_surprise": True}, "brute"]}
    steps["start quick"] = (State(), Step("start", encounter=CAST.encounter({"sides": quick})))
    steps["start ambush"] = (State(), Step("start", encounter=CAST.encounter({"sides": ambush})))
    return steps


SITUATIONS = situations()


def meddling(who: str) -> tuple[Action, ...]:
    """Return what the GM may do with a combatant in the middle of a step."""
    return (
        act("remove", targets=(who,)),
        act("status", targets=(who,), status="dead"),
        act("status", targets=(who,), status="gone"),
        act("damage", amount=30, targets=(who,)),
        act("side", who=who, side="foes"),
        act("side", who=who, side="party"),
    )


def people(step: Step, state: State) -> tuple[str, ...]:
    """Return those who may be meddled with."""
    names = ("ansa", "bero", "cadmon", "raider-1", "raider-2", "veteran", "brute")
    return tuple(name for name in names if step.kind == "start" or name in state)


@for_each("name", SITUATIONS)
def test_whatever_happens_to_whom_the_step_comes_to_a_sound_end(name: str) -> None:
    """Given anybody gone, down or on another side at any request, the step ends well."""
    state, step = SITUATIONS[name]
    asked: list[str] = []

    def listening(request: Request) -> Answer | None:
        asked.append(request.key)
        return lucky(request)

    assert isinstance(run(RULESET, state, step, (), listening), Done)
    assert asked, "nothing is asked"
    step_by = 5 if settings.get_current_profile_name() == "ci" else 1  # a long run tries everything
    for place, key in enumerate(asked):
        meddled = [action for who in people(step, state) for action in meddling(who)]
        for action in meddled[place % step_by :: step_by]:
            put = Step(step.kind, step.actions, step.encounter, step.to, step.forced, (Interruption(key, action),))
            outcome = run(RULESET, state, put, (), lucky)
            if isinstance(outcome, Done):
                assert fold_all(state, outcome.entries) == outcome.state, (key, action)
                for entry in outcome.entries:
                    check_entry(entry)
                check_state(outcome.state)
            else:
                assert step.kind == "start", (key, action, outcome)


def test_side_whose_last_slow_member_leaves_rolls_no_initiative() -> None:
    """WN-025: nothing is rolled for a side that has only automatic initiative left."""
    sides = {"party": ["ansa"], "foes": ["brute", {"ref": "veteran", "auto_initiative": True}]}
    opening = Step("start", encounter=CAST.encounter({"sides": sides}))
    asked: list[str] = []

    def listening(request: Request) -> Answer | None:
        asked.append(request.key)
        return lucky(request)

    assert isinstance(run(RULESET, State(), opening, (), listening), Done)
    key = next(key for key in asked if key.endswith("initiative:foes"))
    asked.clear()

    gone = run(RULESET, State(), replace(opening, interrupts=(Interruption(key, meddling("brute")[0]),)), (), listening)

    assert isinstance(gone, Done)
    assert key not in asked
