"""Every declared attack comes once, in segment order, or is lost for a stated reason."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rulesets.spelljammer import RULESET
from rulesets.spelljammer.order.schedule import phase_of
from rulesets.spelljammer.stat_blocks.facts import Casting, Declaration
from rulesets.spelljammer.stat_blocks.models import Creature, HouseRules, Setup, Spell, Weapon
from rulesets.spelljammer.stats import stats
from tests.support.shares import tries
from tracker.core.fight.events import (
    ActionTaken,
    BoundaryCrossed,
    EffectAdded,
    EffectEnded,
    Entry,
    Skipped,
    SlotReached,
)
from tracker.core.fight.fold import fold
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll

NOWHERE = -99
FIGHTERS = ("ann", "bea", "cid", "dot")


def creature(name: str, attacks: int, im: int) -> Creature:
    sword = Weapon(name="sword", sc=60, dmg=Dice.parse("1d8+6"), rank=4)
    bow = Weapon(name="bow", sc=70, dmg=Dice.parse("1d8"), rank=4, kind="ranged", missile="arrow")
    spells = (Spell(name="bolt", rank=8), Spell(name="prayer", type="cleric", casting_time="round"))
    return Creature(
        name=name, hp=40, hp_max=40, con=9, dex=14, im=im, tmr=40, attacks=attacks, weapons=(sword, bow), spells=spells
    )


@st.composite
def fights(draw: st.DrawFn) -> tuple[Encounter, dict[str, dict[str, object]]]:
    """Two against two with any declarations, forbidden ones replaced by the default."""
    members = [
        Member(creature(name, draw(st.integers(1, 6)), draw(st.integers(-6, 6))), name, "pc", id=name)
        for name in FIGHTERS
    ]
    sides = (
        SideSetup("party", "Party", "players", tuple(members[:2])),
        SideSetup("foes", "Foes", "gm", tuple(members[2:])),
    )
    rules = HouseRules(
        simultaneous_ties=draw(st.booleans()),
        delay_attack_until_arrival=draw(st.booleans()),
        stun_stops_movement=draw(st.booleans()),
    )
    setup = Setup(engaged=(("ann", "cid"),) if draw(st.booleans()) else ())
    wishes = {name: draw(wish(name)) for name in FIGHTERS}
    return Encounter("spelljammer", "A round", sides, rules, setup), wishes


def wish(name: str) -> st.SearchStrategy[dict[str, object]]:
    others = [other for other in FIGHTERS if other != name]
    fields = {
        "main": st.sampled_from(
            ("attack", "attack", "attack", "cast", "retrieve_weapon", "other", "full_defense", "nothing")
        ),
        "movement": st.sampled_from(("free", "none", "half_then_act", "act_then_half", "run_then_act", "full")),
        "target": st.sampled_from(others),
        "weapon": st.sampled_from(("sword", "bow")),
        "draw": st.booleans(),
        "withdraw": st.booleans(),
        "free_actions": st.integers(0, 2),
        "distance": st.one_of(st.none(), st.integers(0, 20)),
        "spell": st.sampled_from(("bolt", "prayer")),
    }
    return st.fixed_dictionaries({}, optional=fields)


class Dicer:
    """Answers every roll from a drawn seed, and everything else by default."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, request: Request) -> Answer | None:
        if not isinstance(request, Roll):
            return request.default_answer
        self.seed = (self.seed * 1103515245 + 12345) % 2**31
        low, high = request.dice.minimum, request.dice.maximum
        return DiceAnswer(low + (self.seed >> 8) % (high - low + 1))


def play(encounter: Encounter, wishes: dict[str, dict[str, object]], seed: int) -> tuple[State, State, list[Entry]]:
    """Play one round, and return its states and events.

    The state with all acts in place, the last one, and what happened since the closing of the declarations.
    """
    source = Dicer(seed)

    def do(state: State, step: Step) -> Done | Refusal:
        outcome = run(RULESET, state, step, (), source)
        assert isinstance(outcome, Done | Refusal)
        return outcome

    started = do(State(), Step("start", encounter=encounter))
    assert isinstance(started, Done)
    state = started.state
    for name, fields in wishes.items():
        declared = Action("declare", name, tuple(sorted(fields.items())))  # type: ignore[arg-type]  # plain values
        outcome = do(state, Step("do", (declared,)))
        if isinstance(outcome, Refusal):
            outcome = do(state, Step("do", (Action("declare", name),)))
        assert isinstance(outcome, Done)
        state = outcome.state
    declared, happened = state, list[Entry]()
    while state.clock.round == 1 and not state.clock.over:
        outcome = do(state, Step("advance"))
        assert isinstance(outcome, Done)
        happened += outcome.entries
        state = outcome.state
    return declared, state, happened


