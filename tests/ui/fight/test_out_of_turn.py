"""Out of turn and waiting, in every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.harness.games import GAMES, fight_of
from tests.support.shares import every
from tests.ui.drive import SETTINGS, opened
from tracker.core.fight.events import ActionTaken
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Window
from tracker.session.intents import Advance, Do, RollRest
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.testing.table import of_kind
from tracker.ui.modes.acting.gm_command import GmCommandMode
from tracker.ui.modes.acting.picker import Picker, default_action
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import ModeContext


def at_the_table(folder: Path, key: str) -> Session:
    """A fight of this game, at the first turn of the players' side."""
    ruleset, encounter = fight_of(key)
    session = Session.start(Journal.open(folder / "fights.db"), ruleset, encounter, SETTINGS)
    for _ in range(80):
        clock = session.model.state.clock
        ready = clock.round >= 1 and clock.at is not None and clock.phase not in ("declare", "initiative")
        if session.model.pending is not None:
            session.dispatch(RollRest())
        elif not ready or not any(
            who in session.model.state and controlled(session, who)
            for who in (clock.current.members if clock.current else ())
        ):
            session.dispatch(Advance())
        else:
            break
    return session


def controlled(session: Session, who: str) -> bool:
    return session.model.state.side_of(who).control == "players"


@pytest.mark.parametrize("key", every(3, GAMES))
async def test_a_label_twice_acts_out_of_turn(tmp_path: Path, key: str) -> None:
    """`'x` only goes there, `''x` acts as that one, in every game; what that one may not do now says why."""
    session = at_the_table(tmp_path, key)
    people = session.model.state.combatants
    other = people[-1]
    async with opened(session) as table:
        await table.press("escape", "escape")
        await table.type(f"'{other.label}")
        assert table.showing.selected == other.id
        await table.type(f"'{other.label}")
        assert table.mode is None
        await table.type(f"''{other.label}")
        assert table.mode == Picker(other.id)
        assert other.name.split()[0] in table.pane("console")


@pytest.mark.parametrize("key", [key for key in GAMES if key in ("worlds_without_number", "sovereign", "githack")])
async def test_holding_and_waiting_are_moves_in_the_order(tmp_path: Path, key: str) -> None:
    """`m` and a label show the game's way to act later, with its cost; Enter does it, or says why not."""
    session = at_the_table(tmp_path, key)
    scene = ModeContext(session.ruleset, session.model, session)
    members = session.model.state.clock.current.members if session.model.state.clock.current is not None else ()
    who, spec = next(
        (who, spec) for who in members for spec in scene.offers(who) if spec.group == "order" and spec.refusal is None
    )
    async with opened(session) as table:
        before = table.model.head
        await table.type(f"m{session.model.state[who].label} {spec.label.split()[0].lower()}")
        assert spec.label in table.pane("console")
        await table.press("enter")
        assert table.model.head != before
        assert table.model.steps[-1].step.actions[0].key == spec.key


@pytest.mark.parametrize("key", every(3, GAMES))
async def test_the_last_command_goes_to_new_targets(tmp_path: Path, key: str) -> None:
    """`.` does the last action again on the labels typed now; it says what that is before Enter."""
    session = at_the_table(tmp_path, key)
    first, second = session.model.state.combatants[:2]
    async with opened(session) as table:
        await table.press("escape", "escape")
        await table.type(f"eon fire {first.label}⏎.{second.label}")
        assert isinstance(table.mode, GmCommandMode)
        await table.press("enter")
        assert [any(effect.name == "on fire" for effect in table.state[who.id].effects) for who in (first, second)] == [
            True,
            True,
        ]


async def test_a_held_turn_answers_with_any_action(tmp_path: Path) -> None:
    """In an answer another action is chosen, and nothing of the preset one stays behind."""
    session = at_the_table(tmp_path, "worlds_without_number")
    clock = session.model.state.clock
    who = next(member for member in (clock.current.members if clock.current else ()) if controlled(session, member))
    session.dispatch(Do((Action("hold", who),)))
    while any(controlled(session, member) for member in session.model.state.clock.current.members):  # type: ignore[union-attr]  # a slot is open
        session.dispatch(Advance())
    foe = session.model.state.clock.current.members[0]  # type: ignore[union-attr]  # as above
    session.dispatch(Do((action("melee_attack", foe, target=who),)))
    assert isinstance(session.model.pending.request, Window)  # type: ignore[union-attr]  # it waits
    async with opened(session) as table:
        await table.press(session.model.state[who].label, "enter", "tab")
        await table.type("run⏎")
        await table.press("enter")
        taken = of_kind(table.model.pending.entries, ActionTaken)  # type: ignore[union-attr]  # it waits for the roll
        assert [event.action.key for event in taken] == ["melee_attack", "trigger_held", "run"], table.pane("console")


@pytest.mark.parametrize("key", [key for key in GAMES if key != "githack"])  # there a stance comes first
def test_the_picker_begins_as_the_plain_choice(tmp_path: Path, key: str) -> None:
    """With nothing typed Enter does what a sheet would do, its weapon and target included."""
    session = at_the_table(tmp_path, key)
    scene = ModeContext(session.ruleset, session.model, session)
    aimed = {person.id: Picker(person.id).aim(scene) for person in session.model.state.combatants}
    chosen = {who: wanted for who, wanted in aimed.items() if wanted is not None}
    assert chosen
    for who, wanted in chosen.items():
        usual = default_action(scene, who)
        assert usual is not None
        assert (wanted.key, set(wanted.fields) - set(usual.fields)) == (usual.key, set())
        left = {name for name, _ in usual.fields} - {name for name, _ in wanted.fields}
        assert not {field.name for field in scene.spec(Action(usual.key, who)).fields if field.required} & left


def test_a_target_out_of_the_usual_reach_takes_the_first_action_that_reaches(tmp_path: Path) -> None:
    """A shot is marked for the far one as soon as its label is typed."""
    session = at_the_table(tmp_path, "sovereign")
    for who, square in (("ysolde", (4, 6)), ("bone-soldier-1", (4, 5)), ("bone-archer-2", (8, 6))):
        session.dispatch(Do((action("place", None, who=who, x=square[0], y=square[1]),)))
    session.dispatch(Do((action("set", None, who="bone-soldier-1", what="hp", value=1),)))  # the weakest
    scene = ModeContext(session.ruleset, session.model, session)
    near, far = (session.model.state[who].label for who in ("bone-soldier-1", "bone-archer-2"))
    assert [
        (aimed.key, aimed.get("target"))
        for label in (near, far)
        if (aimed := Picker("ysolde", entry=Entry.of(label)).aim(scene)) is not None
    ] == [("attack_melee", "bone-soldier-1"), ("attack_ranged", "bone-archer-2")]
