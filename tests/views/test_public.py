"""The players' projection."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.ui.games import GH, begun
from tests.views.toy import CLOCK, RULESET, Beast, changed, combatant, fight
from tracker.core.fight.slots import Clock, Slot
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect
from tracker.core.terms.labels import Rule, RuleBook
from tracker.core.terms.moments import At
from tracker.core.terms.values import Value
from tracker.core.visibility.knowledge import PLAYERS
from tracker.session.intents import Do, RollRest
from tracker.views.public.build import health_of, public_view
from tracker.views.public.redaction import UNSEEN, public_id
from tracker.views.public.schema import Public, PublicEffect, PublicEnd, PublicPool, PublicSide

GOBLIN = "goblin-1"


def kept_back(state: State, **facts: Value) -> State:
    """Return a fight with facts of the players' screen: `hidden__lich="x"` is `hidden:lich`."""
    held = [(PLAYERS, key.replace("__", ":"), value) for key, value in facts.items()]
    return replace(state, facts=tuple(sorted([*state.facts, *held], key=lambda fact: fact[:2])))


def everything() -> State:
    """Return a fight that is full of secrets of the GM."""
    people = fight().combatants
    lich = replace(combatant("lich", "Xarrot", "x", "goblins", 40, 40), notes=("NOTED",))
    goblin = replace(
        people[3],
        notes=("NOTED",),
        facts=(("FACT", "NOTED"),),
        effects=(*people[3].effects, Effect("DOOMED", GOBLIN, 8, secret=True)),
    )
    ava = replace(people[0], effects=(Effect("cursed", "ava", 9, "lich", (At("turn_start", "who:lich"),)),))
    slots = (
        *CLOCK.slots,
        Slot("r2/lich", "Xarrot: DOOMED", "act", 3, ("lich",), turns="none", info="DOOMED"),
        Slot("r2/s3", "Xarrot moves", "movement", 2, stop=False, turns="none"),
        Slot("r2/wolf", "DOOMED", members=("wolf",)),
    )
    state = fight(
        combatants=(ava, *people[1:3], goblin, *people[4:], lich),
        clock=replace(CLOCK, slots=slots),
        effects=(Effect("DOOMED", "fight", 10),),
        notes="NOTED",
        journal_notes=("NOTED",),
        facts=(("fight", "FACT", "NOTED"),),
    )
    return kept_back(state, hidden__lich="x")


def order(view: Public) -> list[tuple[str, str]]:
    return [(slot.title, slot.when) for slot in view.order]


def test_nothing_of_the_game_master_gets_out() -> None:
    """No secret of the GM's side is in it."""
    text = msgspec.json.encode(public_view(RULESET, everything())).decode()

    secrets = ("Xarrot", "lich", "DOOMED", "NOTED", "FACT", "worgs", "ford", "mule", "hit_dice", "bite")
    assert [word for word in (*secrets, "movement", GOBLIN, '"ava"', "r2/") if word in text] == []


def test_players_see_their_own_points_and_words_of_the_others() -> None:
    """Points are numbers on the players' side and words on the other."""
    people = {one.name: one for one in public_view(RULESET, everything()).combatants}
    ava, wolf, goblin = people["Ava"], people["Wolf"], people["Goblin 1"]

    assert (ava.pools, ava.effects, ava.words) == (
        (PublicPool("hp", 9, 20, "HP"),),
        (PublicEffect("cursed", "cursed"),),
        "badly hurt",
    )
    about = "Whoever charges is easier to hit until the round ends. Twice the distance."
    assert (wolf.effects, wolf.acting) == ((PublicEffect("charging", "charging −2 AC", "round end", about),), True)
    assert (goblin.pools, goblin.effects, goblin.health) == ((), (PublicEffect("prone"),), "badly hurt")
    assert (people["Goblin 3"].status, people["Goblin 3"].health, people["Goblin 3"].acts) == ("down", "out", False)


