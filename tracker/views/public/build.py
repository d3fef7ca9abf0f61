"""Making the players' view: a whitelist, written anew from the state.

Points of the game master's side are words only; secret effects, hidden combatants, notes, waves, stat blocks and the
ruleset's facts have no place in it. A moment in which only the hidden do something shows nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from textwrap import shorten

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.board import Board
from tracker.core.fight.cache import differing
from tracker.core.fight.settings import PLAYERS, turn_clock
from tracker.core.fight.state import Combatant, State
from tracker.core.game.durations import short_until
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.requests import Request, Roll
from tracker.core.terms.words import minus
from tracker.core.visibility import knowledge
from tracker.core.visibility.fog import fog, in_fog, row_spans
from tracker.views.public.order import order_of, placed, public_clock
from tracker.views.public.redaction import Redactor, public_id, redactor_of
from tracker.views.public.schema import (
    VERSION,
    Health,
    Public,
    PublicAsk,
    PublicBoard,
    PublicCombatant,
    PublicEffect,
    PublicEnd,
    PublicPool,
    PublicSide,
    PublicSlot,
    PublicTile,
    PublicZone,
)
from tracker.views.time.calendar import Due, calendar
from tracker.views.words.moments import modifier_words, stat_words, time_words
from tracker.views.words.ruleset_answers import gauge_of
from tracker.views.words.sides import allegiance_of, names_of
from tracker.views.words.text import clean, key_words

MOST_ENDS, MOST_DUE = 6, 40
MOST_RULE = 500
"""Characters of a rule that players read beside an effect."""


class _LastView(Struct, frozen=True):
    """The view of a state, part by part; None: a slot or combatant that is not shown."""

    redactor: Redactor
    names: tuple[str, ...]
    order: list[PublicSlot | None]
    people: list[PublicCombatant | None]
    board: PublicBoard | None

    @property
    def state(self) -> State:
        return self.redactor.state


def public_view(ruleset: Ruleset, state: State, salt: str = "") -> Public:
    """Return the players' projection of a state.

    `salt` is what ids are made with. What is as it was in the view made last is the same object again.
    """
    clock, redactor = state.clock, redactor_of(state, salt)
    earlier: _LastView | None = ruleset.__dict__.get("_public")
    kept = ruleset.__dict__["_public"] = (
        _all(ruleset, redactor, earlier)
        if earlier is None or not _alike(redactor, earlier)
        else _after(ruleset, redactor, earlier)
    )
    shown = [
        (slot, view)
        for slot, view in zip(clock.slots, kept.order, strict=True)
        if view is not None and (not clock.over or slot.stage == "closing")
    ]
    order = tuple([view for _, view in shown])
    now = next((place for place, view in enumerate(order) if view.when == "now"), None)
    following = next((place for place, view in enumerate(order) if view.when == "later"), None)
    here = None if now is None else order[now]
    lead = "Fight over" if clock.over else f"Round {clock.round}" if clock.round or clock.in_round else "Set-up"
    people = tuple([one for one in kept.people if one is not None])
    return Public(
        title=clean(str(knowledge.setting(state, "title") or state.title)),
        ruleset=clean(ruleset.title),
        round=clock.round,
        moment=f"{lead} · {here.title}" if here is not None and here.title else lead,
        seconds=clock.seconds,
        over=clock.over,
        order=order,
        combatants=people,
        version=VERSION,
        time=time_words(clock.seconds),
        stage="after" if clock.over else "round" if clock.round or clock.in_round else "before",
        phase="" if here is None else here.phase,
        segment=None if here is None else here.segment,
        side="" if here is None else here.side,
        now=now,
        next=following,
        sides=_sides(redactor, people),
        ends=_ends(ruleset, redactor, kept.order),
        board=kept.board,
        clock=turn_clock(state) == PLAYERS,
    )


def _all(ruleset: Ruleset, redactor: Redactor, earlier: _LastView | None) -> _LastView:
    state = redactor.state
    order = order_of(ruleset, redactor)
    known = public_clock(ruleset, redactor, order)
    people = [_shown(ruleset, redactor, known, one) if redactor.sees(one.id) else None for one in state.combatants]
    same = earlier is not None and earlier.redactor.facts == redactor.facts
    board = board_of(ruleset, redactor, earlier if same else None)
    return _LastView(redactor=redactor, names=names_of(state), order=order, people=people, board=board)


def _alike(redactor: Redactor, earlier: _LastView) -> bool:
    """Tell whether combatants, names, sides and the GM's settings for players are the same as before."""
    state, was = redactor.state, earlier.state
    if (redactor.facts, redactor.salt) != (earlier.redactor.facts, earlier.redactor.salt):
        return False
    if (state.sides, state.gone, len(state.combatants)) != (was.sides, was.gone, len(was.combatants)):
        return False
    if names_of(state) is not earlier.names:
        return False
    pairs = [(state.combatants[place], was.combatants[place]) for place in differing(state.combatants, was.combatants)]
    return all(now.id == before.id and now.side == before.side for now, before in pairs)


