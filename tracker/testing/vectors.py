"""Test vectors: what the rules say of given dice, as data played through real steps.

A file of vectors holds `cast` (stat blocks as a GM types them, by id), `scenes` (sides and start answers to begin from)
and `vectors`, each with

* `id`, `title`, `rules`: ids that an event, a part of a number or a refusal must cite;
* `given`: a scene's name, or `{scene, sides, house_rules, setup, start}`; sides are `name: [members]` or
  `name: {members: [...], <keys of a side>}`, members are ids of the cast, or `{ref: id, <keys laid over it>}`, or whole
  blocks; the first side is the players' unless it says `control: gm`;
* `do`: one entry or a list of them: `{do: key, by: who, <fields>}`, `next`, `{next: 2}`,
  `{refused: {do: ...}, rule: id, says: words}`, `{group: [...]}`, `{expect: ...}`; each may have `fields` (those
  called like one of these words), `dice` (answers in the order of the requests, or by key), `interrupts` (what the GM
  puts before requests: `{attack: {do: remove, targets: [wolf]}}`, or a list of them), `asks` (the keys asked for, in
  order), `checked` (numbers compared) and `expect`;
* `expect`: by combatant: `hp`, `status`, `left_main`, `effects` (all names), `has`, `lacks`, derived numbers; `clock`;
  `order`.

A list of dice gives a window, a choice or a pick its next entry only if that is one of its answers; otherwise the
default stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tracker.core.clock.joining import slug
from tracker.core.fight.events import Checked, Entry, PoolChanged
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step, run
from tracker.core.step.ctx import Interruption
from tracker.core.terms.actions import Action, Refusal
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.requests import Answer, Request
from tracker.core.terms.rulebook import RuleBook
from tracker.core.terms.values import Value

# The kinds of rules that the program applies, asks about or offers; the others are only told.
HELD = ("auto", "ask", "option")

Plain = Mapping[str, Any]
ENTRY_KEYS = {"do", "by", "dice", "interrupts", "asks", "checked", "expect", "forced", "fields"}


@cache
def _document(path: Path) -> Plain:
    """Return what a file holds, read once for all books."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML was built with it
    with path.open("rb") as file:
        return yaml.load(file, loader) or {}


class Book:
    """The vectors of one or several files, with their cast and scenes."""

    def __init__(self, ruleset: Ruleset, *paths: Path) -> None:
        self.ruleset = ruleset
        self.cast: dict[str, Plain] = {}
        self.scenes: dict[str, Plain] = {}
        self.vectors: list[Plain] = []
        for path in paths:
            document = _document(path)
            self.cast |= document.get("cast") or {}
            self.scenes |= document.get("scenes") or {}
            self.vectors += document.get("vectors") or []

    def rules(self) -> set[str]:
        """Return every rule that a vector holds."""
        return {rule for vector in self.vectors for rule in vector.get("rules", ())}

    def play(self, vector: Plain) -> Table:
        """Play a vector, and return the fight as it ends.

        Raises:
            AssertionError: where something differs from what is written.
        """
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
        """Return the encounter of a scene, with members out of the cast."""
        schema = self.ruleset.schema
        sides = []
        for place, (name, keys) in enumerate(scene["sides"].items()):
            keys = {"members": keys} if isinstance(keys, list) else dict(keys)
            members, control = keys.pop("members"), keys.pop("control", "gm" if place else "players")
            data = None if schema.side is None else schema.codec.convert(keys, schema.side)
            sides.append(
                SideSetup(slug(name), name, control, tuple(self._member(plain, control) for plain in members), data)
            )
        house = (
            None
            if schema.house_rules is None
            else schema.codec.convert(scene.get("house_rules") or {}, schema.house_rules)
        )
        setup = None if schema.setup is None else schema.codec.convert(scene.get("setup") or {}, schema.setup)
        return Encounter(self.ruleset.key, "A test vector", tuple(sides), house, setup)

    def _member(self, plain: str | Plain, control: str) -> Member:
        keys = {"ref": plain} if isinstance(plain, str) else dict(plain)
        ref = keys.pop("ref", "")
        block = {**(self.cast[ref] if ref else {}), **keys}
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
        data = None if schema.member is None else schema.codec.convert(member, schema.member)
        return Member(
            schema.codec.convert(typed, kinds[kind]),
            str(block["name"]),
            kind,
            count,
            data,
            id=str(block.get("id") or ref),
            ref=ref,
        )


