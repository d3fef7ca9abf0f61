"""What the games' combatants choose in situations that tables have met."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from rulesets import githack, sovereign, spelljammer, sword_world, worlds_without_number
from rulesets.spelljammer.ai import expected_damage
from rulesets.spelljammer.stats import stats as percentile
from rulesets.spelljammer.stats.chance import Options, chance
from rulesets.sword_world.stats import stats as sword
from tests.forecast.test_playout import encounter
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Choice, ChoiceAnswer
from tracker.core.terms.tactics import TACTICS, Tactics
from tracker.forecast.odds import odds
from tracker.forecast.playout import Limits, opened, play
from tracker.forecast.rows import forecast_header
from tracker.testing.table import plain

WN, SV, SJ = worlds_without_number.RULESET, sovereign.RULESET, spelljammer.RULESET
SW, GH = sword_world.RULESET, githack.RULESET
_NUMBER = re.compile(r" \d+$")


def begun(ruleset: Ruleset, name: str, seed: int = 1) -> State:
    return opened(ruleset, encounter(ruleset.key, name), seed)


def do(ruleset: Ruleset, state: State, *actions: Action) -> State:
    for one in actions:
        outcome = run(ruleset, state, Step("do", (one,)), (), plain)
        assert isinstance(outcome, Done), outcome
        state = outcome.state
    return state


def until(ruleset: Ruleset, state: State, holds: Callable[[State], bool]) -> State:
    for _ in range(20):
        if holds(state):
            return state
        outcome = run(ruleset, state, Step("advance"), (), plain)
        assert isinstance(outcome, Done), outcome
        state = outcome.state
    raise AssertionError("it never comes to that")


def turn(who: Id) -> Callable[[State], bool]:
    return lambda state: state.clock.current is not None and who in state.clock.current.members


def chosen(ruleset: Ruleset, state: State, who: Id, tactics: Tactics = "focused") -> Action:
    found = ruleset.policy(state, who, tactics)
    assert found is not None
    return found


def test_a_sword_in_melee_is_no_reason_to_throw_the_spear() -> None:
    """Sovereign: beside a soldier, a weak archer in sight does not tempt Ysolde to throw."""
    state = until(SV, begun(SV, "first_fight"), turn("ysolde"))
    near = do(
        SV,
        state,
        action("place", None, who="ysolde", x=5, y=6),
        action("place", None, who="bone-soldier-1", x=5, y=7),
        action("damage", None, amount=3, targets=("bone-archer-1",)),
    )

    blow = chosen(SV, near, "ysolde")

    assert (blow.key, blow.get("target"), blow.get("weapon")) == ("attack_melee", "bone-soldier-1", "Sword")


def test_an_archer_keeps_its_gallery() -> None:
    """Sovereign: an archer with a line shoots, and stays where it is afterwards."""
    state = until(SV, begun(SV, "first_fight"), turn("bone-archer-1"))
    state = do(SV, state, action("place", None, who="maud", x=4, y=6))

    shot = chosen(SV, state, "bone-archer-1")
    after = do(SV, state, shot)

    assert shot.key == "attack_ranged"
    assert after["bone-archer-1"].left("move") == 1
    assert SV.policy(after, "bone-archer-1", "focused") is None


def test_morale_is_asked_of_those_who_fall_behind() -> None:
    """Sovereign: a group retreats when its enemies have more points left, the ruthless never."""
    state = begun(SV, "night_road")
    asked = Choice("morale:group:Outlaws", (), "fight_on")
    weaker = do(SV, state, action("damage", None, amount=15, targets=("outlaw-chief",)))

    assert SV.reply(weaker, asked, "focused") == ChoiceAnswer("flee")
    assert SV.reply(weaker, asked, "ruthless") is None


def test_the_second_rank_is_behind_the_first() -> None:
    """Worlds Without Number: blows go at the first rank, a bowman shoots from his own."""
    state = until(WN, begun(WN, "first_fight"), turn("hedge-robber-1"))

    blows = {who: chosen(WN, state, who) for who in ("hedge-robber-1", "toll-captain", "poacher")}

    assert {blows[who].get("target") for who in ("hedge-robber-1", "toll-captain")} <= {"ordwen", "sefa"}
    assert blows["poacher"].key == "ranged_attack"


def test_a_blade_in_a_melee_is_not_thrown() -> None:
    """Worlds Without Number: in a melee, their captain's wounds are no reason to throw."""
    state = until(WN, begun(WN, "first_fight"), turn("hedge-robber-1"))
    met = do(WN, state, action("melee_attack", "hedge-robber-1", target="sefa"))
    hurt = do(WN, until(WN, met, turn("sefa")), action("damage", None, amount=15, targets=("toll-captain",)))

    blow = chosen(WN, hurt, "sefa")

    assert (blow.key, blow.get("target")) == ("melee_attack", "hedge-robber-1")


