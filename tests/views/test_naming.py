"""What players read when the GM renames a combatant or calls it something."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from tests.properties.games import GAMES, build
from tests.support.tables import for_each
from tracker.core.fight.state import Combatant
from tracker.core.terms.actions import action
from tracker.core.visibility.knowledge import is_hidden
from tracker.testing.table import Table
from tracker.views.public.build import public_view
from tracker.views.public.event_words import event_words
from tracker.views.public.schema import Public

FIGHTS = (
    "githack/dragon",
    "sovereign/first_fight",
    "spelljammer/spell_duel",
    "sword_world/swamp_drake",
    "worlds_without_number/first_fight",
)  # fmt: skip - one line per game says nothing more
NEW = "Quillon of the Nine"


def table_of(name: str) -> tuple[Table, Combatant, Combatant]:
    """Return a fight, a visible combatant, and the GM's last combatant, which is hidden."""
    rules, encounter = build(name)
    table = Table(rules, replace(encounter, waves=()))
    foes = [one for one in table.state.combatants if table.state.side(one.side).control == "gm"]
    heroes = [one for one in table.state.combatants if table.state.side(one.side).control == "players"]
    hidden = foes[-1]
    table.do(action("conceal", targets=(hidden.id,)))
    return table, (foes[0] if len(foes) > 1 else heroes[0]), hidden


def read(table: Table) -> tuple[Public, tuple[str, ...]]:
    """Return the players' view, and the words of the last step."""
    return public_view(table.ruleset, table.state), event_words(table.ruleset, table.state, table.last)


@for_each("later", [False, True])
@for_each("name", FIGHTS)
def test_a_name_is_told_of_who_is_seen_alone(name: str, later: bool) -> None:
    """No name of a hidden one is read anywhere, neither the old nor the new."""
    assert name in GAMES
    table, seen, hidden = table_of(name)
    if later:
        table.until(lambda state: state.clock.round >= 2 or state.clock.over)
        if not is_hidden(table.state, hidden.id):  # it has attacked meanwhile
            table.do(action("conceal", targets=(hidden.id,)))
    before, _ = read(table)
    place = next(at for at, one in enumerate(before.combatants) if one.name == seen.name)

    for key, field in (("rename", "name"), ("call", "name")):
        table.do(action(key, who=hidden.id, **{field: NEW}))
        assert read(table) == (before, ()), f"{key} of a hidden one"

    table.do(action("call", who=seen.id, name="Tall stranger"))
    called, told = read(table)
    assert told == ()
    assert called.combatants[place].name == "Tall stranger"
    table.do(action("rename", who=seen.id, name="Brannibor"))
    renamed, told = read(table)
    assert (renamed, told) == (called, ()), "the name for players stands above the GM's"
    table.do(action("call", who=seen.id, name=""))
    after, told = read(table)
    assert told == ()
    assert after.combatants[place].name == "Brannibor"
    text = msgspec.json.encode(after).decode()
    assert not [word for word in (NEW, hidden.name, "Tall stranger") if word in text]
