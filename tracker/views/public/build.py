"""Making the players' view: a whitelist, made from the state alone.

Points of the GM's sides are words only; secret effects, hidden combatants, notes, waves, stat blocks and the facts of
the ruleset are no part of it. A step in which only hidden combatants act changes nothing.
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
from tracker.core.fight.slots import Clock
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
"""Characters of an effect's rule that players read at most."""


class _LastView(Struct, frozen=True):
    """The parts of the view of a state; None: a slot or combatant that is not shown."""

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

    `salt`: the ids are made with it. Parts that are equal to those of the last view are the same objects.
    """
    clock, redactor = state.clock, redactor_of(state, salt)
    earlier: _LastView | None = ruleset.__dict__.get("_public")
    if earlier is None or not _alike(redactor, earlier):
        kept = _all(ruleset, redactor, earlier)
    else:
        kept = _after(ruleset, redactor, earlier)
    ruleset.__dict__["_public"] = kept
    order = tuple(
        [
            view
            for slot, view in zip(clock.slots, kept.order, strict=True)
            if view is not None and (not clock.over or slot.stage == "closing")
        ]
    )
    now = next((place for place, view in enumerate(order) if view.when == "now"), None)
    following = next((place for place, view in enumerate(order) if view.when == "later"), None)
    here = None if now is None else order[now]
    lead = "Fight over" if clock.over else f"Round {clock.round}" if clock.round or clock.in_round else "Set-up"
    people = tuple([person for person in kept.people if person is not None])
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
    """Tell whether combatants, names, sides and the GM's settings for players are as in the last view."""
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
    """Make the parts of the view that have changed."""
    state, was = redactor.state, earlier.state
    clock = state.clock
    changed = set(differing(state.combatants, was.combatants))
    if clock.acting != was.clock.acting:
        changed.update(
            state.places[who] for who in (clock.acting, was.clock.acting) if who is not None and who in state.places
        )
    if (clock.round, clock.in_round) != (was.clock.round, was.clock.in_round) or not (clock.round or clock.in_round):
        # The words for the end of an effect name the round; before the first round they depend on its order, too.
        changed.update(place for place, one in enumerate(state.combatants) if one.effects and redactor.own(one.side))
    order = earlier.order
    if clock.slots != was.clock.slots:
        order = order_of(ruleset, redactor)
    elif redactor.hidden or clock.at != was.clock.at or clock.begun != was.clock.begun or not _sees_now(clock, order):
        order = placed(ruleset, redactor, order)
    people, known = earlier.people.copy(), public_clock(ruleset, redactor, order)
    acting = (clock.acting, was.clock.acting)
    for place in changed:
        one, other = state.combatants[place], was.combatants[place]
        own = one.id in acting or one.effects or redactor.own(one.side)
        if not own and replace(one, budget=other.budget) == other:
            continue  # players do not read what is left of its turn
        people[place] = _shown(ruleset, redactor, known, one) if redactor.sees(one.id) else None
    board = board_of(ruleset, redactor, earlier)
    return _LastView(redactor=redactor, names=earlier.names, order=order, people=people, board=board)


def _sees_now(clock: Clock, order: Sequence[PublicSlot | None]) -> bool:
    """Tell whether players see the current slot; else the slot that is now for them depends on who can act."""
    return any(slot.id == clock.at and view is not None for slot, view in zip(clock.slots, order, strict=True))


# -- combatants --------------------------------------------------------------------------------------------------------


def _sides(redactor: Redactor, people: Sequence[PublicCombatant]) -> tuple[PublicSide, ...]:
    seen = {one.side for one in people}
    sides = [
        PublicSide(redactor.side_id(side.id), redactor.side(side.id), redactor.own(side.id))
        for side in redactor.state.sides
    ]
    return tuple([side for side in sides if side.id in seen])


