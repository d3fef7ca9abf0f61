"""The story for players has nothing that they may not know, and all that they saw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.games import WN, begun
from tests.views.report.fights import Fight, by_policy
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.visibility.knowledge import PLAYERS
from tracker.session.intents import Advance, Do, RollRest
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import Public
from tracker.views.public.story import public_record, public_story_text
from tracker.views.report.story import story

FIGHTS = (
    "worlds_without_number/night_raid",
    "worlds_without_number/bandit_lord",
    "sovereign/night_road",
    "githack/goblin_waves",
    "spelljammer/archers_into_melee",
    "sword_world/swamp_drake",
)


def leader(fight: Fight) -> str:
    """Return the GM's first combatant with a name of its own."""
    state = fight.states[1]
    gms = [one for one in state.combatants if state.side(one.side).control != "players"]
    return next(one.id for one in gms if not one.name[-1].isdigit() and one.id in fight.states[-1])


def told(
    fight: Fight, hidden: str, since: int = 0, until: int = 10**6
) -> Iterator[tuple[Sequence[Entry], State, State]]:
    """Yield the steps of a fight in which a combatant is hidden for some of them."""
    for number, (step, after) in enumerate(zip(fight.steps, fight.states, strict=True)):
        states = [step.before, after]
        for place, at in ((0, number), (1, number + 1)):
            if since <= at <= until and hidden in states[place]:
                facts = (*states[place].facts, (PLAYERS, f"hidden:{hidden}", "x"))
                states[place] = replace(states[place], facts=tuple(sorted(facts, key=lambda fact: fact[:2])))
        yield step.entries, states[0], states[1]


@pytest.mark.parametrize("name", FIGHTS)
def test_a_hidden_combatant_is_in_no_sentence(name: str) -> None:
    """Neither its name nor its actions are told; harm by it has no author."""
    fight = by_policy(name, 1)
    hidden = leader(fight)
    called = fight.states[-1][hidden].name
    seen = public_story_text(fight.ruleset, told(fight, "", 1, 0), full=True)
    text = public_story_text(fight.ruleset, told(fight, hidden), full=True)

    assert called in seen
    assert called not in text
    record = public_record(fight.ruleset, told(fight, hidden))
    assert hidden not in {person.id for person in record.people}
    assert hidden not in {act.by for act in record.acts} | {harm.by for harm, _ in record.harms}


@pytest.mark.parametrize("name", FIGHTS)
def test_a_combatant_joins_when_it_is_first_seen(name: str) -> None:
    """From then on it is told as all others."""
    fight = by_policy(name, 1)
    hidden = leader(fight)
    record = public_record(fight.ruleset, told(fight, hidden, 0, len(fight.steps) // 3))
    person = record.person(hidden)

    assert person is not None
    assert person.since[0] >= len(fight.steps) // 3
    assert all(act.step > len(fight.steps) // 3 - 1 for act in record.acts if act.by == hidden)


@pytest.mark.parametrize("name", FIGHTS)
def test_points_of_the_gms_combatants_are_not_told(name: str) -> None:
    """Only points of player characters are told, none if the GM keeps them back. No sentence has notes."""
    fight = by_policy(name, 1)
    record = public_record(fight.ruleset, told(fight, "", 1, 0))
    players = {person.id for person in record.people if person.players}
    bearers = {harm.ref: harm.who for harm, _ in record.harms}

    lines = [line for full in (False, True) for line in story(record, full, notes=True)]
    assert {bearers[ref] for line in lines for one in line.sums for ref in one.refs} <= players
    assert [line for line in lines if line.kind == "note"] == []
    kept = [
        (one, two, replace(three, facts=(*three.facts, (PLAYERS, "points", False))))
        for one, two, three in told(fight, "", 1, 0)
    ]
    assert [line.sums for line in story(public_record(fight.ruleset, kept)) if line.sums] == []


def test_the_players_page_has_the_story_once_the_fight_is_over(tmp_path: Path) -> None:
    """The stored view has the story."""
    session = begun(tmp_path, WN, "first_fight")
    while not session.model.state.clock.in_round:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())

    reader = PlayerViewReader(session.journal.path, session.model.fight)
    views = []
    for _ in range(2):
        reader.poll()
        views.append(reader.view)
        session.dispatch(Do((action("end_fight"),)))
    reader.close()
    before, after = views

    assert isinstance(before, Public)
    assert isinstance(after, Public)
    assert before.story == ()
    assert after.story[0] == ("", "The fight ends in round 1 with the party and the toll-takers still standing.")


@pytest.mark.parametrize("name", FIGHTS)
def test_twin_fights_that_differ_in_what_is_hidden_have_one_story(name: str) -> None:
    """Notes, secret effects, and all that a hidden combatant does, loses and bears, make no difference."""
    fight = by_policy(name, 1)
    hidden, rules = leader(fight), fight.ruleset
    players = [one.id for one in fight.states[1].combatants if fight.states[1].side(one.side).control == "players"]
    broken = next((words.name for words in rules.telling.effect_words), "broken")
    pool = rules.schema.pools[0]
    more = (
        Entry(ev.Noted("the GM's plan", None, keep=True)),
        Entry(ev.Noted("has the key", players[0], keep=True)),
        Entry(ev.ActionTaken(action("attack", hidden, target=players[0], weapon="secret blade"), "Attack")),
        Entry(ev.Checked("attack", hidden, 12, "hit", players[0], success=True)),
        Entry(ev.PoolChanged(hidden, pool, 9, 4, why="poison", source=players[0])),
        Entry(ev.EffectAdded(Effect(broken, hidden, 901))),
        Entry(ev.EffectAdded(Effect(broken, players[0], 902, secret=True))),
        Entry(ev.EffectEnded(Effect(broken, players[0], 902, secret=True), "its time is up")),
        Entry(ev.Found(("a hidden gem",), hidden)),
    )
    steps = list(told(fight, hidden))
    twins = [
        (one, two, three) if not number else ((*one, *more), two, three)
        for number, (one, two, three) in enumerate(steps)
    ]

    for full in (False, True):
        assert public_story_text(rules, steps, full) == public_story_text(rules, twins, full)
    open_steps = list(told(fight, "", 1, 0))
    seen = [
        (one, two, three) if not number else ((*one, *more[2:6]), two, three)
        for number, (one, two, three) in enumerate(open_steps)
    ]
    assert public_story_text(rules, open_steps, True) != public_story_text(rules, seen, True)
