"""What the screen is told: columns, badges, reminders, what `n` does, the policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.ai import spell_aims
from rulesets.sword_world.order.zones import candidates
from rulesets.sword_world.stat_blocks.models import HouseRules, Setup, ZoneSetup
from rulesets.sword_world.stat_blocks.shorthand import hide_penalty, rounds_of, starting_distance
from tests.rules.sword_world.fights import Fight, member
from tests.support.tables import for_each, rows
from tests.ui.games import SW, begun, played
from tracker.core.fight.board import Board, Trail, Zone
from tracker.core.run import Interruption, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.encounter import Wave
from tracker.core.terms.errors import Refusal
from tracker.session.intents import Do
from tracker.views.words.prompts import prompt_title

BOW = [{"name": "bow", "mode": "ranged", "impact": 5, "accuracy": 5}]
CLUB = [{"name": "club", "impact": 5, "accuracy": 5}]


def duel(**keys: object) -> Fight:
    """Return a fight of Ada against Cid and Dee, at the first phase."""
    return Fight(
        [member("Ada", "character", **keys)],
        [member("Cid", "monster", attacks=CLUB), member("Dee", "monster", attacks=CLUB)],
    ).to_round()


def test_the_die_of_a_line_of_fire_says_what_it_must_show(tmp_path: Path) -> None:
    """SW-091: who stands in the line is hit on 3 or less."""
    session = begun(tmp_path, SW, "two_brawls")
    played(session, lambda state: state.clock.current is not None and "sela" in state.clock.current.members)
    session.dispatch(Do((action("start_turn", "sela"),)))

    model = session.dispatch(Do((action("cast", "sela", spell="Lightning", targets=("skeleton-2",)),)))

    assert model.pending is not None
    asked = "".join(span.text for span in prompt_title(model.state, model.pending.request))
    assert asked == "Wolf's player: roll 1d6 for the line of fire · 3 or less is hit"


def test_columns() -> None:
    """HP, MP, Evasion with = where it is fixed, Defense, the number of the brawl."""
    fight = Fight(
        [member("Ada", "character", evasion=3, mp=0)],
        [member("Cid", "monster", defense=4)],
        Setup(zones=(ZoneSetup(("Ada", "Cid")),)),
    )

    cells = {who: [column.cell(fight.state, who) for column in RULESET.columns] for who in ("ada", "cid")}

    assert cells == {"ada": ["20/20", "-", "+3", "0", "#1"], "cid": ["20/20", "20/20", "=10", "4", "#1"]}


def test_badges_of_an_open_turn() -> None:
    """SW-038: what is left of the turn."""
    fight = duel(attacks=BOW)
    before = RULESET.badges(fight.state, "ada")
    fight.do("start_turn", "ada").do("attack", "ada", 2, target="cid")

    assert before == ()
    assert [badge.text for badge in RULESET.badges(fight.state, "ada")] == ["M·F"]


def test_reminders() -> None:
    """Unused turns and owed Death Checks, each with what settles it."""
    fight = duel()
    turns = [reminder.settle for reminder in RULESET.pending(fight.state)]
    fight.do("damage", amount=30, targets=("ada",), **{"as": "direct"})
    owed = [reminder.settle for reminder in RULESET.pending(fight.state)]
    fight.do("dismiss", key="death:ada:-10")

    assert turns == [Action("start_turn", "ada")]
    assert owed == [action("death_check", who="ada")]
    assert RULESET.pending(fight.state) == ()


def test_what_n_does() -> None:
    """The set-up, knowledge, Initiative, the open turn, the phase, the end."""
    fight = Fight([member("Ada", "character")], [member("Cid", "monster")])
    found = []
    for _ in range(3):
        wanted = RULESET.advance(fight.state)
        found.append(wanted.key if wanted else "")
        fight.next()
    fight.do("start_turn", "ada")

    assert found == ["start_combat", "end_knowledge", "roll_initiative"]
    assert RULESET.advance(fight.state) == action("end_phase", pass_remaining=False)
    assert fight.next().state.clock.acting is None
    fight.do("end_fight").next()
    assert RULESET.advance(fight.state) is None


def test_policy_shoots_strikes_and_ends() -> None:
    """The plain choice attacks or gets into a brawl, then has nothing left."""
    archer, fighter = duel(attacks=BOW), duel(attacks=CLUB)
    choices = []
    for fight in (archer, fighter):
        while (wanted := RULESET.policy(fight.state, "ada", "focused")) is not None:
            choices.append(wanted.key)
            fight.take(Step("do", (wanted,)), *((2,) if wanted.key == "attack" else ()))

    assert choices == ["attack", "declare_brawl", "attack"]


@pytest.mark.parametrize(("space", "moving", "large", "expected"), rows(__file__, "starting_distance"))
def test_starting_distance(space: str | None, moving: float, large: float, expected: float | None) -> None:
    """E35, SW-005 to SW-007: the guide to the starting distance."""
    assert starting_distance(space, moving, large) == expected


@for_each(("metres", "expected"), [(None, 0), (0, -4), (10, -4), (10.1, -2), (11, -2), (20, -2), (20.5, 0), (21, 0)])
def test_hide_penalty(metres: float | None, expected: int) -> None:
    """SW-175: whole metres, a fraction counts up."""
    assert hide_penalty(metres) == expected


@pytest.mark.parametrize(("seconds", "expected"), [(1, 1), (10, 1), (11, 2), (60, 6)])
def test_seconds_as_rounds(seconds: int, expected: int) -> None:
    """SW-R06: ten seconds a round, rounded up."""
    assert rounds_of(seconds) == expected


def test_reinforcements_keep_the_fight_open() -> None:
    """SW-028, SW-R40: a beaten side whose wave is still to come has not lost."""
    fight = duel()
    fight.state = type(fight.state)(
        **{name: getattr(fight.state, name) for name in fight.state.__struct_fields__}
        | {"waves": (Wave("foes", (member("Eve", "monster"),), "round 3"),)}
    )
    fight.do("damage", amount=30, targets=("cid", "dee"), **{"as": "direct"})

    fight.next()
    second = fight.state.clock.round
    fight.next()

    assert (second, fight.state.clock.over) == (2, False)
    assert "eve" in fight.state


def test_the_unconscious_as_candidates() -> None:
    """SW-R16: with the switch the unconscious run the risk of crossfire, too."""
    house = HouseRules(unconscious_are_candidates=True)
    pcs = [member("Ada", "character", attacks=BOW), member("Bo", "character"), member("Cy", "character")]
    fight = Fight(pcs, [member("Dee", "monster")], Setup(zones=(ZoneSetup(("Bo", "Cy", "Dee")),)), house).to_round()

    fight.do("status", targets=("bo",), status="unconscious")

    assert candidates(fight.state, "zone:1") == ("cy", "dee", "bo")


def test_the_line_of_distances() -> None:
    """SW-003, SW-071: the board shows places, brawls and the room left; without places and brawls there is no board."""
    pcs, foes = (
        [member("Ada", "character", pos=0), member("Bo", "character", pos=7.5)],
        [member("Cid", "monster", pos=9)],
    )
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("Bo", "Cid")),)))

    found = RULESET.map.board(fight.state)

    assert RULESET.map.board(duel().state) is None
    assert found == Board("line", 9, unit="1 m", zones=(Zone("brawl 1: Bo, Cid", ("bo", "cid"), 7.5, 2, "2 of 20"),))


def test_reach_and_trail_along_the_line() -> None:
    """SW-041, SW-044: the mover's reach in its turn, and why it is no farther."""
    pcs, foes = (
        [member("Ada", "character", pos=20), member("Bo", "character", pos=7)],
        [member("Cid", "monster", pos=9)],
    )
    fight = Fight(pcs, foes, Setup(zones=(ZoneSetup(("Bo", "Cid")),))).to_round().do("start_turn", "ada")

    places = dict(RULESET.map.reach(fight.state, "ada"))
    far, near, held = (RULESET.map.trail(fight.state, who, (to, 0)) for who, to in (("ada", 60), ("ada", 8), ("bo", 2)))

    assert (min(places), max(places), places[(0, 0)]) == ((0, 0), (56, 0), 20)
    assert far is not None
    assert far.refusal is not None
    assert far.refusal.rule == "SW-041"
    assert near == Trail(((8, 0),), 12)
    assert held is not None
    assert held.refusal is not None
    assert RULESET.map.reach(fight.state, "bo") == ()


