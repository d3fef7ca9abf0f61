"""The party between two fights, in every game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.skirmish import SKIRMISH, Body
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, Pool, Side, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Condition, Encounter, Member
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.moments import At
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Do, RollRest
from tracker.session.party import Party, last_party, party_of, with_conditions
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.exchange import export_fight, import_fight
from tracker.session.store.journal import Journal
from tracker.views.words.values import condition_words

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
GAMES = {
    "githack": ("goblin_waves", "jelly_cistern"),
    "sovereign": ("first_fight", "gate_brawl"),
    "spelljammer": ("deck_ambush", "spell_duel"),
    "sword_world": ("forest_ambush", "two_brawls"),
    "worlds_without_number": ("first_fight", "night_raid"),
}
SETTINGS = Settings(roller=dice_roller(1))


class Evening:
    """A journal, and the two fights of a game played in it."""

    def __init__(self, folder: Path, game: str) -> None:
        self.journal = Journal.open(folder / "fights.db")
        self.ruleset = registry.find(game)
        self.first, self.second = (self.read(game, name) for name in GAMES[game])

    def read(self, game: str, name: str) -> Encounter:
        found = load_encounter(ENCOUNTERS / game / f"{name}.yaml", registry.find).encounter
        assert found is not None
        return found

    def begin(self, encounter: Encounter) -> Session:
        return Session.start(self.journal, self.ruleset, encounter, SETTINGS)

    def play(self, *done: Action) -> None:
        """Play the first fight. Open it, answer nothing, and let the game master do these things."""
        with self.begin(self.first) as session:
            while session.model.pending is not None:
                session.dispatch(RollRest())
            for one in done:
                model = session.dispatch(Do((one,)))
                assert (model.refusal, model.problem) == (None, ""), one

    def party(self) -> Party:
        found = last_party(self.journal, self.ruleset, self.second)
        assert found is not None
        return found


@pytest.fixture
def evening(tmp_path: Path) -> Callable[[str], Evening]:
    return lambda game: Evening(tmp_path, game)


def heroes(encounter: Encounter) -> tuple[Id, ...]:
    """The ids of the four characters both fights begin with."""
    return tuple(member.ref for side in encounter.sides if side.control == "players" for member in side.members)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "githack"])
def test_hit_points_and_lasting_effects_come_along(evening: Callable[[str], Evening], game: str) -> None:
    """What is left of the pools and an effect until removed are carried over. One that is counted in rounds is not."""
    night = evening(game)
    one, two = heroes(night.second)[:2]
    hurt = (
        action("damage", amount=3, targets=(one,))
        if game != "sword_world"
        else action("damage", amount=3, targets=(one,), type="magical")
    )
    night.play(
        hurt,
        action("add_effect", name="poisoned", targets=(two,), until="until removed"),
        action("add_effect", name="blessed", targets=(two,), until="end of the round"),
    )

    party = night.party()
    with night.begin(with_conditions(night.second, party)) as session:
        state = session.model.state
        assert state[one].hp == state[one].pool("hp").max - 3
        assert state[two].has("poisoned")
        assert not state[two].has("blessed")
        # Everything about it is in the journal of this fight.
        assert (
            Session.resume(night.journal, session.model.fight, lambda key: night.ruleset, SETTINGS).model.state == state
        )


def test_harm_angst_and_scars_come_along(evening: Callable[[str], Evening]) -> None:
    """GitHack: the track is as it is, in the character's boxes of now (GH-115)."""
    night = evening("githack")
    one, two, three, _ = heroes(night.second)
    night.play(
        action("mark", who=one, mark="x", count=2),
        action("angst", who=two, value=3),
    )
    party = night.party()
    conditions = {person.who: person.condition for person in party.people}
    assert dict(conditions[one].facts)["harm"].startswith("xx")  # type: ignore[union-attr] # a track is text

    with night.begin(with_conditions(night.second, party)) as session:
        state = session.model.state
        assert str(state[one].fact("harm")).startswith("xx")
        assert state[two].fact("angst") == 3
        assert state[three].fact("harm") == state[three].block.harm  # type: ignore[attr-defined]  # GitHack's block
        harm = str(state[one].fact("harm"))
        assert len(harm) == state[one].block.harm_max  # type: ignore[attr-defined]  # GitHack's block


