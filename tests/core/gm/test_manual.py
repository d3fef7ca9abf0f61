"""What the GM can do in every game: combatants, shares of an amount, and who is asked whether to interrupt."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.core.gm.mastering import refusal, table
from tests.core.step.stepping import as_kind
from tests.support import sides
from tests.support.common import Fighter, encounter, member
from tracker.core.fight.events import CombatantJoined, HouseRulesChanged, Moved, PoolChanged, Rolled
from tracker.core.gm import combatants, commands
from tracker.core.step.fields import shares
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member, Wave
from tracker.core.terms.requests import Request, Window
from tracker.core.terms.values import Value
from tracker.testing.table import Table, of_kind


def hp(fight: Table) -> dict[str, int]:
    return {one.id: one.hp for one in fight.state.combatants}


def test_damage_to_several_halved_and_doubled() -> None:
    """Damage is halved for saves and doubled for two hits. Each target counts once, however often it is named."""
    fight = table()

    double = (("who", "goblin-2"), ("times", "2"))
    fight.do(action("damage", amount=5, targets=("ada", "bo", "goblin-1"), halved=("bo", "bo"), shares=(double,)))

    assert hp(fight) == {"ada": 3, "bo": 6, "goblin-1": -2, "goblin-2": -3, "goblin-3": 3}
    assert [event.why for event in of_kind(fight.last, PoolChanged)] == ["", "half", "", "double"]
    assert fight.state["goblin-1"].status == "down"


@pytest.mark.parametrize(
    ("times", "down", "up"),
    [("0", 0, 0), ("1/4", 1, 2), ("1/3", 2, 3), ("1/2", 3, 4), ("2", 14, 14), ("3", 21, 21), ("4", 28, 28)],
)
def test_share_is_rounded_down_or_up(times: str, down: int, up: int) -> None:
    """A fraction is rounded down, or up where the game says so. A share of one's own counts before a half."""
    dealt = action("damage", targets=("ada", "bo"), halved=("ada",), shares=((("who", "ada"), ("times", times)),))

    assert [(who, amount) for who, amount, _ in shares(dealt, 7)] == [("ada", down), ("bo", 7)]
    assert shares(dealt, 7, up=True)[0][1] == up


def test_share_that_is_none_is_refused() -> None:
    """A multiple that is not on offer changes nothing."""
    assert (
        refusal(table(), action("damage", amount=5, targets=("ada",), shares=((("who", "ada"), ("times", "7")),))).field
        == "times"
    )


def test_healing_stops_at_the_maximum_and_takes_nothing_away() -> None:
    """Healing stops at the maximum, and points above it stay."""
    fight = table()
    fight.do(action("damage", amount=6, targets=("ada",)))
    fight.do(action("set", who="bo", what="hp", value=11))

    fight.do(action("heal", amount=4, targets=("ada", "ada", "bo", "goblin-1")))

    assert (hp(fight)["ada"], hp(fight)["bo"], hp(fight)["goblin-1"]) == (6, 11, 3)


@pytest.mark.parametrize("key", ["damage", "heal"])
def test_a_pool_somebody_has_not_is_refused(key: str) -> None:
    """A target without the pool is refused."""
    fight = table()
    fight.ruleset = replace(fight.ruleset, schema=replace(fight.ruleset.schema, pools=("hp", "mp")))

    assert refusal(fight, action(key, amount=2, targets=("ada",), pool="mp")).text == "has no mp"


@pytest.mark.parametrize(
    ("what", "value", "read"),
    [
        ("hp", 2, lambda one: one.hp),
        ("hp_max", 12, lambda one: one.pool("hp").max),
        ("left_main", 0, lambda one: one.left("main")),
    ],
)
def test_setting_values(what: str, value: int, read: Any) -> None:
    """Points, their maximum and the budget of a turn can be set."""
    fight = table()

    fight.do(action("set", who="ada", what=what, value=value))

    assert read(fight.state["ada"]) == value


def test_status_name_and_place() -> None:
    """Status, name and place of a combatant can be set. A place may be a part of a metre."""
    fight = table()

    fight.do(
        action("status", targets=("ada", "bo"), status="gone"),
        action("rename", who="ada", name="Ada the Bold"),
        action("place", who="ada", x=2.5, y=-1),
    )
    fight.do(action("place", who="bo", x=7))

    assert ([fight.state[who].status for who in ("ada", "bo")], fight.state["ada"].name) == (
        ["gone", "gone"],
        "Ada the Bold",
    )
    assert (fight.state["ada"].position, fight.state["bo"].position) == ((2.5, -1), (7,))
    assert [event.was for event in of_kind(fight.last, Moved)] == [None]