def test_nothing_comes_between_an_attack_and_its_dice() -> None:
    """SW-054: what would begin another's turn is refused while a die is waited for."""
    fight = Fight([member("Ada", "character", attacks=BOW), member("Bea", "character")], [member("Cid", "monster")])
    for _ in range(3):
        fight.next()
    between = Interruption("accuracy", action("other_action", "bea", text="shouts"))
    outcome = run(RULESET, fight.state, Step("do", (action("attack", "ada", target="cid"),), interrupts=(between,)))

    assert isinstance(outcome, Refusal)
    assert (outcome.rule, outcome.at) == ("SW-017", "accuracy!1")


def test_a_plain_policy_closes_in() -> None:
    """Far from every enemy the policy moves up, and starts the brawl from there."""
    pcs = [member("Ada", "character", pos=0)]
    fight = Fight(pcs, [member("Cid", "monster", pos=10)]).to_round().do("start_turn", "ada")

    first = RULESET.policy(fight.state, "ada", "focused")
    then = RULESET.policy(fight.do("move", "ada", kind="normal", to=10).state, "ada", "focused")

    assert first == action("move", "ada", kind="normal", metres=10, to=10)
    assert then.key == "declare_brawl"


def test_no_friend_stands_in_the_line_of_a_spell_chosen_by_itself(tmp_path: Path) -> None:
    """Foes in a brawl with Wolf can be aimed at with a Lightning (SW-091), but are not unasked."""
    session = begun(tmp_path, SW, "two_brawls")
    played(session, lambda state: state.clock.current is not None and "sela" in state.clock.current.members)
    state = session.dispatch(Do((action("start_turn", "sela"),))).state
    aims = [aim.action for aim in spell_aims(state, "sela")]

    assert aims
    assert [one for one in aims if one.get("spell") == "Lightning"] == []
    asked = session.dispatch(Do((action("cast", "sela", spell="Lightning", targets=("skeleton-2",)),)))
    assert asked.pending is not None
