"""The report of a fight: its numbers, its page and its end agree with the fight."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from html import unescape
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import tally
from tests.views.report.fights import GOLDEN, by_policy, golden
from tracker.core.fight import events as ev
from tracker.core.fight.state import State
from tracker.core.game.ruleset import status_of
from tracker.core.game.telling import StatusWords
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import CorruptJournal, RulesBug
from tracker.session.report import corrections_of, fight_record_of, played_in
from tracker.session.rulesets import registry
from tracker.views.report.names import Names, conjugated
from tracker.views.report.outcome import cost, headline, result_words
from tracker.views.report.page import page, story_text
from tracker.views.report.record import Act, CombatantRecord, FightRecord, Milestone, Side, StatusChange
from tracker.views.report.recorder import record_of
from tracker.views.report.statistics import FightStats, chance_worse, left_of, nobodys_words, statistics_of
from tracker.views.report.story import paragraphs, story
from tracker.views.report.summary import ending_rows, outcome_rows, story_rows
from tracker.views.report.turning_points import Candidate, forced, measured, turning_points
from tracker.views.words.sides import Colours
from tracker.views.words.spans import width_of
from tracker.views.words.text import clean

RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d")


@pytest.mark.parametrize("name", GOLDEN)
def test_every_number_is_the_fights_own(tmp_path: Path, name: str) -> None:
    """Points, falls, rounds and damage are equal to those of the states and events."""
    with golden(tmp_path, name) as session:
        record, state = fight_record_of(session), session.model.state
        numbers = statistics_of(record)
        entries = [entry for step in session.model.steps for entry in step.entries]
        assert (record.rounds, record.seconds) == (state.clock.round, state.clock.seconds)
        points = {one.id: one.hp for one in state.combatants if one.has_pool(record.pool)}
        assert points == {one.id: one.now for one in record.people if one.max and one.id in state}
        lost, marks = Counter[str](), Counter[str]()
        for entry in entries:
            match entry.event:
                case ev.PoolChanged(pool=pool, who=who, was=was, now=now) if pool == record.pool:
                    lost[who] += max(0, was - now)
                case ev.FactSet(key="harm", owner=who, was=before, now=after) if record.telling.marks:
                    tracks = [tally(track) if isinstance(track, str) else (0, 0, 0) for track in (before, after)]
                    marks[who] += sum(max(0, now - was) for was, now in zip(*tracks, strict=True))
        assert {share.who: share.taken for share in numbers.shares if share.taken} == dict(+lost)
        assert {share.who: share.marks for share in numbers.shares if share.marks} == dict(+marks)
        sourceless = sum(points for _, points in numbers.nobodys)
        assert sum(share.dealt + share.marked for share in numbers.shares) + sourceless == (lost + marks).total()
        out = {one.id for one in state.combatants if not status_of(session.ruleset, one.status).acts}
        assert out <= {fall.who for fall in numbers.defeats}

        words = page(record, numbers)
        for fall in numbers.defeats:
            assert ("†" in f"{clean(record.name(fall.who))}") is False
            assert f"† {clean(record.name(fall.who))}<" in words or fall.ending != "dead"
        text = story_text(record)
        assert RULE.search(text) is None
        assert "http" not in words.replace("http://www.w3.org/2000/svg", "")


def test_a_story_is_read_aloud(tmp_path: Path) -> None:
    """A headline, a paragraph a round, the cost; powers and turned attacks are in one sentence."""
    with golden(tmp_path, "worlds_without_number/bridge") as session:
        record = fight_record_of(session)
    text = story_text(record)

    assert text.splitlines()[:4] == [
        "Toll at the broken bridge",
        headline(record),
        "",
        "The party (Ordwen, Sefa, Tavi and Nele) against the toll-takers (Wick, Snag and three robbers).",
    ]
    assert "joins the toll-takers." in text
    assert text.count("Ordwen goes for Snag and misses at first, but trusts to a veteran's luck and strikes Snag") == 1
    assert text.count("Snag goes for Ordwen, who parries.") == 1
    assert "(" not in story_text(record).split("\n\n", 2)[2]
    notes = [line.words for line in story(record, notes=True) if line.kind == "note"]
    assert len(notes) > 0
    assert all(f"({words})" in story_text(record, notes=True) for words in notes)
    long = story_text(record, full=True)
    assert "Robber 1" in long
    assert len(long.splitlines()) > len(text.splitlines())


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ((("", 31),), "dealt by no combatant: 31"),
        ((("", 31), ("bleeding", 3)), "dealt by no combatant: bleeding 3 and otherwise 31"),
        ((), ""),
    ],
)
def test_harm_of_no_combatant_is_told_by_its_reason(harm: tuple[tuple[str, int], ...], words: str) -> None:
    """Points that the GM removes by hand have no reason."""
    assert nobodys_words(FightStats(nobodys=harm)) == words


def test_rounds_of_nothing_are_one_sentence() -> None:
    """The rounds in which something happens have headings."""
    rounds = [Milestone("round", (number, 0), number, refs=[(number, 0)]) for number in range(1, 8)]
    change = StatusChange("mira", StatusWords("down", "down", "fell", "go down"), "down", 4, (4, 1))
    fell = Milestone("change", (4, 1), 4, who=["mira"], refs=[(4, 1)], change=change)
    record = FightRecord(
        people=(CombatantRecord("mira", "Mira", "party", True),), items=(*rounds[:4], fell, *rounds[4:])
    )

    def told(items: tuple[Act | Milestone, ...]) -> list[tuple[str, list[str]]]:
        lines = story(replace(record, items=items))
        return [(one.title, [line.words for line in one.lines]) for one in paragraphs(lines)]

    assert told(record.items) == [
        ("", ["Rounds 1 to 3 pass."]),
        ("Round 4", ["Mira goes down."]),
        ("", ["Rounds 5 to 7 pass."]),
    ]
    assert told(tuple(rounds[:2])) == [("", ["Rounds 1 and 2 pass."])]
    assert told(()) == []


@pytest.mark.parametrize(
    ("over", "ours", "theirs", "said"),
    [
        (True, "standing", "dead", "The party wins in round 3: the orcs are beaten to the last."),
        (True, "standing", "fled", "The party wins in round 3: the orcs break and run."),
        (True, "dead", "standing", "The orcs win in round 3: the party is beaten to the last. Ann is dead."),
        (True, "down", "dead", "Nobody is left standing in round 3. Ann is dying."),
        (True, "standing", "standing", "The fight ends in round 3 with the party and the orcs still standing."),
        (False, "standing", "standing", "The fight goes on in round 3."),
    ],
)
def test_the_headline_says_who_won_and_at_what_cost(over: bool, ours: str, theirs: str, said: str) -> None:
    """It names the winner, the end of the other side, and the characters that do not stand."""
    word = {"down": "dying"}.get(ours, ours)
    people = (
        CombatantRecord("ann", "Ann", "party", True, status=word, ending=ours),  # type: ignore[arg-type]  # a parameter
        CombatantRecord("orc", "Orc", "orcs", False, status=theirs, ending=theirs),  # type: ignore[arg-type]  # a parameter
    )
    sides = (Side("party", "Party", True), Side("orcs", "Orcs"))
    record = FightRecord(rounds=3, people=people, sides=sides, over=over)

    assert said == headline(record)


def test_allies_win_together() -> None:
    """Friendly sides are told together, and the list names the dead."""
    fight = by_policy("sovereign/gate_brawl", 1)
    record = fight.record

    assert headline(record).startswith("The party and the guards win in round")
    result = result_words(fight.ruleset, fight.states[-1], fight.steps[-1].before)
    assert result.startswith("Party and Guards won in ")
    died = [one.name for one in record.people if one.players and one.ending == "dead"]
    assert ("died" in result) is bool(died)
    assert [line.split(":")[0] for line in cost(record)] == ["The party", "The guards", "The raiders"]


def test_what_is_left_of_characters_without_points_is_told(tmp_path: Path) -> None:
    """The end and the page show the Harm tracks; marks have their own columns."""
    with golden(tmp_path, "githack/cistern") as session:
        record = fight_record_of(session)
        state = session.model.state
        numbers = statistics_of(record)
        harm = {one.name: tally(stats.harm(state[one.id])) for one in record.people if one.players}
        rows = [row.text for row in ending_rows(record, numbers, 116)]
        words = unescape(page(record, numbers))

    assert harm == {one.name: one.marks for one in record.people if one.players}
    assert "Aubrey 3 wounds · Jenna 3 wounds · Skule 5 wounds · Tamsin: wound" in rows
    assert '<td>Skule</td><td class="n">5 wounds</td>' in words
    assert "marks taken" in words
    one = replace(record.people[0], left=())
    assert left_of(replace(record, people=(one, replace(one, left=None)))) == [("Aubrey", "unharmed")]
    down = (CombatantRecord("mira", "Mira", "party", True, max=22, now=-1),)
    assert left_of(FightRecord(people=down)) == [("Mira", "−1/22")]


@pytest.mark.parametrize("error", [CorruptJournal("damaged"), RulesBug("stumbles")])
def test_what_cannot_be_read_of_the_end_costs_only_itself(tmp_path: Path, error: Exception) -> None:
    """The rest of the fight is told, without the points that characters have left."""

    def states(number: int) -> tuple[State, State]:
        raise error

    with golden(tmp_path, "githack/cistern") as session:
        record = fight_record_of(session)
        torn = record_of(session.ruleset, [step.entries for step in session.model.steps], states)

    assert left_of(torn) == []
    assert statistics_of(torn).defeats == statistics_of(record).defeats != ()


def test_a_guard_s_defence_belongs_to_the_attack_it_takes() -> None:
    """A defence of one that stepped before the target is no result against the target."""
    blow = ev.ActionTaken(Action("attack", "ghoul", (("targets", ("jenna",)), ("attack", "claws"))), "Attack")
    defence = ev.Checked("defence", "skule", 3, "defended", "ghoul", success=True)
    people = tuple(CombatantRecord(who, who.title(), "all", False) for who in ("ghoul", "jenna", "skule"))
    record = record_of(registry.find("githack"), [[ev.Entry(blow), ev.Entry(defence)]])
    act = next(record.acts)
    told = story(replace(record, people=people, items=(replace(act, targets=("jenna",)),)))

    assert [line.words for line in told] == ["Ghoul goes for Jenna with the claws."]


@pytest.mark.parametrize(("count", "sides"), [(1, 20), (2, 6), (3, 4)])
def test_luck_is_exact(count: int, sides: int) -> None:
    """The chance of worse is that of all the ways dice can fall."""
    ways = [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]
    for total in range(count, count * sides + 1):
        assert chance_worse(count, sides, total) == pytest.approx(sum(way < total for way in ways) / len(ways))
        assert chance_worse(count, sides, total, True) == pytest.approx(sum(way > total for way in ways) / len(ways))
    assert chance_worse(300, 20, 3150) == pytest.approx(0.5, abs=0.01)


def test_luck_needs_five_dice_and_knows_where_low_is_good() -> None:
    """Fewer dice have no row; a low d20 is luck in GitHack and none in Worlds Without Number."""
    rows = {
        name: statistics_of(by_policy(name, 1).record).luck
        for name in ("githack/dragon", "worlds_without_number/bandit_lord")
    }

    assert all(one.count >= 5 for luck in rows.values() for one in luck)
    assert {one.low for one in rows["githack/dragon"] if one.sides == 20} == {True}
    assert {one.low for one in rows["worlds_without_number/bandit_lord"]} == {False}
    assert re.fullmatch(r"luckier than \d+ of 100 such rolls", rows["githack/dragon"][0].words)


def test_what_mattered_is_played_again(tmp_path: Path) -> None:
    """The same steps and dice without an answer, an effect, with another face; the GM's hand apart."""
    with golden(tmp_path, "worlds_without_number/bridge") as session:
        record, played = fight_record_of(session), partial(played_in, session)
        lines = turning_points(session.ruleset, record, played)
        charging = next(span for span in record.effects if span.effect == "charging")
        candidate = Candidate("effect", charging.since[0], span=charging)
        point = measured(session.ruleset, record, candidate, played)
        gms = [*forced(record, [step.entries for step in session.model.steps]), *corrections_of(session)]

    assert 0 < len(lines) <= 6
    assert point is not None
    assert point.words == "Round 1: charging on Ordwen turned miss into hit twice and cost 12 points."
    assert gms == [
        "Forced, Sefa: Melee Attack (Sefa has no Main action left this round): 4 points lost, Robber 3 down.",
        "Without the correction in round 2: Snag hp 21 and not 13.",
    ]


