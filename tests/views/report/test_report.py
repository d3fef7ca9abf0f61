"""The tale of the golden fights: deeds, numbers, story and page agree with the fight."""

from __future__ import annotations

import contextlib
import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from html import unescape
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import tally
from tests.golden.cases import cases, made_up_games, words_of
from tracker.cli.main import main
from tracker.core.fight import events as ev
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import CorruptJournal, RulesBug
from tracker.session.report import corrections_of, fight_record_of, played_in
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.views.report.page import page, story, story_text
from tracker.views.report.recorder import Defeat, FightRecord, Milestone, Person, Point, record_of
from tracker.views.report.statistics import (
    Impact,
    chance_below,
    impact_of_effects,
    impact_words,
    left_of,
    measure_impact,
    statistics_of,
)
from tracker.views.report.summary import ending_rows, story_rows
from tracker.views.words.sides import Colours
from tracker.views.words.spans import width_of
from tracker.views.words.text import clean

CASES = {case.name: case for case in cases()}
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d")


@contextlib.contextmanager
def told(folder: Path, name: str) -> Iterator[tuple[Session, FightRecord]]:
    """Play a golden fight into a journal, and read it deed by deed."""
    path = folder / "fights.db"
    with made_up_games():
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*words_of(CASES[name]), "--db", str(path)]) == 0
        with (
            Journal.open(path, read_only=True) as journal,
            Session.resume(journal, journal.fights()[0].id, registry.find) as session,
        ):
            yield session, fight_record_of(session, marks=True)


@pytest.mark.parametrize("name", CASES)
def test_every_number_is_the_fights_own(tmp_path: Path, name: str) -> None:
    """Points, falls, rounds and damage are those of the states and events."""
    with told(tmp_path, name) as (session, tale):
        state, numbers = session.model.state, statistics_of(tale)
        entries = [entry for record in session.model.steps for entry in record.entries]
        last = {point.who: point.now for point in tale.points}
        assert (tale.rounds, tale.seconds) == (state.clock.round, state.clock.seconds)
        assert {one.id: one.hp for one in state.combatants if one.has_pool(tale.pool)} == {
            who: now for who, now in last.items() if who in state
        }
        lost = Counter[str]()
        for entry in entries:
            if isinstance(entry.event, ev.PoolChanged) and entry.event.pool == tale.pool:
                lost[entry.event.who] += max(0, entry.event.was - entry.event.now)
        for one in [one for one in tale.people if one.players and one.max and one.id in state]:
            assert dict(left_of(tale))[clean(one.name)].split(",")[0] == f"{state[one.id].hp}/{one.max}"
        assert {share.who: share.taken for share in numbers.shares if share.taken} == dict(+lost)
        out = {one.id for one in state.combatants if not session.ruleset.status(one.status).acts}
        assert out <= {fall.who for fall in numbers.defeats}

        words = page(tale, numbers)
        for share in numbers.shares:
            if share.dealt or share.taken or share.healed or share.felled:
                cells = (share.dealt, share.taken, share.healed, share.felled)
                row = "".join(f'<td class="n">{cell}</td>' for cell in cells)
                assert f"{clean(tale.name(share.who))}</td>{row}" in unescape(words)
        text = story_text(tale)
        assert RULE.search(text) is None
        for deed in tale.deeds:
            for fall in deed.defeats:
                assert f"† {clean(tale.name(fall.who))} is {fall.word}" in text
        assert "http" not in words.replace("http://www.w3.org/2000/svg", "")


def test_a_story_has_one_sentence_for_a_deed(tmp_path: Path) -> None:
    """Hits, misses, falls and waves are told, notes only where asked for."""
    with told(tmp_path, "worlds_without_number/bridge") as (_, tale):
        lines = story_text(tale).splitlines()
        verses = list(story(tale, notes=True))

    assert lines[:4] == [
        "Toll at the broken bridge",
        "",
        "Party: Ordwen, Sefa, Tavi and Nele.",
        "Toll-takers: Robber 1, Robber 2, Robber 3, Wick and Snag.",
    ]
    for line in (
        "Ordwen's Charge (long sword) takes 5 from Robber 1 and kills it.",
        "  † Robber 1 is dead (Ordwen, long sword).",
        "Snag's Melee Attack (great club) misses Ordwen.",
        "Ordwen answers with Total Defense.",
        "Snag's Melee Attack (great club) takes 9 from Ordwen and leaves it dying.",
        "  » Latecomer joins Toll-takers.",
        "Sefa gets back 3 and Nele gets back 3.",
    ):
        assert line in lines
    assert len([line for line in lines if "Snap Attack" in line]) == 2
    assert [verse.kind for verse in verses].count("note") > 0


