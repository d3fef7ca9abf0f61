"""Forecasts as rows of text, and `tracker forecast`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.forecast.canned import seen
from tracker.cli.main import main
from tracker.forecast.rows import (
    ForecastHeader,
    TacticsRow,
    chance_words,
    compared_rows,
    count_range_rows,
    forecast_rows,
)
from tracker.forecast.summary import CombatantSummary, Difference, ForecastSummary
from tracker.views.words.spans import Row, cells

CAST = ForecastHeader((("Party", True), ("Goblins", False)), frozenset({"up"}), {"ava": "a", "wolf": "w"}, round=2)
USUAL = TacticsRow("focused", seen())


def texts(rows: tuple[Row, ...]) -> list[str]:
    return [row.text.rstrip() for row in rows]


def test_a_forecast_in_full() -> None:
    """Sides, course, characters, kinds of enemies, and the range of the tactics."""
    rows = forecast_rows(
        (USUAL, TacticsRow("spread", seen(won=100)), TacticsRow("cautious", seen(fights=12))), CAST, 100
    )

    assert texts(rows) == [
        "Party wins 50% to 71% by the tactics of both sides",
        "a character falls: 2 in 3, mostly Wolf · a character dies: 1 in 10, mostly Ava",
        "",
        "wins",
        "Party     71% (64 to 77%)   ██████████████████████████▓▓░░░·········",
        "Goblins   29% (23 to 36%)   █████████▓▓▓░░··························",
        "2 more rounds (0 to 5 in 9 of 10 fights) · 0.7 of 2 characters fall · 43% of Party's points left",
        "",
        "a Ava       falls  10%  █▓··············  dead 10% · 14/20 left",
        "w Wolf      falls  60%  ████████▓▓░·····  down 60% · 3/20 left",
        "2 × Goblin  falls  75%  ████████████····  1.5 of 2 fall",
        "",
        "Party wins, by the tactics of both sides",
        "focused    71% (64 to 77%)   ██████████████████████████▓▓░░░·········",
        "spread     50% (43 to 57%)   █████████████████▓▓▓░░░·················",
        "cautious  12 fights so far",
    ]
    assert [span.style for span in rows[9].spans][2] == "bad"


def person(name: str, fights: int, falls: int, own: bool = False) -> CombatantSummary:
    key = name.lower().replace(" ", "-")
    return CombatantSummary(key, name, own, fights, falls, (("down", falls),), new_falls=falls)


def told_of(*people: CombatantSummary, fights: int = 200, falls: int = 0) -> list[str]:
    seen = ForecastSummary(fights, fights, (("Party", fights),), (3, 2, 4), 0.5, people, falls=falls)
    return texts(forecast_rows((TacticsRow("focused", seen),), CAST, 100))


def test_a_rolled_number_counts_those_that_came() -> None:
    """Of 1d3 bows and 1d2 rats each fight has its own number, whatever they are called; a wave may never come."""
    bows = [person("Bow", 60, 12), person("Bow 1", 140, 40), person("Bow 2", 140, 20), person("Bow 3", 80, 0)]

    rows = told_of(person("Ada", 200, 0, True), *bows, person("Thing", 50, 25), person("Ally", 100, 4, True))

    assert rows[1] == "no character falls in 200 fights"
    assert "2.1 × Bow  falls  17%  ███·············  0.4 of 2.1 fall" in rows
    assert "Thing      falls  50%  ██████▓▓░░······  comes 25% · down 50%" in rows
    assert "2 rounds (0 to 2 in 9 of 10 fights) · hardly ever one falls" not in rows
    assert "1 more round (0 to 2 in 9 of 10 fights) · hardly ever one falls" in rows


def test_mostly_is_said_of_one_character() -> None:
    """If two characters fall in half of the fights, none is called the most frequent."""
    often = [person(name, 60, falls, True) for name, falls in (("Ada", 60), ("Bo", 59))]

    assert told_of(*often, fights=60, falls=60)[1] == "a character falls: always"


def test_few_fights_tell_no_percent_of_falls() -> None:
    """Below a hundred fights wins are counted, and a chance to fall is told in words, as the losses always are."""
    seldom = person("Sefa", 60, 1, True)
    rows = told_of(person("Ada", 60, 20, True), seldom, fights=60, falls=21)

    assert rows[:2] == ["Party wins all of 60 fights", "a character falls: 1 in 3, mostly Ada"]
    assert rows[4].startswith("Party    94 to 100%         ███")
    assert rows[8].startswith("Ada   falls 1 in 3  ")
    assert rows[9].startswith("Sefa  falls hardly ever")
    assert [chance_words(share) for share in (0, 0.12, 0.9, 0.99, 1)] == [
        "never",
        "1 in 8",
        "9 in 10",
        "nearly always",
        "always",
    ]


def test_few_fights_make_no_span_of_the_tactics() -> None:
    """The range contains only tactics with enough fights for a percentage."""

    def headline(*fights: int) -> str:
        lanes = [TacticsRow(name, seen(many, many // 4)) for name, many in zip("abcd", fights, strict=False)]
        return texts(forecast_rows(lanes, CAST, 100))[0]

    assert headline(40, 20) == "Party wins 10 of 40 fights"
    assert headline(200, 20) == "Party wins 25% (20 to 31%)"
    assert headline(200, 104) == "Party wins 25% by the tactics of both sides"
    assert texts(forecast_rows((TacticsRow("a", seen(20, 0)),), CAST, 100))[0] == "Party wins none of 20 fights"


def test_what_happened_once_is_not_told_as_never() -> None:
    """One fight of four hundred is shown as <1%, the others as >99%."""
    rows = told_of(person("Ada", 400, 1, True), person("Goblin", 400, 399), fights=400, falls=1)

    assert rows[1] == "a character falls: hardly ever"
    assert re.search(r"Ada     falls  <1%  .*  down <1%", rows[8])
    assert re.search(r"Goblin  falls >99%  .*  down >99%", rows[9])
    assert texts(forecast_rows((TacticsRow("a", seen(400, 399)),), CAST, 100))[0] == "Party wins >99% (99 to 100%)"


def test_what_is_not_played_is_said_with_the_combatants_it_concerns() -> None:
    cast = replace(CAST, unplayed=(("spells without damage", ("Ava", "Priest")), ("grapples", ()), ("shoves", ())))

    rows = texts(forecast_rows((USUAL,), cast, 100))

    assert rows[-1] == "not played: spells without damage (Ava, Priest); grapples, shoves (anyone)"


def test_rows_fit_however_narrow_it_is() -> None:
    for width in (20, 36, 76, 116):
        lanes = (USUAL, TacticsRow("spread", seen(won=100)))
        rows = forecast_rows(lanes, CAST, width) + compared_rows(*lanes, Difference(200, 0.1, 0, 0.2), CAST, width)
        rows += count_range_rows(lanes, CAST, width)
        assert max(cells(row.text) for row in rows) <= width


def test_too_few_fights_say_nothing() -> None:
    """Failed and undecided fights are shown with their reason."""
    few = replace(seen(fights=19), failed=2, reason="ValueError: no (actions.py:3 in strike)")

    assert texts(forecast_rows((TacticsRow("focused", few),), CAST, 80)) == [
        "19 fights played: fewer than 20 say nothing",
        "✗ 2 of the fights broke the ruleset: ValueError: no (actions.py:3 in strike)",
    ]
    endless = replace(seen(won=0), left=(), undecided=200, reason="no end after 60 rounds")
    assert "undecided: 200 (no end after 60 rounds)" in texts(
        forecast_rows((TacticsRow("focused", endless),), CAST, 80)
    )
    assert compared_rows(USUAL, TacticsRow("tried", few), Difference(), CAST, 80)[0].key == "few"


def test_two_ways_stand_beside_each_other() -> None:
    """An uncertain difference says so, a certain one has a colour."""
    one, other = TacticsRow("real", seen()), TacticsRow("what-if", seen(won=170))

    maybe = compared_rows(one, other, Difference(200, 0.06, -0.02, 0.14), CAST, 80)
    sure = compared_rows(one, other, Difference(200, 0.14, 0.08, 0.2), CAST, 80)

    assert texts(maybe)[:4] == [
        "Party wins",
        "real         71% (64 to 77%)   ██████████████████████████▓▓░░░·········",
        "what-if      85% (79 to 89%)   ████████████████████████████████▓▓░░····",
        "difference  +6 points (−2 to +14)  it may make no difference",
    ]
    assert texts(sure)[3] == "difference  +14 points (+8 to +20)"
    assert sure[3].spans[2].style == "good"
    assert texts(maybe)[6:8] == [
        "more rounds     2                       2",
        "points left   43%                     43%",
    ]


def test_a_sweep_has_a_line_for_each_number() -> None:
    """A count whose fights fail shows the reason."""
    bare = replace(seen(), people=())
    broken = ForecastSummary(0, 0, failed=3, reason="no place for 9")
    rows = count_range_rows(
        (TacticsRow("6 × goblin", USUAL.summary), TacticsRow("8 × goblin", bare), TacticsRow("9 × goblin", broken)),
        CAST,
        80,
    )
    changes = (None, Difference(200, -0.04, -0.09, 0.01), None)
    wide = count_range_rows((USUAL, USUAL), CAST, 100, changes)

    assert texts(rows) == [
        "            Party wins         fall  left  rounds",
        "6 × goblin   71% (64 to 77%)    0.7   43%       4  ███████████████████▓▓░·······",
        "8 × goblin   71% (64 to 77%)    0.0     –       4  ███████████████████▓▓░·······",
        "9 × goblin  0 fights played · no place for 9",
    ]
    assert "rounds  points more or less" in wide[0].text
    assert "4  −4 (−9 to +1)  " in wide[2].text


CISTERN = str(Path(__file__).parents[2] / "encounters" / "githack" / "jelly_cistern.yaml")


def test_it_tells_who_wins_and_who_falls(capsys: pytest.CaptureFixture[str]) -> None:
    """Given an encounter, chances come with intervals, and each hero with its fate; the head says how sure it is."""
    status = main(["forecast", CISTERN, "--fights", "20"])

    out = capsys.readouterr().out
    assert status == 0
    assert "20 fights, both sides focused" in out
    assert re.search(r"· known to ±\d+ points$", out.splitlines()[0])
    assert "Party" in out
    assert "Party wins all of 20 fights" in out
    assert "84 to 100%         ███" in out
    assert "Mother Ade      falls" in out


def test_a_seed_repeats_a_forecast(capsys: pytest.CaptureFixture[str]) -> None:
    """The seed that is printed gives the same forecast again."""
    words = ["forecast", CISTERN, "--fights", "20", "--json"]
    assert main(words) == 0
    first = json.loads(capsys.readouterr().out)

    assert main([*words, "--seed", str(first["seed"])]) == 0

    assert json.loads(capsys.readouterr().out) == first


def test_numbers_are_swept(capsys: pytest.CaptureFixture[str]) -> None:
    """Given a range, each number has its line."""
    words = ["--count", "rat-swarm=1..2", "--without", "grey-jelly", "--fights", "20", "--json"]
    assert main(["forecast", CISTERN, *words]) == 0

    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["with"] for one in documents] == ["1 rat-swarm", "2 rat-swarm"]
    assert all(one["fights"] == 20 and one["won"]["low"] <= one["won"]["share"] for one in documents)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--without", "dragon"), 'tracker: there is no "dragon" in this encounter (brannoc, '),
        (("--count", "ghoul"), 'tracker forecast: argument --count: "ghoul": write NAME=N..M, such as goblin=6..12'),
        (("--count", "ghoul=5..2"), 'tracker forecast: argument --count: "ghoul=5..2": write NAME=N..M'),
        (("--fights", "0"), 'tracker forecast: argument --fights: "0": give a number of fights from 1'),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each mistake of the command line gives one line with the way on."""
    assert main(["forecast", CISTERN, *words]) != 0

    error = capsys.readouterr().err
    assert error.startswith(said)
    assert error.count("\n") == 1


def test_allies_have_their_own_colour_and_bars_begin_in_one_column() -> None:
    """Sides and combatants friendly to the players are coloured as elsewhere, whatever words a chance takes."""
    cast = ForecastHeader((("Party", True), ("Guards", False), ("Raiders", False)), allied=frozenset(("Guards", "g")))

    assert [cast.style(name, own) for name, own in cast.sides] == ["players", "ally", "gm"]
    assert (cast.style("g", own=False), cast.style("o", own=False)) == ("ally", "gm")