class Table:
    """One fight of one vector, as far as it has come."""

    def __init__(self, ruleset: Ruleset, encounter: Encounter) -> None:
        self.ruleset, self.encounter = ruleset, encounter
        self.state = State()
        self.entries: tuple[Entry, ...] = ()
        self.cited: set[str] = set()

    def start(self, dice: object) -> None:
        """Open the fight."""
        self._take(Step("start", encounter=self.encounter), {"dice": dice or []}, "start")

    def play(self, entry: Any) -> None:
        """Play one entry of a vector."""
        if entry == "next":
            entry = {"next": 1}
        if "refused" in entry:
            self._refused(entry)
        elif "next" in entry:
            for place in range(entry["next"]):
                last = place == entry["next"] - 1
                put = self._interrupts(entry) if last else ()
                self._take(Step("advance", interrupts=put), entry if last else {}, "next")
        elif "do" in entry:
            step = Step(
                "do", (self._action(entry),), forced=bool(entry.get("forced")), interrupts=self._interrupts(entry)
            )
            self._take(step, entry, entry["do"])
        elif "group" in entry:
            self._take(Step("do", tuple(self._action(one) for one in entry["group"])), entry, "group")
        self.expect(entry.get("expect") or {})

    def _take(self, step: Step, entry: Plain, what: str) -> None:
        answers = Answers(entry.get("dice") or [], self._action)
        outcome = run(self.ruleset, self.state, step, (), answers)
        assert not isinstance(outcome, Refusal), f"{what} is refused: {outcome.text} ({outcome.rule}) {outcome.at}"
        assert isinstance(outcome, Done), (
            f"{what} asks for {outcome.request.key} ({getattr(outcome.request, 'dice', '')}); "
            f"asked so far: {answers.asked}"
        )
        assert not answers.left(), f"{what} does not ask for {answers.left()}; it asked {answers.asked}"
        assert not outcome.unused, f"{what} never comes to {outcome.unused}; it asked {answers.asked}"
        self.state, self.entries = outcome.state, outcome.entries
        self.cited.update(rule for event in outcome.entries for rule in cited_by(event))
        if "asks" in entry:
            wanted = entry["asks"]
            same = len(wanted) == len(answers.asked) and all(
                key == key_ or key.endswith("/" + key_) for key, key_ in zip(answers.asked, wanted, strict=True)
            )
            assert same, f"{what} asks {answers.asked}, not {wanted}"
        if "checked" in entry:
            self._checked(entry["checked"])
        self.expect({}) if "expect" not in entry else None

    def _interrupts(self, entry: Plain) -> tuple[Interruption, ...]:
        """Return what an entry puts before requests, by their keys."""
        return tuple(
            Interruption(key, self._action(one))
            for key, put in (entry.get("interrupts") or {}).items()
            for one in (put if isinstance(put, list) else [put])
        )

    def _checked(self, wanted: list[Plain]) -> None:
        found = [entry.event for entry in self.entries if isinstance(entry.event, Checked)]
        assert len(found) == len(wanted), (
            f"compared: {[(event.what, event.total, event.against, event.result) for event in found]}"
        )
        for event, wish in zip(found, wanted, strict=True):
            for key, value in wish.items():
                assert getattr(event, key) == value, (
                    f"{event.what}: {key} is {getattr(event, key)!r}, not {value!r}; {event.parts}"
                )

    def _refused(self, entry: Plain) -> None:
        outcome = run(
            self.ruleset,
            self.state,
            Step("do", (self._action(entry["refused"]),)),
            (),
            Answers(entry.get("dice") or [], self._action),
        )
        assert isinstance(outcome, Refusal), f"{entry['refused']['do']} is not refused but {type(outcome).__name__}"
        wanted = entry.get("rule")
        assert wanted is None or outcome.rule == wanted, (
            f"refused by {outcome.rule or outcome.reason} ({outcome.text}), not by {wanted}"
        )
        assert str(entry.get("says", "")) in outcome.text, f"the refusal says: {outcome.text}"
        self.cited.add(outcome.rule)

    def _action(self, entry: Plain) -> Action:
        by = entry.get("by")
        if by is not None:
            assert by in self.state, (
                f"{by} is not in the fight: {[combatant.id for combatant in self.state.combatants]}"
            )
        plain = {key: value for key, value in entry.items() if key not in ENTRY_KEYS} | (entry.get("fields") or {})
        fields = {key: frozen(value) for key, value in plain.items()}
        return Action(entry["do"], by, tuple(sorted(fields.items())))

    def expect(self, wanted: Plain) -> None:
        """Compare parts of the state."""
        for who, wishes in wanted.items():
            if who == "clock":
                self._expect_clock(wishes)
            elif who == "order":
                found = [slot.title for slot in self.state.clock.slots]
                assert found == wishes, f"the order is {found}"
            elif who == "sides":
                assert isinstance(wishes, dict)
            else:
                assert who in self.state, f"{who} is not in the fight"
                for key, value in wishes.items():
                    self._expect(who, key, value)

    def _expect_clock(self, wishes: Plain) -> None:
        clock = self.state.clock
        slot = clock.current
        found = {"round": clock.round, "slot": clock.at, "title": slot.title if slot else None, "over": clock.over}
        for key, value in wishes.items():
            assert found[key] == value, f"clock: {key} is {found[key]}, not {value}"

    def _expect(self, who: str, key: str, value: Any) -> None:
        combatant = self.state[who]
        names = [effect.name for effect in combatant.effects]
        if key == "effects":
            assert sorted(names) == sorted(value), f"{who} has the effects {names}"
        elif key == "has":
            assert set(value) <= set(names), f"{who} has the effects {names}"
        elif key == "lacks":
            assert not set(value) & set(names), f"{who} has the effects {names}"
        elif key == "status":
            assert combatant.status == value, f"{who} is {combatant.status}"
        elif key == "facts":
            for name, fact in value.items():
                assert combatant.fact(name) == frozen(fact), f"{who}: {name} is {combatant.fact(name)}"
        elif combatant.has_pool(key):
            assert combatant.pool(key).now == value, f"{who} has {combatant.pool(key).now} {key}, not {value}"
        elif key.removesuffix("_max") != key and combatant.has_pool(key.removesuffix("_max")):
            assert combatant.pool(key.removesuffix("_max")).max == value
        elif key.removeprefix("left_") in dict(combatant.budget) and key.startswith("left_"):
            left = combatant.left(key.removeprefix("left_"))
            assert left == value, f"{who} has {left} {key}"
        else:
            assert key in self.ruleset.schema.derived, f"nothing is called {key}"
            derived = self.ruleset.derived(self.state, who, key)
            found = derived.text if isinstance(value, str) else derived.value
            assert found == value, f"{key} of {who} is {found}: {derived.parts}"