def test_rounds_of_nothing_are_one_sentence() -> None:
    """The round under way has its heading, and so has one in which something happens."""
    rounds = [Milestone(number, number, "round", str(number)) for number in range(1, 8)]
    fell = Milestone(4, 4, "fell", defeat=Defeat("mira", "down", 4, 4))
    told = FightRecord(people=(Person("mira", "Mira", "party", True),), story=(*rounds[:4], fell, *rounds[4:]))

    assert [(verse.words, verse.kind) for verse in story(told)] == [
        ("Rounds 1 to 3 pass.", ""),
        ("Round 4", "round"),
        ("Mira is down.", "fell"),
        ("Rounds 5 and 6 pass.", ""),
        ("Round 7", "round"),
    ]
    assert [verse.words for verse in story(replace(told, story=tuple(rounds[:2])))] == ["Round 1 passes.", "Round 2"]
    assert list(story(replace(told, story=()))) == []


def test_marks_beside_points_are_told(tmp_path: Path) -> None:
    """A game whose characters have no hit points tells what an attack leaves on them."""
    with told(tmp_path, "githack/cistern") as (_, tale):
        lines = story_text(tale).splitlines()

    assert "Grey Jelly's Attack (acid) leaves Skule stuck." in lines
    breath = "Ulgha's Special (corrosive breath) marks Aubrey (wound), Jenna (tick) and Skule (tick and 2 wounds)."
    for line in (breath, "Grey Jelly's Attack (acid) on Jenna: defended.", "Skule's Pull off on Grey Jelly: fails."):
        assert line in lines


def test_what_is_left_of_characters_without_points_is_told(tmp_path: Path) -> None:
    """At the end and on the page, as the Harm tracks stand."""
    with told(tmp_path, "githack/cistern") as (session, tale):
        state, people = session.model.state, [one for one in tale.people if one.players]
        harm = {one.name: tally(stats.harm(state[one.id])) for one in people}
        rows, words = (
            [row.text for row in ending_rows(tale, statistics_of(tale), 116)],
            unescape(page(tale, statistics_of(tale))),
        )

    assert harm == {"Aubrey": (0, 3, 0), "Jenna": (0, 3, 0), "Skule": (0, 5, 0), "Tamsin": (0, 1, 0)}
    assert "Aubrey 3 wounds · Jenna 3 wounds · Skule 5 wounds · Tamsin wound" in rows
    assert '<td>Skule</td><td class="n">5 wounds</td>' in words
    assert left_of(replace(tale, people=(replace(people[0], left=()), replace(people[1], left=None)))) == [
        ("Aubrey", "unharmed")
    ]
    down = (Person("mira", "Mira", "party", True, max=22),)
    assert left_of(FightRecord(people=down, points=(Point(9, 2, "mira", -1),))) == [("Mira", "−1/22")]


@pytest.mark.parametrize("error", [CorruptJournal("damaged"), RulesBug("stumbles")])
def test_what_cannot_be_read_of_the_end_costs_only_itself(tmp_path: Path, error: Exception) -> None:
    """The rest of the fight is told as it was, without what characters have left."""

    def states(number: int) -> tuple[State, State]:
        raise error

    with told(tmp_path, "githack/cistern") as (session, tale):
        entries = [record.entries for record in session.model.steps]
        torn = record_of(session.ruleset, entries, states, marks=False)

    assert left_of(torn) == []
    assert (
        [fall.who for fall in statistics_of(torn).defeats] == [fall.who for fall in statistics_of(tale).defeats] != []
    )


