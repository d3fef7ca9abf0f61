"""What the screen and the log say is in words. No name of the program, no key, no value as Python would print it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.killing import SETTINGS
from tests.golden.cases import Case, cases, made_up_games
from tests.support.wording import log_of, strange
from tests.views.toy import RULESET, combatant, fight
from tracker.cli.commands.run import session_opener
from tracker.cli.loading import load, member_loader, playable
from tracker.core.fight import events as ev
from tracker.core.fight.state import Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At, Boundary, Edge, OnUse
from tracker.core.terms.values import Data
from tracker.script.player import Player
from tracker.script.reader import read_script
from tracker.session.model import Model, differences
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.testing import random_play
from tracker.views.panes.blocks import block_rows
from tracker.views.panes.changes import change_rows
from tracker.views.panes.header import header_line
from tracker.views.panes.order import OrderRows
from tracker.views.panes.roster import combatant_row
from tracker.views.words.prompts import hint_words, prompt_title

WIDE = 400
STEPS = 40
LOOKS = 4
"""After every so many steps the panes are read."""


def panes_of(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Every row of every pane about a state."""
    yield header_line(ruleset, state, WIDE).text
    yield from (row.text for row in OrderRows(ruleset, state, WIDE))
    for one in state.combatants:
        yield combatant_row(ruleset, state, one.id, WIDE).text
        yield from (row.text for row in block_rows(ruleset, state, one.id, WIDE))


def prompts_of(model: Model) -> list[str]:
    if model.pending is None:
        return []
    request = model.pending.request
    return ["".join(span.text for span in prompt_title(model.state, request)), hint_words(model.state, request)]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_golden_fights_are_told_in_words(case: Case, tmp_path: Path) -> None:
    """The log and the differences of every step are read, and the panes of many."""
    with made_up_games(), Journal.open(tmp_path / "fights.db") as journal:
        loaded = load(str(case.folder / "encounter.yaml"), ())
        encounter, ruleset = playable(loaded)
        seed = case.folder / "seed"
        number = int(seed.read_text(encoding="utf-8")) if seed.exists() else None
        begin = session_opener(journal, ruleset, encounter, path=case.folder / "encounter.yaml", seed=number)
        player = Player(ruleset, begin, rolls=number is not None, enlist=member_loader(ruleset, loaded.library))
        for played in player.play(read_script(case.folder / "script.yaml")):
            assert strange(prompts_of(player.model)) == []
            for told in played.told:
                assert strange(log_of(ruleset, told.state, told.record.entries, told.before)) == []
                if told.record.seq % LOOKS == 0:
                    assert strange(list(panes_of(ruleset, told.state))) == []
                changes = change_rows(ruleset, told.before, told.state, differences(told.before, told.state), WIDE)
                assert strange([row.text for row in changes]) == []
        player.close()


@pytest.mark.parametrize("key", GAMES)
def test_fights_at_random_are_told_in_words(key: str, tmp_path: Path) -> None:
    """Whatever is done in whatever game."""
    ruleset, prepared = fight_of(key)
    with (
        Journal.open(tmp_path / "fights.db") as journal,
        Session.start(journal, ruleset, prepared, SETTINGS) as session,
    ):
        for number in range(STEPS):
            model = session.dispatch(random_play.intent_of(Random(number), ruleset, prepared, session.model))
            assert strange(prompts_of(model)) == []
            if number % LOOKS == 0:
                assert strange(list(panes_of(ruleset, model.state))) == []
        before = State()
        for record in session.model.steps:
            after = session.state_at(record.seq)
            assert strange(log_of(ruleset, after, record.entries, before)) == []
            before = after


class Ward(Struct, Data, frozen=True, tag=True):
    """A payload all of whose fields are as by default."""

    spell_level: int = 0
    held_by: tuple[str, ...] = ()


