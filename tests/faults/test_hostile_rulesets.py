"""Home-made rulesets that do all the harm code can do.

Whatever a function of one does, the app answers keys, shows no traceback, and the fight is sound.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.faults.harness.hostile import HEALTHY, HOSTILE, Switch, functions
from tests.faults.harness.killing import digest
from tests.ui.drive import NAMED, Table, drive, fight, resume
from tests.ui.skirmish import encounter
from tracker.session.intents import Advance, Undo

TYPED = (
    "n a enter down escape escape - 3 g enter e p r o space g space 2 enter escape escape 5 right down b escape ' g"
    " escape ? down escape s g d enter escape m escape : a t t space g enter escape escape ctrl+p escape = g escape"
    " [ ] escape A escape x escape b b i escape u 2 down enter escape 3"
)
KEYS = TYPED.split()
SECONDS = 2.0
Case = tuple[str, str]


def every() -> list[Case]:
    return [(path, harm) for path in functions() for harm in HOSTILE]


def some() -> list[Case]:
    """Return every function once, and every harm."""
    paths, harms = functions(), list(HOSTILE)
    return [(path, harms[place * 5 % len(harms)]) for place, path in enumerate(paths)]


async def suffer(table: Table, keys: Iterable[str], case: Case) -> None:
    for key in keys:
        begun = time.thread_time()
        await table.press(NAMED.get(key, key))
        taken = time.thread_time() - begun
        assert taken < SECONDS, f"{case}: {key} took {taken:.1f} s"
        assert table.app.is_running, f"{case}: {key} ended the app"
        assert "Traceback" not in table.text(), case


def walk(folder: Path, cases: Iterable[Case], keys: int) -> Switch:
    """Let one app live through cases, each for so many keys.

    The fight is looked at after each.
    """
    switch = Switch()
    session = fight(folder, encounter(), switch.ruleset)

    async def journey(table: Table) -> None:
        place = 0
        for path, harm in cases:
            switch.turn(path, HOSTILE[harm])
            pressed = [KEYS[(place + more) % len(KEYS)] for more in range(keys)]
            place += keys
            await suffer(table, pressed, (path, harm))
            switch.turn()
            await table.press("escape", "escape", "escape")
            while session.model.pending is not None:
                session.dispatch(Undo())
            before = session.model.head
            session.dispatch(Advance())
            assert (session.model.problem, session.model.refusal) == ("", None), (path, harm)
            assert session.model.head != before, (path, harm)
            table.showing.show(session.model, None)

    drive(session, journey, sound=False)
    stands = digest(HEALTHY, session.model)
    again = resume(session)
    assert digest(HEALTHY, again.model) == stands
    again.close()
    again.journal.close()
    return switch


def test_the_app_lives_through_some_harm_of_every_function(tmp_path: Path) -> None:
    walk(tmp_path, some(), 4)


@pytest.mark.long
@pytest.mark.parametrize("harm", HOSTILE)
def test_the_app_lives_through_every_harm_of_every_function(tmp_path: Path, harm: str) -> None:
    walk(tmp_path, [(path, harm) for path in functions()], len(KEYS))
