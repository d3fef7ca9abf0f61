"""Effects at table speed."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import Table, fight, opened
from tests.ui.games import SETTINGS, action_pane, begun, prepared
from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Modifier
from tracker.core.terms.moments import At, OnSave
from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets import registry
from tracker.session.session import Session

WN = "worlds_without_number"
OPENED = "⏎5⏎3⏎"


def evening(
    folder: Path, game: str = WN, name: str = "first_fight", file: Path | None = None
) -> AbstractAsyncContextManager[Table]:
    """Play with a file of effects of one's own."""
    folder.mkdir(exist_ok=True)
    return opened(begun(folder, game, name), effects=file)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return begun(tmp_path, WN, "first_fight")


async def test_own_effect_changes_numbers_and_says_from_what_to_what(table: Table) -> None:
    """`eblessed oh +2 attack 3 rounds`."""
    await table.type(OPENED + "eblessed oh +2 attack 3 rounds")
    assert "blessed (own words) → o Ordwen, h Hedge Robber 1 3 rounds attack +2 o 7→9 h 1→3" in action_pane(table)
    await table.type("⏎")
    (effect,) = table.state["ordwen"].effects
    assert (effect.name, effect.modifiers, effect.until[0].count) == ("blessed", (Modifier("attack", 2),), 3)
    assert table.cockpit.session.ruleset.derived(table.state, "ordwen", "attack").value == 9


async def test_several_numbers_in_one_line(table: Table) -> None:
    """A word that begins several names means all of them; a minus is a minus; commas do no harm."""
    await table.type(OPENED + "ecursed o -1 ac, +1 damage, his next turn⏎")
    (effect,) = table.state["ordwen"].effects
    assert effect.modifiers == (Modifier("ac_melee", -1), Modifier("ac_ranged", -1), Modifier("damage", 1))
    assert [end.edge for end in effect.until if isinstance(end, At)] == ["turn_start"]


async def test_number_that_is_none_is_asked_for(table: Table) -> None:
    """What cannot be changed is said with what can; nothing has happened."""
    await table.type(OPENED)
    for typed, problem in (("-2", "-2 to what?"), ("+1 cake", '"cake" is no number of this game')):
        await table.type(f"eshaken o {typed}⏎")
        assert problem in action_pane(table)
        assert "ac melee" in action_pane(table)
        assert table.state["ordwen"].effects == ()
        await table.press("escape")


DURATIONS = (
    *(("3 rounds", "turn_start", 3), ("3", "turn_start", 3), ("1 minute", "turn_start", 10)),
    *(("his next turn", "turn_start", 1), ("her next turn", "turn_start", 1)),
    *(("round end", "round_end", 1), ("end of round 6", "round_end", 6)),
)


async def test_durations_are_words(table: Table) -> None:
    """A round of this game is six seconds long."""
    await table.type(OPENED)
    before = table.model
    for words, edge, count in DURATIONS:
        await table.type(f"eon fire o {words}⏎")
        (effect,) = table.state["ordwen"].effects
        assert effect.name == "on fire"
        assert [(end.edge, end.count) for end in effect.until] == [(edge, count)]
        await table.take_back(before)


async def test_the_line_says_when_rounds_end(table: Table) -> None:
    """Before Enter: the turn and the round."""
    await table.type(OPENED + "eon fire o 2 rounds")
    assert "2 rounds (until start of Ordwen's turn in round 3)" in table.pane("console")


async def test_until_removed_and_on_the_fight(table: Table) -> None:
    await table.type(OPENED + "eon fire o until removed⏎efog fight⏎")
    assert table.state["ordwen"].effects[0].until == ()
    assert table.state.effects[0].name == "fog"


async def test_effect_of_somebodys_turn_is_made_by_whoever_acts(table: Table) -> None:
    """`source's next turn` needs a source: the one who acts, said in the line."""
    await table.type(OPENED + "edazzled h source")
    assert "from o Ordwen" in action_pane(table)
    await table.type("⏎")
    assert table.state["hedge-robber-1"].effects[0].source == "ordwen"


