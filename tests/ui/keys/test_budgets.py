"""The keystroke budget with the real games and the fights that come with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from rulesets.worlds_without_number.stat_blocks.models import HouseRules
from tests.ui.drive import SETTINGS, fight, opened
from tests.ui.games import FIGHTS, GH, SJ, SV, SW, WN, action_pane, begun, phase, played, prepared, ready
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.intents import Advance, Do
from tracker.session.rulesets.registry import find
from tracker.session.session import Session
from tracker.session.settings import Settings


def dice(hand: list[int]) -> Settings:
    """The program's dice show what lies in this hand, one after the other; while it is empty, ones."""

    def roll(request: Roll) -> DiceAnswer:
        total = hand.pop(0) if hand else request.dice.minimum
        return DiceAnswer(total, (total,) if len(request.dice.sides) == 1 else ())

    return replace(SETTINGS, roller=roll)


def nothing_owed(session: Session) -> None:
    """What may have been missed has been seen and put away."""
    for reminder in open_reminders(session.ruleset, session.model.state):
        session.dispatch(Do((action("dismiss", key=reminder.key),)))


@pytest.mark.parametrize("game", FIGHTS)
async def test_end_of_turn_is_one_key(game: str, tmp_path: Path) -> None:
    """Budget 1: `n`. The act that is due on its segment waits for its dice there."""
    session = ready(tmp_path, game)
    nothing_owed(session)
    before = session.model.state.clock
    async with opened(session) as table:
        await table.type("n")
        assert table.pressed == 1
        assert (table.state.clock.at, table.state.clock.acting) != (
            before.at,
            before.acting,
        ) or table.model.pending is not None


DAMAGE: dict[str, tuple[tuple[str, dict[str, int]], ...]] = {
    WN: (
        ("-7h⏎", {"hedge-robber-1": 0}),
        ("-7hri⏎", {"hedge-robber-1": 0, "hedge-robber-2": 0, "hedge-robber-3": 0}),
        ("-21hrOU⏎", {"hedge-robber-1": 0, "ordwen": 11, "toll-captain": 6}),
    ),
    SW: (
        ("-7t⏎", {"skeleton-1": 14}),
        ("-7tuz⏎", {"skeleton-1": 14, "skeleton-2": 14, "zombie-1": 21}),
        ("-21tuZA⏎", {"skeleton-1": 0, "skeleton-2": 0, "zombie-1": 17, "zombie-2": 17}),
    ),
    SV: (
        ("-7d⏎", {"cutpurse-1": 0}),
        ("-7der⏎", {"outlaw-chief": 11}),
        ("-21deRY⏎", {"outlaw-chief": 8, "ysolde": 3}),
    ),
    SJ: (
        ("-7g⏎", {"gale-hawk-1": 12}),
        ("-7gho⏎", {"gale-hawk-1": 12, "gale-hawk-2": 12, "ogre-mauler": 65}),
        ("-21ghOR⏎", {"ogre-mauler": 62, "rock-angler": 78}),
    ),
    GH: (
        ("-7g⏎", {"goblin-1": 0}),
        ("-7ghi⏎", {"goblin-1": 0, "goblin-2": 0, "goblin-3": 0}),
        ("-21ghIJ⏎", {"goblin-1": 0, "goblin-3": 0}),
    ),
}


@pytest.mark.parametrize("game", DAMAGE)
async def test_damage(game: str, tmp_path: Path) -> None:
    """Budgets 2, 3 and 4: one, three, and four of whom two have saved; each game takes it in its own way."""
    async with opened(ready(tmp_path, game)) as table:
        before = table.model
        for most, (keys, left) in zip((4, 6, 8), DAMAGE[game], strict=True):
            pressed = table.pressed
            await table.type(keys)
            assert table.pressed - pressed == most
            assert {who: table.hp(who) for who in left} == left
            await table.take_back(before)


ATTACKS = [
    (WN, "ao⏎19⏎5⏎", 8, "ordwen"),
    (SW, "a⏎9⏎5⏎9⏎", 8, "wolf"),
    (SV, "ay⏎19⏎4⏎", 8, "ysolde"),
    (SJ, "at⏎19⏎5⏎", 8, "telmarre"),
    (GH, "ab⏎19⏎5⏎", 8, "brannoc"),
]


@pytest.mark.parametrize(("game", "keys", "most", "hurt"), ATTACKS, ids=[row[0] for row in ATTACKS])
async def test_attack_with_typed_dice(game: str, keys: str, most: int, hurt: str, tmp_path: Path) -> None:
    """Budget 5: the active creature attacks a hero."""
    session = ready(tmp_path, game)
    before = session.model.state[hurt]
    async with opened(session) as table:
        await table.type(keys)
        assert table.pressed <= most
        assert table.model.pending is None
        assert table.state[hurt] != before
        assert all(answer.typed for _, answer in table.model.steps[-1].answers if isinstance(answer, DiceAnswer))


