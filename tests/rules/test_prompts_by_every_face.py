"""What a prompt says of its dice is what each face then does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec import UNSET, Struct

from tests.evenings.evening import EVENINGS
from tests.properties.games import build
from tests.properties.golden_steps import GOLDEN, Played, golden, playout_steps, requests
from tracker.core.fight.events import Checked, Noted, PoolChanged, Rolled, StatusChanged
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Answers, Done, Pending, run
from tracker.core.terms.requests import DiceAnswer, Passed, Request, Roll, Window

FELLS = ("kills", "drops", "knocks out")
MARKS = {"ticks": "tick", "crosses": "cross"}
FIRST = ("screen", "check", "shove", "grapple", "escape", "spellcasting", "accuracy")
"""Checks whose opponents have not rolled yet when they are asked for, or are several."""
_CLAIM = re.compile(
    r"(?P<what>any roll|no roll|\d+ or (?:more|less)|(?<=· )\d+(?= [a-z]))"
    r"(?: (?P<word>[a-z][a-z0-9 -]*?))?(?= without trauma| by itself|[,:;]| ·|$)"
)
_CHAIN = re.compile(r":\d+$")
"""The end of the key of a further roll, after a critical."""


class Face(Struct, frozen=True):
    """What a face does until the next dice are rolled.

    Attributes:
        success: of the first comparison, for whose dice it is; None where it is neither.
        result: its word.
        fallen: who cannot act after it, or has no points left.
        breaks: how many fail their Morale.
        marks: what the dice do to a harm track.
        left: statuses and points of all, those of the fallen as 0.
    """

    success: bool | None
    result: str
    fallen: tuple[str, ...]
    breaks: int
    marks: frozenset[str]
    left: tuple[object, ...]


def faces_of(roll: Roll) -> Iterator[tuple[int, DiceAnswer]]:
    """Return every total of dice, or every face where all dice show the same."""
    sides = roll.dice.sides
    if not roll.faces:
        yield from ((total, DiceAnswer(total)) for total in range(roll.dice.minimum, roll.dice.maximum + 1))
        return
    for face in range(1, max(sides) + 1):
        shown = tuple(min(face, each) for each in sides)
        yield face, DiceAnswer(sum(shown), shown)


def tried(game: Ruleset, step: Played, pending: Pending, answer: DiceAnswer) -> Face:
    """Perform a step with this answer, and look at what follows; dice that go on with this roll show their least."""
    key = pending.request.key
    answers: Answers = (*pending.answers, (key, answer))
    while True:
        outcome = run(game, step.before, step.step, answers)
        assert isinstance(outcome, Pending | Done), outcome
        if isinstance(outcome, Done):
            break
        request = outcome.request
        if isinstance(request, Roll):
            if is_another(key, request):
                break
            sides = request.dice.sides
            answers = (*outcome.answers, (request.key, DiceAnswer(len(sides), (1,) * len(sides))))
        elif isinstance(request, Window):
            answers = (*outcome.answers, (request.key, Passed()))
        elif request.default_answer is not None:
            answers = (*outcome.answers, (request.key, request.default_answer))
        else:
            break
    return _seen(game, outcome, pending.request)


def _seen(game: Ruleset, outcome: Pending | Done, request: Request) -> Face:
    key = request.key
    events = [entry.event for entry in outcome.entries]
    at = next(place for place, event in enumerate(events) if isinstance(event, Rolled) and event.key == key)
    events = events[at + 1 :]
    end = next(
        (place for place, event in enumerate(events) if isinstance(event, Rolled) and is_another(key, event)), None
    )
    events = events[:end]
    checks = [event for event in events if isinstance(event, Checked)]
    first = checks[0] if checks else None
    fallen = [event.who for event in events if isinstance(event, StatusChanged) and not status_of(game, event.now).acts]
    pool = game.schema.pools[0]
    fallen += [
        event.who
        for event in events
        if isinstance(event, PoolChanged) and event.pool == pool and event.now <= 0 < event.was
    ]
    notes = [event.text for event in events if isinstance(event, Noted)]
    marks = {mark for text in notes for mark in MARKS.values() if text.startswith("vs AC") and mark in text}
    left = tuple(
        (one.id, one.status, max(0, one.pool(pool).now) if one.has_pool(pool) else one.facts)
        for one in outcome.state.combatants
    )
    return Face(
        None if first is None or first.success is UNSET else first.success is not (first.target == request.who),
        "" if first is None else first.result,
        tuple(dict.fromkeys(fallen)),
        sum(1 for event in checks if event.what == "Morale" and event.success is False),
        frozenset(marks),
        left,
    )


def is_another(key: str, event: Rolled | Roll) -> bool:
    """Tell whether a roll is another one, none that goes on with the roll of this key."""
    return not event.key.startswith(_CHAIN.sub("", key) + ":") and "trauma" not in event.key


def claims(request: Roll) -> list[tuple[range, str]]:
    """Return which totals a prompt names, and what it says they do."""
    found = []
    lowest, highest = (1, max(request.dice.sides)) if request.faces else (request.dice.minimum, request.dice.maximum)
    for match in _CLAIM.finditer(f"{request.why} · {request.needed}"):
        said, word = match["what"], match["word"] or ""
        number = int(said.split()[0]) if said[0].isdigit() else 0
        assert said[0].isalpha() or lowest <= number <= highest, said
        if said == "no roll":
            named = range(0)
        elif said == "any roll":
            named = range(lowest, highest + 1)
        else:
            named = range(lowest, number + 1) if said.endswith("less") else range(number, highest + 1)
        found.append((named, word))
    return found


def hold(game: Ruleset, step: Played, pending: Pending) -> str:
    """Compare what a prompt says with every face, and return what kind of claim it made, or ""."""
    request = pending.request
    assert isinstance(request, Roll)
    shown = f"{request.dice}, {request.why} · {request.needed}"
    seen = {face: tried(game, step, pending, answer) for face, answer in faces_of(request)}
    told = claims(request)
    felled = [face for face, found in seen.items() if found.fallen]
    made = [face for face, found in seen.items() if found.success]
    for named, word in told:
        if word in FELLS:
            assert felled == list(named), shown
        elif word in MARKS:
            other = "cross" if word == "ticks" else ""
            marked = [face for face, found in seen.items() if found.marks & {MARKS[word], other}]
            assert marked == list(named), shown
        elif word == "breaks":
            least = [face for face in seen if face in named]
            assert seen[least[0]].breaks > seen.get(least[0] - 1, seen[least[0]]).breaks or least[0] == min(seen), shown
        elif word == "aims at a friend":
            assert [face for face, found in seen.items() if found.result == "at a friend"] == list(named), shown
        elif any(found.success is not None for found in seen.values()):
            assert made == list(named), shown
        elif request.key.count(":") < 2 and any(
            found.result for found in seen.values()
        ):  # of several, when all have rolled
            results = [{seen[face].result for face in seen if (face in named) is inside} for inside in (True, False)]
            assert not results[0] & results[1], shown
    if request.needed.endswith("Enter"):
        assert len({found.left for found in seen.values()}) == 1, shown
    if not told:
        assert not felled, shown
        if not request.key.rpartition("/")[2].startswith(FIRST):
            assert len(made) in (0, len(seen)), shown
    return told[0][1] if told else ""


def held(game: Ruleset, steps: tuple[Played, ...]) -> set[str]:
    """Compare each prompt for dice of a fight with every face, and return what they said."""
    found, looked = set(), set()
    for step in steps:
        for pending in requests(game, step):
            request = pending.request
            if not isinstance(request, Roll) or request.setup:
                continue
            alike = (request.dice, request.key.rpartition("/")[2], request.why, request.needed)
            if alike not in looked:
                looked.add(alike)
                found.add(hold(game, step, pending))
    return found


NOBODY_FALLS = ("fifth_edition/ford",)
"""Golden fights in which no roll could fell anybody."""


@pytest.mark.parametrize("name", sorted(name for name in GOLDEN if not name.startswith("skirmish")))
def test_a_prompt_says_what_each_face_does(name: str) -> None:
    """For every roll of the golden fights: success, falls and marks are those that its prompt names."""
    found = held(*golden(name))

    assert "hits" in found
    assert bool(found & {"kills", "drops"}) is (name not in NOBODY_FALLS)


@pytest.mark.long
@pytest.mark.parametrize(("game", "name"), EVENINGS.items())
def test_a_prompt_of_an_evening_says_what_each_face_does(game: str, name: str) -> None:
    """The same for every roll of an evening's fight, played to its end by the game's own choices."""
    ruleset, encounter = build(f"{game}/{name}")

    assert held(ruleset, playout_steps(ruleset, encounter, 1)) & {"kills", "drops", "ticks"}
