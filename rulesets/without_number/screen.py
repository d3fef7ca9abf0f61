"""What the screen shows of both games: turns, badges and reminders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from rulesets.without_number.aftermath import TRIED, patients
from rulesets.without_number.stat_blocks import Shock
from rulesets.without_number.stats import MODIFIERS
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Printed, Reminder
from tracker.core.game.telling import ActionWords, EffectWords, StatusWords, Telling
from tracker.core.terms.actions import Action, ActionSpec, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Answer, Responded, Window
from tracker.core.terms.tactics import Aim, Tactics
from tracker.kit.actions import ActionTable

# -- lines of printed stat blocks that both games of the family share --------------------------------------------------


def use_called(name: str, use: str, uses: int) -> str:
    return name if uses == 1 else f"{name}, {use}"


def attack_line(
    name: str, hit: int, dealt: Dice | None, adds: int, shock: Shock | None, points: int, *also: str
) -> Printed:
    """Return the line of an attack: what it adds, deals and threatens on a miss.

    `dealt` are the dice alone, `adds` is all that is added to them; None: no damage.
    """
    words = [f"{hit:+d}", "no damage" if dealt is None else str(Dice(dealt.terms, adds))]
    if shock is not None:
        words.append(f"Shock {max(0, points)}/{'any AC' if shock.ac is None else f'AC {shock.ac}'}")
    return Printed("attacks", name, ", ".join((*words, *filter(None, also))))


def score_lines(mods: Struct, skills: Iterable[tuple[str, int]], *rules: str) -> list[Printed]:
    """Return modifiers other than 0, then skills, by the rules of each."""
    names = [(name, number) for name in mods.__struct_fields__ if (number := getattr(mods, name))]
    found = [Printed("skills", name.capitalize(), f"{number:+d}", rules[0]) for name, number in names]
    return found + [Printed("skills", name.capitalize(), str(level), rules[1]) for name, level in skills]


# -- the first of several actions that is legal, for those nobody chooses for ------------------------------------------


def unplayed(block: object) -> tuple[str, ...]:
    """Return what every combatant can do that the forecast leaves out."""
    return ("Swarm Attacks", "grapples and shoves", "screening", "held actions")


def first_legal(table: ActionTable, state: State, wanted: Iterable[Action]) -> Action | None:
    for one in wanted:
        if table.accepts(state, one):
            return one
    return None


# -- what the screen shows of both games: turns, badges and reminders --------------------------------------------------


def turn(state: State, who: Id) -> str:
    """Return what is left of a turn: `MV`, `M·`, `··`, nothing for the fallen."""
    combatant = state[who]
    if combatant.status != "up":
        return ""
    return ("M" if combatant.left("main") else "·") + ("V" if combatant.left("move") else "·")


def _hp(state: State, who: Id) -> str:
    pool = state[who].pool("hp")
    return f"{pool.now}/{pool.max}"


HP = Column("hp", "HP", 7, _hp, "right", bar="hp", own=True)
TURN = Column("turn", "Turn", 4, turn, priority=2, about="M: Main action left, V: Move left, ·: spent", own=True)


def budget_badge(state: State, who: Id) -> Badge:
    """Return the badge for what is left of a turn."""
    combatant = state[who]
    parts = [word for word in ("Main", "Move") if combatant.left(word.casefold()) > 0]
    return Badge(turn(state, who), f"{' and '.join(parts) or 'nothing'} left", "budget")


def unused_mains(state: State, idle: Callable[[Combatant], bool], rule: str) -> Iterable[Reminder]:
    """Yield a reminder for every unused Main of the phase that runs.

    The idle wait on purpose.
    """
    slot = state.clock.current
    if slot is None or slot.stage != "round":
        return
    for who in slot.members:
        combatant = state.get(who)
        if combatant is not None and combatant.left("main") and not idle(combatant):
            text = f"{combatant.name} has not used the Main action"
            yield Reminder(f"main:{slot.id}:{who}", text, who, rule=rule, lapses=True, unused=True)


def ends_round(state: State) -> bool:
    """Tell whether the round is over after the current phase."""
    clock = state.clock
    return clock.in_round and not any(slot.stage == "round" and slot.stop for slot in clock.upcoming)


def held_turns(state: State, use: Callable[[Id], Action | None], rule: str) -> Iterable[Reminder]:
    """Yield a reminder for every held turn; the end of the round takes it away."""
    for combatant in state.combatants:
        held = combatant.effect("held")
        if held is not None:
            text, lapses = f"{combatant.name} holds a turn", ends_round(state)
            yield Reminder(f"held:{held.id}", text, combatant.id, use(combatant.id), rule, lapses)


def swarming(state: State, prefix: str, rule: str, *, asked: bool) -> Iterable[Reminder]:
    """Yield a reminder for every swarm that has not struck.

    The end of the round takes it away; `asked`: the game asks about it before.
    """
    for combatant in state.combatants:
        for effect in combatant.effects:
            if effect.name == "swarm":
                words = f"{combatant.name}: the swarm has not struck"
                lapses = not asked and ends_round(state)
                yield Reminder(f"{prefix}{effect.id}", words, combatant.id, rule=rule, lapses=lapses)


def dying(
    state: State,
    able: Callable[[Combatant], bool],
    treat: Callable[[Id, Id], Action],
    rule: str,
    reaches: Callable[[Id, Id], bool] = lambda helper, patient: True,
) -> Iterable[Reminder]:
    """Yield a reminder for every dying combatant, in each round with the first aid possible now.

    The dying of the game master are told once, without first aid.
    """
    slot = state.clock.current
    members = [state[who] for who in (slot.members if slot is not None else ()) if who in state]
    for patient in patients(state):
        if state.side_of(patient.id).control == "gm":
            yield Reminder(f"dying:{patient.id}", f"{patient.name} is dying", patient.id, rule=rule)
            continue
        helpers = [one for one in members if one.side == patient.side and one.left("main") and able(one)]
        near = (one for one in helpers if reaches(one.id, patient.id))
        helper = next(near, helpers[0] if helpers else None)
        settle = treat(helper.id, patient.id) if helper is not None and not patient.has(TRIED) else None
        key = f"dying:r{state.clock.round}:{patient.id}"
        yield Reminder(key, f"{patient.name} is dying", patient.id, settle, rule)


# -- the words of the report -------------------------------------------------------------------------------------------


BLOW: dict[str, Any] = {"hits": "strike|hit|catch", "grazes": "graze", "tries": "go for"}
SHARED_WORDS = (
    ActionWords("snap_attack", "attack", **BLOW),
    ActionWords("charge", "attack", **{**BLOW, "tries": "charge"}),
    ActionWords("swarm_join", "silent"),
    ActionWords("total_defense", "guard", does="do nothing but parry", turned="parry", vain="parry in vain"),
    ActionWords("stabilise", "rescue", does="stop the bleeding of {whom}", misses="try in vain to save"),
    ActionWords("run", "move", does="run"),
    ActionWords("stand_up", does="get up"),
    ActionWords("go_prone", does="drop to the ground"),
    ActionWords("shove", does="shove {whom}", fails="try in vain to shove {whom}"),
    ActionWords("grapple", does="grapple with {whom}", fails="try in vain to grapple with {whom}"),
    ActionWords("escape_grapple", does="struggle free", fails="struggle in vain to get free"),
    ActionWords("hold", does="wait for an opening"),
    ActionWords("use_skill", does="use a skill"),
    ActionWords("screen", does="stand before {whom}"),
    ActionWords("other", does="do something else"),
)


def telling(own: tuple[ActionWords, ...], *, unconscious: str, fleeing: str) -> Telling:
    """Return the words of a game: its own actions, its status of those knocked out, its effect of those that flee."""
    return Telling(
        action_words=(*own, *SHARED_WORDS),
        status_words=(
            StatusWords("dead", "dead", by="kill", alone="die"),
            StatusWords("mortal", "down", by="wound {whom} mortally", alone="go down dying"),
            StatusWords(unconscious, "down", by="knock {whom} out", alone="pass out"),
            StatusWords("stable", "saved", by="save", alone="hold on to life"),
            StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
            StatusWords("gone", "gone", by="drive {whom} off", alone="get away"),
        ),
        effect_words=(EffectWords("surprised", "be caught unaware"), EffectWords(fleeing, "lose heart", flees=True)),
        graze=("Shock",),
    )


# -- how a window is answered where no person is asked -----------------------------------------------------------------


ENOUGH = 0.75
"""The share of its points that a Snap Attack has to take on average."""


class Replies(Struct, frozen=True):
    """How a game's windows are answered.

    Attributes:
        power: the action that changes a result.
        shown: the fields of an attack that a Snap Attack takes over.
        threat: the points a combatant takes in a round.
        aims: what each attack of a combatant on another takes, with this added to hit.
        asked: whether a combatant is asked for answers.
    """

    power: str
    shown: tuple[str, ...]
    threat: Callable[[Combatant], float]
    aims: Callable[[State, Id, int, Id], Iterable[Aim]]
    asked: Callable[[State, Id], bool]

    def _ready(self, state: State, combatant: Combatant) -> bool:
        """Tell whether a combatant may answer with its Main action."""
        return combatant.left("main") > 0 and self.asked(state, combatant.id)

    def to(self, state: State, window: Window, tactics: Tactics) -> Answer | None:
        """Return the answer to a window, None to let it pass."""
        for spec in window.offers:
            answer = None if spec.moot or spec.by is None else self._response(state, window, spec, tactics)
            if answer is not None:
                return answer
        return None

    def _response(self, state: State, window: Window, spec: ActionSpec, tactics: Tactics) -> Answer | None:
        who = str(spec.by)
        if spec.key == "snap_attack":
            return None if tactics == "cautious" else self._snap(state, who, str(window.actor))
        if spec.key == self.power:
            wanted = window.actor == who or self._in_danger(state, who, window.actor)
        else:
            defends = spec.key == "total_defense" and tactics != "ruthless" and who in state
            wanted = defends and self._ready(state, state[who]) and self._in_danger(state, who, window.actor)
        return Responded((action(spec.key, who, **dict(spec.fixed)),)) if wanted else None

    def _in_danger(self, state: State, who: Id, attacker: Id | None) -> bool:
        """Tell whether an average hit by an attacker could fell a combatant."""
        other = state.get(attacker)
        return other is not None and who in state and state[who].hp <= 2 * self.threat(other)

    def _snap(self, state: State, who: Id, target: Id) -> Answer | None:
        """Return the best Snap Attack at an enemy if it takes enough, or None."""
        if target not in state or who not in state or not self._ready(state, state[who]):
            return None
        found = self.aims(state, who, MODIFIERS["snap_attack"], target)
        best = max(found, key=lambda aim: aim.taken, default=None)
        if best is None or best.taken < ENOUGH * best.left:
            return None
        fields = {name: value for name, value in best.action.fields if name in self.shown}
        return Responded((action("snap_attack", who, **fields),))