def untested(rulebook: RuleBook, tested: Collection[str]) -> list[str]:
    """Return the applied rules that are not among those tested, in the book's order."""
    return [rule.id for rule in rulebook.rules if rule.kind in HELD and rule.id not in tested]


def cited_by(entry: Entry) -> Iterator[str]:
    """Yield the rules an event cites, by itself or in the parts of its numbers."""
    yield from entry.rules
    event = entry.event
    parts = (
        event.parts
        if isinstance(event, PoolChanged)
        else (*event.parts, *event.against_parts)
        if isinstance(event, Checked)
        else ()
    )
    yield from (part.rule for part in parts if part.rule)


def frozen(value: Any) -> Value:
    """Return a plain value as one that forms take.

    Lists become tuples, mappings rows of pairs.
    """
    if isinstance(value, list):
        return tuple(frozen(part) for part in value)
    if isinstance(value, dict):
        return tuple((key, frozen(part)) for key, part in value.items())
    result: Value = value
    return result


# -- the answers of one entry, handed out request by request


class Answers:
    """Dice and other answers.

    A list in the order of the requests, or a mapping by key.
    """

    def __init__(self, given: object, read: Callable[[Plain], Action]) -> None:
        self.listed = list(given) if isinstance(given, list) else [] if isinstance(given, dict) else [given]
        self.named = dict(given) if isinstance(given, dict) else {}
        self.asked: list[str] = []
        self._acts = _Acts(read)

    def left(self) -> list[object]:
        """Return the answers no request has asked for."""
        return [*self.listed, *self.named]

    def __call__(self, request: Request) -> Answer | None:
        """Answer a request, or leave it open."""
        self.asked.append(request.key)
        for key in (request.key, *(key for key in self.named if request.key.endswith("/" + key))):
            if key in self.named:
                return self._answer(request, self.named.pop(key))
        if self.listed and request.fits(_frozen(self.listed[0]), self._acts):
            return self._answer(request, self.listed.pop(0))
        return request.usual

    def _answer(self, request: Request, said: object) -> Answer:
        answer = request.read(_frozen(said), self._acts)
        assert answer is not None, f"{said} is no answer: {request.key} asks for {request.wants}"
        return answer


class _Acts:
    """Reads the actions of a vector's answer."""

    def __init__(self, read: Callable[[Plain], Action]) -> None:
        self._read = read

    def whose(self, said: object) -> tuple[str, str | None] | None:
        """Return the key and the actor of an action or of `key:actor`."""
        if isinstance(said, str):
            key, _, by = said.partition(":")
            return key, by or None
        action = self.action(said)
        return None if action is None else (action.key, action.by)

    def action(self, said: object) -> Action | None:
        """Return an action with its fields, or None where it is none."""
        return self._read(said) if isinstance(said, Mapping) else None


def _frozen(said: object) -> object:
    """Return a written list as a tuple."""
    return tuple(said) if isinstance(said, list) else said