def test_the_dead_stay_out_unless_they_are_let_in(evening: Callable[[str], Evening]) -> None:
    """A character who died is not in the next fight. Let in, they come as their file has them."""
    night = evening("worlds_without_number")
    one, two, *_ = heroes(night.second)
    night.play(action("status", targets=(one,), status="dead"), action("damage", amount=2, targets=(two,)))
    party = night.party()

    without, with_dead = with_conditions(night.second, party), with_conditions(night.second, party, (one,))

    assert [person.out for person in party.people] == ["dead", "", "", ""]
    assert one not in heroes(without)
    with night.begin(with_dead) as session:
        assert session.model.state[one].hp == session.model.state[one].pool("hp").max
        assert session.model.state[two].hp == session.model.state[two].pool("hp").max - 2


def test_the_dying_have_been_stabilised(evening: Callable[[str], Evening]) -> None:
    """A countdown of rounds is over by the next fight. Who was dying is stable there (WN-C16)."""
    night = evening("worlds_without_number")
    one = heroes(night.second)[0]
    night.play(action("damage", amount=99, targets=(one,)))
    party = night.party()

    assert condition_words(night.ruleset, party.state, one, party.people[0].condition).endswith("stable")
    with night.begin(with_conditions(night.second, party)) as session:
        combatant = session.model.state[one]
        assert (combatant.hp, combatant.status, combatant.has("dying")) == (0, "stable", False)


def test_wound_steps_count_from_the_hit_points_carried(evening: Callable[[str], Evening]) -> None:
    """Spelljammer: with `wound_start: fight` the steps count from the beginning (SJ-049, A-14)."""
    night = evening("spelljammer")
    one = heroes(night.second)[0]
    night.play(action("damage", amount=5, targets=(one,)))
    party = night.party()

    with night.begin(with_conditions(night.second, party)) as session:
        assert session.model.state[one].fact("start_hp") == session.model.state[one].hp


def test_carried_fight_survives_export(evening: Callable[[str], Evening], tmp_path: Path) -> None:
    """Taken elsewhere, without the fight it came from, it is the same fight."""
    night = evening("worlds_without_number")
    night.play(action("damage", amount=3, targets=(heroes(night.second)[0],)))
    with night.begin(with_conditions(night.second, night.party())) as session:
        state, fight = session.model.state, session.model.fight
    lines = list(export_fight(night.journal, fight))

    with Journal.open(tmp_path / "other.db") as other:
        taken = import_fight(other, lines)
        assert Session.resume(other, taken, lambda key: night.ruleset, SETTINGS).model.state == state


def test_last_fight_is_the_newest_with_one_of_them(evening: Callable[[str], Evening]) -> None:
    """Fights of other games or other people, put away or left at once, are skipped."""
    night = evening("worlds_without_number")
    night.play(action("damage", amount=3, targets=(heroes(night.second)[0],)))
    wanted = night.journal.fights()[0].id
    with night.begin(night.second):
        pass  # opened and left at once
    strangers = tuple(replace(side, members=side.members if side.control == "gm" else ()) for side in night.first.sides)
    with night.begin(replace(night.first, sides=strangers)):
        pass

    assert night.party().fight.id == wanted
    night.journal.discard(wanted)
    assert last_party(night.journal, night.ruleset, night.second) is None