def test_inserting() -> None:
    """Newcomers get names, labels and hit points, on a side of the fight or a new one."""
    fight = table()

    fight.do(action("insert", members=(member("Goblin", 2), member("Wolf"))), answers={})
    fight.do(action("insert", members=(member("Rat"),), side="Vermin"))
    fight.do(action("insert", members=(member("Rat"),), side="vermin!"))

    newcomers = fight.state.combatants[5:]
    assert [(one.id, one.name, one.side, one.hp) for one in newcomers] == [
        ("goblin-4", "Goblin 4", "goblins", 6),
        ("goblin-5", "Goblin 5", "goblins", 6),
        ("wolf", "Wolf", "goblins", 6),
        ("rat", "Rat", "vermin", 6),
        ("rat-2", "Rat 2", "vermin-2", 6),
    ]
    assert len(set(fight.state.labels)) == 10


def test_a_crowd_beyond_what_a_fight_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal has the bound, and newcomers up to the bound may join."""
    monkeypatch.setattr(combatants, "MOST_COMBATANTS", 10)
    fight = table()

    refused = refusal(fight, action("insert", members=(member("Goblin", 3), member("Wolf", 3))))
    fight.do(action("insert", members=(member("Goblin", 3), member("Wolf", 2))), answers={})

    assert refused.text == "a fight holds at most 10 combatants: 5 are here, and 6 more would come"
    assert len(fight.state.combatants) == 10


def test_removing_frees_no_name_or_label() -> None:
    """A combatant that has left keeps its name, id and label."""
    fight = table()
    fight.do(action("remove", targets=("goblin-2", "goblin-3")))

    fight.do(action("insert", members=(member("Goblin", 2),)))

    assert [one.id for one in fight.state.combatants[-2:]] == ["goblin-4", "goblin-5"]
    assert fight.state.name("goblin-2") == "Goblin 2"


def test_bringing_in_a_wave() -> None:
    """A wave without a moment joins by the GM's command."""
    fight = Table(
        sides.RULESET,
        encounter(
            "sides",
            waves=(Wave("goblins", (member("Worg"),), title="worgs"), Wave("party", (member("Cy", kind="pc"),))),
        ),
    )

    fight.do(action("wave", wave="2"))
    fight.do(action("wave"))

    assert [event.combatant.id for event in of_kind(fight.last, CombatantJoined)] == ["worg"]
    assert ("cy" in fight.state, fight.state.waves) == (True, ())
    assert refusal(fight, action("wave")).reason == "no_wave"


def test_moving_in_the_order() -> None:
    """A slot moves before another one or to the end; before itself it stays."""
    fight = table("individual")
    before = [slot.id for slot in fight.state.clock.slots]

    fight.do(action("move", slot=before[2], before=before[2]))
    assert [slot.id for slot in fight.state.clock.slots] == before
    fight.do(action("move", slot=before[4], before=before[1]))
    fight.do(action("move", slot=before[1]))

    assert [slot.id for slot in fight.state.clock.slots] == [before[0], before[4], before[2], before[3], before[1]]
    assert "is not on offer" in refusal(fight, action("move", slot=before[0])).text


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [("morale", "yes", True), ("morale", "false", False), ("sudden", "yes", "yes"), ("sudden", "12", "12")],
)
def test_changing_a_house_rule(name: str, value: str, expected: object) -> None:
    """Typed words become a value of the switch's type: a flag or a text."""
    fight = table()
    fight.do(action("house_rule", name="morale", value="no"))

    fight.do(action("house_rule", name=name, value=value))

    assert getattr(fight.state.house_rules, name) == expected
    assert [event.now for event in of_kind(fight.last, HouseRulesChanged)] == [fight.state.house_rules]


@pytest.mark.parametrize("value", ["perhaps", "--5", "²", "7"])
def test_a_house_rule_that_cannot_be(value: str) -> None:
    """A value of another type is refused at its field."""
    assert refusal(table(), action("house_rule", name="morale", value=value)).field == "value"


def test_a_game_without_switches() -> None:
    """A game without house rules refuses the command."""
    assert not refusal(table("declared"), action("house_rule", name="x", value="y")).forcible


def test_notes_are_kept() -> None:
    """A note is on the fight or on a combatant."""
    fight = table()

    fight.do(action("note", text="rain"), action("note", text="limps", about="ada"))

    assert (fight.state.journal_notes, fight.state["ada"].notes) == (("rain",), ("limps",))