async def test_effect_is_kept_and_offered_another_evening(tmp_path: Path) -> None:
    """A `*` at the end keeps it."""
    file = tmp_path / "config" / "effects.yaml"
    async with evening(tmp_path / "first", file=file) as table:
        await table.type(OPENED + "eblessed o +2 attack 3 rounds *")
        assert "kept" in action_pane(table)
        await table.type("⏎")
        assert table.state["ordwen"].effects[0].name == "blessed"
    assert (
        file.read_text()
        == "- {name: blessed, game: worlds_without_number, modifiers: {attack: 2}, duration: 3 rounds}\n"
    )
    async with evening(tmp_path / "second", file=file) as table:
        await table.type(OPENED + "e")
        assert "1 blessed +2 attack · 3 rounds" in action_pane(table)
        await table.type("ble s⏎")
        await table.type("eble t +1 damage round end⏎")
        assert table.state["sefa"].effects[0].modifiers == (Modifier("attack", 2),)
        assert [end.count for end in table.state["sefa"].effects[0].until] == [3]
        assert table.state["tavi"].effects[0].modifiers == (Modifier("damage", 1),)


async def test_an_end_that_names_a_combatant_is_not_kept(tmp_path: Path) -> None:
    """What is shown of an end can be typed; only what means something in another fight is kept."""
    file = tmp_path / "effects.yaml"
    async with evening(tmp_path, file=file) as table:
        await table.type(OPENED + "eblessed o +2 attack end of Sefa's turn *⏎")
        (held,) = table.state["ordwen"].effects
        assert held.until == (At("turn_end", "who:sefa"),)
    assert file.read_text() == "- {name: blessed, game: worlds_without_number, modifiers: {attack: 2}}\n"


async def test_wrong_entry_costs_only_itself(tmp_path: Path) -> None:
    """What is wrong stands in the pane with its place; the others are offered, and so are the game's own."""
    file = tmp_path / "effects.yaml"
    file.write_text("- {name: hexed, game: worlds_without_number, modifiers: {atack: -1}}\n- {name: hidden well}\n")
    async with evening(tmp_path, file=file) as table:
        await table.type(OPENED + "e")
        shown = action_pane(table)
        assert (
            'effects.yaml:1:58: [0].modifiers.atack: "atack" is no number of this game (did you mean attack?)' in shown
        )
        assert "hidden well" in shown
        assert "prone" in shown


async def test_file_that_cannot_be_added_to_is_left_alone(tmp_path: Path) -> None:
    """The effect itself holds; the line says what to put right, and the file is as it was."""
    file = tmp_path / "effects.yaml"
    file.write_text("- {name: [broken\n")
    async with evening(tmp_path, file=file) as table:
        await table.type(OPENED + "eblessed o +2 attack *⏎")
        assert table.state["ordwen"].effects[0].name == "blessed"
        assert "put that right first" in action_pane(table)
    assert file.read_text() == "- {name: [broken\n"


@pytest.mark.parametrize(
    ("game", "name", "opening", "typed", "who", "stat", "amount"),
    [
        ("sword_world", "forest_ambush", "", "eprotected w +2 defense 3 rounds⏎", "wolf", "defense", 2),
        ("sovereign", "night_road", "⏎5⏎3⏎2⏎", "ehasted y +10 speed 10 minutes⏎", "ysolde", "speed", 10),
        ("spelljammer", "archers_into_melee", "", "eslowed b -5 tmr end of round 3⏎", "brannoc", "tmr", -5),
        ("githack", "goblin_waves", "", "ewarded b +1 ac 2 monster phases⏎", "brannoc", "ac", 1),
    ],
)
async def test_every_game_has_numbers_of_its_own(
    game: str, name: str, opening: str, typed: str, who: str, stat: str, amount: int, tmp_path: Path
) -> None:
    """The numbers and the ends are the game's own words; the number is changed by as much."""
    async with evening(tmp_path, game, name) as table:
        derived = table.cockpit.session.ruleset.derived
        await table.type(opening)
        before = derived(table.state, who, stat).value
        await table.type(typed)
        assert derived(table.state, who, stat).value == before + amount