ROLLED = [
    (WN, "ao⏎⏎⏎", (19, 5), "ordwen"),
    (SW, "a⏎⏎⏎⏎", (9, 5, 9), "wolf"),
    (SV, "ay⏎⏎⏎", (19, 4), "ysolde"),
    (SJ, "at⏎⏎⏎", (19, 5), "telmarre"),
    (GH, "ab⏎⏎⏎", (19, 5), "brannoc"),
]


@pytest.mark.parametrize(("game", "keys", "rolled", "hurt"), ROLLED, ids=[row[0] for row in ROLLED])
async def test_attack_rolled_by_the_program(
    game: str, keys: str, rolled: Sequence[int], hurt: str, tmp_path: Path
) -> None:
    """Budget 6: an empty Enter rolls."""
    hand: list[int] = []
    session = ready(tmp_path, game, dice(hand))
    hand += rolled
    before = session.model.state[hurt]
    async with opened(session) as table:
        await table.type(keys)
        assert table.pressed == 5
        assert table.model.pending is None
        assert table.state[hurt] != before


EFFECTS = [
    (WN, "epr h3⏎", "hedge-robber-1"),
    (SW, "epr w3⏎", "wolf"),
    (SV, "epr y3⏎", "ysolde"),
    (SJ, "est t3⏎", "telmarre"),
    (GH, "epa b3⏎", "brannoc"),
]


@pytest.mark.parametrize(("game", "keys", "who"), EFFECTS, ids=[row[0] for row in EFFECTS])
async def test_effect_for_three_rounds_and_its_end(game: str, keys: str, who: str, tmp_path: Path) -> None:
    """Budgets 7 and 8; the beginning of one of the game's own names, a label, a count; `x`, the label, Enter."""
    session = ready(tmp_path, game)
    held = len(session.model.state[who].effects)
    async with opened(session) as table:
        await table.type(keys)
        assert table.pressed <= 8
        effect = table.state[who].effects[-1]
        assert (effect.name in [named.name for named in session.ruleset.effects], effect.until[0].count) == (True, 3)
        before = table.pressed
        await table.type(f"x{keys[4]}⏎")
        assert table.pressed - before == 3
        assert len(table.state[who].effects) == held


HEALED = [
    (WN, "-7o⏎", "+5o⏎", "ordwen", 19),
    (SW, "-9t⏎", "+5t⏎", "skeleton-1", 17),
    (SV, "-7y⏎", "+5y⏎", "ysolde", 11),
    (SJ, "-7b⏎", "+5b⏎", "brannoc", 44),
]
HEALED += [(GH, "-4g⏎", "+3g⏎", "goblin-1", 4)]


@pytest.mark.parametrize(("game", "hurt", "keys", "who", "left"), HEALED, ids=[row[0] for row in HEALED])
async def test_healing_and_undo(game: str, hurt: str, keys: str, who: str, left: int, tmp_path: Path) -> None:
    """Budgets 10 and 9: as damage, with `+`; `u` takes it back."""
    async with opened(ready(tmp_path, game)) as table:
        await table.type(hurt)
        lower, before = table.hp(who), table.pressed
        await table.type(keys)
        assert (table.hp(who), table.pressed - before) == (left, 4)
        before = table.pressed
        await table.type("u")
        assert (table.hp(who), table.pressed - before) == (lower, 1)


async def test_initiative_of_four_with_individual_dice(tmp_path: Path) -> None:
    """Budget 12, Worlds Without Number: with `initiative: individual` each of the four rolls a d8."""
    session = fight(
        tmp_path, replace(prepared(WN, "first_fight"), house_rules=HouseRules(initiative="individual")), find(WN)
    )
    async with opened(session) as table:
        await table.type("⏎")
        before = table.pressed
        await table.type("5⏎8⏎6⏎7⏎")
        assert table.pressed - before <= 13
        assert table.question.key == "r1/initiative:hedge-robber-1"


@pytest.mark.parametrize(
    ("game", "name", "keys"), [(SW, "two_brawls", "10⏎11⏎9⏎10⏎"), (GH, "goblin_waves", "11⏎12⏎10⏎19⏎")], ids=[SW, GH]
)
async def test_initiative_of_four(game: str, name: str, keys: str, tmp_path: Path) -> None:
    """Budget 12: the dice of four PCs, two digits and Enter each."""
    session = begun(tmp_path, game, name)
    played(session, phase("initiative"))
    session.dispatch(Advance())
    async with opened(session) as table:
        await table.type(keys)
        assert table.pressed <= 13
        assert table.model.pending is None
        assert (
            len(
                [
                    answer
                    for _, answer in table.model.steps[-1].answers
                    if isinstance(answer, DiceAnswer) and answer.typed
                ]
            )
            == 4
        )


