"""What happens is an event of its own, and log, story, numbers and players' words read the same event."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.shares import every
from tests.support.tables import for_each
from tests.ui.games import begun, played
from tests.views.report.fights import Fight, at_random, by_hand, by_policy, every_game, golden_fight
from tests.views.report.truth import lies
from tracker.core.fight import events as ev
from tracker.core.terms.actions import action
from tracker.session.intents import Do, RollRest
from tracker.session.report import fight_record_of
from tracker.views.log.steps import tell
from tracker.views.public.event_words import event_words
from tracker.views.public.story import public_story_text
from tracker.views.report.outcome import cost, headline
from tracker.views.report.statistics import statistics_of
from tracker.views.report.story import story

RED = "Grik [b]the␛[31m Red[/b]"
"""A name with markup and an escape sequence, as it is shown."""
WAYS: tuple[Callable[[str, int], Fight], ...] = (by_policy, at_random)
GAMES = ("githack", "sovereign", "spelljammer", "sword_world", "worlds_without_number")


def long_story(fight: Fight) -> list[str]:
    return [line.words for line in story(fight.record, full=True)]


def log_lines(fight: Fight) -> list[str]:
    return [
        line.text
        for step, after in zip(fight.steps, fight.states, strict=True)
        for line in tell(fight.ruleset, after, step.entries, before=step.before)
    ]


def players_words(fight: Fight) -> list[str]:
    return [
        words
        for step, after in zip(fight.steps, fight.states, strict=True)
        for words in event_words(fight.ruleset, after, step.entries)
    ]


def players_story(fight: Fight) -> str:
    steps = [(step.entries, step.before, after) for step, after in zip(fight.steps, fight.states, strict=True)]
    return public_story_text(fight.ruleset, steps, full=True)


def events(fight: Fight) -> Iterator[ev.Event]:
    return (entry.event for step in fight.steps for entry in step.entries)


def sourceless(fight: Fight) -> Iterator[str]:
    """Yield the losses that no combatant has brought about, and that do not follow from the GM's word."""
    marks, pool = fight.ruleset.telling.marks, fight.ruleset.schema.pools[0]
    for number, step in enumerate(fight.steps):
        by_gm = False
        for entry in step.entries:
            match entry.event:
                case ev.ActionTaken(action=action):
                    by_gm = action.by is None and action.key not in ("next", "advance")
                case ev.BoundaryCrossed():
                    by_gm = False
                case ev.PoolChanged(pool=key, was=was, now=now, source=None, who=who) if key == pool and now < was:
                    if not by_gm:
                        yield f"step {number}: {who} loses {was - now}"
                case ev.FactSet(key=key, owner=who, was=before, now=after, source=source) if (
                    marks is not None and key == marks.fact and not isinstance(source, str)
                ):
                    pairs = zip(marks.count(before), marks.count(after), strict=True)
                    if any(now > was for was, now in pairs) and not by_gm:
                        yield f"step {number}: {who} is marked"


@pytest.mark.parametrize(
    ("seed", "name", "way"),
    every(7, itertools.product((1, 2, 3), [name for name in every_game() if name.partition("/")[0] in GAMES], WAYS)),
)
def test_every_loss_has_a_source_or_is_the_gms(seed: int, name: str, way: Callable[[str, int], Fight]) -> None:
    """Bleeding knows its archer, a wound its monster."""
    assert list(sourceless(way(name, seed))) == []


def test_nobody_dies_twice() -> None:
    """A slain monster that the GM calls dead dies once; an incapacitated one can still die."""
    words = ("slain", "dead", "incapacitated", "dead")
    fight = by_hand("githack/jelly_cistern", *(action("status", status=word, targets=("ghoul",)) for word in words))

    assert [change.words.key for change in fight.record.changes] == ["slain", "incapacitated", "dead"]


