"""Prompts, forms, pickers, stat blocks, header, rules."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.support.tables import for_each, rows
from tests.views.toy import CLOCK, RULES, RULESET, SCREENED, Beast, Blow, combatant, fight, shown
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.update import replace_combatant
from tracker.core.game.schema import Badge, Reminder
from tracker.core.terms.actions import Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Member
from tracker.core.terms.labels import Rule
from tracker.core.terms.requests import Choice, Number, Pick, Request, Roll
from tracker.core.terms.values import Data
from tracker.views.panes.blocks import block_rows, rule_rows
from tracker.views.panes.header import header_line, time_words
from tracker.views.words.prompts import hint_words, option_keys, prompt_title
from tracker.views.words.values import field_words

# -- prompts -----------------------------------------------------------------------------------------------------------


@for_each(
    ("request_", "title", "hint"),
    [
        (Roll("r", Dice.of(2, 6), None, "gm", "", True, True), "GM: roll 2d6 (r)  secret", "type each face"),
        (Roll("save:goblin-1", Dice.of(1, 20), "goblin-1"), "GM: roll d20 (Goblin 1, save goblin-1)", "type the die"),
        (
            Roll("r", Dice.parse("2d6+1d4"), None, "player", "luck"),
            "Players: roll 2d6+1d4 for luck",
            "type a total or the faces",
        ),
        (Number("count", 3, 0, 5, why="how many"), "GM: how many (0..5)", "Enter: 3 · or type a number"),
        (Number("count"), "GM: count", "type a number"),
        (Pick("who", (Option("ava"), Option("wolf")), ("ava",), 1), "GM: who", "Enter: ava · a w space pick 1 to 2"),
        (Pick("who", (Option("ava"),), maximum=1), "GM: who", "pick 0 to 1, then Enter"),
        (Choice("a", (Option("x"),)), "GM: a", "press an option's key"),
    ],
)
def test_questions_and_hints(request_: Request, title: str, hint: str) -> None:
    """Every kind of request names the person who answers, the question, and the effect of Enter."""
    assert "".join(span.text for span in prompt_title(fight(), request_)) == title
    assert hint in hint_words(fight(), request_)


def test_option_keys() -> None:
    """Combatants answer to their labels, other options to a letter of their own."""
    state = fight()

    assert option_keys(state, (Option("goblin-1"), Option("wolf"))) == ("g", "w")
    assert option_keys(state, (Option("hold"), Option("hide"), Option("run"), Option("7"))) == ("h", "i", "r", "4")
    assert option_keys(state, tuple(Option(f"o{n}") for n in range(30)))[28:] == ("29", "30")


# -- forms -------------------------------------------------------------------------------------------------------------


@for_each(
    ("field", "value", "words"),
    [
        (Field("targets", "combatants"), ("ava", "wolf"), "a Ava and w Wolf"),
        (Field("weapon", "choice", options=(Option("bow", "long bow"),)), "bow", "long bow"),
        (Field("weapons", "choices"), ("short_bow", "axe"), "short bow and axe"),
        (Field("amount", "number"), 7, "7"),
        (Field("why", "text"), "a_b", "a_b"),
        (Field("secret", "flag"), True, "yes"),
        (Field("at", "square"), (3, 4), "3,4"),
        (Field("path", "path"), ((3, 4), (3, 5)), "3,4 and 3,5"),
        (
            Field("rows", "rows", columns=(Field("stat", "text"), Field("amount", "number"))),
            ((("stat", "ac"), ("amount", -2)),),
            "stat ac, amount -2",
        ),
        (Field("members", "members"), (Member(Beast("x"), "Worg", "beast", Dice.parse("1d4")),), "1d4 × Worg"),
        (Field("empty", "text"), "", ""),
    ],
)
def test_values_of_fields(field: Field, value: object, words: str) -> None:
    """Every kind of field has its value in words."""
    assert field_words(fight(), field, value) == words  # type: ignore[arg-type]  # a value of the field


# -- stat blocks, header, rules ----------------------------------------------------------------------------------------


class Guarded(Struct, Data, frozen=True, tag=True):
    """Whom an effect's bearer guards."""

    who: str


def test_an_effect_names_its_ward_once() -> None:
    """Its data are not said besides words that name all of them."""
    state = fight()
    guarding = replace(SCREENED, bearer="wolf", title="guarding Brin", data=Guarded("brin"))
    guarded = replace_combatant(state, replace(state["wolf"], effects=(guarding,)))
    told = " ".join(shown(block_rows(RULESET, guarded, "wolf", 60)))

    assert "guarding Brin" in told
    assert "who" not in told


