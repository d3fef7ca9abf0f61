"""Players see nothing of a hidden combatant, in every moment of every golden fight."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.golden.cases import Case, cases, made_up_games, words_of
from tests.properties.games import GAMES, build
from tests.support import individual, sides
from tests.support.common import encounter, member
from tests.support.lurking import LURKER, betrayed
from tests.support.tables import for_each
from tests.support.twin import Twin, with_lurker
from tracker.cli.main import main
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.testing.table import Table, fixed
from tracker.views.public.build import public_view
from tracker.views.public.schema import Public

CASES = cases()
LOOKS = 6
"""In how many states a hidden combatant is put: each so many steps."""
FIGHTS = sorted(name for name in GAMES if "/" in name)


def opened(rules: Ruleset, encounter: Encounter) -> Public:
    """Return the players' view of a fight that has just been opened."""
    done = run(rules, State(), Step("start", encounter=encounter), (), fixed({}))
    assert isinstance(done, Done), done
    return public_view(rules, done.state)


def without(encounter: Encounter, keep: Callable[[Member], Member | None]) -> Encounter:
    """Return an encounter whose GM's members are changed, or left out."""
    sides = tuple(
        replace(side, members=tuple(one for member in side.members if (one := keep(member)) is not None))
        if side.control == "gm"
        else side
        for side in encounter.sides
    )
    return replace(encounter, sides=sides, waves=())


@for_each("name", FIGHTS)
def test_who_is_seen_is_called_as_if_nobody_were_hidden(name: str) -> None:
    """Names and labels are those of the same fight without hidden combatants."""
    rules, encounter = build(name)

    def doubled(member: Member) -> Member:
        return replace(member, count=Dice(plus=2))

    def hidden(member: Member) -> Member:
        return replace(member, hidden=True, count=Dice(plus=1), id="")

    plain = without(encounter, doubled)
    more = replace(
        plain,
        sides=tuple(
            replace(side, members=(*map(hidden, side.members), *side.members)) if side.control == "gm" else side
            for side in plain.sides
        ),
    )
    seen, veiled = opened(rules, plain), opened(rules, more)

    assert [(one.name, one.label) for one in veiled.combatants] == [(one.name, one.label) for one in seen.combatants]
    assert veiled.sides == seen.sides


def one_by_one(lurker: int) -> Table:
    """Return a fight in the order Ada, Bo, goblin, and a lurker with this initiative."""
    fight = encounter("individual", foes=(member("Lurker"), member("Goblin")))
    hidden, seen = fight.sides[1].members
    fight = replace(
        fight, sides=(fight.sides[0], replace(fight.sides[1], members=(replace(hidden, hidden=True), seen)))
    )
    dice = {"initiative:ada": 6, "initiative:bo": 5, "initiative:goblin": 2, "initiative:lurker": lurker}
    return Table(individual.RULESET, fight, dice)


def test_while_a_hidden_one_acts_the_turn_is_of_the_one_seen_last() -> None:
    """A fallen one whose turn was passed over since then never had it."""
    table = one_by_one(lurker=4)
    table.do(Action("damage", None, (("amount", 20), ("targets", ("bo",)))))

    table.next()
    view = public_view(table.ruleset, table.state)

    assert table.at == "r1/lurker"
    assert [(slot.title, slot.when) for slot in view.order] == [("Ada", "now"), ("Bo", "later"), ("Goblin", "later")]


def test_while_a_hidden_one_acts_after_a_delay_the_turn_is_of_the_one_who_follows() -> None:
    """The slot of the delayed turn is empty, and a turn that is over does not come back."""
    rules, fight = build("three_actions")
    rolled = {"asta": 20, "orm": 18, LURKER: 16, "ghoul-1": 2, "ghoul-2": 1, "ice-troll": 1}
    table = Table(rules, with_lurker(fight), {f"initiative:{who}": die for who, die in rolled.items()})
    table.next()

    table.do(Action("delay", "orm"))
    view = public_view(table.ruleset, table.state)

    assert table.at == f"r1/{LURKER}"
    assert [(slot.title, slot.when) for slot in view.order][:3] == [
        ("Asta", "past"),
        ("Ghoul 1", "now"),
        ("Ghoul 2", "later"),
    ]


def test_who_joins_hidden_moves_no_turn() -> None:
    """Players have seen the current turn, also if all visible combatants of that side have left."""
    table = Table(sides.RULESET, encounter("sides"), {"initiative:party": 1, "initiative:goblins": 6})
    goblins = tuple([one.id for one in table.state.combatants if one.side == "goblins"])
    table.do(Action("status").put(targets=goblins, status="gone"))
    before = public_view(table.ruleset, table.state)

    table.do(Action("insert").put(members=(member("Wolf"),), side="goblins", seen="hidden"))
    view = public_view(table.ruleset, table.state)

    assert [(slot.title, slot.when) for slot in view.order] == [("Goblins", "now"), ("Party", "later")]
    assert view.order == before.order


def test_a_label_is_given_anew_as_long_as_only_a_hidden_one_has_acted() -> None:
    """Else it would say that there was a turn before the first."""
    table = one_by_one(lurker=10)
    table.next()

    table.do(Action("call", None, (("name", "Stranger"), ("who", "bo"))))
    view = public_view(table.ruleset, table.state)

    assert [(one.name, one.label) for one in view.combatants] == [("Ada", "a"), ("Stranger", "s"), ("Goblin", "g")]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_hidden_combatant_betrays_itself_nowhere(case: Case, tmp_path: Path) -> None:
    """With it and without it, players see the same after every step."""
    path = tmp_path / "fights.db"
    with made_up_games():
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*words_of(case), "--db", str(path), "--quiet"]) == 0
        with Journal.open(path) as journal:
            (fight,) = journal.fights()
            with Session.resume(journal, fight.id, registry.find) as session:
                rules, steps = session.ruleset, [(record.step, record.answers) for record in session.model.steps]

    state, found = State(), list[str]()
    twins = {False: Twin(rules), True: Twin(rules, own_side=True)}
    followed = Counter[bool]()
    for number, (step, answers) in enumerate(steps):
        done = run(rules, state, step, answers)
        assert isinstance(done, Done), done
        found += betrayed(rules, done.state) if number % LOOKS == 0 else []
        for own, twin in twins.items():
            if not twin.parted:
                found += twin.follow(state, step, done)
                followed[own] += not twin.parted
        state = done.state

    assert found == []
    assert min(followed[False], followed[True]) > len(steps) / 2