def test_broken_robbers_run() -> None:
    """Worlds Without Number: Morale is checked, and who breaks leaves the melee."""
    state = until(WN, begun(WN, "first_fight"), turn("hedge-robber-1"))
    met = do(WN, state, action("melee_attack", "hedge-robber-1", target="ordwen"))
    met = until(WN, until(WN, met, turn("ordwen")), turn("hedge-robber-1"))
    broken = do(WN, met, action("add_effect", None, name="broken", targets=("hedge-robber-1",)))
    asked = Choice("morale:toll-takers", (), "no")

    assert WN.reply(state, asked, "focused") == ChoiceAnswer("check")
    assert chosen(WN, broken, "hedge-robber-1").key == "fighting_withdrawal"


def test_nobody_shoots_into_a_crush_of_friends() -> None:
    """Sword World: a shot whose crossfire would hurt friends more than enemies is not made."""
    state = until(SW, begun(SW, "forest_ambush"), lambda now: "finn" in sword.eligible(now))
    state = do(SW, state, action("start_turn", "finn"))
    crush = do(SW, state, action("set_zone", None, participants=("wolf", "mira", "goblin-1"), radius=10))

    assert chosen(SW, state, "finn").key == "attack"
    assert chosen(SW, crush, "finn").get("target") not in ("goblin-1", "wolf", "mira")


def test_a_friend_in_need_is_healed() -> None:
    """Sword World: below half of its points a friend in reach is healed first."""
    state = until(SW, begun(SW, "forest_ambush"), lambda now: "mira" in sword.eligible(now))
    state = do(SW, state, action("damage", None, amount=20, targets=("wolf",)), action("start_turn", "mira"))

    spell = chosen(SW, state, "mira")

    assert (spell.get("spell"), spell.get("targets")) == ("Cure Wounds", ("wolf",))


def test_those_who_are_out_have_no_turn() -> None:
    """Sword World: no turn begins for the unconscious."""
    state = until(SW, begun(SW, "forest_ambush"), lambda now: bool(sword.eligible(now)))
    first = sword.eligible(state)[0]
    down = do(SW, state, action("damage", None, amount=40, targets=(first,)))

    assert chosen(SW, state, first).by == first
    assert SW.policy(down, first, "focused") is None


def test_an_archer_shoots_past_the_melees() -> None:
    """Spelljammer: with friends in two melees the archer takes a foe who is in none."""
    state = begun(SJ, "archers_into_melee")

    told = {who: chosen(SJ, state, who) for who in ("isaude", "brannoc", "telmarre", "gale-hawk-1")}

    assert told["isaude"].get("target") not in ("ogre-mauler", "cave-lurker")
    assert (told["brannoc"].get("target"), told["brannoc"].get("movement")) == ("ogre-mauler", "free")
    assert told["telmarre"].get("main") == "attack"
    assert told["gale-hawk-1"].get("movement") == "half_then_act"


def test_an_archer_shoots_where_sword_and_bow_take_all_there_is() -> None:
    """Spelljammer: three shots and one blow both take a foe's last point; the shots are likelier to hit."""
    state = begun(SJ, "archers_into_melee")
    foes = [one for one in state.combatants if one.side != "party" and one.id != "rock-angler"]
    state = do(SJ, state, *[action("damage", None, amount=one.hp - 1, targets=(one.id,)) for one in foes])
    state = do(SJ, state, action("damage", None, amount=state["rock-angler"].hp, targets=("rock-angler",)))

    told = chosen(SJ, state, "isaude")

    assert (told.get("target"), told.get("weapon")) == ("ogre-mauler", None)  # the longbow is the usual one


def test_casters_whose_spells_count_nothing_fight() -> None:
    """Spelljammer: no spell is cast in any round, and the sheet names the casters."""
    for name in ("archers_into_melee", "spell_duel"):
        state = begun(SJ, name)
        casters = [one.id for one in state.combatants if getattr(one.block, "spells", ())]
        told = [SJ.policy(state, who, tactics) for who in casters for tactics in TACTICS]

        assert casters
        assert "cast" not in [one.get("main") for one in told if one is not None]
        (words, names), *others = forecast_header(SJ, state).unplayed
        assert (words, others) == ("spells, whose effect is the GM's", [])
        assert set(names) == {_NUMBER.sub("", state[who].name) for who in casters}


