"""A package of a game of one's own to begin with: a whole small game that can be played and tested at once."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from string import Template

RESERVED = ("tracker", "rulesets", "tests", "vectors", "fights")


def refused(key: str, known: tuple[str, ...]) -> str:
    """Return why a game cannot have this key, or ""."""
    plain = re.sub(r"\W+", "_", key.strip().casefold()).strip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", key) or keyword.iskeyword(key):
        hint = f", such as {plain}" if re.fullmatch(r"[a-z][a-z0-9_]*", plain) and not keyword.iskeyword(plain) else ""
        return f'"{key}" cannot be the name of a package: small letters, digits and _{hint}'
    if key in known:
        return f'there is a ruleset "{key}" already'
    if key in RESERVED or key in sys.stdlib_module_names or find_spec(key) is not None:
        return f'there is a package "{key}" already, which would hide the game or be hidden by it'
    return ""


def files(key: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a new game by their place in its folder."""
    words = {"key": key, "title": key.replace("_", " ").title(), "rule": _prefix(key), "dashed": key.replace("_", "-")}
    for place, text in _FILES:
        yield place.replace("KEY", key), Template(text.lstrip("\n")).substitute(words)


def _prefix(key: str) -> str:
    """Return the letters that the ids of the rules begin with."""
    parts = [part for part in key.split("_") if part and part[0].isalpha()]
    return ("".join(part[0] for part in parts) if len(parts) > 1 else key[:2]).upper()


_README = """
# $title

A game for the encounter tracker. Install it into the environment of the program, once, and it is there:

    pip install --editable .

With pipx that is `pipx inject encounter-tracker --editable .`; with uv it is
`uv tool install .` in a copy of the program, and `--with-editable` with the path of this folder.

    tracker play fights/first_fight.yaml     the first fight
    tracker check --ruleset $key             every mistake of the game, with its line
    tracker check fights                     every mistake of the files
    pytest                                   the tests (it needs: pip install "pytest<9" hypothesis)
    tracker docs writing-a-ruleset           how to go on

`$key/game.py` is the game, `$key/rules.md` its rules as players read them; `vectors.yaml` says what results from given
dice.
"""

_PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "tracker-$dashed"
version = "0.1"
description = "$title, a game for the encounter tracker."
requires-python = ">=3.11"
dependencies = ["encounter-tracker"]

[project.entry-points."tracker.rulesets"]
$key = "$key:RULESET"

[tool.setuptools]
packages = ["$key"]

[tool.setuptools.package-data]
"*" = ["*.md"]

[tool.pytest.ini_options]
addopts = ["--import-mode=importlib"]
pythonpath = ["."]
testpaths = ["test_$key.py"]
"""

_INIT = '''
"""$title, a game for the encounter tracker."""

from $key.game import RULESET

__all__ = ["RULESET"]
'''

_GAME = '''
"""$title: the whole game. A strike rolls a d20 against the armour of a foe, then damage."""

from __future__ import annotations

from msgspec import Struct

from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    At,
    Badge,
    Boundary,
    Checked,
    Column,
    Ctx,
    Data,
    Derived,
    Dice,
    Economy,
    Effect,
    Field,
    Id,
    Modifier,
    Moment,
    Order,
    Part,
    Pool,
    PoolSet,
    Ruleset,
    Schema,
    State,
    Tactics,
    budget,
    fields,
    modifiers,
    rules_beside,
)

D20 = Dice.of(1, 20)


class Fighter(Struct, Data, frozen=True, tag=True):
    """The stat block: its fields are the keys of a file; those without a default are required."""

    hp: int
    armour: int = 12
    attack: int = 2
    damage: Dice = Dice.of(1, 6)
    wits: int = 0


def block(state: State, who: Id) -> Fighter:
    """Return a fighter's stat block."""
    found = state[who].block
    assert isinstance(found, Fighter)
    return found


def derived(state: State, who: Id, name: str) -> Derived:
    """Return a number with its parts: the stat block's, and those of effects (`e blessed a +1 attack`)."""
    base = {"armour": block(state, who).armour, "attack": block(state, who).attack}[name]
    return modifiers.derived(state, who, name, Part(name, base))


# -- who acts when -----------------------------------------------------------------------------------------------------