def test_players_read_what_is_left_of_their_own_turns_and_the_rules_of_their_effects() -> None:
    """The other side's are not told."""
    rule = Rule("T-1", "Prone", "You  lie\ndown. " + "So it is. " * 100)
    people = fight().combatants
    fallen = replace(people[0], budget=(("main", 1), ("move_away", 2), ("free", 0)))
    fallen = replace(fallen, effects=(Effect("prone", fallen.id, 1, rule="T-1"),))
    foe = replace(people[3], budget=(("main", 1),), effects=(Effect("prone", people[3].id, 2, rule="T-1"),))
    state = fight(combatants=(fallen, *people[1:3], foe, *people[4:]))

    view = public_view(replace(RULESET, rulebook=RuleBook((rule,))), state)
    mine, other = (next(one for one in view.combatants if one.name == name) for name in (fallen.name, foe.name))

    assert (mine.left, other.left) == ("main, move away 2", "")
    assert mine.effects[0].about.startswith("You lie down. So it is.")
    assert len(mine.effects[0].about) <= 500
    assert other.effects == (PublicEffect("prone"),)


def test_the_order_names_people_not_plans() -> None:
    """Slots are called after whose they are."""
    view = public_view(RULESET, everything())
    ids = {one.name: one.id for one in view.combatants}

    assert (view.moment, view.now, view.next) == ("Round 2 · Party", 0, 1)
    assert order(view) == [("Party", "now"), ("Goblins", "later"), ("Wolf", "later")]
    assert view.order[0].members == (ids["Ava"], ids["Wolf"], ids["Brin"])
    assert [one.name for one in view.sides] == ["Party", "Goblins"]
    assert view.sides[0] == PublicSide(public_id("", "side party"), "Party", friend=True)


def at(key: str, *begun: str) -> Clock:
    """Return the clock in a slot, after others."""
    return Clock(3, 18, everything().clock.slots, key, (*begun, key), in_round=True)


def test_the_turn_of_a_hidden_one_is_still_that_of_the_one_before() -> None:
    """While a hidden combatant acts, the players' view does not change."""
    party, lich = (
        public_view(RULESET, replace(everything(), clock=clock))
        for clock in (at("r2/goblins", "r2/party"), at("r2/lich", "r2/party", "r2/goblins"))
    )

    assert lich == party
    assert (lich.moment, lich.now) == ("Round 3 · Goblins", 1)


def test_where_players_saw_the_clock_last_counts_while_one_is_hidden() -> None:
    """If no combatant is hidden any more, and the slot is empty by now, that slot is not now."""
    slots = (*CLOCK.slots[:2], Slot("r2/watch", "The watch", "act"))
    clock = Clock(2, 12, slots, "r2/watch", ("r2/party", "r2/goblins", "r2/watch"), in_round=True)

    plain = public_view(RULESET, replace(fight(), clock=clock))
    revealed = public_view(RULESET, kept_back(replace(fight(), clock=clock), stood_at="r2/party"))

    assert plain.moment == revealed.moment == "Round 2 · Goblins"


def test_one_who_has_gone_over_leaves_the_turn_its_name() -> None:
    """Given a turn shared with hidden combatants of another side, it is that of the others it began with."""
    slots = (
        Slot("r2/led", "Leading", "led", members=("goblin-1", "goblin-2", "wolf", "lich")),
        Slot("r2/party", "Party", "act", members=("ava", "wolf"), side="party"),
    )
    state = changed(everything(), "lich", side="watchers")
    view = public_view(RULESET, replace(state, clock=Clock(2, 12, slots, "r2/party", ())))

    assert next(slot.title for slot in view.order).startswith("Goblins")


def test_a_round_that_begins_with_a_hidden_one_begins_with_the_first_who_is_seen() -> None:
    """If no visible slot has begun in this round, the first slot to come is now."""
    slots = everything().clock.slots
    hidden_first = replace(at("r2/lich"), slots=(slots[2], *slots[:2], *slots[4:]))

    view = public_view(RULESET, replace(everything(), clock=hidden_first))

    assert (view.moment, order(view)[0]) == ("Round 3 · Party", ("Party", "now"))


def test_a_round_only_a_hidden_one_fights_moves_no_end() -> None:
    """Before the first round, a hidden one's place in it changes no words."""
    seen = (Slot("r0/positions", "Positions", "positions", stage="opening"),)
    lurks = Slot("r0/lich", "Xarrot", "act", members=("lich",))
    blessed = Effect("blessed", "ava", 20, "ava", (At("round_end"),))
    state = changed(everything(), "ava", effects=(blessed,))

    told = [
        public_view(replace(RULESET), replace(state, clock=Clock(0, 0, slots, at, begun)))
        for slots, at, begun in (
            (seen, seen[0].id, (seen[0].id,)),
            ((*seen, lurks), seen[0].id, (seen[0].id,)),
            ((*seen, lurks), lurks.id, (seen[0].id, lurks.id)),
        )
    ]

    assert told[0].combatants[0].effects == (PublicEffect("blessed", "blessed", "end of round 1"),)
    assert told == [told[0]] * 3


