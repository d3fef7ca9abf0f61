"""Forms of the game master's actions and of the procedure (6.2)."""

from __future__ import annotations

from rulesets.sword_world.acts.referee import defeated
from rulesets.sword_world.blocks.tables import MOST_CAPACITY, hide_penalty
from rulesets.sword_world.numbers import stats
from rulesets.sword_world.order import opening, zones
from rulesets.sword_world.order.rounds import finished
from tracker.core.fight.state import FIGHT, Id, State
from tracker.core.step.shares import share_fields
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal

__all__ = ["KEYS", "form", "specs"]

KEYS = (
    "start_combat",
    "surprise_attempt",
    "monster_knowledge",
    "end_knowledge",
    "roll_initiative",
    "end_phase",
    "collect_spoils",
    "damage",
    "heal",
    "fall",
    "check",
    "death_check",
    "set_zone",
    "end_zone",
    "move_participant",
    "fuse_zones",
    "status",
    "end_fight",
)
CHECKS = (
    "fortitude",
    "willpower",
    "evasion",
    "accuracy",
    "spellcasting",
    "initiative",
    "hide",
    "danger_sense",
    "monster_knowledge",
)
POOLS = (Option("hp", "HP"), Option("mp", "MP"))
TYPES = (Option("physical"), Option("magical"))


def specs(state: State) -> tuple[ActionSpec, ...]:
    """Return everything the game master can do; of the procedure only what belongs here."""
    found = (form(state, Action(key)) for key in KEYS)
    return tuple(
        spec
        for spec in found
        if spec is not None
        and not (spec.group == "procedure" and spec.refusal is not None and not spec.refusal.forcible)
    )


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the form of an action of the game master's or of the procedure."""
    match action.key:
        case "start_combat":
            metres = Field("distance", "number", "starting distance", default=opening.distance_now(state), minimum=0)
            return _procedure("start_combat", "Start the combat", "SW-001", (metres,), _not_in(state, "setup"))
        case "surprise_attempt":
            return _surprise(state, action)
        case "monster_knowledge":
            return _knowledge(state, action)
        case "end_knowledge":
            return _procedure("end_knowledge", "No more Monster Knowledge", "SW-009", (), _not_in(state, "knowledge"))
        case "roll_initiative":
            people = tuple(Option(one.id, one.name) for one in opening.rollers(state))
            rolls = Field(
                "who", "combatants", "who rolls", default=tuple(option.key for option in people), options=people
            )
            dice = Field("roll_fixed", "flag", "roll 2d in place of fixed values")
            return _procedure(
                "roll_initiative", "Roll Initiative", "SW-011", (rolls, dice), _not_in(state, "initiative")
            )
        case "end_phase":
            return _end_phase(state, action)
        case "collect_spoils":
            people = tuple(Option(one.id, one.name) for one in defeated(state))
            monsters = Field(
                "monsters", "combatants", "defeated", default=tuple(option.key for option in people), options=people
            )
            refusal = _not_in(state, "spoils")
            if refusal is None and state.fact(FIGHT, "spoils_done"):
                refusal = Refusal("collected", "the spoils are collected", "SW-033", forcible=False)
            return _procedure("collect_spoils", "Collect the spoils", "SW-034", (monsters,), refusal)
        case "end_fight":
            refusal = None
            if state.clock.over:
                refusal = Refusal("fight_over", "the fight is over already", forcible=False)
            elif not state.clock.round:
                refusal = Refusal("not_begun", "the fight has not begun", "SW-028")
            reason = Field("reason", "text", default=finished(state) or "")
            return ActionSpec("end_fight", "End the fight", None, "", "SW-029", (reason,), refusal, "game master")
        case _:
            return _referee(state, action)


def _procedure(key: str, label: str, rule: str, fields: tuple[Field, ...], refusal: Refusal | None) -> ActionSpec:
    return ActionSpec(key, label, None, "", rule, fields, refusal, "procedure")


