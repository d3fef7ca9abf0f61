"""What a prompt says of a die is what the die does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.golden.cases import FOLDER
from tests.ui.drive import SETTINGS, fight
from tests.ui.games import SJ, prepared
from tracker.core.fight.events import Checked
from tracker.core.run import Done, Pending, run
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.intents import Advance, Do, Reply
from tracker.session.rulesets.registry import find
from tracker.session.session import Session
from tracker.testing.table import plain

HITS = ("hit", "grievous", "critical")


def asked(folder: Path, bonus: int) -> Session:
    """Return a fight that waits for a die of an archer whose chance has this bonus."""
    session = fight(folder, prepared(SJ, "archers_into_melee"), find(SJ), SETTINGS)
    archer = next(one.id for one in session.model.state.combatants if one.name == "Telmarre")
    modifiers = ((("stat", "sc"), ("amount", bonus)),)
    session.dispatch(Do((action("add_effect", name="aided", targets=(archer,), modifiers=modifiers),)))
    for _ in range(200):
        model = session.model
        if model.pending is None:
            session.dispatch(Advance())
            continue
        request = model.pending.request
        if isinstance(request, Roll) and request.who == archer and request.key.rpartition("/")[2] == "attack":
            return session
        session.dispatch(Reply(plain(request)))
    raise AssertionError("it was never asked")


@pytest.mark.parametrize(("bonus", "said"), [(0, None), (200, "95 or less hits"), (-200, "3 or less hits")])
def test_the_prompt_of_an_attack_says_which_dice_hit(bonus: int, said: str | None, tmp_path: Path) -> None:
    """SJ-138 to SJ-141: 96 and more always miss, 3 and less always hit."""
    session = asked(tmp_path, bonus)
    assert session.model.pending is not None
    why = session.model.pending.request.why
    most = int(why.rpartition(": ")[2].split()[0])
    hits = [face for face in range(1, 101) if outcome(session, face, "attack") in HITS]

    assert hits == list(range(1, most + 1))
    assert said is None or why.endswith(said)


def outcome(session: Session, face: int, what: str) -> str:
    """Return the result of the check that this die would have."""
    pending, step = session.model.pending, session.model.pending_step
    assert pending is not None
    assert step is not None
    before = session.state_at(session.model.head)
    answers = (*pending.answers, (pending.request.key, DiceAnswer(face)))
    done = run(session.ruleset, before, step, answers)
    assert isinstance(done, Done | Pending)
    return next(
        entry.event.result
        for entry in done.entries[len(pending.entries) :]
        if isinstance(entry.event, Checked) and entry.event.what == what
    )


def test_the_prompt_of_a_shot_into_a_melee_says_which_dice_aim_at_a_friend() -> None:
    """SJ-169: what the archer adds to the die is taken off the number that the prompt names."""
    text = (FOLDER / "spelljammer/hillside/expected.jsonl").read_text(encoding="utf-8")
    events = [event for line in text.splitlines() for event in json.loads(line).get("events", ())]
    seen = set()
    for place, event in enumerate(events):
        said = re.search(r"(\d+) or less aims at a friend", event.get("why", ""))
        if said is None or event["type"] != "Rolled":
            continue
        checked = next(one for one in events[place:] if one.get("what") == "into the melee")
        at_friend = checked["result"] == "at a friend"
        assert (event["total"] <= int(said[1])) is at_friend
        assert int(said[1]) == checked["against"] - (checked["total"] - event["total"])
        seen.add(at_friend)
    assert seen == {True, False}
