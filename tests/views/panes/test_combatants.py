"""The combatants pane."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.views.toy import CLOCK, RULESET, combatant, fight
from tracker.core.fight.state import Pool, State
from tracker.core.game.schema import Badge
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse
from tracker.session.rulesets import registry
from tracker.views.panes.roster import combatant_header, combatant_row, danger, layout
from tracker.views.words.spans import width_of


def pane(state: State, width: int) -> list[str]:
    return [
        combatant_header(RULESET, width).text,
        *(combatant_row(RULESET, state, one.id, width).text.rstrip() for one in state.combatants),
    ]


def test_at_36_cells() -> None:
    """In a narrow pane only names, points and effects are left."""
    assert pane(fight(), 36) == [
        "     Name              HP  Effects",
        "✓ a  Ava             9/20  screened…",
        "▶ w  Wolf           22/28  cha… → r2",
        "· b  Brin           18/18",
        " •g  Goblin 1         3/7  prone",
        " •h  Goblin 2         7/7",
        "x•i  Goblin 3         0/7  down",
    ]


def test_at_80_cells() -> None:
    """At 80 cells bars, columns, turn and ends of effects all fit."""
    assert pane(fight(), 80) == [
        "       Name             HP               AC  HD  Turn  Effects",
        "✓   a  Ava              ████░░░░  9/20   12   1  ··    screened by Brin → turn",
        "▶   w  Wolf             ██████░░ 22/28   10   1  M·    charging −2 AC → r2",
        "·   b  Brin             ──────── 18/18   12   1  MV",
        "   •g  Goblin 1         ███░░░░░   3/7   12   1  MV    prone",
        "   •h  Goblin 2         ────────   7/7   12   1  MV",
        "x  •i  Goblin 3         ░░░░░░░░   0/7   12   1        down",
    ]


def test_at_120_cells() -> None:
    """On a wide screen the bars are longer, and the effects get the rest."""
    assert pane(fight(), 120)[:3] == [
        "       Name             HP                       AC  HD  Turn  Effects",
        "✓   a  Ava              ███████░░░░░░░░░  9/20   12   1  ··    screened by Brin → own turn",
        "▶   w  Wolf             █████████████░░░ 22/28   10   1  M·    charging −2 AC → round end",
    ]


@pytest.mark.parametrize(
    ("width", "keys"), [(36, ["hp"]), (47, ["hp"]), (48, ["hp", "ac"]), (68, ["hp", "ac"]), (69, ["hp", "ac", "hd"])]
)
def test_columns_go_by_priority(width: int, keys: list[str]) -> None:
    """The column of the greatest priority number gives way first; then come bars and turn, then the others."""
    places = layout(RULESET, width).places

    assert [place.column.key for place in places] == keys
    assert bool(places[0].bar) == (width > 64)


def test_states() -> None:
    """Rows have the state of their combatant: acting, done or down."""
    state = fight()

    assert [combatant_row(RULESET, state, one.id, 80).state for one in state.combatants] == [
        "done",
        "acting",
        "",
        "",
        "",
        "down",
    ]


def test_a_row_depends_on_its_combatant_alone() -> None:
    """Changing another combatant leaves a row as it is."""
    before = fight()
    others = tuple(
        one if one.id == "ava" else replace(one, pools=(Pool("hp", 1, 7),), status="fled") for one in before.combatants
    )

    assert combatant_row(RULESET, replace(before, combatants=others), "ava", 96) == combatant_row(
        RULESET, before, "ava", 96
    )


def test_a_status_is_said_in_words() -> None:
    """The status of a combatant that is not up is shown; its points stay visible until they are 0."""
    people = (
        combatant("a", "Ann", "a", "party", 5, 9, 1, 1, "fled"),
        combatant("b", "Bob", "b", "party", 9, 9, 1, 1, "hidden"),
    )
    state = fight(combatants=people, clock=replace(CLOCK, slots=(), at=None, acting=None, acted=()))

    rows = [combatant_row(RULESET, state, who, 80).text.rstrip() for who in ("a", "b")]

    assert rows == [
        "-   a  Ann              ████░░░░   5/9   12   1        fled",
        "    b  Bob              ────────   9/9   12   1  MV    hidden",
    ]


def test_ends_of_effects_in_short_words() -> None:
    """Every kind of end has a few words of its own."""
    untils = (
        (At("turn_start", "who:ava"),),
        (At("turn_end", "who:goblin-1"),),
        (At("turn_start", "side:goblins", 2),),
        (At("round_end", count=2),),
        (At("round_start"),),
        (At("phase_start", phase="fast"),),
        (At("segment_end", segment=4),),
        (At("combat_end"), OnUse("next_attack", 2)),
        (OnUse("attack"),),
    )
    found = []
    for until in untils:
        one = replace(fight().combatants[0], effects=(Effect("x", "ava", 1, until=until),))
        found.append(
            combatant_row(RULESET, fight(combatants=(one, *fight().combatants[3:])), "ava", 160)
            .text.partition("→ ")[2]
            .rstrip()
        )

    assert found == [
        "own turn",
        "end of Goblin 1's turn",
        "Goblins' turn ×2",
        "end of round 3",
        "round 3",
        "fast phase",
        "segment 4",
        "fight end or 2 × next attack",
        "next attack",
    ]


def test_warnings_and_secret_effects() -> None:
    """Badges that are no budget come before the effects; a secret effect is marked."""
    ruleset = replace(RULESET, badges=lambda state, who: (Badge("M", kind="budget"), Badge("flanked", kind="bad")))
    one = replace(fight().combatants[0], effects=(Effect("doom", "ava", 1, secret=True), Effect("x", "ava", 2)))

    row = combatant_row(ruleset, fight(combatants=(one,)), "ava", 100)

    assert row.text.rstrip().endswith("M     flanked, (doom, secret), x")


def test_what_a_badge_and_an_effect_say_stands_there_once() -> None:
    """The effect tells its end, the badge how it looks."""
    ruleset = replace(RULESET, badges=lambda state, who: (Badge("broken", kind="bad"),))
    one = replace(fight().combatants[0], effects=(Effect("broken", "ava", 1, until=(At("combat_end"),)),))

    row = combatant_row(ruleset, fight(combatants=(one,)), "ava", 100)

    assert row.text.count("broken") == 1
    assert [span.style for span in row.spans if "broken → fight end" in span.text] == ["bad"]


def test_labels_of_more_letters() -> None:
    """A long label takes its room from the name, so that the columns stay straight."""
    people = (
        combatant("a", "A very long name indeed", "xyz", "party", 5, 9),
        combatant("b", "ゴブリン王", "b", "party", 5, 9),
    )
    rows = [combatant_row(RULESET, fight(combatants=people), who, 80) for who in ("a", "b")]

    assert rows[0].text.startswith("    xyz A very long n…  ")
    assert rows[1].text.startswith("    b  ゴブリン王  ")
    assert len({width_of(row.spans[:6]) for row in rows}) == 1


@pytest.mark.parametrize(
    ("now", "full", "style"),
    [(7, 7, "quiet"), (4, 7, "good"), (3, 7, "warn"), (1, 7, "bad"), (0, 7, "bad"), (0, 0, "quiet")],
)
def test_health(now: int, full: int, style: str) -> None:
    """Full points have no colour. The colours of wounds change at a half and at a quarter."""
    assert danger(now, full) == style


@pytest.mark.parametrize("key", ["githack", "sovereign", "spelljammer", "sword_world", "worlds_without_number"])
def test_hit_points_are_the_last_column_to_go(key: str) -> None:
    """On the smallest screen every game still shows how hurt everybody is; its pane of combatants has 53 cells."""
    places = layout(registry.find(key), 53).places

    assert places[0].column.key in ("hp", "health")