def _not_in(state: State, *phases: str) -> Refusal | None:
    if state.clock.phase in phases and state.clock.at is not None:
        return None
    return Refusal("not_now", f"this belongs to another moment ({' or '.join(phases)})", forcible=False)


def _surprise(state: State, action: Action) -> ActionSpec:
    sides = tuple(Option(side.id, side.name) for side in state.sides)
    named = stats.setup(state).surprise.casefold()
    wanted = next(
        (side.id for side in state.sides if named in (side.id.casefold(), side.name.casefold())),
        sides[0].key if sides else None,
    )
    chosen = action.get("side") if action.get("side") is not None else wanted
    side = str(chosen) if any(option.key == chosen for option in sides) else (sides[0].key if sides else "")
    typed = action.get("distance")
    metres = (
        float(typed) if isinstance(typed, int | float) and not isinstance(typed, bool) else opening.distance_now(state)
    )
    people = [one for one in stats.members(state, stats.camp(state, side)) if stats.able(state, one.id)] if side else []
    movers = tuple(Option(one.id, one.name, refusal=_unreachable(state, one.id, metres)) for one in people)
    fields = (
        Field("side", "choice", default=wanted, options=sides, required=True),
        Field(
            "movers",
            "combatants",
            "who moves in",
            default=tuple(option.key for option in movers if option.refusal is None),
            options=movers,
        ),
        Field(
            "distance",
            "number",
            default=opening.distance_now(state),
            minimum=0,
            note=f"Hide {hide_penalty(metres):+d}" if metres is not None else "",
        ),
        Field("open_ground", "number", "open ground (a penalty such as -2)", default=0, maximum=0),
        Field("bad_ground", "flag", "bad ground or risk of noise"),
        Field("other_modifier", "number", default=0),
    )
    refusal = _not_in(state, "setup", "surprise")
    if refusal is None and state.fact(FIGHT, "surprise_tried"):
        refusal = Refusal("tried", "a surprise attack has been tried", "SW-168", forcible=False)
    return _procedure("surprise_attempt", "Attempt a surprise attack", "SW-168", fields, refusal)


def _unreachable(state: State, who: Id, metres: float | None) -> Refusal | None:
    """Return why somebody cannot take part in a surprise attack: the enemy is out of normal movement (SW-169)."""
    limit = stats.move_limit(state, who, "normal")
    if metres is None or metres <= limit:
        return None
    return Refusal("too_far", f"{state.name(who)} reaches {limit} m, not {metres:g} m", "SW-169")


def _knowledge(state: State, action: Action) -> ActionSpec:
    elsewhere = _not_in(state, "knowledge")
    pairs = opening.to_find_out(state) if elsewhere is None else ()
    characters = tuple(Option(who, state.name(who)) for who in dict.fromkeys(who for who, _ in pairs))
    chosen = (
        action.get("character") if action.get("character") is not None else (characters[0].key if characters else None)
    )
    names = {
        opening.monster_kind(one): one.name if one.ref == "" else stats.block(state, one.id).name
        for one in state.combatants
    }
    kinds = tuple(Option(kind, names[kind]) for who, kind in pairs if who == chosen)
    fields = (
        Field(
            "character",
            "combatant",
            default=characters[0].key if characters else None,
            options=characters,
            required=True,
        ),
        Field("monster", "choice", default=kinds[0].key if kinds else None, options=kinds, required=True),
    )
    refusal = elsewhere
    if refusal is None and not pairs:
        refusal = Refusal("nothing_to_know", "every monster is known or has been tried", "SW-R47", forcible=False)
    return _procedure("monster_knowledge", "Monster Knowledge check", "SW-009", fields, refusal)


