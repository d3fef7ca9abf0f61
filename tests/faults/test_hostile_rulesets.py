"""Home-made rulesets that do all the harm code can do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.faults.harness.hostile import HARMS, HEALTHY, Switch, functions, values
from tests.faults.harness.killing import digest
from tests.ui.drive import NAMED, SETTINGS, Table, drive, fight, resume
from tests.ui.skirmish import House, encounter
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import TrackerError
from tracker.session.intents import Advance, Undo, WhatIf
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal

TYPED = (
    "n a 1 enter g enter a enter * * * * escape escape r b enter escape escape n a enter down escape escape - 3 g enter"
    " e p r o n e space g space 2 enter escape escape e p r o t space g enter e d i m space g enter escape escape"
    " 5 right down t right T right D L right L enter tab enter down escape escape"
    " b escape ' g escape ? down escape s g d enter escape m escape"
    " : a t t space g enter escape escape ctrl+p escape = g escape [ ] escape A escape x escape b b"
    " i 2 space g o b enter enter escape u 2 down enter escape 3 up enter escape / a v escape . escape f enter * escape"
    " w enter a 1 enter enter enter * * escape W escape : o d d s enter escape B escape + 4 g enter"
    " n n * n * n * n * n n * escape escape : e n d _ f i g h t enter enter enter * u u"
)
ELSEWHERE = {
    "schema.shorthand": "a file is read",
    "schema.importer": "import-statblock",
    "schema.convert_creature": "import-statblock",
    "schema.file_syntax": "schema",
    "schema.warnings": "check",
    "carry": "the next fight is started",
    "open_fight": "a fight is started",
    "reply": "a fight is played ahead",
    "sides_left": "a fight is played ahead",
    "outcomes": "the odds are worked out in a pause",
}
"""What no key of a fight leads to, and what does."""
KEYS = TYPED.split()
SECONDS = 2.0
Case = tuple[str, str]


def some() -> list[Case]:
    """Return every function once, and every harm."""
    return list(zip(functions(), cycle(HARMS), strict=False))


async def suffer(table: Table, keys: Iterable[str], case: Case) -> None:
    for key in keys:
        begun = time.thread_time()
        await table.press(NAMED.get(key, key))
        taken = time.thread_time() - begun
        assert taken < SECONDS, f"{case}: {key} took {taken:.1f} s"
        assert table.app.is_running, f"{case}: {key} ended the app"
        assert "Traceback" not in table.text(), case
        now = table.cockpit.session.model
        behind = [pane for pane in table.panes.fight if pane is not table.panes.console and pane.model is not now]
        assert not behind, f"{case}: {key} left {behind} behind the fight"


def walk(folder: Path, cases: Iterable[Case], keys: int, settings: Settings = SETTINGS) -> Switch:
    """Let one app live through cases, each for so many keys. The fight is looked at after each."""
    switch = Switch()
    session = fight(folder, encounter(rules=House(parries=True)), switch.ruleset, settings)

    async def journey(table: Table) -> None:
        place = 0
        for path, harm in cases:
            switch.turn(path, harm)
            pressed = [KEYS[(place + more) % len(KEYS)] for more in range(keys)]
            place += keys
            await suffer(table, pressed, (path, harm))
            switch.turn()
            await table.press("escape", "escape", "escape")
            if session.model.trial is not None:
                session.dispatch(WhatIf("drop"))
            for _ in range(len(session.model.steps) + 100):
                if session.model.pending is not None:
                    session.dispatch(Undo())
            assert session.model.pending is None, (path, harm)
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


def kept_functions(owner: type) -> set[tuple[type, str]]:
    """Return the functions that a record and those in it may keep."""
    found: set[tuple[type, str]] = set()
    for name, written in get_type_hints(owner).items():
        for kind in kinds_in(written):
            if kind is Callable:
                found.add((owner, name))
            elif issubclass(kind, Struct) and kind is not owner:
                found |= kept_functions(kind)
    return found


def kinds_in(written: Any) -> Iterator[Any]:
    """Yield the kinds a value is made of. What a function without arguments gives is among them."""
    if get_origin(written) is Callable:
        yield Callable
        if get_args(written)[0] == []:
            yield from kinds_in(get_args(written)[1])
    elif get_origin(written) is None:
        yield from [written] if isinstance(written, type) else []
    else:
        for part in get_args(written):
            yield from kinds_in(part)


def test_every_function_of_a_ruleset_is_among_the_hostile() -> None:
    """Whatever is added to a ruleset takes part."""
    assert Switch().members == kept_functions(Ruleset)


@pytest.mark.long
def test_the_keys_lead_to_every_function(tmp_path: Path) -> None:
    met = walk(tmp_path, [("", "raises")], len(KEYS)).met

    assert sorted(set(functions()) - met - set(ELSEWHERE)) == []


def test_the_app_lives_through_some_harm_of_every_function(tmp_path: Path) -> None:
    walk(tmp_path, some(), 4, replace(SETTINGS, step_seconds=0.1))


def test_panes_follow_the_fight_whatever_cannot_be_told(tmp_path: Path) -> None:
    """What a game cannot tell keeps no pane from what has happened."""
    cases = {
        "pending": "n a 1 enter g enter a enter * * escape escape",
        "badges": "e d i m space g enter 5 right [ ] n",
    }
    switch = Switch()
    session = fight(tmp_path, encounter(rules=House(parries=True)), switch.ruleset)

    async def journey(table: Table) -> None:
        for path, keys in cases.items():
            switch.turn(path, "raises")
            await suffer(table, keys.split(), (path, "raises"))

    drive(session, journey, sound=False)
    assert switch.called == set(cases)


def starts(folder: Path, path: str, harm: str) -> str:
    """Start a fight with a hostile function and return why it does not, or ""."""
    switch = Switch()
    switch.turn(path, harm)
    journal = Journal.open(folder / f"{path}-{harm}.db")
    begun = time.thread_time()
    try:
        Session.start(journal, switch.ruleset, encounter(), SETTINGS).close()
    except TrackerError as error:
        return error.message
    finally:
        assert time.thread_time() - begun < SECONDS, (path, harm)
        journal.close()
    return ""


@pytest.mark.parametrize("case", [("open_fight", "raises"), ("join", "leaves"), ("settle", "lies")])
def test_a_fight_that_a_function_keeps_from_starting(tmp_path: Path, case: Case) -> None:
    said = starts(tmp_path, *case)

    assert "\n" not in said
    assert ("hostile.py" in said) == (case[1] != "lies")


@pytest.mark.long
@pytest.mark.parametrize("harm", HARMS)
def test_a_fight_starts_or_says_why_not(
    tmp_path: Path, harm: str, record_property: Callable[[str, object], None]
) -> None:
    record_property("cases", len(functions()))
    for path in functions():
        assert "\n" not in starts(tmp_path, path, harm), path


def rubbish_starts(folder: Path, number: int, member: str, rubbish: object, keys: Sequence[str] = KEYS) -> None:
    """Start a fight with rubbish in a member that is no function, and draw it.

    A refusal says in one line which member it is.
    """
    owner, _, name = member.rpartition(".")
    changed = {name: rubbish}
    ruleset = replace(HEALTHY, schema=replace(HEALTHY.schema, **changed)) if owner else replace(HEALTHY, **changed)
    home = folder / str(number)
    home.mkdir()
    session, refused = None, ""
    try:
        session = fight(home, encounter(), ruleset)
    except TrackerError as error:
        refused = error.message
    if session is None:
        assert name in refused or "Skirmish" in refused
        assert "\n" not in refused
        assert len(refused) < 400
        return

    async def journey(table: Table) -> None:
        await suffer(table, keys, (member, repr(rubbish)[:20]))

    drive(session, journey, sound=False)
    session.journal.close()


def test_rubbish_in_a_member_is_refused_or_drawn(tmp_path: Path) -> None:
    for number, (member, rubbish) in enumerate(list(values())[::17]):
        if rubbish != ():
            rubbish_starts(tmp_path, number, member, rubbish, KEYS[:50])


@pytest.mark.long
def test_every_rubbish_in_a_member_is_refused_or_drawn(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    record_property("cases", sum(1 for _ in values()))
    for number, (member, rubbish) in enumerate(values()):
        rubbish_starts(tmp_path, number, member, rubbish)


@pytest.mark.long
@pytest.mark.parametrize("harm", HARMS)
def test_the_app_lives_through_every_harm_of_every_function(
    tmp_path: Path, harm: str, record_property: Callable[[str, object], None]
) -> None:
    """Each has a fight of its own. What was looked up once is not asked again."""
    paths = functions()
    record_property("cases", len(paths))

    for path in paths:
        folder = tmp_path / path
        folder.mkdir()
        walk(folder, [(path, harm)], len(KEYS))


@pytest.mark.long
@pytest.mark.parametrize("harm", HARMS)
def test_the_odds_live_through_every_harm(tmp_path: Path, harm: str) -> None:
    """They are worked out while a form is open and no key is pressed."""
    switch = Switch()
    session = fight(tmp_path, encounter(), switch.ruleset, SETTINGS)

    async def journey(table: Table) -> None:
        await table.press("n", "O")
        switch.turn("outcomes", harm)
        await table.press("a", "1", "enter", "g")
        await table.app.workers.wait_for_complete()
        await suffer(table, ("enter", "*", "*", "escape", "escape"), ("outcomes", harm))
        assert switch.called == {"outcomes"}

    drive(session, journey, sound=False)