@pytest.mark.parametrize("name", ["worlds_without_number/bandit_lord", "sovereign/first_fight"])
def test_a_power_that_turns_a_result_is_a_second_result(name: str) -> None:
    """The final result follows the power, also in the log and on the players' page."""
    fight = by_policy(name, 1)
    found = []
    for step in fight.steps:
        checks = [one.event for one in step.entries if isinstance(one.event, ev.Checked) and one.event.what == "attack"]
        found += [(was.result, now.result) for was, now in itertools.pairwise(checks) if not now.parts]

    assert found != []
    assert all(was != now for was, now in found)
    assert any("attack: hit" in line or "attack: miss" in line for line in log_lines(fight))
    assert any(words.endswith(": attack, hit") or words.endswith(": miss") for words in players_words(fight))


def test_a_free_attack_is_an_action_of_its_own(tmp_path: Path) -> None:
    """Its damage is credited to its weapon."""
    fight = golden_fight(tmp_path, "spelljammer/hillside")
    act = next(act for act in fight.record.acts if act.label == "Free attack")
    shares = {share.who: dict(share.by) for share in statistics_of(fight.record).shares}

    assert (act.by, act.targets, [harm.points for harm in act.harms]) == ("ogre", ("brannoc",), [8])
    assert shares["ogre"]["great club"] >= 8
    assert "Ogre hits Brannoc with the great club for 8." in long_story(fight)
    assert any(line.startswith("Ogre: Free attack → Brannoc (great club)") for line in log_lines(fight))


def test_a_spell_is_told_with_its_target(tmp_path: Path) -> None:
    """When it is begun, and when it is finished or lost."""
    fight = golden_fight(tmp_path, "spelljammer/hillside")
    lines = long_story(fight)

    assert "Telmarre begins to cast Lance of Light on Ogre." in lines
    assert "Telmarre loses Lance of Light." in lines
    assert "Sister Orsolya begins to cast Litany of Courage." in lines


def test_a_critical_of_the_impact_table_is_a_result(tmp_path: Path) -> None:
    """It is told by the blow or spell it made greater."""
    fight = golden_fight(tmp_path, "sword_world/bridge")
    criticals = [one for one in events(fight) if isinstance(one, ev.Checked) and one.result == "critical"]

    assert [(one.who, one.target) for one in criticals] == [("sela", "goblin-1"), ("wolf", "goblin-2")]
    assert any(re.fullmatch(r"Wolf → Goblin 2: impact \d+, critical", words) for words in players_words(fight))
    assert any("critical: Impact 17" in line for line in log_lines(fight))


def test_a_spell_that_only_has_an_effect_is_not_in_vain(tmp_path: Path) -> None:
    """Though nothing is lost by it."""
    assert "Old Tusk casts Hex on Sela." in long_story(golden_fight(tmp_path, "sword_world/bridge"))


def test_spoils_are_an_event(tmp_path: Path) -> None:
    """Log, story and players' page name the spoils; their dice are told once."""
    fight = golden_fight(tmp_path, "sword_world/bridge")
    found = [one for one in events(fight) if isinstance(one, ev.Found)]
    spoils = "The spoils: silver ring (50 G), crude weapon (10 G), bone charm (20 G), magic crystal (100 G)."

    assert [one.items for one in found] == [
        ("silver ring (50 G)",),
        ("crude weapon (10 G)",),
        ("bone charm (20 G)", "magic crystal (100 G)"),
    ]
    assert spoils in long_story(fight)
    assert spoils in players_story(fight)
    assert sum("silver ring" in line for line in log_lines(fight)) == 1
    assert "Goblin 3: crude weapon (10 G)" in players_words(fight)


def test_an_ambush_is_told_as_it_counts() -> None:
    """A shout makes it better by a step: the last result is told."""
    fight = by_policy("spelljammer/deck_ambush", 1)
    levels: dict[str, str] = {}
    for one in events(fight):
        if isinstance(one, ev.Checked) and one.what == "ambush":
            levels[str(one.who)] = one.result
    caught = {who for who, level in levels.items() if level[0] in "345"}
    record = fight.record
    told = [item for item in record.items if getattr(item, "what", "") == "ambush"]

    assert levels != {}
    assert {who for item in told if "caught" in item.words for who in item.who} == caught  # type: ignore[union-attr]  # milestones