def test_groups_and_strangers_are_not_carried(evening: Callable[[str], Evening]) -> None:
    """Only those who stand for one combatant are matched. A newcomer begins as the file says."""
    night = evening("worlds_without_number")
    night.play(action("damage", amount=3, targets=(heroes(night.second)[0],)))
    party_side = next(side for side in night.second.sides if side.control == "players")
    first, second, *rest = party_side.members
    changed = replace(party_side, members=(replace(first, count=Dice(plus=2)), replace(second, ref="stranger"), *rest))
    encounter = replace(
        night.second, sides=tuple(changed if side is party_side else side for side in night.second.sides)
    )

    party = last_party(night.journal, night.ruleset, encounter)

    assert party is not None
    assert [person.place for person in party.people] == [2, 3]


def test_fight_of_another_game_is_refused(evening: Callable[[str], Evening]) -> None:
    night = evening("worlds_without_number")
    night.play()
    fight = night.journal.fights()[0]

    with pytest.raises(TrackerError, match="is a fight of worlds_without_number, not of skirmish"):
        party_of(night.journal, SKIRMISH, night.second, fight)


def test_a_ruleset_that_fails_to_carry_over(evening: Callable[[str], Evening]) -> None:
    """It is told with its line and a problem file. A fight that is only looked for is passed over."""
    night = evening("worlds_without_number")
    night.play()

    def broken(*arguments: object) -> Condition:
        raise LookupError("a slip")

    rules, fight = replace(night.ruleset, carry=broken), night.journal.fights()[0]

    with pytest.raises(TrackerError, match=r"LookupError: a slip \(test_party\.py:\d+ in broken\)") as raised:
        party_of(night.journal, rules, night.second, fight)
    assert "Traceback" in Path(raised.value.message.rpartition(": ")[2]).read_text(encoding="utf-8")
    assert last_party(night.journal, rules, night.second) is None


LASTING = Effect("cursed", "", title="the curse of the mere")


@pytest.mark.parametrize("game", ["sovereign", "worlds_without_number"])
def test_until_removed_outlives_the_end_of_the_fight(evening: Callable[[str], Evening], game: str) -> None:
    """What the game master added until it is removed stays when the fight is ended."""
    night = evening(game)
    one = heroes(night.second)[0]
    night.play(
        action("add_effect", name="poisoned", targets=(one,), until="until removed"),
        action(
            "add_effect",
            name="empty:bow" if game == "worlds_without_number" else "unloaded:bow",
            targets=(one,),
            until="until removed",
        ),
        action("add_effect", name="blessed", targets=(one,), until="end of the fight"),
        action("end_fight"),
    )
    party = night.party()

    assert party.fight.over
    assert [effect.name for effect in party.state[one].effects] == ["poisoned"]


@pytest.mark.parametrize("game", GAMES)
def test_grips_and_counted_ends_stay_behind(evening: Callable[[str], Evening], game: str) -> None:
    """What hangs on another combatant, another effect or the clock is not carried over."""
    night = evening(game)
    one, two = heroes(night.second)[:2]
    night.play()
    left = party_of(night.journal, night.ruleset, night.second, night.journal.fights()[0])
    assert left is not None
    state = left.state
    block = state[one]
    held = (
        replace(LASTING, bearer=one, id=1, source=two, born=(3, "r3/party")),
        Effect("hexed", one, id=2, until=(At("round_end", count=3),)),
        Effect("linked", one, id=3, parent=1),
    )
    member = next(member for side in night.second.sides for member in side.members if member.ref == one)
    people = tuple(replace(block, effects=held) if combatant.id == one else combatant for combatant in state.combatants)

    condition = night.ruleset.carry(replace(state, combatants=people), one, member)

    assert condition.effects == (LASTING,)


def test_who_went_away_is_back() -> None:
    """A ruleset that says nothing carries what is left."""
    member = Member(Body(), "Ava", "pc", ref="ava")
    away = Combatant("ava", "Ava", "a", "party", "pc", Body(), "gone", (Pool("hp", 4, 7),), ref="ava")
    state = State(sides=(Side("party", "Party", "players"),), combatants=(away, replace(away, id="bo", status="dead")))

    assert SKIRMISH.carry(state, "ava", member) == Condition((("hp", 4),), "up")
    assert SKIRMISH.carry(state, "bo", member).status == "dead"
