"""When a fight seems to be over, and what may have been missed (SV-173, R44)."""

from __future__ import annotations

from pathlib import Path

from rulesets.sovereign import RULESET
from tracker.core.terms.encounter import Member
from tracker.testing.vectors import VectorFile

BOOK = VectorFile(RULESET, Path(__file__).parent / "vectors" / "cast.yaml")
THREE = {
    "setup": {"friendly": [["Party", "Guards"]]},
    "sides": {"party": ["k"], "guards": {"control": "gm", "members": ["guard"]}, "foes": ["goblin", "thug"]},
    "start": [6, 2, 1],
}


def test_friends_do_not_keep_a_fight_going() -> None:
    """Given two friendly sides, the fight seems over when everybody hostile to them is down."""
    before = BOOK.play({"given": THREE})
    after = BOOK.play({"given": THREE, "do": [{"do": "damage", "amount": 12, "targets": ["goblin", "thug"]}]})

    assert RULESET.finished(before.state) is None
    assert RULESET.finished(after.state) == "no fighter of foes is left"


def test_retreat_ends_a_fight_too() -> None:
    """Given foes who retreat, the fight seems over."""
    entry = {
        "do": "damage",
        "amount": 6,
        "targets": ["goblin", "thug"],
        "dice": {"morale:thug": "flee", "morale:group:foes": "fight_on"},
    }
    table = BOOK.play({"given": THREE, "do": [entry]})

    assert RULESET.finished(table.state) == "the fighters of foes are in retreat"


def test_those_who_have_gone_are_out_of_it() -> None:
    """Given foes taken out of the fight, it seems over."""
    table = BOOK.play({"given": THREE, "do": [{"do": "remove", "targets": ["goblin", "thug"]}]})

    assert RULESET.finished(table.state) == "no fighter of foes is left"


def test_what_may_have_been_missed() -> None:
    """Given a Main, a held turn, the dying and a swarm, each is named; the Main of one in retreat is not."""
    steps = [
        {"do": "hold", "by": "k"},
        {"do": "swarm_join", "by": "kim", "target": "dummy"},
        {"do": "damage", "amount": 10, "targets": ["kay"]},
        {"do": "add_effect", "name": "retreating", "targets": ["wrestler"]},
    ]
    table = BOOK.play(
        {
            "given": {
                "sides": {"party": ["k", "kim", "kay", "archer", "wrestler"], "foes": ["dummy"]},
                "start": [6, 2],
            },
            "do": steps,
        }
    )

    found = {item.key.partition(":")[0]: item for item in RULESET.pending(table.state)}

    assert set(found) == {"main", "held", "swarm", "dying"}
    assert found["main"].about == "archer"
    assert found["held"].settle is not None
    assert found["dying"].settle is not None
    assert found["dying"].settle.key == "stabilise"


def test_the_next_fight_finds_the_dying_stable_and_the_others_on_their_feet() -> None:
    """SV-P10; given one dying and one lying down, the one is stable by the next fight and the other stands."""
    steps = [{"do": "go_prone", "by": "k"}, {"do": "damage", "amount": 10, "targets": ["kay"]}]
    state = BOOK.play(
        {"given": {"sides": {"party": ["k", "kay"], "foes": ["dummy"]}, "start": [6, 2]}, "do": steps}
    ).state
    member = Member(state["kay"].block, "Kay", "pc")

    dying, lying = RULESET.carry(state, "kay", member), RULESET.carry(state, "k", member)

    assert dying.status == "stable"
    assert (lying.status, lying.effects) == ("up", ())