ORDER = Order(lambda state, who: (-fields.whole(state.fact(who, "initiative")),), rules=("$rule-01",))
ECONOMY = Economy(budget(action=1), refresh_at="turn_start", rules=("$rule-02",))


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points, their initiative and their place in the order."""
    for who in newcomers:
        full = block(ctx.state, who).hp
        ctx.emit(PoolSet(who, None, Pool("hp", full, full)))
    for who in newcomers:  # after the points: the screen shows everybody while this is asked
        rolled = ctx.roll(f"initiative:{who}", D20, "$rule-01", who=who, why="initiative")
        ctx.fact(who, "initiative", rolled + block(ctx.state, who).wits, "$rule-01")
    ORDER.join(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back the action when a turn starts, keep the order when a round ends."""
    ECONOMY.refresh(ctx, boundary)
    ORDER.on_boundary(ctx, boundary)


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from the state: at 0 hit points a fighter is down."""
    for one in ctx.state.combatants:
        if one.status in ("up", "down"):
            ctx.status(one.id, "up" if one.hp > 0 else "down", "$rule-05")


# -- actions -----------------------------------------------------------------------------------------------------------


def whom(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a strike: which foe."""
    return (fields.target(fields.options(fields.foes(state, action.by))),)


def strike(ctx: Ctx, action: Action) -> None:
    """Roll against the target's armour, then for damage."""
    who, target = fields.actor(action), fields.text(action, "target")
    rolled = ctx.roll("attack", D20, "$rule-03", who=who, why=f"strike at {ctx.state.name(target)}")
    # After a question the state is read again: the GM may have changed it.
    bonus, armour = derived(ctx.state, who, "attack"), derived(ctx.state, target, "armour")
    total = Derived.total((Part("d20", rolled), *bonus.parts))
    hit = ctx.ruling("hit", total.value >= armour.value)
    word = "hit" if hit else "miss"
    checked = Checked("attack", who, total.value, word, target, total.parts, armour.value, "armour", armour.parts)
    ctx.emit(checked, "$rule-03")
    if hit:
        dice = block(ctx.state, who).damage
        points = ctx.roll("damage", dice, "$rule-03", who=who, why="damage") + dice.plus
        ctx.change(target, "hp", ctx.state[target].hp - points, "$rule-03", source=who)


def guard(ctx: Ctx, action: Action) -> None:
    """Hold the shield up until the next turn."""
    until, more = (At("turn_start", "bearer"),), (Modifier("armour", 2),)
    ctx.add_effect(Effect("guard", fields.actor(action), until=until, modifiers=more), "$rule-04")


ACTIONS = ActionTable(
    (
        ActionType("strike", "Strike", "$rule-03", "Action", budget(action=1), perform=strike, fields=whom),
        ActionType("guard", "Guard", "$rule-04", "Action", budget(action=1), perform=guard),
    ),
    ECONOMY,
)


# -- the forecast and the screen ---------------------------------------------------------------------------------------


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return a plain choice for the forecast: strike while that is possible, else nothing."""
    spec = ACTIONS.form(state, Action("strike", who))
    field = spec.field("target") if spec is not None and spec.refusal is None else None
    if field is None or field.default is None:
        return None
    return Action("strike", who, (("target", field.default),))


def finished(state: State) -> str | None:
    """Return why the fight seems to be over."""
    standing = {one.side for one in state.combatants if one.status == "up"}
    return None if len(standing) > 1 else "one side is left" if standing else "nobody is left"


def hit_points(state: State, who: Id) -> str:
    """Return what the column of hit points says."""
    return f"{state[who].hp}/{state[who].pool('hp').max}"


def armour(state: State, who: Id) -> str:
    """Return what the column of armour says."""
    return str(derived(state, who, "armour").value)


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return the marks beside a combatant: whether it has its action."""
    return (Badge("A" if state[who].left("action") else "·", "action", "budget"),)