async def test_initiative_of_every_act(tmp_path: Path) -> None:
    """Budget 12, Spelljammer: a die for each act; one digit and Enter, or the ten with two."""
    session = begun(tmp_path, SJ, "archers_into_melee")
    while session.model.pending is None:
        session.dispatch(Advance())
    async with opened(session) as table:
        rolled = 0
        while table.model.pending is not None and rolled < 40:
            await table.type("2⏎" if rolled else "10⏎")
            rolled += 1
        assert table.model.pending is None
        assert table.pressed == 2 * rolled + 1


async def test_dice_of_a_side_in_one_prompt(tmp_path: Path) -> None:
    """GitHack: one number each in order, `-` for the program's; what is not typed is asked again."""
    hand: list[int] = []
    session = begun(tmp_path, GH, "goblin_waves", dice(hand))
    played(session, phase("initiative"))
    session.dispatch(Advance())
    hand += [7]
    async with opened(session) as table:
        assert "Players: roll for initiative, 4 d20 in order" in action_pane(table)
        await table.type("11 25⏎")
        assert "Ysolt: 25 is not on a d20" in action_pane(table)
        await table.press(*["backspace"] * 2)
        await table.type("12 - 3 4⏎")
        assert "4 are asked for: 4 is too much" in action_pane(table)
        await table.press(*["backspace"] * 4)
        await table.type("⏎")
        assert "Mother Ade's player: roll d20 for initiative" in action_pane(table)
        await table.type("19⏎")
        given = [answer for _, answer in table.model.steps[-1].answers if isinstance(answer, DiceAnswer)]
        assert [(answer.total, answer.typed) for answer in given] == [(11, True), (12, True), (7, False), (19, True)]


async def test_an_empty_line_leaves_all_of_a_row_to_the_program(tmp_path: Path) -> None:
    """Spelljammer: a die for each act of the heroes, in one prompt."""
    session = begun(tmp_path, SJ, "archers_into_melee", replace(SETTINGS, by_side=True))
    while session.model.pending is None:
        session.dispatch(Advance())
    async with opened(session) as table:
        assert "Players: roll for initiative, 7 in order" in action_pane(table)
        await table.type("⏎")
        assert (table.pressed, table.model.pending) == (1, None)
        await table.type("un05")  # a digit each, for dice of ten sides at most
        assert "1d10 act 1 0 b Brannoc 1d8 act 2 5 ▸" in action_pane(table)
        await table.type("9")
        await table.type("61441⏎")
        assert "8 digits are too many for 7 dice" in action_pane(table)
        await table.press(*["backspace"] * 8)
        await table.type("0951441⏎")
        assert "Brannoc: 9 is not on a d8" in action_pane(table)
        await table.press(*["backspace"] * 7)
        await table.type("0561441⏎")
        assert table.model.pending is None
        given = [answer.total for _, answer in table.model.steps[-1].answers if isinstance(answer, DiceAnswer)]
        assert [number for number in given if number][:7] == [10, 5, 6, 1, 4, 4, 1]


CORRECTED = [
    (WN, "ao⏎19⏎5⏎-1o⏎", "c3⏎⏎", "ordwen", 2),
    (SW, "a⏎9⏎5⏎9⏎-1w direct⏎", "c7⏎⏎", "wolf", None),
    (SV, "ay⏎19⏎4⏎-1y⏎", "c1⏎⏎", "ysolde", 3),
    (SJ, "at⏎19⏎5⏎-1t⏎", "c2⏎⏎", "telmarre", 3),
    (GH, "ab⏎19⏎5⏎-1b⏎", "c6⏎⏎", "brannoc", None),
]


@pytest.mark.parametrize(("game", "played_keys", "keys", "who", "better"), CORRECTED, ids=[row[0] for row in CORRECTED])
async def test_die_of_two_steps_ago(
    game: str, played_keys: str, keys: str, who: str, better: int | None, tmp_path: Path
) -> None:
    """Budget 13: the damage die of the attack before the last step; the pane shows what differs before it is taken."""
    async with opened(ready(tmp_path, game)) as table:
        await table.type(played_keys)
        was = table.state[who]
        before = table.pressed
        await table.type(keys)
        assert table.pressed - before <= 8
        assert table.state[who] != was
        if better is not None:
            assert table.hp(who) == was.hp + better


async def test_hand_goes_on_to_the_next_when_a_turn_is_used_up(tmp_path: Path) -> None:
    """GitHack: two goblins attack one after the other, `a` finds the second by itself."""
    async with opened(ready(tmp_path, GH)) as table:
        await table.type("ab⏎19⏎5⏎ab⏎19⏎5⏎")
        assert [table.state[f"goblin-{number}"].left("main") for number in (1, 2, 3)] == [0, 0, 1]
        assert table.showing.selected == "goblin-3"
