"""What the GM hides from the players, and how they call what they see."""

from __future__ import annotations

from msgspec.structs import replace

from tests.core.gm.mastering import refusal, table
from tests.support import sides
from tests.support.common import encounter, member
from tracker.core.fight.events import Noted
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter, Member, ScreenSetup, Wave
from tracker.core.visibility import knowledge
from tracker.testing.table import Table, of_kind

FIRST = {"initiative:party": 8, "initiative:goblins": 2}


def goblins(count: int, *, hidden: bool = False, public: str = "") -> Member:
    return replace(member("Goblin", count, hp=3), hidden=hidden, public=public)


def started(*foes: Member, **changes: object) -> Table:
    prepared: Encounter = replace(encounter("sides", foes=foes), **changes)
    return Table(sides.RULESET, prepared, FIRST)


def seen(fight: Table) -> dict[str, tuple[str, str]]:
    """Return names and labels as players read them, by id."""
    return {
        one.id: (knowledge.called(fight.state, one), knowledge.label_of(fight.state, one))
        for one in fight.state.combatants
        if not knowledge.is_hidden(fight.state, one.id)
    }


def notes(fight: Table) -> list[str]:
    return [event.text for event in of_kind(fight.last, Noted)]


def test_a_fight_without_secrets_has_no_facts_about_the_screen() -> None:
    """Without secrets in the file, no fact about the screen is stored."""
    assert [fact for fact in table().state.facts if fact[0] == knowledge.PLAYERS] == []


def test_those_who_are_seen_are_numbered_among_themselves() -> None:
    """Two visible goblins of three have the numbers of two."""
    fight = started(goblins(1, hidden=True), goblins(2))
    plain = started(goblins(2))

    assert sorted(seen(fight).values()) == sorted(seen(plain).values())
    assert [one.name for one in fight.state.combatants][2:] == ["Goblin 1", "Goblin 2", "Goblin 3"]


def test_a_single_goblin_has_no_number() -> None:
    """A single visible goblin has no number."""
    fight = started(goblins(1, hidden=True), goblins(1))

    assert seen(fight)["goblin-2"] == ("Goblin", "g")


def test_a_number_that_is_part_of_a_name_is_read() -> None:
    """Nobody else is an Agent, so 47 counts none."""
    fight = started(goblins(1, hidden=True), member("Agent 47"))

    assert seen(fight)["agent-47"][0] == "Agent 47"


def test_who_is_revealed_is_numbered_on() -> None:
    """A revealed combatant gets a free number and label; the others keep theirs."""
    fight = started(goblins(1, hidden=True), goblins(2))
    before = seen(fight)
    fight.do(action("reveal", targets=("goblin-1",)))

    assert {who: words for who, words in seen(fight).items() if who != "goblin-1"} == before
    assert seen(fight)["goblin-1"] == ("Goblin 3", "i")


def test_what_players_called_those_who_left_stays_taken() -> None:
    """Names and labels that players read stay used after their combatants have left."""
    fight = started(goblins(1, hidden=True), goblins(2))
    fight.do(action("remove", targets=("goblin-3",)))
    fight.do(action("reveal", targets=("goblin-1",)))

    assert seen(fight)["goblin-1"] == ("Goblin 3", "i")
    assert seen(fight)["goblin-2"] == ("Goblin 1", "g")


def test_names_that_players_have_read_are_kept_before_the_first_act() -> None:
    """After the names are kept, hiding or renaming a combatant changes no other; a revealed one gets its name back."""
    fight = started(goblins(3))
    before = seen(fight)
    fight.do(action("players_see", what="names_kept"))
    fight.do(action("conceal", targets=("goblin-1",)))
    assert seen(fight) == {who: words for who, words in before.items() if who != "goblin-1"}
    fight.do(action("call", who="goblin-2", name="Tall stranger"))
    assert seen(fight)["goblin-2"] == ("Tall stranger", before["goblin-2"][1])
    assert seen(fight)["goblin-3"] == before["goblin-3"]
    fight.do(action("call", who="goblin-2", name=""))
    fight.do(action("reveal", targets=("goblin-1",)))

    assert seen(fight) == before


def test_who_hides_in_the_fight_comes_back_under_its_name() -> None:
    """A combatant that players have seen keeps its name when it is hidden and revealed."""
    fight = table()
    fight.next()
    before = seen(fight)
    fight.do(action("conceal", targets=("goblin-1",)))
    assert seen(fight) == {who: words for who, words in before.items() if who != "goblin-1"}
    fight.do(action("reveal", targets=("goblin-1",)))

    assert seen(fight) == before


def test_hiding_before_anybody_acts_leaves_no_gap() -> None:
    """Before the first action, hiding a combatant renumbers the others."""
    fight = table()
    fight.do(action("conceal", targets=("goblin-1",)))

    assert list(seen(fight).values())[2:] == [("Goblin 1", "g"), ("Goblin 2", "h")]