KEYS = st.sampled_from(("to_hit", "last_stand", "held_by", "rounds_left", "shoved"))
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 99), st.floats(-9, 9), KEYS, st.just("wolf"), st.just("ava")
)
VALUES = st.one_of(
    PLAIN, st.lists(PLAIN, max_size=3).map(tuple), st.builds(Ward, st.integers(0, 3), st.just(("wolf",)))
)
PLACES = st.one_of(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.tuples(st.floats(0, 9, width=16)))
PARTS = st.lists(st.builds(Part, KEYS, st.integers(-5, 9)), max_size=3).map(tuple)
ENDS = st.one_of(
    st.builds(
        At,
        st.sampled_from(get_args(Edge)),
        st.sampled_from(("any", "who:wolf", "side:party")),
        st.integers(1, 3),
        st.one_of(st.none(), KEYS),
    ),
    st.builds(OnUse, KEYS, st.integers(1, 3)),
)
EFFECTS = st.builds(
    Effect,
    name=KEYS,
    bearer=st.just("wolf"),
    id=st.integers(90, 99),
    modifiers=st.lists(st.builds(Modifier, KEYS, st.integers(-3, 3), KEYS), max_size=2).map(tuple),
    until=st.lists(ENDS, max_size=2).map(tuple),
    data=st.one_of(st.none(), st.builds(Ward)),
)
WHO = st.sampled_from(("wolf", "goblin-1", "ava"))
FIELDS = st.dictionaries(KEYS, VALUES, max_size=3).map(lambda fields: tuple(sorted(fields.items())))
EVENTS = st.one_of(
    st.builds(ev.FactSet, st.sampled_from(("wolf", "fight", "side:party")), KEYS, st.none(), VALUES),
    st.builds(ev.Overruled, KEYS.map("attack/{}".format), VALUES, VALUES),
    st.builds(ev.Moved, WHO, st.one_of(st.none(), PLACES), PLACES),
    st.builds(
        ev.Checked, KEYS, WHO, st.integers(0, 30), st.sampled_from(("hit", "")), WHO, PARTS, st.just(12), KEYS, PARTS
    ),
    st.builds(ev.PoolChanged, WHO, KEYS, st.integers(0, 9), st.integers(0, 9), PARTS, KEYS),
    st.builds(ev.PoolSet, WHO, st.none(), st.builds(Pool, KEYS, st.integers(0, 9), st.integers(0, 9))),
    st.builds(
        lambda who, key, left: ev.BudgetsChanged((ev.BudgetChange(who, (), ((key, left),)),)),
        WHO,
        KEYS,
        st.integers(0, 2),
    ),
    st.builds(ev.EffectAdded, EFFECTS),
    st.builds(ev.EffectChanged, EFFECTS, EFFECTS),
    st.builds(ev.EffectEnded, EFFECTS, st.just("its time is up")),
    st.builds(
        ev.BoundaryCrossed,
        st.builds(
            Boundary,
            st.sampled_from(("turn_end", "phase_start", "segment_end")),
            st.just(2),
            KEYS,
            st.just(4),
            actors=st.just(("wolf",)),
        ),
    ),
    st.builds(ev.Decided, KEYS.map("wolf/{}".format), KEYS),
    st.builds(ev.Rolled, KEYS, st.just(Dice.of(1, 20)), st.integers(1, 20)),
    st.builds(ev.ActionTaken, st.builds(Action, KEYS, WHO, FIELDS), st.just("Waits")),
    st.builds(
        ev.HouseRulesChanged, st.builds(Ward, st.integers(0, 1)), st.builds(Ward, st.integers(2, 3), st.just(("wolf",)))
    ),
    st.builds(ev.ReminderDismissed, KEYS),
)


def test_names_people_have_typed_are_not_judged() -> None:
    """Given a combatant called 2, no list of names is taken for numbers."""
    assert strange(["Move in the order (2, 2)", "it is None's turn", "None."], ["2", "None"]) == []
    assert strange(["at (2, 3)", "at (2.5, 2)", "held_by Ada"], ["2", "Ada"]) == [
        "at (2, 3)",
        "at (2.5, 2)",
        "held_by Ada",
    ]


@given(EVENTS)
def test_every_event_is_told_in_words(event: ev.Event) -> None:
    """Keys lose their underscores, values are written as people write them."""
    assert strange(log_of(RULESET, fight(), (ev.Entry(event),))) == []


@given(st.lists(st.tuples(KEYS, VALUES), max_size=4), EFFECTS)
def test_a_stat_block_is_shown_in_words(facts: list[tuple[str, object]], effect: Effect) -> None:
    """So are pools, budgets, effects and their payload."""
    one = replace(combatant("wolf", "Wolf", "w", "party", 7, 9), effects=(effect,), position=(3, 4.0))
    state = fight(combatants=(one, *fight().combatants[1:]))

    assert strange(list(panes_of(RULESET, state))) == []
