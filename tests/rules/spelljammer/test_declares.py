"""What the screen says of declarations, and of whom to drive back."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from rulesets.spelljammer import RULESET
from rulesets.spelljammer.actions.attack_form import attack_fields
from rulesets.spelljammer.screen import declares, pending
from rulesets.spelljammer.stat_blocks.facts import Act, Declaration, DeclaredAttack
from rulesets.spelljammer.stats import stats
from tests.ui.games import SJ, begun, phase, played
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.values import Value
from tracker.session.intents import Do
from tracker.views.panes.order import OrderRows


def test_only_casters_are_offered_a_spell(tmp_path: Path) -> None:
    """SJ-003: the form of a declaration names `cast` where a stat block has spells."""
    state = begun(tmp_path, SJ, "archers_into_melee").model.state
    mains = {}
    for who in ("isaude", "telmarre"):
        spec = RULESET.form(state, action("declare", who))
        assert spec is not None
        mains[who] = [option.key for option in spec.fields[0].options]

    assert mains["telmarre"] == [*mains["isaude"][:1], "cast", *mains["isaude"][1:]]


def test_declarations_stand_in_their_column(tmp_path: Path) -> None:
    """SJ-003, SJ-063: attacks by weapon and target, spells with their segment."""
    session = begun(tmp_path, SJ, "archers_into_melee")
    state = played(session, lambda state: state.clock.current is not None and state.clock.current.segment is not None)
    said = {one.name: declares(state, one.id) for one in state.combatants}

    assert re.fullmatch(r"longbow → [\w ]+ ×3", said["Isaude"])
    assert re.fullmatch(r"claw, other claw, bite → [\w ]+", said["Cave Lurker"])
    cast = Declaration("cast", spell="Lance of Light", target="brannoc")
    mage = replace(state["telmarre"], facts=(("declaration", cast),))
    acts = [slot for slot in state.clock.slots if slot.members == ("telmarre",)]
    rest = tuple(slot for slot in state.clock.slots if slot not in acts)
    people = tuple(mage if one.id == "telmarre" else one for one in state.combatants)
    before = replace(state, combatants=people, clock=replace(state.clock, slots=rest))
    assert declares(before, "telmarre") == "Lance of Light → Brannoc"
    placed = replace(acts[0], segment=9, data=Act("spell", spell="Lance of Light"))
    after = replace(before, clock=replace(state.clock, slots=(*rest, placed)))
    assert re.fullmatch(r"Lance of Light, goes off on \d", declares(after, "telmarre"))


def test_the_segments_say_when_a_spell_goes_off(tmp_path: Path) -> None:
    """SJ-063: an act names spell, target and segment, the segment wherever it stands."""
    session = begun(tmp_path, SJ, "spell_duel")
    played(session, phase("declare"))
    foe = next(one.id for one in session.model.state.combatants if one.side == "cult")
    said = action("declare", "telmarre", main="cast", spell="Lance of Light", target=foe)
    assert session.dispatch(Do((said,))).refusal is None
    state = played(session, lambda state: state.clock.current is not None and state.clock.current.segment is not None)
    slot = next(slot for slot in state.clock.slots if slot.members == ("telmarre",))
    due = str((slot.segment or 0) - 6).replace("-", "−")

    def line(width: int) -> str:
        return next(row.text for row in OrderRows(session.ruleset, state, width) if row.key.startswith(f"{slot.id}#"))

    assert re.search(rf"Lance of Light → \w.* goes off on {due}$", line(60))
    assert re.search(rf"Lance of .* on {due}$", line(26))


def test_who_may_be_driven_back_is_a_reminder(tmp_path: Path) -> None:
    """SJ-122: of a desperate defender that stands, for each that has struck at it."""
    session = begun(tmp_path, SJ, "archers_into_melee")
    state = played(session, lambda state: state.clock.current is not None and state.clock.current.segment is not None)
    foe = next(one for one in state.combatants if one.side != state["brannoc"].side)
    defends = Effect("desperate_defense", "brannoc", 99, until=(At("round_end"),))

    def owed(struck: bool, status: str, effects: tuple[Effect, ...]) -> list[tuple[str | None, Value]]:
        now = {
            "brannoc": replace(state["brannoc"], status=status, effects=effects),
            foe.id: replace(foe, facts=(*foe.facts, ("drives:brannoc", struck))),
        }
        fight = replace(state, combatants=tuple([now.get(one.id, one) for one in state.combatants]))
        return [(one.about, one.settle.get("target")) for one in pending(fight) if one.settle is not None]

    assert owed(True, "up", (defends,)) == [(foe.id, "brannoc")]
    assert owed(False, "up", (defends,)) == owed(True, "up", ()) == owed(True, "down", (defends,)) == []


def test_a_declared_target_that_cannot_be_struck_any_more_is_left_open(tmp_path: Path) -> None:
    """SJ-005: a target that is dead is no target, even where it was meant on purpose."""
    state = begun(tmp_path, SJ, "archers_into_melee").model.state
    foe = next(one for one in state.combatants if one.side != state["brannoc"].side)
    blow = DeclaredAttack(stats.block(state, "brannoc").weapons[0].name, foe.id, meant=True)

    def offered(status: str) -> tuple[Value, bool]:
        people = tuple(replace(one, status=status) if one.id == foe.id else one for one in state.combatants)
        target = attack_fields(replace(state, combatants=people), action("attack", "brannoc"), blow)[0]
        return target.default, foe.id in [option.key for option in target.options]

    assert (offered("down"), offered("dead")) == ((foe.id, True), (None, False))