def test_ends_are_told_from_a_place_that_is_empty_by_now() -> None:
    """The clock came there while its last member stood, and stays there for players."""
    slots = (
        Slot("r2/party", "Party", "act", members=("wolf",)),
        Slot("r2/slow", "Slow", "slow"),
        Slot("r2/lich", "Xarrot", "act", members=("lich",)),
    )
    poisoned = Effect("poisoned", "ava", 20, "ava", (At("phase_start", "any", phase="slow"),))
    seen, hiding = fight(), kept_back(everything(), stood_at="r2/slow")
    plain, *veiled = (
        public_view(replace(RULESET), replace(changed(state, "ava", effects=(poisoned,)), clock=clock))
        for state, clock in (
            (seen, Clock(2, 12, slots[:2], "r2/slow", ("r2/party", "r2/slow"), in_round=True)),
            (hiding, Clock(2, 12, slots[:2], "r2/slow", ("r2/party", "r2/slow"), in_round=True)),
            (hiding, Clock(2, 12, slots, "r2/lich", ("r2/party", "r2/slow", "r2/lich"), in_round=True)),
        )
    )

    assert [end.when for end in plain.ends if end.what == "poisoned"] == ["start of slow phase, round 3"]
    assert [view.ends for view in veiled] == [plain.ends] * 2


def test_the_end_of_an_effect_follows_the_order_of_the_opening() -> None:
    """If the slots of round 0 are gone, the words name the next round."""
    places = (Slot("r0/party", "Party", side="party", stage="opening"), Slot("r0/ava", "Ava", members=("ava",)))
    blessed = Effect("blessed", "ava", 20, "ava", (At("round_end"),))
    state = changed(fight(), "ava", effects=(blessed,))

    def until(slots: tuple[Slot, ...]) -> str:
        view = public_view(RULESET, replace(state, clock=Clock(0, 0, slots, slots[0].id, (slots[0].id,))))
        return view.combatants[0].effects[0].until

    assert [until(places), until(places[:1])] == ["end of round 0", "end of round 1"]


@pytest.mark.parametrize("lurker_first", [False, True])
@pytest.mark.parametrize("alias", [None, "Tall stranger"])
def test_the_kind_of_who_is_seen_is_no_secret(lurker_first: bool, alias: str | None) -> None:
    """A hidden one of the same kind as one that is seen changes no words."""
    state = fight()
    guard = replace(state.combatants[3], name="x", block=Beast("Guard"), effects=())
    on_guard = replace(state.combatants[0], effects=(Effect("guard", "ava", 21),))
    lurker = replace(guard, id="lich", name="Xarrot", label="l")
    rest = (on_guard, guard)
    facts: dict[str, Value] = {} if alias is None else {f"alias__{GOBLIN}": alias, f"called__{GOBLIN}": (alias, "x")}
    plain = kept_back(replace(state, combatants=rest, clock=Clock(1, 0)), **facts)
    people = (lurker, *rest) if lurker_first else (*rest, lurker)

    veiled = kept_back(replace(plain, combatants=people), hidden__lich="l")

    words = "guard" if alias is None else alias
    assert public_view(RULESET, plain).combatants[0].effects[0].name == words
    assert public_view(RULESET, veiled) == public_view(RULESET, plain)


def test_a_hidden_one_makes_no_number_of_what_ends_a_name() -> None:
    """Only visible combatants decide whether a name ends in a number."""
    state = fight()
    held = replace(state.combatants[0], effects=(Effect("held", "ava", 22, title="held by x"),))
    stranger = replace(state.combatants[3], name="x 1", effects=())
    lurker = replace(stranger, id="lich", name="x 1 2", label="l")
    alias: dict[str, Value] = {f"alias__{GOBLIN}": "Stranger", f"called__{GOBLIN}": ("Stranger", "x 1")}
    plain = kept_back(replace(state, combatants=(held, stranger), clock=Clock(1, 0)), **alias)
    veiled = kept_back(replace(plain, combatants=(held, stranger, lurker)), hidden__lich="l")

    assert public_view(RULESET, veiled) == public_view(RULESET, plain)
    assert public_view(RULESET, plain).combatants[0].effects[0].name == "held by x"