def _shown(ruleset: Ruleset, redactor: Redactor, known: State, combatant: Combatant) -> PublicCombatant:
    state = redactor.state
    own = redactor.own(combatant.side)
    status = status_of(ruleset, combatant.status)
    health, words = _health(ruleset, redactor, combatant)
    space = getattr(combatant.block, "space", 1)
    shows_place = redactor.allows("map") and (own or not redactor.facts or not in_fog(state, combatant))
    return PublicCombatant(
        id=redactor.id(combatant.id),
        name=redactor.name(combatant),
        label=redactor.label(combatant),
        side=redactor.side_id(combatant.side),
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
    """Return the points of a player character; if it has none, first the number that its first column shows."""
    pools = [pool for pool in combatant.pools if pool.open is not True or pool.now]
    points = tuple([PublicPool(pool.key, pool.now, pool.max, stat_words(pool.key)) for pool in pools])
    if not ruleset.columns or any(pool.open is not True for pool in pools):
        return points
    left = gauge_of(ruleset.columns[0], state, combatant.id)
    return points if left is None else (PublicPool(left.key, left.now, left.max), *points)


def _left(combatant: Combatant) -> str:
    """Return the unused actions of a turn in words."""
    left = [(key_words(key), amount) for key, amount in combatant.budget if amount > 0]
    return clean(", ".join([words if amount == 1 else f"{words} {amount}" for words, amount in left]))


def seen_as(effect: Effect, own: bool) -> str:
    """Return the name of an effect as players read it, "" if it is secret; `own`: they run its bearer."""
    if effect.secret:
        return ""
    return effect.shown if own or effect.data is None or effect.data.seen_as is None else effect.data.seen_as


def _effect(ruleset: Ruleset, redactor: Redactor, known: State, effect: Effect, shown: str, own: bool) -> PublicEffect:
    """Return an effect, on player characters with rule, numbers, and end unless a hidden combatant decides it."""
    name = redactor.text(shown)
    if not own:
        return PublicEffect(name)
    numbers = redactor.text(modifier_words(effect.modifiers))
    tells_end = effect.until and not _waits_for_hidden(redactor, effect)
    until = redactor.text(short_until(known, effect)) if tells_end else ""
    rule = ruleset.rulebook.find(effect.rule) if effect.rule else None
    about = "" if rule is None else shorten(clean(" ".join(rule.text.split())), MOST_RULE, placeholder=" …")
    return PublicEffect(name, f"{name} {numbers}" if numbers else name, until, about)


def _waits_for_hidden(redactor: Redactor, effect: Effect) -> bool:
    """Tell whether the turn of a hidden combatant ends an effect."""
    anchors = [end.anchor for end in effect.until if isinstance(end, At)] if redactor.hidden else []
    return any(anchor.startswith("who:") and anchor.removeprefix("who:") in redactor.hidden for anchor in anchors)


def _coming(ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]) -> tuple[Due, ...]:
    """Return the calendar of the fight as players see it: the slots of hidden combatants would tell about turns."""
    state = public_clock(ruleset, redactor, order)
    if not redactor.hidden:
        return calendar(ruleset, state, MOST_DUE)
    people = tuple([one for one in state.combatants if redactor.sees(one.id)])
    return calendar(ruleset, replace(state, combatants=people), MOST_DUE, cache="players")


def _ends(ruleset: Ruleset, redactor: Redactor, order: Sequence[PublicSlot | None]) -> tuple[PublicEnd, ...]:
    state = redactor.state
    ends: list[PublicEnd] = []
    for due in _coming(ruleset, redactor, order):
        who, _, number = due.key.partition("#")
        bearer = state.get(who) if due.kind == "effect" and not due.secret else None
        if bearer is None or not redactor.own(bearer.side) or not redactor.sees(who):
            continue
        effect = state.effect(who, int(number))
        if effect is not None and not _waits_for_hidden(redactor, effect):
            ends.append(PublicEnd(redactor.text(effect.shown), redactor.id(who), redactor.text(due.moment)))
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
    """Return the harm of a player character in a game without points: the text of its first column."""
    if not redactor.own(combatant.side) or not redactor.allows("points") or not ruleset.columns:
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
"""The purpose of a roll by the last word of its request key, if that gives nothing away; any other is a `roll`."""


def ask_of(ruleset: Ruleset, state: State, request: Request | None, mark: str, salt: str) -> PublicAsk | None:
    """Return a request as players read it, None if no player is to roll.

    `mark` names the moment of the fight, so that an answer fits this request only.
    """
    if not isinstance(request, Roll) or request.to != "player" or request.secret or request.setup:
        return None
    redactor = redactor_of(state, salt)
    combatant = state.get(request.who)
    if combatant is not None:
        if not redactor.sees(combatant.id) or not redactor.own(combatant.side):
            return None
        who, name, shared = combatant.id, redactor.name(combatant), combatant.kind != ruleset.schema.blocks[0][0]
    else:
        side = request.key.rpartition(":")[2]
        if request.who is not None or side not in {each.id for each in state.sides} or not redactor.own(side):
            return None
        who, name, shared = f"side {side}", redactor.side(side), True
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
    """Return the purpose of a roll in the word that players read."""
    last = key.rpartition("/")[2]
    for sign in (":", "#", "~", "!", "-"):
        last = last.partition(sign)[0]
    return WORDS.get(last.rstrip("0123456789_ "), "roll")


_BEHIND = re.compile(r"[(:,]")
"""The rest of a zone's title, behind one of these signs, may name the combatants in the zone."""


def board_of(ruleset: Ruleset, redactor: Redactor, earlier: _LastView | None) -> PublicBoard | None:
    """Return the board of a fight if it is shown: the earlier object if nothing in it has changed."""
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
    if board.kind == "line":  # its full length would tell the place of the farthest hidden combatant
        places = [one.position[0] for one in redactor.state.combatants if one.position and redactor.sees(one.id)]
        if not places and not zones:
            return None
        width = math.ceil(max(places, default=0)) + 1
    return PublicBoard(
        board.kind, width, board.height, clean(board.unit), tuple(tiles), tuple(zones), row_spans(covered)
    )