FIGHT = tries(80)


@given(fights(), st.integers(0, 2**31 - 1))
@FIGHT
def test_every_declared_attack_comes_once_or_is_lost_for_a_reason(
    fight: tuple[Encounter, dict[str, dict[str, object]]], seed: int
) -> None:
    """SJ-009, SJ-014, SJ-039: attacks resolved, passed and lost are those declared."""
    declared, _, happened = play(*fight, seed)

    for name in FIGHTERS:
        said = declared[name].fact("declaration")
        assert isinstance(said, Declaration)
        wanted = len(said.blows) if said.main == "attack" else 0
        taken = sum(
            isinstance(entry.event, ActionTaken) and (entry.event.action.key, entry.event.action.by) == ("attack", name)
            for entry in happened
        )
        skipped = [entry.event for entry in happened if isinstance(entry.event, Skipped) and entry.event.who == name]
        late = sum(event.what.startswith("attack ") for event in skipped)
        passed = sum(
            event.what.startswith(f"{declared.name(name)}: ")
            and " at " in event.what
            and event.why != "it happened at the same time"
            for event in skipped
        )
        assert all(event.why for event in skipped)
        if said.main == "attack":
            assert taken + late + passed == wanted, (name, taken, late, passed, skipped)


@given(fights(), st.integers(0, 2**31 - 1))
@FIGHT
def test_acts_come_in_segment_order(fight: tuple[Encounter, dict[str, dict[str, object]]], seed: int) -> None:
    """SJ-002, SJ-011, SJ-024 to SJ-028: segments only go down, to -5; a combatant has no two acts on one."""
    declared, _, happened = play(*fight, seed)
    state, segments, own = declared, list[int](), Counter[tuple[str, int]]()

    for entry in happened:
        state = fold(state, entry.event)
        if (
            isinstance(entry.event, SlotReached)
            and (slot := state.clock.current) is not None
            and slot.segment is not None
            and state.clock.round == 1
        ):
            segments.append(slot.segment)
            own.update((member, slot.segment) for member in slot.members)
            assert slot.phase == phase_of(slot.segment)

    assert segments == sorted(segments, reverse=True)
    assert all(segment >= -5 for segment in segments)
    assert all(times == 1 for times in own.values())


@given(fights(), st.integers(0, 2**31 - 1))
@FIGHT
def test_no_spell_precedes_its_beginning(fight: tuple[Encounter, dict[str, dict[str, object]]], seed: int) -> None:
    """SJ-063, SJ-068: a spell goes off in its round, on its segment."""
    _, final, happened = play(*fight, seed)
    segment, begun = NOWHERE, dict[str, int]()

    for entry in happened:
        match entry.event:
            case BoundaryCrossed(boundary=boundary) if (
                boundary.edge == "segment_start" and boundary.segment is not None
            ):
                segment = boundary.segment
            case EffectAdded(effect=effect) if isinstance(effect.data, Casting):
                assert effect.bearer not in begun
                begun[effect.bearer] = segment
                assert -5 <= effect.data.due < segment
            case EffectEnded(was=effect, reason="goes off") if isinstance(effect.data, Casting):
                assert segment == effect.data.due < begun[effect.bearer]

    assert all(stats.casting(combatant) is None for combatant in final.combatants)


@given(fights(), st.integers(0, 2**31 - 1))
@FIGHT
def test_nothing_of_a_round_outlasts_it(fight: tuple[Encounter, dict[str, dict[str, object]]], seed: int) -> None:
    """4.8: nothing of the round is left in the next one."""
    declared, final, happened = play(*fight, seed)
    state = declared

    for entry in happened:
        state = fold(state, entry.event)
        for combatant in state.combatants:
            covered = combatant.fact("covered", 0)
            assert isinstance(covered, int | float)
            assert covered <= 40
    for combatant in final.combatants:
        assert not {"stunned", "defending", "full_defense", "no_movement", "careful_aim", "retrieving"} & {
            effect.name for effect in combatant.effects
        }
        assert final.clock.over or combatant.fact("declaration") is None