def test_a_forecast_names_what_characters_and_monsters_of_githack_do_not_do() -> None:
    """No tactics takes a stance or special that the sheet says is not played, and it names whom that concerns."""
    state = begun(GH, "jelly_cistern")
    told = dict(forecast_header(GH, state).unplayed)
    pcs = tuple(one.name for one in state.combatants if one.side == "party")
    taken = [GH.policy(state, one.id, tactics) for one in state.combatants for tactics in TACTICS]

    assert told["the stances Flank, Talk, Observe and Device"] == pcs
    assert {one.get("stance") for one in taken if one is not None} <= {None, "pursuit", "defend"}
    assert all(names and not set(names) & set(pcs) for words, names in told.items() if "special" in words)


def test_the_badly_hurt_defend_while_others_fight() -> None:
    """Spelljammer: the cautious defend while a friend is better off."""
    state = begun(SJ, "archers_into_melee")
    who = "brannoc"
    hurt = do(SJ, state, action("damage", None, amount=state[who].hp - 4, targets=(who,)))
    friends = tuple(one.id for one in hurt.combatants if one.side == hurt[who].side and one.id != who)
    alone = do(SJ, hurt, *[action("damage", None, amount=hurt[one].hp - 2, targets=(one,)) for one in friends])

    assert chosen(SJ, hurt, who, "cautious").get("main") == "full_defense"
    assert chosen(SJ, alone, who, "cautious").get("main") == "attack"


def test_a_stance_comes_first() -> None:
    """GitHack: a PC takes up a stance, then attacks, and the dragon breathes."""
    state = until(GH, begun(GH, "dragon"), lambda now: now.clock.phase == "fast")
    slot = state.clock.current
    assert slot is not None
    who = slot.members[0]

    stance = chosen(GH, state, who)
    after = do(GH, state, stance)
    breath = chosen(GH, until(GH, after, turn("dragon")), "dragon")

    assert (stance.key, chosen(GH, after, who).key) == ("stance", "attack")
    assert (breath.key, len(breath.get("targets") or ())) == ("special", 4)


def test_what_an_attack_is_reckoned_at_is_what_it_takes() -> None:
    """Spelljammer: armour and doubled damage are in the points a choice is weighed by."""
    state = begun(SJ, "spell_duel")
    for one in ("isaude", "clockwork-guard"):
        state = do(
            SJ, state, action("declare", one, main="attack", target="brannoc" if one != "isaude" else "clockwork-guard")
        )
    state = until(SJ, state, lambda state: state.clock.at is not None and "isaude/attack" in state.clock.at)
    blow = SJ.advance(state)
    assert blow is not None

    tally = odds(SJ, state, blow, seconds=2.0).tallies[0]
    bow = percentile.weapon(state, "isaude", "longbow")
    least, _ = chance(state, "isaude", "clockwork-guard", bow, Options())

    assert tally.who == "clockwork-guard"
    assert tally.mean == pytest.approx(expected_damage(bow.dmg, least.value, 10, 108))


CROWDS = [
    (SV, "night_road"),
    (SW, "forest_ambush"),
    (SW, "two_brawls"),
    (GH, "goblin_waves"),
    (SJ, "archers_into_melee"),
    (SJ, "spell_duel"),
    (SJ, "deck_ambush"),
]


@pytest.mark.parametrize(("ruleset", "name"), CROWDS)
def test_equals_in_a_crowd_are_weighed_once(ruleset: Ruleset, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether foes are weighed one by one or together, the same is chosen."""
    states: list[State] = []

    def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
        states.append(state)
        return ruleset.policy(state, who, tactics)

    play(replace(ruleset, policy=policy), begun(ruleset, name, 3), 3, limits=Limits(rounds=4))
    asked = [(state, one.id, way) for state in states[::19] for one in state.combatants for way in TACTICS]
    alone = [ruleset.policy(*one) for one in asked]
    monkeypatch.setattr("tracker.core.terms.tactics.FEW", 0)
    together = [ruleset.policy(*one) for one in asked]

    assert together == alone
    assert len({choice.get("target", choice.get("enemy")) for choice in alone if choice is not None}) > 2