def _after(ruleset: Ruleset, redactor: Redactor, earlier: _LastView) -> _LastView:
    """Make what has changed of a view."""
    state, was = redactor.state, earlier.state
    clock = state.clock
    changed = set(differing(state.combatants, was.combatants))
    if clock.acting != was.clock.acting:
        changed.update(
            state.places[who] for who in (clock.acting, was.clock.acting) if who is not None and who in state.places
        )
    if (clock.round, clock.in_round) != (was.clock.round, was.clock.in_round) or not (clock.round or clock.in_round):
        # They are in the words for the ends of effects; before the first round its order is, too.
        own = {side.id for side in state.sides if side.control == "players"}
        changed.update(place for place, one in enumerate(state.combatants) if one.side in own and one.effects)
    order = earlier.order
    if clock.slots != was.clock.slots:
        order = order_of(ruleset, redactor)
    elif redactor.hidden or clock.at != was.clock.at or clock.begun != was.clock.begun or not _stands(redactor, order):
        order = placed(ruleset, redactor, order)
    people, known = earlier.people.copy(), public_clock(ruleset, redactor, order)
    acting = (clock.acting, was.clock.acting)
    for place in changed:
        one, other = state.combatants[place], was.combatants[place]
        visible = one.id in acting or one.effects or state.side(one.side).control == "players"
        if not visible and replace(one, budget=other.budget) == other:
            continue  # what is left of its turn is not told
        people[place] = _shown(ruleset, redactor, known, one) if redactor.sees(one.id) else None
    board = board_of(ruleset, redactor, earlier)
    return _LastView(redactor=redactor, names=earlier.names, order=order, people=people, board=board)


def _stands(redactor: Redactor, order: Sequence[PublicSlot | None]) -> bool:
    """Tell whether players see the current slot; else what is now depends on who can act."""
    clock = redactor.state.clock
    return any(slot.id == clock.at and view is not None for slot, view in zip(clock.slots, order, strict=True))


# -- combatants --------------------------------------------------------------------------------------------------------


def _sides(redactor: Redactor, people: Sequence[PublicCombatant]) -> tuple[PublicSide, ...]:
    seen = {one.side for one in people}
    sides = [
        PublicSide(redactor.id(f"side {side.id}"), redactor.side(side.id), side.control == "players")
        for side in redactor.state.sides
    ]
    return tuple([side for side in sides if side.id in seen])


def _shown(ruleset: Ruleset, redactor: Redactor, known: State, combatant: Combatant) -> PublicCombatant:
    state = redactor.state
    own = state.side(combatant.side).control == "players"
    status = status_of(ruleset, combatant.status)
    health, words = _health(ruleset, redactor, combatant)
    space = getattr(combatant.block, "space", 1)
    shows_place = redactor.allows("map") and (own or not redactor.facts or not in_fog(state, combatant))
    return PublicCombatant(
        id=redactor.id(combatant.id),
        name=redactor.name(combatant),
        label=redactor.label(combatant),
        side=redactor.id(f"side {combatant.side}"),
        friend=own,
        ally=allegiance_of(ruleset, state, combatant.side) == "ally",
        pc=own and combatant.kind == ruleset.schema.blocks[0][0],
        status=clean(status.word),
        mark=clean(status.mark).strip(),
        acts=status.acts,
        present=status.takes_part,
        health=health,
        words=words,
        pools=_points(ruleset, state, combatant) if own and redactor.allows("points") else (),
        effects=tuple(
            [
                _effect(ruleset, redactor, known, effect, name, own)
                for effect in combatant.effects
                if (name := seen_as(effect, own))
            ]
        ),
        acting=state.clock.acting == combatant.id,
        at=combatant.position if shows_place else None,
        space=space if isinstance(space, int) else 1,
        left=_left(combatant) if own and status.acts else "",
    )