def test_a_stat_block() -> None:
    """The panel has points, numbers with their parts, the turn, effects and notes."""
    people = fight().combatants
    block = Beast(
        "Wolf",
        3,
        12,
        (Blow("bite", Dice.parse("1d8+1")), Blow("claw", Dice.parse("1d4"), 2)),
        "circles\nthen bites",
        True,
    )
    wolf = replace(
        people[1],
        block=block,
        notes=("limps",),
        effects=(*people[1].effects, replace(SCREENED, id=7, bearer="wolf", secret=True)),
    )
    state = fight(combatants=(people[0], wolf, *people[2:]))
    ruleset = replace(
        RULESET,
        pending=lambda state: (Reminder("m", "morale is owed", "wolf", rule="T-2"),),
        badges=lambda state, who: (Badge("M·", "Main and Move", "budget"),),
    )

    assert shown(block_rows(ruleset, state, "wolf", 44)) == [
        "w Wolf                                    up",
        "Party · beast",
        "HP             22/28",
        "AC             10 = 12 hide −2 charging",
        "turn           M·  Main and Move",
        "effect         charging −2 AC, until end of",
        "                round 2  T-1",
        "effect         screened by Brin, until start",
        "                of Ava's next turn, by Brin",
        "                secret",
        "owed           morale is owed",
        "note           limps",
        "stat block",
        "hit dice       3",
        "armour         12",
        "attacks        bite, damage 1d8+1",
        "               claw, damage 1d4, reach 2",
        "tactics        circles",
        "               then bites",
        "swims          yes",
    ]


@for_each(
    ("badges", "expected"),
    [((Badge("M·", "Main and Move", "budget"),), "turn M· Main and Move"), ((), "left main 1, move 0")],
)
def test_what_is_left_of_a_turn_is_told_once(badges: tuple[Badge, ...], expected: str) -> None:
    """In the game's words, else by the budget."""
    ruleset = replace(RULESET, badges=lambda state, who: badges)
    told = [" ".join(line.split()) for line in shown(block_rows(ruleset, fight(), "wolf", 44))]

    assert [line for line in told if line.startswith(("left", "turn"))] == [expected]


@pytest.mark.parametrize(("width", "text"), rows(__file__, "header"))
def test_header(width: int, text: str) -> None:
    """Title and game, the moment, and the time of the resumption; in a narrow pane the moment stays."""
    assert header_line(RULESET, fight(), width, resumed="19:40").text == text


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (80, " Goblin ambush · Toy Fights  Round 2 · Party's turn · 0:12        PAST READ ONLY"),
        (50, " Round 2 · Party's turn · 0:12 PAST READ ONLY"),
        (36, " Round 2 · Party's turn · 0:12 PAST…"),
    ],
)
def test_header_of_the_past(width: int, text: str) -> None:
    """Marks of the past and of a second program come before title and time."""
    row = header_line(RULESET, fight(), width, past=True, read_only=True, resumed="19:40")

    assert (row.text, row.state) == (text, "past")


def test_header_says_what_went_wrong() -> None:
    """A problem is at the right end."""
    assert header_line(RULESET, fight(), 80, title="Ambush", problem="disk full\n").text.endswith(
        " · 0:12                disk full␊"
    )


@pytest.mark.parametrize(
    ("clock", "moment"),
    [
        (Clock(), "Set-up"),
        (Clock(slots=(Slot("r0/surprise", "Surprise"),), at="r0/surprise"), "Set-up · Surprise"),
        (Clock(1, slots=(Slot("r1/a", "Ava", members=("ava",)),), at="r1/a"), "Round 1 · Ava's turn"),
        (replace(CLOCK, slots=(replace(CLOCK.slots[0], turns="opened"),)), "Round 2 · Wolf's turn"),
        (
            Clock(1, slots=(Slot("r1/x", "bite", "act", -3, ("wolf",), turns="none"),), at="r1/x"),
            "Round 1 · segment −3 · bite",
        ),
        (replace(CLOCK, at=None, over=True), "Fight over"),
        (Clock(2, at=None), "Round 2"),
    ],
)
def test_moments(clock: Clock, moment: str) -> None:
    """Every kind of slot is named as the moment it is."""
    assert moment in header_line(RULESET, fight(clock=clock), 100).text


def test_who_is_next_stands_behind_a_turn_that_is_still_open() -> None:
    """It is not said to be the other's turn."""
    opened = fight(clock=replace(CLOCK, slots=(replace(CLOCK.slots[0], turns="opened"),)))

    assert "Round 2 · Wolf's turn, then a Ava" in header_line(RULESET, opened, 100, active="ava").text
    assert "Round 2 · Party's turn: a Ava" in header_line(RULESET, fight(), 100, active="ava").text


def test_game_time() -> None:
    """Game time reads like a clock."""
    assert (time_words(0), time_words(75), time_words(3725)) == ("0:00", "1:15", "1:02:05")


def test_rule_text() -> None:
    """A rule has its id at the right, the words for who applies it, and its wrapped text."""
    assert shown(rule_rows(RULES.rules[0], 32)) == [
        "Charging                     T-1",
        "applied by the program",
        "Whoever charges is easier to hit",
        "until the round ends.",
        "Twice the distance.",
    ]
    assert shown(rule_rows(Rule("R-1", "Ties", "x", "ruling", "ties"), 40))[1] == "a ruling · switch: ties"


def test_somebody_new() -> None:
    """A combatant with nothing but a block has a panel."""
    assert shown(block_rows(RULESET, fight(combatants=(combatant("x", "Xan", "x", "party", 3, 3),)), "x", 30))[:2] == [
        "x Xan                       up",
        "Party · beast",
    ]