def test_an_answer_is_judged_by_itself() -> None:
    """Of two interrupting blows only the one that felled matters; of a turned hit the average of its dice."""
    cairn, barrow = by_policy("worlds_without_number/bandit_lord", 11), by_policy("sovereign/first_fight", 21)
    lines = [turning_points(one.ruleset, one.record, lambda at, one=one: one.steps[at]) for one in (cairn, barrow)]  # type: ignore[misc]  # one is bound

    assert [line for line in lines[0] if line.startswith("Round 6")] == [
        "Round 6, Ilse: Snap Attack. Without it Ordwen would still stand; "
        "the dice would have gone on: 1d8 for long sword against Gristle."
    ]
    assert lines[1][0] == (
        "Round 1, Bone Archer 1: Total Defense. Without it Corvin would have hit Bone Archer 1; "
        "the dice would have gone on: 1d6 for Small bow against Bone Archer 1."
    )


def test_the_end_fits_its_screen(tmp_path: Path) -> None:
    """The numbers are in rows no wider than the screen, names in the colours of their sides."""
    with golden(tmp_path, "worlds_without_number/bridge") as session:
        record = fight_record_of(session)
    numbers = statistics_of(record)
    wide = [row.text.rstrip() for row in ending_rows(record, numbers, 116)]

    assert "  R3    Ordwen: stable (Snag, great club)" in wide
    assert "biggest hit: Snag's great club took 9 from Ordwen in round 3" in wide
    assert numbers.biggest is not None
    early = replace(numbers, biggest=replace(numbers.biggest, round=0))
    words = "Snag's great club took 9 from Ordwen before the first round"
    assert f"biggest hit: {words}" in [row.text.rstrip() for row in ending_rows(record, early, 116)]
    assert f"Biggest hit: {words}." in unescape(page(record, early))
    assert "Ordwen 0/21 · Sefa 10/15 · Tavi 11/14 · Nele 13/13" in wide
    for width in (30, 76, 116):
        rows = [*outcome_rows(record, width), *ending_rows(record, numbers, width)]
        rows += [*story_rows(record, True, width), *story_rows(record, True, width, full=True)]
        assert max(width_of(row.spans) for row in rows) <= width
    colours = Colours({"Ordwen": "players", "Snag": "gm"})
    fell = next(row for row in ending_rows(record, numbers, 116, colours) if "Ordwen: stable" in row.text)
    assert {"players": "Ordwen", "gm": "Snag"}.items() <= {span.style: span.text for span in fell.spans}.items()