def _points(ruleset: Ruleset, state: State, combatant: Combatant) -> tuple[PublicPool, ...]:
    """Return the points of a player character; where it has none, first how much its first column says is left."""
    pools = [pool for pool in combatant.pools if pool.open is not True or pool.now]
    points = tuple([PublicPool(pool.key, pool.now, pool.max, stat_words(pool.key)) for pool in pools])
    if not ruleset.columns or any(pool.open is not True for pool in pools):
        return points
    left = gauge_of(ruleset.columns[0], state, combatant.id)
    return points if left is None else (PublicPool(left.key, left.now, left.max), *points)


def _left(combatant: Combatant) -> str:
    """Return what is left of a turn, in words."""
    left = [(key_words(key), amount) for key, amount in combatant.budget if amount > 0]
    return clean(", ".join([words if amount == 1 else f"{words} {amount}" for words, amount in left]))


def seen_as(effect: Effect, own: bool) -> str:
    """Return what players read of an effect on a combatant of theirs or of another side; "" for nothing."""
    if effect.secret:
        return ""
    return effect.shown if own or effect.data is None or effect.data.seen_as is None else effect.data.seen_as


def _effect(ruleset: Ruleset, redactor: Redactor, known: State, effect: Effect, shown: str, own: bool) -> PublicEffect:
    """Return an effect, on player characters with rule, numbers and end unless that names a hidden combatant."""
    name = redactor.text(shown)
    if not own:
        return PublicEffect(name)
    numbers = redactor.text(modifier_words(effect.modifiers))
    until = (
        redactor.text(short_until(known, effect)) if effect.until and not _waits_for_hidden(redactor, effect) else ""
    )
    rule = ruleset.rulebook.find(effect.rule) if effect.rule else None
    about = "" if rule is None else shorten(clean(" ".join(rule.text.split())), MOST_RULE, placeholder=" …")
    return PublicEffect(name, f"{name} {numbers}" if numbers else name, until, about)


def _waits_for_hidden(redactor: Redactor, effect: Effect) -> bool:
    """Tell whether a combatant that players do not see says when an effect ends."""
    return bool(redactor.hidden) and any(
        isinstance(end, At) and end.anchor.startswith("who:") and end.anchor.removeprefix("who:") in redactor.hidden
        for end in effect.until
    )


def _coming(ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]) -> tuple[Due, ...]:
    """Return what ends next from what players see, since places of hidden combatants would tell about turns."""
    state = public_clock(ruleset, redactor, order)
    if not redactor.hidden:
        return calendar(ruleset, state, MOST_DUE)
    people = tuple([one for one in state.combatants if redactor.sees(one.id)])
    return calendar(ruleset, replace(state, combatants=people), MOST_DUE, cache="players")


def _ends(ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]) -> tuple[PublicEnd, ...]:
    state = redactor.state
    own = {side.id for side in state.sides if side.control == "players"}
    ends: list[PublicEnd] = []
    for due in _coming(ruleset, redactor, order):
        bearer, _, number = due.key.partition("#")
        one = state.get(bearer) if due.kind == "effect" and not due.secret else None
        if one is None or one.side not in own or not redactor.sees(one.id):
            continue
        effect = state.effect(bearer, int(number))
        if effect is not None and not _waits_for_hidden(redactor, effect):
            ends.append(PublicEnd(redactor.text(effect.shown), redactor.id(one.id), redactor.text(due.moment)))
    return tuple(ends[:MOST_ENDS])


def _health(ruleset: Ruleset, redactor: Redactor, combatant: Combatant) -> tuple[Health, str]:
    status = status_of(ruleset, combatant.status)
    if not status.acts:
        return "out", clean(status.word)
    if not redactor.allows(f"health:{combatant.side}"):
        return "", ""
    pool = next((combatant.pool(key) for key in ruleset.schema.pools[:1] if combatant.has_pool(key)), None)
    if pool is None:
        return "", _track(ruleset, redactor, combatant)
    health = health_of(pool.now, pool.max)
    return health, health


def _track(ruleset: Ruleset, redactor: Redactor, combatant: Combatant) -> str:
    """Return what a game without points says of a player character's harm: its first column."""
    own = redactor.state.side(combatant.side).control == "players"
    if not own or not redactor.allows("points") or not ruleset.columns:
        return ""
    return redactor.text(minus(ruleset.columns[0].cell(redactor.state, combatant.id)))