def test_a_stranger_is_called_so_until_it_is_named() -> None:
    """Players read the file's name, then the GM's, then its own name."""
    fight = started(goblins(1, public="Tall stranger"), goblins(1))
    assert [words for words, _ in seen(fight).values()][2:] == ["Tall stranger", "Goblin"]
    fight.do(action("call", who="goblin-1", name="Short stranger"))
    assert seen(fight)["goblin-1"][0] == "Short stranger"
    fight.next()
    fight.do(action("call", who="goblin-1"))

    assert seen(fight)["goblin-1"][0] == "Goblin 2"
    assert notes(fight) == ["players read Goblin 2 for Goblin 1"]


def test_a_new_name_of_the_gm_is_for_all() -> None:
    """A fact about a name ends with that name."""
    fight = started(goblins(1, hidden=True), goblins(1))
    fight.do(action("rename", who="goblin-2", name="Snag"))

    assert seen(fight)["goblin-2"][0] == "Snag"


def test_a_wave_comes_hidden() -> None:
    """As its file says, or as the GM says while it waits."""
    wave = Wave("goblins", (goblins(2),), title="ambush")
    for prepared, does in (
        (replace(wave, hidden=True), ()),
        (wave, (action("conceal", wave=knowledge.wave_key(wave)),)),
    ):
        fight = started(goblins(1), waves=(prepared,))
        for one in does:
            fight.do(one)
        fight.do(action("wave", wave="1"))

        assert len(seen(fight)) == 3
        fight.do(action("reveal", targets=("goblin-2", "goblin-3")))
        assert [words for words, _ in seen(fight).values()][2:] == ["Goblin", "Goblin 2", "Goblin 3"]


def test_an_effect_is_hidden_and_shown() -> None:
    """By its name, on whom it holds."""
    fight = table()
    fight.do(action("add_effect", name="cursed", targets=("ada",)))
    fight.do(action("conceal", targets=("ada",), effect="cursed"))
    assert [effect.secret for effect in fight.state["ada"].effects] == [True]
    fight.do(action("reveal", targets=("ada",), effect="cursed"))

    assert [effect.secret for effect in fight.state["ada"].effects] == [False]
    assert not knowledge.is_hidden(fight.state, "ada")


def test_nothing_to_hide_is_refused() -> None:
    """Whom has to be said. A hidden combatant cannot be hidden again."""
    fight = table()
    assert refusal(fight, action("conceal")).text == "targets is missing"
    fight.do(action("conceal", targets=("goblin-1",)))

    assert "players do not see it already" in refusal(fight, action("conceal", targets=("goblin-1",))).text


def test_a_hidden_attacker_is_revealed() -> None:
    """Unless the GM has set otherwise."""
    for setting, hidden in (((), False), (("attackers_unseen",), True)):
        fight = table()
        fight.do(action("conceal", targets=("goblin-1",)))
        for what in setting:
            fight.do(action("players_see", what=what))
        fight.do(action("next"))
        fight.do(action("attack", "goblin-1", target="ada"), answers={"attack": 18, "damage": 2})

        assert knowledge.is_hidden(fight.state, "goblin-1") == hidden
        assert (knowledge.setting(fight.state, "unseen_at") == fight.state.clock.at) == hidden


def test_the_file_sets_the_screen() -> None:
    """Title, points, map, sides and unseen attackers."""
    prepared = encounter("sides")
    foes = replace(prepared.sides[1], public="Raiders", health=False)
    screen = ScreenSetup("The ford", points=False, map=False, unseen="name")
    state = Table(sides.RULESET, replace(prepared, sides=(prepared.sides[0], foes), screen=screen), FIRST).state

    keys = ("title", "points", "map", "unseen", "health:goblins", "side:goblins")
    assert [knowledge.setting(state, key) for key in keys] == ["The ford", False, False, "name", False, "Raiders"]


def test_the_title_is_set_in_the_fight() -> None:
    """And the encounter's own comes back without words."""
    fight = table()
    fight.do(action("players_see", what="title", title="The old  chapel"))
    assert knowledge.setting(fight.state, "title") == "The old chapel"
    fight.do(action("players_see", what="title"))
    assert knowledge.setting(fight.state, "title") is None


def test_what_is_shown_is_set_in_the_fight() -> None:
    """Off, and on again."""
    fight = table()
    for what, key in (("points", "points"), ("map", "map"), ("health", "health:goblins")):
        fight.do(action("players_see", what=f"{what}_off", side="goblins"))
        assert knowledge.setting(fight.state, key) is False
        fight.do(action("players_see", what=f"{what}_on"))
        assert knowledge.setting(fight.state, key) is None
