"""Test vectors: the results of given dice by the rules, as data played through real steps.

docs/writing-a-ruleset.md lists the keys of such a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.clock.joining import slug
from tracker.core.fight.events import Checked, Entry, PoolChanged
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.run import Done, Source, Step, run
from tracker.core.step.ctx import Interruption
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.errors import BadData, Refusal, Refused
from tracker.core.terms.labels import RuleBook
from tracker.core.terms.requests import Answer, Request
from tracker.core.terms.values import Data
from tracker.library.yaml.problems import Path as Place
from tracker.library.yaml.problems import Problem
from tracker.script.entries import (
    NOTHING,
    Advancing,
    DoActions,
    Expecting,
    GivenAnswers,
    Opening,
    Refusing,
    WrittenAction,
)
from tracker.script.entries import Entry as Said
from tracker.script.expectations import SEEN, Difference, differences, different_checks, different_questions, shown
from tracker.script.names import AnswerQueue, answers_of, compile_act
from tracker.script.reader import Reader

Plain: TypeAlias = Mapping[str, Any]

# The kinds of rules that the program applies, asks about or offers; the other kinds are only text.
HELD = ("auto", "ask", "option")


@cache
def _document(path: Path) -> Plain:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML was built with it
    with path.open("rb") as file:
        return yaml.load(file, loader) or {}


class VectorFile:
    """The vectors of one or several files, with their cast and scenes."""

    def __init__(self, ruleset: Ruleset, *paths: Path) -> None:
        self.ruleset = ruleset
        self.stat_blocks: dict[str, Plain] = {}
        self.scenes: dict[str, Plain] = {}
        self.vectors: list[Plain] = []
        for path in paths:
            document = _document(path)
            self.stat_blocks |= document.get("cast") or {}
            self.scenes |= document.get("scenes") or {}
            self.vectors += document.get("vectors") or []

    def rules(self) -> set[str]:
        """Return every rule that a vector tests."""
        return {rule for vector in self.vectors for rule in vector.get("rules", ())}

    def play(self, vector: Plain) -> Table:
        """Play a vector and return the fight at its end; raises AssertionError with the differences."""
        given = vector.get("given") or {}
        given = {"scene": given} if isinstance(given, str) else given
        scene = {
            **self.scenes.get(given.get("scene", ""), {}),
            **{key: value for key, value in given.items() if key != "scene"},
        }
        table = Table(self.ruleset, self.encounter(scene))
        table.start(scene.get("start"))
        entries = vector.get("do") or []
        for entry in entries if isinstance(entries, list) else [entries]:
            table.play(entry)
        table.expect(vector.get("expect") or {})
        missing = [rule for rule in vector.get("rules", ()) if rule not in table.cited]
        assert not missing, f"not cited: {', '.join(missing)}; cited: {', '.join(sorted(table.cited))}"
        return table

    def encounter(self, scene: Plain) -> Encounter:
        """Return the encounter of a scene, with members of the cast."""
        schema, sides = self.ruleset.schema, []
        for place, (name, keys) in enumerate(scene["sides"].items()):
            keys = {"members": keys} if isinstance(keys, list) else dict(keys)
            members, control = keys.pop("members"), keys.pop("control", "gm" if place else "players")
            joining = tuple(self._member(plain, control) for plain in members)
            sides.append(SideSetup(slug(name), name, control, joining, self._own(schema.side, keys)))
        house = self._own(schema.house_rules, scene.get("house_rules") or {})
        setup = self._own(schema.setup, scene.get("setup") or {})
        return Encounter(self.ruleset.key, "A test vector", tuple(sides), house, setup)

    def _own(self, kind: type[Data] | None, plain: Plain) -> Data | None:
        return None if kind is None else codec_of(self.ruleset.schema).convert(plain, kind)

    def _member(self, plain: str | Plain, control: str) -> Member:
        keys = {"ref": plain} if isinstance(plain, str) else dict(plain)
        ref = keys.pop("ref", "")
        block = {**(self.stat_blocks[ref] if ref else {}), **keys}
        count = Dice.parse(str(block.pop("count", 1)))
        schema = self.ruleset.schema
        kinds = dict(schema.blocks)
        kind = block.get("kind")
        if isinstance(kind, str) and kind in kinds:
            del block["kind"]
        else:
            kind = next(iter(kinds)) if control == "players" else list(kinds)[-1]
        typed = schema.shorthand(kind, dict(block)) if schema.shorthand else dict(block)
        member = {name: typed.pop(name) for name in getattr(schema.member, "__struct_fields__", ()) if name in typed}
        data, key = self._own(schema.member, member), str(block.get("id") or ref)
        stat_block = codec_of(schema).convert(typed, kinds[kind])
        return Member(stat_block, str(block["name"]), kind, count, data, id=key, ref=ref)


class _Written(Struct, frozen=True):
    """An entry without a file, for the parser of scripts."""

    value: Any

    def position(self, path: Place) -> tuple[int, int]:
        """Return line and column, which it does not have."""
        return 1, 1

    def problem(self, path: Place, message: str, hint: str = "", *, key: bool = False) -> Problem:
        """Return a problem at a place."""
        return Problem("vector", path=".".join(map(str, path)), message=message, hint=hint)


class Table:
    """The fight of one vector."""

    def __init__(self, ruleset: Ruleset, encounter: Encounter) -> None:
        self.ruleset, self.encounter = ruleset, encounter
        self.state = State()
        self.entries: tuple[Entry, ...] = ()
        self.cited: set[str] = set()

    def start(self, dice: object) -> None:
        """Open the fight."""
        self.play({"start": None, "dice": dice or []})

    def play(self, written: Any) -> None:
        """Play one entry of a vector."""
        try:
            entry = Reader(_Written(written)).entry()
        except BadData as error:
            raise AssertionError("; ".join(map(str, error.problems))) from error
        match entry.command:
            case Opening(answers=given):
                self._take(Step("start", encounter=self.encounter), entry, self._feed(given), "start")
            case Advancing(answers=given, times=times, until=None):
                for _ in range(times - 1):
                    self._take(Step("advance"), Said(Opening()), self._feed(NOTHING), "next")
                step = Step("advance", interrupts=self._interrupts(entry))
                self._take(step, entry, self._feed(given), "next")
            case DoActions() as doing:
                step, feed = self._step(doing)
                self._take(replace(step, interrupts=self._interrupts(entry)), entry, feed, doing.acts[0].key)
            case Refusing() as refused:
                self._refused(refused)
            case Expecting(state=expected):
                self._compare(expected)
            case _:
                raise AssertionError("a vector starts, does, advances, is refused or expects")
        if entry.expect is not None:
            self._compare(entry.expect)

    def _step(self, doing: DoActions) -> tuple[Step, AnswerQueue]:
        actions = tuple(map(self._action, doing.acts))
        return Step("do", actions, forced=doing.forced), answers_of(doing, actions, self._action)

    def _feed(self, given: GivenAnswers) -> AnswerQueue:
        return AnswerQueue(given, self._action)

    def _take(self, step: Step, entry: Said, feed: AnswerQueue, what: str) -> None:
        asked: list[str] = []
        outcome = run(self.ruleset, self.state, step, (), _answering(feed, asked))
        assert not isinstance(outcome, Refusal), f"{what} is refused: {outcome.text} ({outcome.rule}) {outcome.at}"
        assert isinstance(outcome, Done), (
            f"{what} asks for {outcome.request.key} ({getattr(outcome.request, 'dice', '')}); asked so far: {asked}"
        )
        assert not feed.unused, f"{what} does not ask for {feed.unused}; it asked {asked}"
        assert not outcome.unused, f"{what} never comes to {outcome.unused}; it asked {asked}"
        self.state, self.entries = outcome.state, outcome.entries
        self.cited.update(rule for event in outcome.entries for rule in cited_by(event))
        if entry.asks is not None:
            _none(different_questions(asked, entry.asks))
        if entry.checked is not None:
            _none(different_checks(self.entries, entry.checked))

    def _interrupts(self, entry: Said) -> tuple[Interruption, ...]:
        """Return the actions of an entry that interrupt before requests."""
        return tuple(Interruption(key, self._action(act)) for key, acts in entry.interrupts for act in acts)

    def _refused(self, refused: Refusing) -> None:
        assert isinstance(refused.command, DoActions), "a vector refuses an action"
        try:
            step, feed = self._step(refused.command)
            outcome = run(self.ruleset, self.state, step, (), _answering(feed, []))
        except Refused as error:
            outcome = error.refusal
        what = refused.command.acts[0].key
        assert isinstance(outcome, Refusal), f"{what} is not refused but {type(outcome).__name__}"
        assert not refused.rule or outcome.rule == refused.rule, (
            f"refused by {outcome.rule or outcome.reason} ({outcome.text}), not by {refused.rule}"
        )
        assert refused.says in outcome.text, f"the refusal says: {outcome.text}"
        self.cited.add(outcome.rule)

    def _action(self, act: WrittenAction) -> Action:
        return compile_act(self.ruleset, self.state, act)

    def expect(self, wanted: Plain) -> None:
        """Compare parts of the state, as scripts do."""
        if wanted:
            expected = Reader(_Written({"expect": wanted})).entry().command
            assert isinstance(expected, Expecting)
            self._compare(expected.state)

    def _compare(self, expected: Mapping[str, Any]) -> None:
        unseen = [key for key in SEEN if key in expected]
        assert not unseen, f"a vector has no {unseen[0]} to expect: it has `asks`, `checked` and the state"
        _none(differences(self.ruleset, self.state, expected))


def _answering(feed: AnswerQueue, asked: list[str]) -> Source:

    def answer(request: Request) -> Answer | None:
        asked.append(request.key)
        return feed.take(request) or request.default_answer

    return answer


def _none(found: Sequence[Difference]) -> None:
    assert not found, "; ".join(f"{part.path} is {part.came}, not {shown(part.expected)}" for part in found)


def untested(rulebook: RuleBook, tested: Collection[str]) -> list[str]:
    """Return the rules that need a test and have none, in the book's order."""
    return [rule.id for rule in rulebook.rules if rule.kind in HELD and rule.id not in tested]


def cited_by(entry: Entry) -> Iterator[str]:
    """Yield the rules that an event cites, itself or in the parts of its numbers."""
    yield from entry.rules
    event = entry.event
    parts = event.parts if isinstance(event, PoolChanged | Checked) else ()
    against = event.against_parts if isinstance(event, Checked) else ()
    yield from (part.rule for part in (*parts, *against) if part.rule)