def _end_phase(state: State, action: Action) -> ActionSpec:
    left = stats.eligible(state)
    refusal = _not_in(state, "leading", "following")
    if refusal is None and state.clock.over:
        refusal = Refusal("fight_over", "the fight is over", forcible=False)
    if refusal is None and state.clock.acting is not None:
        refusal = Refusal(
            "turn_open", f"the turn of {state.name(state.clock.acting)} is still open", "SW-018", forcible=False
        )
    if refusal is None and left and action.get("pass_remaining") is not True:
        names = ", ".join(state.name(who) for who in left[:4]) + (" ..." if len(left) > 4 else "")
        refusal = Refusal(
            "turns_left",
            f"{names} can still act: tick pass_remaining",
            "SW-018",
            forcible=False,
            field="pass_remaining",
        )
    fields = (Field("pass_remaining", "flag", "whoever is left passes"),)
    return _procedure(
        "end_phase", "End the phase", "SW-022" if state.clock.phase == "following" else "SW-020", fields, refusal
    )


# -- the game master's own ---------------------------------------------------------------------------------------------


def _referee(state: State, action: Action) -> ActionSpec | None:
    people = tuple(Option(one.id, one.name) for one in state.combatants)
    everybody = Field("targets", "combatants", required=True, options=people)
    brawls = tuple(Option(key, zones.zone_name(state, key)) for key, _ in stats.zones(state))
    no_brawl = None if brawls else Refusal("no_brawl", "there is no brawl", "SW-070", forcible=False)
    amount = Field("amount", "number", required=True, minimum=0)
    pool = Field("pool", "choice", default="hp", options=POOLS, required=True)
    match action.key:
        case "damage":
            extra = Field(
                "additional",
                "rows",
                columns=(Field("amount", "number", required=True), Field("type", "choice", options=TYPES)),
            )
            less = Field(
                "reductions",
                "rows",
                columns=(Field("amount", "number", required=True), Field("when", "text", default="any")),
            )
            kinds = (
                Option("calculated", "calculated: Defense and reductions count"),
                Option("direct", "direct: simply taken off"),
            )
            fields: tuple[Field, ...] = (
                amount,
                everybody,
                *share_fields(people),
                Field("type", "choice", default="physical", options=TYPES, required=True),
                pool,
                Field("as", "choice", default="calculated", options=kinds, required=True),
                Field("energy", "text", note="special types, separated by commas"),
                extra,
                less,
            )
            return _own(action.key, "Damage", "SW-118", fields)
        case "heal":
            return _own(
                action.key,
                "Heal",
                "SW-R42",
                (amount, Field("targets", "combatants", required=True, options=_living(state)), pool),
            )
        case "fall":
            absorbed = Field("absorbed", "number", default=0, minimum=0)
            return _own(
                action.key, "Fall", "SW-177", (everybody, Field("metres", "number", required=True, minimum=0), absorbed)
            )
        case "check":
            return _own(action.key, "Check", "SW-050", _check_fields(people))
        case "death_check":
            due = tuple(
                Option(one.id, one.name)
                for one in state.combatants
                if one.fact("death_check_due") and one.status == "unconscious"
            )
            refusal = None if due else Refusal("nobody_due", "nobody owes a Death Check", "SW-160", forcible=False)
            who = Field("who", "combatant", default=due[0].key if due else None, options=due, required=True)
            number = Field("target_number", "number", required=True)
            return _own(
                action.key, "Death Check", "SW-160", (who, number, Field("modifier", "number", default=0)), refusal
            )
        case "set_zone":
            return _own(
                action.key,
                "Make or change a brawl",
                "SW-078",
                _zone_fields(state, action, brawls, people),
                _crowded(state, action),
            )
        case "end_zone":
            first = brawls[0].key if len(brawls) == 1 else None
            return _own(
                action.key,
                "End a brawl",
                "SW-072",
                (Field("zone", "choice", default=first, options=brawls, required=True),),
                no_brawl,
            )
        case "move_participant":
            to = Field(
                "zone", "choice", default="none", options=(Option("none", "out of the brawl"), *brawls), required=True
            )
            return _own(
                action.key,
                "Put into or out of a brawl",
                "SW-080",
                (Field("who", "combatant", options=people, required=True), to),
                no_brawl,
            )
        case "fuse_zones":
            return _fuse(state, action, brawls)
        case "status":
            words = ("conscious", "unconscious", "prone", "fled", "surrendered", "dead", "up")
            status = Field("status", "choice", options=tuple(Option(word) for word in words), required=True)
            return _own(action.key, "Change the status", "SW-029", (everybody, status))
        case _:
            return None