def test_a_guard_s_defence_belongs_to_the_attack_it_takes() -> None:
    """It is told with the name of the one who stepped before the target."""
    blow = ev.ActionTaken(Action("attack", "ghoul", (("targets", ("jenna",)), ("attack", "claws"))), "Attack")
    defence = ev.Checked("defence", "skule", 3, "defended", "ghoul")
    people = tuple(Person(who, who.title(), "all", False, 0) for who in ("ghoul", "jenna", "skule"))
    told = record_of(registry.find("githack"), [[ev.Entry(blow), ev.Entry(defence)]])

    assert [verse.words for verse in story(replace(told, people=people))] == [
        "Ghoul's Attack (claws) on Skule: defended."
    ]


@pytest.mark.parametrize(("count", "sides"), [(1, 20), (2, 6), (3, 4)])
def test_luck_is_exact(count: int, sides: int) -> None:
    """The chance of less is that of all the ways dice can fall."""
    ways = [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]
    for total in range(count, count * sides + 1):
        less = sum(way < total for way in ways) + sum(way == total for way in ways) / 2
        assert chance_below(count, sides, total) == pytest.approx(less / len(ways))
    assert chance_below(count, sides, count * sides + 1) == pytest.approx(1.0)
    assert chance_below(300, 20, 3150) == pytest.approx(0.5)


def test_what_mattered_is_played_again(tmp_path: Path) -> None:
    """The same steps and dice without an effect, a forced moment, a correction."""
    with told(tmp_path, "worlds_without_number/bridge") as (session, tale):
        lines = impact_of_effects(session.ruleset, tale, partial(played_in, session), corrections_of(session))
        charging = next(hold for hold in tale.effects if hold.effect == "charging")
        found = measure_impact(session.ruleset, tale, charging, partial(played_in, session))

    assert lines == (
        "charging on Ordwen: turned miss into hit 2 times, 12 points more lost",
        "forced, Sefa: Melee Attack (Sefa has no Main action left this round): 4 points lost, Robber 3 fell",
        "without the correction behind step 13: Snag hp 21 and not 13",
    )
    assert found == Impact("charging", "ordwen", ((("miss", "hit"), 2),), 12)
    nothing = Impact("bless", "ordwen")
    assert list(impact_words(tale, [nothing, found, found])) == [
        "charging on Ordwen: turned miss into hit 4 times, 24 points more lost"
    ]


def test_the_end_fits_its_screen(tmp_path: Path) -> None:
    """The numbers stand in rows no wider than the sheet."""
    with told(tmp_path, "worlds_without_number/bridge") as (_, tale):
        numbers = statistics_of(tale)
    wide = [row.text.rstrip() for row in ending_rows(tale, numbers, 116)]

    assert "  R3  † Ordwen is dying (Snag, great club)." in wide
    assert "biggest blow: 9, Snag (great club) → Ordwen, round 3" in wide
    assert "Sefa            21      8      3        3   short sword 21" in wide
    assert "Nele        1 d20: 20 (10.5 expected)  less in 98%" in wide
    assert "Ordwen 0/21 · Sefa 10/15 · Tavi 11/14 · Nele 13/13" in wide
    assert "Snag: blinded by spray" not in wide
    for width in (30, 76, 116):
        rows = [*ending_rows(tale, numbers, width), *story_rows(tale, True, width)]
        assert max(width_of(row.spans) for row in rows) <= width
    colours = Colours({"Ordwen": "players", "Snag": "gm"})
    for rows in (ending_rows(tale, numbers, 116, colours), story_rows(tale, True, 116, colours)):
        fell = next(row for row in rows if "† Ordwen is dying" in row.text)
        assert {"players": "Ordwen", "gm": "Snag"}.items() <= {span.style: span.text for span in fell.spans}.items()


def test_a_fight_without_a_step_has_a_tale() -> None:
    """Its set-up still asks something: nothing is told, and nothing breaks."""
    ruleset = registry.find("worlds_without_number")
    tale = record_of(ruleset, ())
    numbers = statistics_of(tale)

    assert (tale.steps, tale.story, numbers.shares) == (0, (), ())
    assert story_text(tale).split() == ["0", "rounds,", "0:00."]
    assert "<h1>A fight</h1>" in page(tale, numbers)
    assert ending_rows(tale, numbers, 80) == []
    assert impact_of_effects(ruleset, tale, lambda number: pytest.fail("there is no step")) == ()