def test_a_fight_without_a_step_has_a_record() -> None:
    """Its set-up still asks something: nothing is told, and nothing breaks."""
    ruleset = registry.find("worlds_without_number")
    record = record_of(ruleset, ())
    numbers = statistics_of(record)

    assert (record.steps, record.items, numbers.shares) == (0, (), ())
    assert story_text(record).split() == ["0", "rounds,", "0:00."]
    assert "<h1>A fight</h1>" in page(record, numbers)
    assert ending_rows(record, numbers, 80) == []
    assert turning_points(ruleset, record, lambda number: pytest.fail("there is no step")) == []


def test_a_kind_has_an_article() -> None:
    """`article: true` in a stat block; an alias has no article."""
    cook = CombatantRecord("cook", "Cook", "gm", False, article=True)
    names = Names(FightRecord(people=(cook, CombatantRecord("teal", "Mother Teal", "gm", False))))

    assert names.several(("cook", "teal")) == "the Cook and Mother Teal"
    record = by_policy("worlds_without_number/night_raid", 1).record
    assert {person.name for person in record.people if person.article} == {"Cook", "Lookout"}


def test_those_who_have_as_much_left_are_told_together() -> None:
    """Each side has one sentence."""
    people = tuple(
        CombatantRecord(name, name, "party", True, max=9, now=now) for name, now in (("A", 9), ("B", 4), ("C", 9))
    )
    record = FightRecord(people=people, sides=(Side("party", "Party", True),))

    assert cost(record) == ["The party: A and C unhurt; B 4 of 9."]


def test_a_pronoun_stands_only_where_it_is_clear() -> None:
    """Two of the same pronoun, or one that is not known, are named again."""
    pronouns = {"Ann": "she", "Eve": "she", "Bob": "he", "Orc": ""}
    people = tuple(CombatantRecord(name, name, "all", True, pronoun=pronoun) for name, pronoun in pronouns.items())
    names = Names(FightRecord(people=people))

    assert [names.object(name) for name in pronouns] == ["her", "her", "him", "Orc"]
    assert names.subject("Bob", "Ann") == "he"
    assert [names.subject("Ann", "Eve"), names.subject("Bob", "Orc"), names.subject("Orc")] == ["Ann", "Bob", "Orc"]


@pytest.mark.parametrize(
    ("phrase", "one", "many"),
    [
        ("carry off", "carries off", "carry off"),
        ("be stunned", "is stunned", "are stunned"),
        ("miss", "misses", "miss"),
        ("play dead", "plays dead", "play dead"),
    ],
)
def test_verbs_are_conjugated(phrase: str, one: str, many: str) -> None:
    """For one and for several."""
    assert (conjugated(phrase), conjugated(phrase, one=False)) == (one, many)