def _own(key: str, label: str, rule: str, fields: tuple[Field, ...], refusal: Refusal | None = None) -> ActionSpec:
    return ActionSpec(key, label, None, "", rule, fields, refusal, "game master")


def _living(state: State) -> tuple[Option, ...]:
    dead = Refusal("dead", "the dead are not healed", "SW-R42")
    return tuple(Option(one.id, one.name, refusal=dead if one.status == "dead" else None) for one in state.combatants)


def _check_fields(people: tuple[Option, ...]) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", options=people, required=True),
        Field("which", "choice", default="fortitude", options=tuple(Option(name) for name in CHECKS), required=True),
        Field("modifier", "number", default=0),
        Field("target_number", "number"),
        Field("roll_fixed", "flag", "roll 2d in place of a fixed value"),
    )


def _zone_fields(
    state: State, action: Action, brawls: tuple[Option, ...], people: tuple[Option, ...]
) -> tuple[Field, ...]:
    key = action.get("zone")
    held = stats.zone(state, key) if isinstance(key, str) and any(option.key == key for option in brawls) else None
    return (
        Field("zone", "choice", default="new", options=(Option("new", "a new brawl"), *brawls), required=True),
        Field("participants", "combatants", default=held.participants if held else None, options=people, required=True),
        Field("radius", "number", default=held.radius if held and held.typed else None, minimum=0),
        Field(
            "capacity",
            "number",
            default=held.capacity if held else zones.fitting_capacity(state),
            minimum=1,
            maximum=MOST_CAPACITY,
        ),
    )


def _crowded(state: State, action: Action) -> Refusal | None:
    key, people, capacity = action.get("zone"), action.get("participants"), action.get("capacity")
    held = stats.zone(state, key) if isinstance(key, str) and state.fact(key, "zone") is not None else None
    if not people and held is not None:
        people = held.participants
    most = (
        int(capacity) if isinstance(capacity, int | float) else held.capacity if held else zones.fitting_capacity(state)
    )
    room = (
        sum(stats.sections(state, str(one)) for one in people if str(one) in state) if isinstance(people, tuple) else 0
    )
    return Refusal("no_room", f"{room} sections do not fit into {most}", "SW-075") if room > most else None


def _fuse(state: State, action: Action, brawls: tuple[Option, ...]) -> ActionSpec:
    chosen = action.get("zones")
    keys = (
        tuple(str(key) for key in chosen)
        if isinstance(chosen, tuple) and chosen
        else tuple(option.key for option in brawls[:2])
    )
    room = sum(stats.occupancy(state, stats.zone(state, key)) for key in keys if state.fact(key, "zone") is not None)
    typed = action.get("capacity")
    most = zones.fitting_capacity(state)
    refusal = None if len(brawls) > 1 else Refusal("no_brawls", "it takes two brawls to fuse", "SW-092", forcible=False)
    if refusal is None and room > (int(typed) if isinstance(typed, int | float) else most):
        refusal = Refusal("no_room", f"{room} sections do not fit into one zone", "SW-R21")
    fields = (
        Field(
            "zones",
            "choices",
            default=keys if len(keys) == 2 else None,
            options=brawls,
            minimum=2,
            maximum=2,
            required=True,
        ),
        Field("radius", "number", default=None, minimum=0, note=f"the guide says {zones.guide_radius(state, room):g}"),
        Field("capacity", "number", default=most, minimum=1, maximum=MOST_CAPACITY),
    )
    return _own("fuse_zones", "Fuse two brawls", "SW-092", fields, refusal)