def test_a_hidden_attacker_may_act_as_an_unseen_foe() -> None:
    """If the GM has set so, players read of an unseen foe while it acts."""
    state = kept_back(replace(everything(), clock=at("r2/lich", "r2/party")), unseen_at="r2/lich")

    view = public_view(RULESET, state)

    assert (view.moment, view.order[2].members) == (f"Round 3 · {UNSEEN}", ())


def test_names_and_labels_are_those_the_gm_gives() -> None:
    """A stranger is called so everywhere until it is named."""
    gripped = Effect("gripped", "ava", 4, GOBLIN, (At("turn_start", f"who:{GOBLIN}"),), title="held by Goblin 1")
    slot = Slot("r2/goblin-1", "Goblin 1", members=(GOBLIN,))
    facts = (
        (PLAYERS, f"alias:{GOBLIN}", "Tall stranger"),
        (PLAYERS, f"called:{GOBLIN}", ("Tall stranger", "Goblin 1")),
        (PLAYERS, f"label:{GOBLIN}", "t"),
    )
    state = fight(clock=replace(CLOCK, slots=(CLOCK.slots[0], slot)), facts=facts)

    view = public_view(RULESET, changed(state, "ava", effects=(gripped,)))

    held = PublicEffect("held by Tall stranger", "held by Tall stranger", "Tall stranger's turn")
    assert (view.combatants[0].effects, view.combatants[3].name, view.combatants[3].label) == (
        (held,),
        "Tall stranger",
        "t",
    )
    assert order(view)[1] == ("Tall stranger", "later")
    assert view.ends[0] == PublicEnd(
        "held by Tall stranger", view.combatants[0].id, "start of Tall stranger's next turn"
    )


def test_words_that_name_a_hidden_one_do_not() -> None:
    """In the words of an effect, a hidden combatant is an unseen foe."""
    held = Effect("held", "ava", 11, "lich", title="held by Xarrot")
    state = changed(everything(), "ava", effects=(held,))

    assert public_view(RULESET, state).combatants[0].effects[0].words == f"held by {UNSEEN}"


def test_what_is_shown_can_be_kept_back() -> None:
    """Health of a side, points of the characters, the title: as the GM has set."""
    facts = ((PLAYERS, "health:goblins", False), (PLAYERS, "points", False), (PLAYERS, "title", "The ford"))
    view = public_view(RULESET, replace(fight(), facts=facts))
    people = {one.name: one for one in view.combatants}

    assert (view.title, people["Ava"].pools, people["Ava"].words) == ("The ford", (), "badly hurt")
    assert (people["Goblin 1"].words, people["Goblin 1"].health, people["Goblin 3"].words) == ("", "", "down")


def test_ids_of_two_fights_have_nothing_in_common() -> None:
    """Ids are made with a secret of the fight."""
    one, other = (public_view(replace(RULESET), fight(), salt) for salt in ("a", "b"))

    assert {person.id for person in one.combatants} & {person.id for person in other.combatants} == set()
    assert one.title == other.title


def test_what_is_left_of_a_track_is_a_bar_without_numbers(tmp_path: Path) -> None:
    """GitHack's player characters have boxes and no points; of a monster's points players read nothing."""
    with begun(tmp_path, GH, "goblin_waves") as session:
        while session.model.pending is not None:
            session.dispatch(RollRest())
        who = next(one.id for one in session.model.state.combatants if one.name == "Ysolt")
        before = public_view(session.ruleset, session.model.state)
        session.dispatch(Do((action("damage", amount=2, targets=(who,)),)))
        after = public_view(session.ruleset, session.model.state)
    (full,), (left,) = (next(one.pools for one in view.combatants if one.name == "Ysolt") for view in (before, after))
    assert full.now == full.max > 2
    assert (left.now < full.now, left.max, left.title) == (True, full.max, "")
    assert not [one for one in before.combatants if one.pools and not one.friend]


@pytest.mark.parametrize(("now", "words"), [(7, "unhurt"), (6, "hurt"), (3, "badly hurt"), (0, "badly hurt")])
def test_health_of(now: int, words: str) -> None:
    """Points in words."""
    assert health_of(now, 7) == words
