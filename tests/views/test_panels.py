"""Prompts, forms, pickers, stat blocks, header, rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.views.test_log import attack
from tests.views.toy import CLOCK, RULES, RULESET, SCREENED, Beast, Blow, combatant, fight, shown
from tracker.core.actions import Action, ActionSpec, Field, Option, Refusal, action
from tracker.core.dice import Dice
from tracker.core.encounter import Member
from tracker.core.requests import Choice, Number, Pick, Request, Roll, Window
from tracker.core.rulebook import Rule
from tracker.core.ruleset import Badge, Reminding
from tracker.core.state import Clock, Slot
from tracker.core.step import Pending
from tracker.views.blocks import block_rows
from tracker.views.forms import field_words, form_rows, pages_of, picker_rows
from tracker.views.header import header_line, time_words
from tracker.views.keys import option_keys
from tracker.views.prompts import hint_words, prompt_rows, prompt_title, refusal_rows, refusal_text
from tracker.views.rules import rule_rows, search_rows

DOWN = Refusal("down", "already down", "T-2")
TARGET = Field("target", "combatant", required=True, options=(Option("goblin-1"), Option("goblin-3", refusal=DOWN)))
WEAPON = Field("weapon", "choice", default="sword", options=(Option("sword", "bastard sword", "d8+1  shock 2/13"), Option("short_bow")))
SPEC = ActionSpec("melee", "Melee attack", "wolf", "Main", "WN-060", (TARGET, WEAPON, Field("careful", "flag")))


def prompt(request: Request, width: int = 60) -> list[str]:
    return shown(prompt_rows(RULESET, fight(), Pending(request, fight(), attack()[:5], ()), width))


# -- prompts ------------------------------------------------------------------------------------------------------------------------------


def test_a_roll_with_what_was_rolled_so_far() -> None:
    """The prompt says who throws what for what, how to answer, and the story up to here."""
    assert prompt(Roll("damage", Dice.of(1, 8), "wolf", "player", "damage"), 80) == [
        "Wolf's player: roll 1d8 for damage",
        "Enter: the program rolls · type the die · *: it rolls the rest of the step too",
        "R2  Wolf: Charges → Goblin 1                                              WN-060",
        "        Wolf: charging −2 AC, until end of round 2                        WN-060",
        "        attack: d20 14 ✎                                                  WN-101",
    ]


def test_only_the_last_lines_of_a_long_step() -> None:
    """Of a long step the prompt shows the end."""
    pending = Pending(Number("n"), fight(), attack()[:5], ())

    assert shown(prompt_rows(RULESET, fight(), pending, 60, so_far=1))[2:] == [
        "(2 lines before)",
        "        attack: d20 14 ✎                              WN-101",
    ]


def test_a_choice_with_keys() -> None:
    """Options carry their keys, notes, and why they cannot be chosen; Enter takes the default."""
    request = Choice("defend", (Option("yes", note="Instant"), Option("no"), Option("maybe_so", refusal=DOWN)), "no", "brin", "player", "total defense?")

    assert prompt(request)[:5] == [
        "Brin's player: total defense?",
        "  y yes  Instant",
        "  n no",
        "  m maybe so  already down                               T-2",
        "Enter: no",
    ]


def test_a_window_with_its_offers() -> None:
    """A window says the situation and who could respond with what."""
    offers = (ActionSpec("td", "Total Defense", "brin", "Instant", "WN-077"), ActionSpec("x", "Overrule"))
    request = Window("after_roll", "after_roll", offers, "wolf", "goblin-1", why="19 against AC 17: hit")

    assert prompt(request)[:4] == [
        "GM: Wolf → Goblin 1: 19 against AC 17: hit",
        "  b Brin: Total Defense (Instant)                     WN-077",
        "  GM: Overrule",
        "Enter: nobody interrupts · a label: their responses",
    ]


@pytest.mark.parametrize(
    ("request_", "title", "hint"),
    [
        (Roll("r", Dice.of(2, 6), None, "gm", "", True, True), "GM: roll 2d6 (r)  secret", "type each face"),
        (Roll("save:goblin-1", Dice.of(1, 20), "goblin-1"), "GM: roll d20 (Goblin 1, save goblin-1)", "type the die"),
        (Roll("r", Dice.parse("2d6+1d4"), None, "player", "luck"), "Players: roll 2d6+1d4 for luck", "type a total or the faces"),
        (Number("count", 3, 0, 5, why="how many"), "GM: how many (0..5)", "Enter: 3 · or type a number"),
        (Number("count"), "GM: count", "type a number"),
        (Pick("who", (Option("ava"), Option("wolf")), ("ava",), 1), "GM: who", "Enter: ava · or pick 1 to 2"),
        (Pick("who", (Option("ava"),), maximum=1), "GM: who", "pick 0 to 1, then Enter"),
        (Choice("a", (Option("x"),)), "GM: a", "press an option's key"),
    ],
)
def test_questions_and_hints(request_: Request, title: str, hint: str) -> None:
    """Every kind of request says who answers, what, and what Enter does."""
    assert "".join(span.text for span in prompt_title(fight(), request_)) == title
    assert hint in hint_words(fight(), request_)


def test_option_keys() -> None:
    """Combatants answer to their labels, other options to a letter of their own; where letters run out, to their number."""
    state = fight()

    assert option_keys(state, (Option("goblin-1"), Option("wolf"))) == ("g", "w")
    assert option_keys(state, (Option("hold"), Option("hide"), Option("run"), Option("7"))) == ("h", "i", "r", "4")
    assert option_keys(state, tuple(Option(f"o{n}") for n in range(30)))[28:] == ("29", "30")


def test_refusals() -> None:
    """A refusal says what, why, the rule, and whether it can be forced."""
    assert refusal_text(DOWN) == "already down  [T-2]  (can be forced)"
    assert refusal_text(Refusal("x", "no such thing", forcible=False)) == "no such thing"
    assert shown(refusal_rows(DOWN, 24)) == ["✗ already down  T-2  can", "  be forced"]


# -- forms --------------------------------------------------------------------------------------------------------------------------------


def test_a_form() -> None:
    """The form shows who does what at what cost, each field with its value, and the options of the field under the cursor."""
    rows = form_rows(fight(), SPEC, action("melee", "wolf", target="goblin-1"), 60, "target")

    assert shown(rows) == [
        "Wolf  Melee attack                              Main  WN-060",
        "target   g Goblin 1",
        "  ▸ g Goblin 1",
        "    i Goblin 3  already down                             T-2",
        "weapon   bastard sword  d8+1  shock 2/13",
        "careful  –",
    ]
    assert [row.key for row in rows] == ["", "target", "target=goblin-1", "target=goblin-3", "weapon", "careful"]
    assert [row.state for row in rows[1:4]] == ["current", "chosen", "refused"]


def test_a_form_that_cannot_be() -> None:
    """What is missing, refused in a field or as a whole is said with its rule."""
    spec = replace(SPEC, refusal=Refusal("spent", "Wolf has used his Main action", "WN-030"))

    assert shown(form_rows(fight(), spec, action("melee", "wolf"), 48))[1:2] == ["target   missing"]
    assert shown(form_rows(fight(), spec, action("melee", "wolf", target="goblin-3"), 48))[1:] == [
        "target   i Goblin 3  already down  T-2",
        "weapon   bastard sword  d8+1  shock 2/13",
        "careful  –",
        "✗ Wolf has used his Main action  WN-030  can be",
        "  forced",
    ]


def test_pages() -> None:
    """A long form is shown page by page."""
    spec = replace(SPEC, fields=(replace(TARGET, page="whom"), replace(WEAPON, page="how")))

    assert pages_of(spec) == ("whom", "how")
    assert shown(form_rows(fight(), spec, Action("melee", "wolf"), 60, page="how"))[1:] == ["weapon  bastard sword  d8+1  shock 2/13"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (Field("targets", "combatants"), ("ava", "wolf"), "a Ava and w Wolf"),
        (Field("weapon", "choice", options=(Option("bow", "long bow"),)), "bow", "long bow"),
        (Field("weapons", "choices"), ("short_bow", "axe"), "short bow and axe"),
        (Field("amount", "number"), 7, "7"),
        (Field("why", "text"), "a_b", "a_b"),
        (Field("secret", "flag"), True, "yes"),
        (Field("at", "square"), (3, 4), "(3, 4)"),
        (Field("path", "path"), ((3, 4), (3, 5)), "(3, 4) and (3, 5)"),
        (Field("rows", "rows", columns=(Field("stat", "text"), Field("amount", "number"))), ((("stat", "ac"), ("amount", -2)),), "stat ac, amount -2"),
        (Field("members", "members"), (Member(Beast("x"), "Worg", "beast", Dice.parse("1d4")),), "1d4 × Worg"),
        (Field("empty", "text"), "", ""),
    ],
)
def test_values_of_fields(field: Field, value: object, words: str) -> None:
    """Every kind of field has its value in words."""
    assert field_words(fight(), field, value) == words  # type: ignore[arg-type]  # a value of the field


def test_a_list_of_actions() -> None:
    """Actions stand under their headings with cost and rule; what is refused is there too, and says why."""
    run = ActionSpec("run", "Run", "wolf", "Move", refusal=Refusal("spent", "no Move left", "WN-030"), group="moves")
    rows = picker_rows((SPEC, run), 48, 0)

    assert shown(rows) == ["▸ Melee attack                      Main  WN-060", "moves", "  Run  no Move left                 Move  WN-030"]
    assert [(row.key, row.state) for row in rows] == [("0", "current"), ("group:moves", "head"), ("1", "refused")]


# -- stat blocks, header, rules -----------------------------------------------------------------------------------------------------------


def test_a_stat_block() -> None:
    """The panel has points, numbers with their parts, what is left of the turn, effects, notes, and the block without its defaults."""
    people = fight().combatants
    block = Beast("Wolf", 3, 12, (Blow("bite", Dice.parse("1d8+1")), Blow("claw", Dice.parse("1d4"), 2)), "circles\nthen bites", True)
    wolf = replace(people[1], block=block, notes=("limps",), effects=(*people[1].effects, replace(SCREENED, id=7, bearer="wolf", secret=True)))
    state = fight(combatants=(people[0], wolf, *people[2:]))
    ruleset = replace(
        RULESET,
        pending=lambda state: (Reminding("m", "morale is owed", "wolf", rule="T-2"),),
        badges=lambda state, who: (Badge("M·", "Main and Move", "budget"),),
    )

    assert shown(block_rows(ruleset, state, "wolf", 44)) == [
        "w Wolf                                    up",
        "Party · beast",
        "HP             22/28",
        "AC             10 = 12 hide −2 charging",
        "left           main 1, move 0",
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


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (100, " Goblin ambush · Toy Fights        Round 2 · Party's turn · 0:12                       resumed 19:40"),
        (80, " Goblin ambush · Toy Fights  Round 2 · Party's turn · 0:12         resumed 19:40"),
        (60, " Goblin ambush  Round 2 · Party's turn · 0:12  resumed 19:40"),
        (50, " Goblin ambush  Round 2 · Party's turn · 0:12"),
        (40, " Goblin …  Round 2 · Party's turn · 0:12"),
        (36, " Round 2 · Party's turn · 0:12"),
    ],
)
def test_header(width: int, text: str) -> None:
    """Title and game, the moment, and when the fight was resumed; where there is little room the moment stays."""
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
    """The marks of the past and of a second program come before title and time of resumption."""
    row = header_line(RULESET, fight(), width, past=True, read_only=True, resumed="19:40")

    assert (row.text, row.state) == (text, "past")


def test_header_says_what_went_wrong() -> None:
    """A problem stands at the right end."""
    assert header_line(RULESET, fight(), 80, title="Ambush", problem="disk full\n").text.endswith(" · 0:12                disk full␊")


@pytest.mark.parametrize(
    ("clock", "moment"),
    [
        (Clock(), "Set-up"),
        (Clock(slots=(Slot("r0/surprise", "Surprise"),), at="r0/surprise"), "Set-up · Surprise"),
        (Clock(1, slots=(Slot("r1/a", "Ava", members=("ava",)),), at="r1/a"), "Round 1 · Ava's turn"),
        (replace(CLOCK, slots=(replace(CLOCK.slots[0], turns="opened"),)), "Round 2 · Wolf's turn"),
        (Clock(1, slots=(Slot("r1/x", "bite", "act", -3, ("wolf",), turns="none"),), at="r1/x"), "Round 1 · segment −3 · bite"),
        (replace(CLOCK, at=None, over=True), "Fight over"),
        (Clock(2, at=None), "Round 2"),
    ],
)
def test_moments(clock: Clock, moment: str) -> None:
    """Every kind of slot is named as the moment it is."""
    assert moment in header_line(RULESET, fight(clock=clock), 100).text


def test_game_time() -> None:
    """Game time reads like a clock."""
    assert (time_words(0), time_words(75), time_words(3725)) == ("0:00", "1:15", "1:02:05")


def test_rule_text() -> None:
    """A rule has its id at the right, who applies it, and its text wrapped."""
    assert shown(rule_rows(RULES.rules[0], 32)) == [
        "Charging                     T-1",
        "applied by the program",
        "Whoever charges is easier to hit",
        "until the round ends.",
        "Twice the distance.",
    ]
    assert shown(rule_rows(Rule("R-1", "Ties", "x", "ruling", "ties"), 40))[1] == "a ruling · switch: ties"


def test_found_rules() -> None:
    """A search lists what holds the words, or says that nothing does."""
    assert shown(search_rows(RULESET, "ally", 30)) == ["T-2  Screening"]
    assert shown(search_rows(RULESET, "dragon\x1b", 30)) == ["no rule holds dragon␛"]


def test_somebody_new() -> None:
    """A combatant with nothing but a block has a panel."""
    assert shown(block_rows(RULESET, fight(combatants=(combatant("x", "Xan", "x", "party", 3, 3),)), "x", 30))[:2] == [
        "x Xan                       up",
        "Party · beast",
    ]