RULESET = Ruleset(
    key="$key",
    title="$title",
    version=1,
    schema=Schema(blocks=(("pc", Fighter), ("monster", Fighter)), derived=("armour", "attack")),
    rulebook=rules_beside(__file__),
    columns=(Column("hp", "HP", 7, hit_points, bar="hp"), Column("armour", "Arm", 3, armour)),
    moments=(
        Moment("{n} rounds", (At("turn_start", "bearer"),)),
        Moment("end of the round", (At("round_end"),)),
        Moment("until removed", ()),
    ),
    badges=badges,
    open_round=ORDER.open_round,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    windows=ACTIONS.windows,
    derived=derived,
    policy=policy,
    finished=finished,
)
'''

_RULES = """
# Time

## $rule-01 Initiative [auto]

Who joins rolls a d20 and adds its wits. The highest acts first, in every round.

## $rule-02 Turns [auto]

A turn has one action.

# Actions

## $rule-03 Strike [auto]

Roll a d20 and add the attack. At the armour of the target or above the strike hits, and the damage is rolled.

## $rule-04 Guard [auto]

The armour is 2 higher until the next turn.

# Wounds

## $rule-05 Down [auto]

At 0 hit points a fighter is down, above 0 it is up again.
"""

_PARTY = """
# The player characters. `tracker check` names every mistake.
ruleset: $key
characters:
  - {id: ada, name: Ada, hp: 12, armour: 14, attack: 4, damage: 1d8, wits: 2}
  - {id: bo, name: Bo, hp: 10, attack: 3, damage: 1d6+1}
"""

_BESTIARY = """
# Creatures; an encounter names one by its id.
ruleset: $key
monsters:
  - {id: wolf, name: Wolf, hp: 5, armour: 11, damage: 1d4+1, wits: 3}
  - {id: brute, name: Brute, hp: 14, armour: 12, attack: 3, damage: 1d10}
"""

_FIGHT = """
ruleset: $key
title: The first fight
sides:
  - {name: Party, control: players, members: party.yaml}
  - name: Pack
    members:
      - {ref: wolf, count: 2}
waves:
  - {when: round 3, side: Pack, members: [{ref: brute}]}
"""

_VECTORS = """
# What results from given dice. `tracker docs writing-a-ruleset` lists every key.
cast:
  ada: {kind: pc, name: Ada, hp: 12, armour: 14, attack: 4, damage: 1d8}
  wolf: {name: Wolf, hp: 5, armour: 11, damage: 1d4+1}
scenes:
  ford:
    sides: {party: [ada], pack: [wolf]}
    start: [15, 5]
vectors:
  - id: $rule-01-order
    title: the highest initiative acts first
    rules: [$rule-01]
    given: ford
    do: []
    expect: {order: [Ada, Wolf]}
  - id: $rule-02-one-action
    title: a turn has one action, and the next turn has it again
    rules: [$rule-02]
    given: ford
    do:
      - {do: guard, by: ada}
      - {refused: {do: strike, by: ada, target: wolf}}
      - {next: 2}
    expect: {ada: {left_action: 1}}
  - id: $rule-03-hit
    title: at the armour of the target a strike hits
    rules: [$rule-03, $rule-05]
    given: ford
    do:
      - {do: strike, by: ada, target: wolf, dice: {attack: 7, damage: 5}, checked: [{total: 11, against: 11}]}
    expect: {wolf: {hp: 0, status: down}}
  - id: $rule-04-guard
    title: a guard makes a strike miss that would have hit
    rules: [$rule-04]
    given: ford
    do:
      - {do: guard, by: ada}
      - next
      - {do: strike, by: wolf, target: ada, dice: {attack: 13}, checked: [{total: 15, against: 16, result: miss}]}
    expect: {ada: {hp: 12}}
"""

_TEST = '''
"""The tests of the game: its vectors, its fights, and its fights played at random."""

from pathlib import Path

from $key import RULESET
from tracker.testing import suite

HERE = Path(__file__).parent
TestGame = suite(RULESET, vectors=HERE / "vectors.yaml", encounters=HERE / "fights")
'''

_FILES = (
    ("README.md", _README),
    ("pyproject.toml", _PYPROJECT),
    ("KEY/__init__.py", _INIT),
    ("KEY/game.py", _GAME),
    ("KEY/rules.md", _RULES),
    ("fights/party.yaml", _PARTY),
    ("fights/bestiary.yaml", _BESTIARY),
    ("fights/first_fight.yaml", _FIGHT),
    ("vectors.yaml", _VECTORS),
    ("test_KEY.py", _TEST),
)