def kinds(folder: Path, file: Path | None = None) -> AbstractAsyncContextManager[Table]:
    """Play a game that has an effect with a value, and kinds of modifiers."""
    game = registry.find(WN)
    fear = NamedEffect("frightened", value=1, modifiers=lambda value: (Modifier("attack", -value, kind="status"),))
    known = replace(game, effects=(*game.effects, fear), schema=replace(game.schema, modifier_kinds=("status", "item")))
    folder.mkdir(exist_ok=True)
    return opened(fight(folder, prepared(WN, "first_fight"), known), effects=file)


async def test_value_is_typed_behind_the_name(tmp_path: Path) -> None:
    """`efr 2 o`; the beginning of a name is enough, and its value decides what it changes."""
    async with kinds(tmp_path) as table:
        await table.type(OPENED + "efrig 2 o")
        assert "frightened 2 → o Ordwen" in action_pane(table)
        assert "own words" not in action_pane(table)
        await table.type("⏎")
        (effect,) = table.state["ordwen"].effects
        assert (effect.shown, effect.modifiers) == ("frightened 2", (Modifier("attack", -2, kind="status"),))


async def test_kind_is_typed_before_the_number(tmp_path: Path) -> None:
    """`+1 status attack` has a kind; a number without one has none."""
    async with kinds(tmp_path) as table:
        await table.type(OPENED + "eblessed o +1 status attack -2 ac 3 rounds")
        assert "status attack +1 7→8" in action_pane(table)
        await table.type("⏎")
        (effect,) = table.state["ordwen"].effects
        ac = (Modifier("ac_melee", -2), Modifier("ac_ranged", -2))
        assert effect.modifiers == (Modifier("attack", 1, kind="status"), *ac)


async def test_what_was_typed_of_a_kept_effect_is_kept(tmp_path: Path) -> None:
    """The kind of a modifier, and a value, which another one may replace."""
    file = tmp_path / "effects.yaml"
    async with kinds(tmp_path / "first", file) as table:
        await table.type(OPENED + "eblessed o +1 status attack *⏎efrightened 3 s *⏎")
    async with kinds(tmp_path / "later", file) as table:
        await table.type(OPENED + "eblessed o⏎efrightened 3 s⏎efrightened 2 h⏎")
        assert table.state["ordwen"].effects[0].modifiers == (Modifier("attack", 1, kind="status"),)
        shown = [table.state[who].effects[0].shown for who in ("sefa", "hedge-robber-1")]
        assert shown == ["frightened 3", "frightened 2"]


FIFTH = Path(__file__).parents[3] / "docs" / "examples" / "fifth_edition" / "fights" / "first_fight.yaml"


async def test_a_die_can_be_added_where_the_game_rolls_it(tmp_path: Path) -> None:
    """`eblessed b +1d4 attack` is kept with its die, shown so, and a save ends what is given `save str 12`."""
    ford = load_encounter(FIFTH, registry.find).encounter
    assert ford is not None
    async with opened(fight(tmp_path, ford, registry.find("fifth_edition"), SETTINGS)) as table:
        await table.type("eblessed b +1d4 attack -2 ac⏎")
        (effect,) = table.state["brannoc"].effects
        assert [change.worded for change in effect.modifiers] == ["+1d4", "-2"]
        assert "blessed +1d4" in table.text()

        await table.type("erestrained c save str 12⏎")
        assert [effect.until for effect in table.state["bandit-1"].effects] == [(OnSave("str", against=12),)]


async def test_a_die_is_refused_where_the_game_rolls_none(table: Table) -> None:
    await table.type(OPENED + "eblessed o +1d4 attack")

    assert "+1d4: no die can be added to attack, in this game to none" in action_pane(table)
