"""Two evenings, one with a hidden combatant that acts: screens get the same texts until the GM reveals it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.support.lurking import LURKER, SECRET
from tests.support.twin import SALT, SIDE, with_lurker
from tracker.cli import app as composition
from tracker.cli.app import AppContext
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.core.terms.values import Value
from tracker.session.intents import Advance, Do, RollRest, Undo
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.ui.start.catalog import Prepared
from tracker.ui.start.improvise import Improvisation
from tracker.ui.typing.entry import Entry

FIGHTS = Path(__file__).parents[2] / "encounters"
FIRST, SECOND = "worlds_without_number/first_fight.yaml", "sovereign/gate_brawl.yaml"


class Evening:
    """An evening of two fights, and the texts that a screen beside it gets; `lurks`: one combatant more, hidden."""

    def __init__(self, folder: Path, lurks: bool, own_side: bool) -> None:
        self.lurks, self._own_side = lurks, own_side
        folder.mkdir()
        self.app = AppContext(folder / "fights.db")
        self._reader = PlayerViewReader(self.app.path)
        self.texts: list[bytes] = []

    @property
    def session(self) -> Session:
        assert self.app.session is not None
        return self.app.session

    def begin(self, name: str) -> None:
        self._begin(self.app.prepare(FIGHTS / name))

    def improvise(self, line: str) -> None:
        improvised = Improvisation(self.app, self.app.parties())
        improvised.entry = Entry.of(line)
        prepared = improvised.prepared()
        assert prepared is not None, improvised.refusal
        self._begin(prepared)

    def _begin(self, prepared: Prepared) -> None:
        self.app.leave()
        encounter = with_lurker(prepared.encounter, self._own_side) if self.lurks else prepared.encounter
        self.app.begin(prepared, encounter)
        self.session.player_view.salt = SALT
        self.look()
        while self.session.model.pending is not None or self.session.model.state.clock.round < 1:
            self.session.dispatch(RollRest() if self.session.model.pending is not None else Advance())
            self.look()

    def hold(self, on: bool) -> None:
        self.session.freeze_player_view(on)
        self.look()

    def do(self, key: str, **fields: Value) -> None:
        model = self.session.dispatch(Do((action(key, **fields),)))
        assert model.refusal is None, (key, model.refusal)
        self.look()

    def lurk(self) -> None:
        """Let the hidden combatant do what only the GM reads; a screen beside it hears nothing."""
        if self.lurks:
            before = len(self.texts)
            self.do("damage", amount=1, targets=(LURKER,))
            self.do("add_effect", name="poised", targets=(LURKER,), until="9 rounds")
            self.do("rename", who=LURKER, name=f"{SECRET} II")
            self.do("note", text=f"{SECRET} waits", about=LURKER)
            hero = next(one.id for one in self.session.model.state.combatants if one.side == "party")
            self.do("add_effect", name="marked", targets=(hero,), source=LURKER, secret=True)
            self.do("roll", dice="1d20", who=LURKER, why="where it goes")
            for _ in range(2):
                self.session.dispatch(Undo())
                self.look()
            assert len(self.texts) == before

    def look(self) -> None:
        if self._reader.poll():
            self.texts.append(msgspec.json.encode((self._reader.view, self._reader.problem)))

    def close(self) -> None:
        self._reader.close()
        self.app.__exit__()


def average(request: Roll) -> DiceAnswer:
    """Roll the same for everybody, however many there are; the hidden combatant comes last."""
    faces = tuple([1 if request.who == LURKER else (sides + 1) // 2 for sides in request.dice.sides])
    return DiceAnswer(sum(faces), faces)


@pytest.mark.parametrize("own_side", [False, True], ids=["on a side", "on its own"])
def test_two_evenings_look_alike_until_the_reveal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_side: bool
) -> None:
    """Steps, holds, names, fog, another fight behind its cover, back to the first, and one without a file."""
    monkeypatch.setattr(composition, "_settings", lambda: Settings(roller=average, by_side=True))
    evenings = [Evening(tmp_path / str(lurks), lurks, own_side) for lurks in (False, True)]
    for one in evenings:
        one.begin(FIRST)
        assert len(one.texts) == 1, "covered"
        one.lurk()
        one.hold(False)
        one.do("damage", amount=3, targets=("tavi",))
        one.lurk()
        one.do("call", who="hedge-robber-1", name="Tall stranger")
        one.do("conceal", targets=("hedge-robber-1",))
        one.lurk()
        one.do("reveal", targets=("hedge-robber-1",))
        one.hold(True)
        one.do("damage", amount=1, targets=("sefa",))
        first = one.session.model.fight
        one.begin(SECOND)
        one.lurk()
        one.hold(False)
        one.do("fog", what="party", far=20)
        one.do("damage", amount=2, targets=("maud",))
        one.lurk()
        one.do("fog", what="off")
        one.app.resume(first)
        one.session.player_view.salt = SALT
        one.look()
        one.hold(False)
        one.lurk()
        one.do("add_effect", name="dazed", targets=("tavi",), until="2 rounds")
        one.improvise("2 hedge rob, toll-captain round 2" if one.lurks else "2 hedge rob")
        one.lurk()
        one.hold(False)
        one.lurk()
        one.do("damage", amount=1, targets=("hedge-robber-1",))
    plain, lurking = (one.texts for one in evenings)
    assert len(plain) > 8
    assert lurking == plain
    assert not [text for text in lurking if any(word.encode() in text for word in (SECRET, LURKER, SIDE))]
    before = len(lurking)
    evenings[1].do("reveal", targets=(LURKER,))
    assert SECRET.encode() in evenings[1].texts[before]
    assert b"poised" not in evenings[1].texts[before].partition(b'"log"')[2], "what it did unseen stays untold"
    for one in evenings:
        one.close()