def test_a_death_check_is_a_success_or_a_failure(tmp_path: Path) -> None:
    """It says itself which, so that players read it."""
    fight = golden_fight(tmp_path, "sword_world/bridge")
    checks = [one for one in events(fight) if isinstance(one, ev.Checked) and one.what == "Death Check"]

    assert [one.success for one in checks] == [one.result == "success" for one in checks] != []
    assert any("death check" in words for words in players_words(fight))


@for_each("name", every_game())
def test_an_attack_knows_its_target(name: str) -> None:
    """Also if its foe was gone, or the game names the target only in the result."""
    for seed in (1, 2):
        aimless = {act.ref for act in by_policy(name, seed).record.acts if act.last and not act.targets}
        assert aimless == set()


def test_what_the_gm_does_by_hand_is_told() -> None:
    """Points, statuses, changes of side, departures and new names are told; the opening is unchanged."""
    archers = ("goblin-archer-1", "goblin-archer-2")
    fight = by_hand(
        "sword_world/forest_ambush",
        action("damage", targets=archers, amount=50),
        action("status", targets=("goblin-2", "goblin-3"), status="surrendered"),
        action("rename", who="goblin-1", name="Grik [b]the\x1b[31m Red[/b]"),
        action("side", who="goblin-1", side="party"),
        action("remove", targets=("mira",)),
    )
    lost = fight.states[0]["goblin-archer-1"].hp - fight.states[-1]["goblin-archer-1"].hp
    lines = [line.words for line in story(fight.record)]

    assert lies(fight, full=False) == lies(fight, full=True) == []
    assert lines == [
        f"The party (Wolf, Mira, Finn and Sela) against the goblins ({RED}, two goblins and two goblin archers).",
        f"Two goblin archers lose {lost} each and go down.",
        "Two goblins surrender.",
        f"{RED} goes over to the party.",
        "Mira leaves the fight.",
    ]
    assert headline(fight.record) == "The party wins before the first round: the goblins surrender. Mira has left."
    assert cost(fight.record)[1] == "The goblins: two goblin archers unconscious; two goblins surrendered."
    assert "Mira leaves the fight." in players_story(fight)


def test_who_draws_an_attack_upon_itself_is_its_target() -> None:
    """Also if nothing was lost: a guard's defence is no miss of the guarded."""
    lines = long_story(by_policy("githack/dragon", 21))

    assert "As Ulgha goes for Ysolt, Kerrow strikes Ulgha with Widowsong for 2; Ulgha misses Kerrow instead." in lines


def test_a_game_without_words_is_told_by_its_labels() -> None:
    """A label that is a verb is the actor's deed; a label that is a blow is an attack."""
    lines = [line for seed in (1, 2, 3) for line in long_story(by_policy("three_actions", seed))]

    assert any(re.fullmatch(r"Asta strikes \w.* with the long blade for \d+.*", line) for line in lines)
    assert any(re.fullmatch(r"Ghoul \d misses \w+\.", line) for line in lines)
    assert [line for line in lines if "uses Strike" in line or "uses Delay" in line] == []


def test_who_strikes_after_its_flight_has_not_fled() -> None:
    """It has lost heart, and ends so."""
    record = by_policy("sovereign/gate_brawl", 21).record
    last = {act.by: act for act in record.acts if act.words.kind in ("attack", "move")}
    ends = {one.id: one.ending for one in record.people if one.ending in ("fled", "broken")}

    assert {who: "broken" if last[who].words.kind == "attack" else "fled" for who in ends} == ends
    assert {"broken", "fled"} <= set(ends.values())


def test_an_action_that_opens_a_turn_keeps_its_result(tmp_path: Path) -> None:
    """A spell with which the next member of a side opens its turn is told with its result."""
    session = begun(tmp_path, "sword_world", "two_brawls")
    played(session, lambda state: state.clock.phase == "leading")
    for one in (
        action("attack", "skeleton-1", weapon="Rusty sword", target="wolf"),
        action("cast", "grave-shade", spell="Drain Mind", targets=("mira",)),
    ):
        assert session.dispatch(Do((one,))).refusal is None
        while session.model.pending is not None:
            session.dispatch(RollRest())
    cast = next(act for act in fight_record_of(session).acts if act.by == "grave-shade")

    assert cast.means == "Drain Mind"
    assert cast.last
