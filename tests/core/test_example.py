"""The ruleset of docs/writing-a-ruleset.md plays as the page says. The page shows the real files."""

from __future__ import annotations

import re
from pathlib import Path

from tests.core.step.stepping import as_kind
from tests.support import example_ruleset
from tests.support.example_ruleset import RULESET
from tracker.core.fight.events import Checked, PoolChanged
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import action
from tracker.core.terms.requests import Responded, Window
from tracker.library.content.encounters import load_encounter
from tracker.testing.table import Table, of_kind

HERE = Path(example_ruleset.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-ruleset.md").read_text(encoding="utf-8")


def shown(language: str, start: str, end: str) -> list[str]:
    """Return the blocks of code of one language between two headings of the page."""
    part = PAGE[PAGE.index(f"\n## {start}\n") : PAGE.index(f"\n## {end}\n")]
    return re.findall(rf"^```{language}\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)


def opened(deadly: bool = False) -> Table:
    """Return the fight of the page, with two thugs."""
    loaded = load_encounter(HERE / "example_encounter.yaml", lambda key: RULESET)
    assert (loaded.problems, loaded.encounter is None) == ((), False)
    assert loaded.encounter is not None
    table = Table(
        RULESET,
        loaded.encounter,
        {
            "count:thug": 1,
            "initiative:nan": 12,
            "initiative:old-tom": 9,
            "initiative:thug-1": 8,
            "initiative:thug-2": 2,
        },
    )
    if deadly:
        table.do(action("house_rule", name="deadly", value="yes"))
    return table


def test_the_page_shows_the_whole_file_in_order() -> None:
    """The code blocks of the page together are the file."""
    pieces = shown("python", "Knives, a whole game", "Trying it")

    assert "\n\n".join(pieces) == (HERE / "example_ruleset.py").read_text(encoding="utf-8")


def test_the_page_shows_the_real_rules_encounter_and_vectors() -> None:
    """The files on the page are the real files."""
    shown_there = [*shown("markdown", "Knives, a whole game", "Steps"), *shown("yaml", "Knives, a whole game", "Steps")]

    names = ("example_rules.md", "example_encounter.yaml", "example_vectors.yaml")
    assert shown_there == [(HERE / name).read_text(encoding="utf-8") for name in names]


def test_the_page_names_what_there_is() -> None:
    """Every word in the page's table is a member of the context."""
    table = PAGE[PAGE.index("| `ctx.` | Meaning |") : PAGE.index("Events worth emitting")]
    cells = re.findall(r"^\| `([^`.]+)`", table, re.MULTILINE)
    named = [name for cell in cells for name in re.sub(r"\(.*?\)", "", cell).split()]

    assert len(named) > 20
    assert [name for name in named if name != "state" and not hasattr(Ctx, name)] == []


def test_an_attack_tells_all_its_numbers() -> None:
    """The log can say where each number came from."""
    table = opened(deadly=True)
    table.next(2)
    table.do(action("guard", "thug-1"))
    table.until(lambda state: state.clock.at == "r2/nan")

    table.do(action("attack", "nan", target="thug-1"), answers={"attack": 10, "damage": 2})

    checked = of_kind(table.last, Checked)[0]
    assert [(part.label, part.amount) for part in (*checked.parts, *checked.against_parts)] == [
        ("2d6", 10),
        ("skill", 1),
        ("defence", 8),
        ("guard", 2),
    ]
    assert [(part.label, part.amount) for part in of_kind(table.last, PoolChanged)[0].parts] == [
        ("1d6", 2),
        ("deadly", 2),
    ]
    assert table.state["thug-1"].status == "down"


def test_twisting_away_is_offered_once_a_round() -> None:
    """A combatant that has twisted is not asked again in the round."""
    table = opened()
    window = as_kind(table.asks(action("attack", "nan", target="thug-1"), answers={"attack": 9}), Window)
    assert [(spec.key, spec.by) for spec in window.offers] == [("twist", "thug-1")]
    table.do(
        action("attack", "nan", target="thug-1"),
        answers={"attack": 12, "after_roll": Responded((action("twist", "thug-1"),)), "again": 2},
    )
    table.next()

    assert table.asks(action("attack", "old-tom", target="thug-1"), answers={"attack": 9}).key == "damage"