def health_of(now: int, full: int) -> Health:
    return "unhurt" if full <= 0 or now >= full else "hurt" if now * 2 > full else "badly hurt"


WORDS = {
    "attack": "attack",
    "cast": "casting",
    "casting": "casting",
    "check": "check",
    "critical": "critical",
    "damage": "damage",
    "defence": "defence",
    "defend": "defence",
    "evasion": "evasion",
    "heal": "healing",
    "healing": "healing",
    "impact": "damage",
    "initiative": "initiative",
    "resist": "resistance",
    "save": "save",
    "shock": "shock",
    "skill": "skill",
    "stay_up": "stay up",
    "weapon": "damage",
}
"""What a die may be said to be for: the words of request keys that give nothing away. All others are a `roll`."""


def ask_of(ruleset: Ruleset, state: State, request: Request | None, mark: str, salt: str) -> PublicAsk | None:
    """Return what players read of a request.

    None where no player is to roll.

    `mark` says which time of the fight this is, so that an answer fits this question only.
    """
    if not isinstance(request, Roll) or request.to != "player" or request.secret or request.setup:
        return None
    redactor = redactor_of(state, salt)
    one = state.get(request.who)
    if one is not None:
        if not redactor.sees(one.id) or state.side(one.side).control != "players":
            return None
        who, name, shared = one.id, redactor.name(one), one.kind != ruleset.schema.blocks[0][0]
    else:
        key = request.key.rpartition(":")[2]
        side = next((side for side in state.sides if side.id == key and side.control == "players"), None)
        if request.who is not None or side is None:
            return None
        who, name, shared = f"side {side.id}", redactor.side(side.id), True
    return PublicAsk(
        key=public_id(salt, f"ask {mark} {request.key}"),
        who=public_id(salt, who),
        dice=text[1:] if (text := str(request.dice)).startswith("1d") else text,
        sides=tuple(request.dice.sides),
        faces=not request.total_ok,
        what=roll_word(request.key),
        name=name,
        shared=shared,
    )


def roll_word(key: str) -> str:
    """Return what a die is for, in the word that players read."""
    last = key.rpartition("/")[2]
    for sign in (":", "#", "~", "!", "-"):
        last = last.partition(sign)[0]
    return WORDS.get(last.rstrip("0123456789_ "), "roll")


_BEHIND = re.compile(r"[(:,]")
"""What stands behind one of these in a zone's title may name those who are in it."""


def board_of(ruleset: Ruleset, redactor: Redactor, earlier: _LastView | None) -> PublicBoard | None:
    """Return the ground of a fight if it is shown: the earlier object if nothing in it has changed."""
    state, kind = redactor.state, ruleset.schema.board
    if kind == "none" or not redactor.allows("map"):
        return None
    before = None if earlier is None else earlier.board
    if earlier is not None and before is not None and kind == "square":
        was = earlier.state
        if (state.setup, state.facts, state.effects) == (was.setup, was.facts, was.effects):
            return before
    board = ruleset.map.board(state)
    drawn = None if board is None else _drawn(board, redactor)
    return before if drawn == before else drawn


def _drawn(board: Board, redactor: Redactor) -> PublicBoard | None:
    covered = fog(redactor.state) if board.kind == "square" else frozenset()
    tiles = [
        PublicTile(cell.x, cell.y, clean(cell.glyph), clean(cell.word), cell.style, cell.height, clean(cell.fill))
        for cell in board.cells
        if (cell.x, cell.y) not in covered
    ]
    zones = [
        PublicZone(
            redactor.text(_BEHIND.split(zone.title)[0].rstrip()),
            tuple([redactor.id(who) for who in zone.members if redactor.sees(who)]),
            zone.middle,
            zone.radius,
        )
        for zone in board.zones
        if not zone.members or any(redactor.sees(who) for who in zone.members)
    ]
    width = board.width
    if board.kind == "line":  # how long it is says where the farthest combatant stands
        places = [one.position[0] for one in redactor.state.combatants if one.position and redactor.sees(one.id)]
        if not places and not zones:
            return None
        width = math.ceil(max(places, default=0)) + 1
    return PublicBoard(
        board.kind, width, board.height, clean(board.unit), tuple(tiles), tuple(zones), row_spans(covered)
    )