def test_changing_sides() -> None:
    """A combatant who changes sides is on the other side. Changing to its own side changes nothing."""
    fight = table()

    fight.do(action("side", who="bo", side="goblins"), action("side", who="ada", side="party"))

    assert [one.id for one in fight.state.members("goblins")] == ["bo", "goblin-1", "goblin-2", "goblin-3"]


def test_a_free_roll() -> None:
    """A free roll is logged with its fixed number."""
    fight = table()

    fight.do(action("roll", dice="2d6+3", who="ada", why="climb"), answers={"roll": 9})

    assert [(event.total, event.plus, event.why) for event in of_kind(fight.last, Rolled)] == [(9, 3, "climb")]


def test_dismissing_a_reminder() -> None:
    """A dismissed reminder is stored."""
    fight = table("declared")
    fight.next()

    fight.do(action("dismiss", key=fight.ruleset.pending(fight.state)[0].key))

    assert fight.state.dismissed == ("unused:1:ada",)


def test_every_generic_action_has_a_form() -> None:
    """Every generic command is offered, with a name and a form. The form is legal as far as it is filled in."""
    fight = table()

    specs = commands.actions(fight.ruleset, fight.state)

    assert [spec.key for spec in specs] == [key for key in commands.KEYS if key != "fog"]
    assert all(spec.label and spec.by is None for spec in specs)


def test_members_of_the_library_only() -> None:
    """Inserted members keep their ids, references and stat blocks."""
    fight = table()
    special = Member(Fighter("Chief", Dice(plus=12)), "Chief", "monster", id="boss", ref="chief")
    twins = replace(special, name="Fight", id="fight")

    fight.do(action("insert", members=(special, twins)))

    assert [(one.id, one.ref, one.hp) for one in fight.state.combatants[-2:]] == [
        ("boss", "chief", 12),
        ("fight-2", "chief", 12),
    ]


@pytest.mark.parametrize(
    "row",
    [(), (("who", "ava"),), (("times", "2"),), (("who", "ava"), ("times", "")), (("who", "ava"), ("times", "twice"))],
)
def test_a_row_that_is_not_filled_in_gives_nobody_a_share(row: Value) -> None:
    """A row without a combatant or a known share counts for nothing. The others count."""
    asked = action("damage", None, targets=("bero",), halved=("cora",), shares=(row, (("who", "dora"), ("times", "2"))))

    assert shares(asked, 7) == (("bero", 7, ""), ("cora", 3, "half"), ("dora", 14, "double"))


ATTACK = action("attack", "ada", target="goblin-1")
ALL = ["dodge:goblin-1", "snap:goblin-1", "snap:goblin-2", "snap:goblin-3"]


def asked(fight: Table) -> list[str]:
    """Return who is asked after an attack roll, and with what."""
    request: Request = fight.asks(ATTACK, answers={"attack": 15})
    assert isinstance(request, Window)
    return [f"{spec.key}:{spec.by}" for spec in request.offers if not spec.moot]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (action("quiet", targets=("goblin-2", "goblin-1")), ALL[3:]),
        (action("quiet", sides=("foes",)), []),
        (action("quiet", sides=("everybody",)), []),
        (action("quiet", sides=("side:goblins",)), []),
        (action("quiet", sides=("players",)), ALL),
        (action("quiet", targets=("ada",)), ALL),
    ],
)
def test_those_who_are_not_to_be_asked_are_not(said: Action, left: list[str]) -> None:
    """The GM mutes single combatants or sides. Their responses stay possible."""
    fight = table()
    assert asked(fight) == ALL
    fight.do(said)

    assert asked(fight) == left
    request = as_kind(fight.asks(ATTACK, answers={"attack": 15}), Window)
    assert len(request.offers) == len(ALL)


def test_a_single_combatant_is_asked_again_in_the_next_round() -> None:
    """A muted combatant is asked again in the next round; a muted side is not."""
    fight = table()
    fight.do(action("quiet", targets=("goblin-1",)))
    fight.do(action("quiet", sides=("players",)))
    fight.until(
        lambda state: state.clock.round == 2 and "ada" in (state.clock.current.members if state.clock.current else ())
    )

    assert asked(fight) == ALL


def test_asking_again_takes_it_back() -> None:
    """Unmuting a side also unmutes its members."""
    fight = table()
    fight.do(action("quiet", sides=("foes",), targets=("goblin-1",)))
    fight.do(action("listen", sides=("side:goblins",)))

    assert asked(fight) == ALL
    assert fight.state.facts == table().state.facts


def test_it_says_whom() -> None:
    """A side or a combatant is required."""
    assert refusal(table(), action("quiet")).field == "sides"
