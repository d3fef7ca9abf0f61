"""What is on offer: the specification of every action, with what forbids it (section 6)."""

from __future__ import annotations

from rulesets.githack.acts import gm_actions, monster_actions, pc_actions
from rulesets.githack.blocks.canonical import ABILITIES
from rulesets.githack.blocks.tables import STANCES
from rulesets.githack.numbers import stats
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal
from tracker.core.terms.values import Value

__all__ = ["actions", "form", "perform", "policy"]

_LABELS = {
    "attack": ("Attack", "main", "GH-004"),
    "strike": ("Strike", "main", "GH-210"),
    "hide": ("Hide", "main", "GH-016"),
    "pull_off": ("Pull off", "main", "GH-073"),
    "stabilise": ("Stabilise", "main", "GH-123"),
    "device": ("Use a device", "main", "GH-220"),
    "cast": ("Cast", "main", "GH-127"),
    "interact": ("Interact", "main", "GH-002"),
    "talk": ("Talk", "main", "GH-215"),
    "observe": ("Observe", "main", "GH-217"),
    "move": ("Move a little", "", "GH-002"),
    "shout": ("Shout", "", "GH-002"),
    "stance": ("Take up a stance", "", "GH-204"),
    "wait": ("Wait for the slow", "", "GH-019"),
    "special": ("Special", "turn", "GH-060"),
    "other": ("Something else", "turn", "GH-002"),
}
_PC = (
    "attack",
    "hide",
    "pull_off",
    "stabilise",
    "interact",
    "device",
    "cast",
    "talk",
    "observe",
    "move",
    "shout",
    "stance",
    "wait",
)
_MONSTER = ("attack", "special", "other")
_STANCE_FOR = {
    "hide": "flank",
    "device": "device",
    "cast": "device",
    "interact": "device",
    "talk": "talk",
    "observe": "observe",
}
_FREE = ("move", "shout", "stance", "wait")
_EDGES = tuple(Option(edge) for edge in ("none", "advantage", "disadvantage"))


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    """Return everything somebody can do or is refused; for None the referee's."""
    if by is None:
        return tuple(gm_actions.form(state, Action(key)) for key in gm_actions.KEYS)
    keys = _PC if stats.is_pc(state[by]) else _MONSTER
    specs = (form(state, Action(key, by)) for key in keys)
    return tuple(spec for spec in specs if spec is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the specification of an action as far as it is filled in; None: it is none of this game's."""
    if action.by is None:
        return gm_actions.form(state, action) if action.key in gm_actions.KEYS else None
    pc = stats.is_pc(state[action.by])
    if action.key not in (*_PC, "strike") if pc else action.key not in _MONSTER:
        return None
    label, cost, rule = _LABELS[action.key]
    fields = _pc_fields(state, action) if pc else _monster_fields(state, action)
    refusal = _pc_refusal(state, action) if pc else _monster_refusal(state, action)
    return ActionSpec(
        action.key,
        label,
        action.by,
        "turn" if not pc else cost,
        rule,
        fields,
        refusal,
        "order" if action.key == "wait" else "PC" if pc else "monster",
    )


def perform(ctx: Ctx, action: Action) -> None:
    """Do an action whose form has been accepted."""
    if action.by is None:
        gm_actions.perform(ctx, action)
        return
    table = pc_actions.PERFORM if stats.is_pc(ctx.state[action.by]) else monster_actions.PERFORM
    table[action.key](ctx, action)


def _ability(default: str, name: str = "ability", also: tuple[str, ...] = ()) -> Field:
    listed = (default, *(ability for ability in ABILITIES if ability != default)) if default in ABILITIES else ABILITIES
    return Field(
        name, "choice", default=default, required=True, options=tuple(Option(word) for word in (*also, *listed))
    )


def _edge(name: str = "edge", label: str = "", note: str = "") -> Field:
    return Field(name, "choice", label, "none", _EDGES, note=note)


def _pc_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    block = stats.pc(state, who)
    note = f"Backgrounds: {', '.join(block.backgrounds)}" if block.backgrounds else ""  # GH-106
    text = Field("text", "text")
    match action.key:
        case "attack" | "strike":
            weapons = stats.weapons(state, who)
            chosen = next((weapon for weapon in weapons if weapon.name == action.get("weapon")), weapons[0])
            dice = tuple(
                Option(weapon.name, f"{weapon.name} {weapon.dice}" if weapon.dice.terms else weapon.name)
                for weapon in weapons
            )
            return (
                Field("target", "combatant", required=True, options=_monster_options(state)),
                Field("weapon", "choice", default=weapons[0].name, required=True, options=dice),
                _ability(chosen.attack_with or block.attack_with),
                _edge(label="Advantage", note=note),
                Field("in_range", "flag", "in range", True),
            )
        case "hide":
            return (_ability("dex"), _edge(label="Advantage", note=note))
        case "pull_off":
            stuck = stats.among(combatant for combatant in stats.monsters(state) if stats.stuck_to(state, combatant.id))
            return (
                Field("monster", "combatant", required=True, options=stuck),
                _ability("str"),
                _edge(label="Advantage", note=note),
            )
        case "stabilise":
            allies = stats.among(combatant for combatant in stats.pcs(state) if stats.dying(combatant))
            return (
                Field("ally", "combatant", required=True, options=allies),
                _ability("wis"),
                _edge(label="Advantage", note=note),
            )
        case "talk":
            return (text, _ability("cha", also=("none",)), _edge(label="Advantage", note=note))
        case "device" | "cast" | "interact":
            return (text, _ability("none", also=("none",)), _edge(label="Advantage", note=note))
        case "observe":
            allies = stats.among(combatant for combatant in stats.pcs(state) if combatant.id != who)
            what = Field("what", "choice", default="ready", required=True, options=(Option("ready"), Option("warn")))
            return (what, Field("ally", "combatant", options=allies, required=action.get("what") == "warn"))
        case "stance":
            wards = stats.among(combatant for combatant in stats.pcs(state) if combatant.id != who)
            stances = tuple(
                Option(name, f"{name} ({stance.ability})", refusal=_crowded(state, who, name))
                for name, stance in STANCES.items()
            )
            return (
                Field("stance", "choice", required=True, options=stances),
                Field("ward", "combatant", options=wards),
                Field("place", "text", "or a place"),
            )
        case "move" | "shout":
            return (text,)
        case _:
            return ()


def _monster_options(state: State) -> tuple[Option, ...]:
    return stats.among(combatant for combatant in stats.monsters(state) if combatant.status == "up")


def _crowded(state: State, who: Id, name: str) -> Refusal | None:
    """Refuse a stance whose limit is reached (GH-223)."""
    limit = stats.setup(state).stance_limits.get(name)
    holders = [
        combatant
        for combatant in stats.pcs(state)
        if combatant.id != who and combatant.status == "up" and combatant.fact("stance") == name
    ]
    if limit is None or len(holders) < limit:
        return None
    return Refusal("stance_limit", f"there is room for {limit} in {name}", "GH-223")


def _pc_refusal(state: State, action: Action) -> Refusal | None:
    who, key = str(action.by), action.key
    combatant = state[who]
    if key == "strike":
        able = stats.stance(state, who) == "defend" and stats.acts(combatant) and combatant.left("main") > 0
        return None if able else Refusal("no_strike", f"{combatant.name} has no strike left", "GH-210")
    return _not_now(state, combatant, key) or _stance_forbids(state, combatant, action) or _case(state, action)


def _swings(state: State, combatant: Combatant, key: str) -> bool:
    """Tell whether a PC who cannot act may still swing: in Pursuit, unless dead (GH-207, A31)."""
    return (
        key == "attack"
        and stats.rules(state).stances
        and combatant.fact("stance") == "pursuit"
        and stats.falling(state, combatant)
    )


def _not_now(state: State, combatant: Combatant, key: str) -> Refusal | None:
    slot, name = state.clock.current, combatant.name
    if state.clock.over:
        return Refusal("fight_over", "the combat is over", "GH-010", forcible=False)
    if not stats.acts(combatant) and not _swings(state, combatant, key):
        return Refusal(
            "unable",
            f"{name} is {stats.blocked(combatant) or combatant.status}",
            "GH-121" if combatant.status != "up" else "GH-A18",
        )
    if slot is None or slot.phase not in ("fast", "slow"):
        return Refusal("wrong_phase", "PCs act in the fast and the slow phase, after initiative", "GH-013")
    if combatant.id not in slot.members:
        return Refusal("wrong_phase", f"{name} acts in the other phase", "GH-014" if slot.phase == "fast" else "GH-013")
    if key in ("move", "shout"):
        return None
    if not combatant.left("main"):
        return Refusal("no_action_left", f"{name} has used the main action of this round", "GH-A22")
    if stats.rules(state).pc_order == "strict":
        first = next(
            (member for member in slot.members if state[member].left("main") and stats.acts(state[member])), None
        )
        if first not in (None, combatant.id) and key != "stance":
            return Refusal("not_your_turn", f"{state.name(first)} comes first", "GH-018")
    return None


def _stance_forbids(state: State, combatant: Combatant, action: Action) -> Refusal | None:
    key = action.key
    if not stats.rules(state).stances:
        return Refusal("no_stances", "stances are switched off", "GH-011") if key in ("stance", "observe") else None
    held = stats.stance(state, combatant.id)
    if key in _FREE:
        return None
    if not held:
        return Refusal("no_stance", f"{combatant.name} has to take up a stance first", "GH-204")
    if key == "attack":
        if not STANCES[held].attack:
            return Refusal("stance", f"no attack in {held}", "GH-206")
        if held == "flank" and not combatant.has("hidden"):
            return Refusal("not_hidden", "an attack in Flank needs an unseen position", "GH-213")
        if combatant.has("spoiled_turn"):
            return Refusal("spoiled", "the enemy has spotted this attack", "GH-214")
        return None
    wanted = _STANCE_FOR.get(key)
    return (
        Refusal("stance", f"{_LABELS[key][0]} needs the stance {wanted}", "GH-204")
        if wanted and held != wanted
        else None
    )


def _case(state: State, action: Action) -> Refusal | None:
    match action.key:
        case "attack" if action.get("in_range", True) is False:
            return Refusal("out_of_range", "the target is out of range", "GH-004")
        case "wait" if state.clock.phase != "fast":
            return Refusal("wrong_phase", "only the fast can wait", "GH-019")
        case _:
            return None


def _monster_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    block = stats.monster(state, who)
    saves = tuple(Option(word) for word in ("usual", "ask", *ABILITIES))
    save_fields = (
        Field("save_ability", "choice", "save with", "usual", saves),
        _edge("save_edge", "Advantage on saves"),
    )
    if action.key == "other":
        return (
            Field(
                "what",
                "choice",
                default="move",
                required=True,
                options=(Option("move"), Option("flee"), Option("talk")),
            ),
            Field("text", "text"),
        )
    host = stats.stuck_to(state, who)
    people = (
        tuple(
            _target(state, combatant, host, action) for combatant in _by_attention(state) if stats.in_fight(combatant)
        )
        or stats.NOBODY
    )
    if action.key == "special":
        own = [special for special in stats.specials(state, who) if special.when == "instead_of_attack"]
        options = tuple(
            Option(special.name, _special_label(state, who, special.name), refusal=_spent(state, who, special.name))
            for special in own
        )
        chosen = next(
            (special for special in own if special.name == action.get("special", own[0].name if own else "")), None
        )
        most = None if chosen is not None and chosen.area else 1
        targets = Field("targets", "combatants", required=True, minimum=1, maximum=most, options=people)
        return (
            Field("special", "choice", default=own[0].name if own else None, required=True, options=options),
            targets,
            *save_fields,
        )
    modes = tuple(
        Option(mode.name, f"{mode.name} {' '.join(str(part.dice) for part in mode.parts)}".strip())
        for mode in block.attacks
    )
    most = None if stats.rules(state).monster_targets == "many" and host is None else 1
    usual: Value = (host,) if host is not None else ()
    return (
        Field("targets", "combatants", default=usual, required=True, minimum=1, maximum=most, options=people),
        Field("mode", "choice", default=block.attacks[0].name if block.attacks else None, required=True, options=modes),
        Field("defence", "choice", "defend with", "usual", tuple(Option(word) for word in ("usual", *ABILITIES))),
        _edge(label="Advantage on defence"),
        *save_fields,
        Field("undefended", "flag", "no defence", note="the stuck, paralysed and incapacitated have none anyway"),
        Field("spotted", "flag", "spots the hidden"),
    )


def _by_attention(state: State) -> tuple[Combatant, ...]:
    """Return the PCs as monsters turn to them: engage, wait, avoid (GH-202); without stances in roster order."""
    if not stats.rules(state).stances:
        return stats.pcs(state)
    held = {combatant.id: STANCES.get(stats.stance(state, combatant.id)) for combatant in stats.pcs(state)}

    def priority(combatant: Combatant) -> int:
        stance = held[combatant.id]
        return 4 if stance is None else stance.priority

    return tuple(sorted(stats.pcs(state), key=priority))


def _target(state: State, combatant: Combatant, host: Id | None, action: Action) -> Option:
    refusal = None
    if host is not None and combatant.id != host:
        refusal = Refusal("stuck", f"it sticks to {state.name(host)}", "GH-073")
    elif combatant.has("hidden") and action.key == "attack" and action.get("spotted") is not True:
        refusal = Refusal("hidden", f"{combatant.name} is hidden", "GH-A32")
    return Option(combatant.id, combatant.name, refusal=refusal)


def _special_label(state: State, who: Id, name: str) -> str:
    special = next(special for special in stats.specials(state, who) if special.name == name)
    left = stats.uses_left(state, who, special)
    return name if left is None else f"{name} ({left} left)"


def _spent(state: State, who: Id, name: str) -> Refusal | None:
    special = next(special for special in stats.specials(state, who) if special.name == name)
    if special.dice is None and special.review and not special.effect:
        return Refusal("no_dice", f"{name} has no dice yet: edit the stat block", "GH-311")
    if stats.uses_left(state, who, special) == 0:
        return Refusal("no_uses", f"{name} is used up in this combat", "GH-069")
    return None


def _monster_refusal(state: State, action: Action) -> Refusal | None:
    combatant = state[str(action.by)]
    slot = state.clock.current
    if state.clock.over:
        return Refusal("fight_over", "the combat is over", "GH-010", forcible=False)
    if not stats.acts(combatant):
        return Refusal(
            "unable",
            f"{combatant.name} is {stats.blocked(combatant) or combatant.status}",
            "GH-017" if combatant.status != "up" else "GH-A18",
        )
    if slot is None or slot.phase != "monsters" or combatant.id not in slot.members:
        return Refusal("wrong_phase", "monsters act between the fast and the slow PCs", "GH-015")
    if not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} has acted in this round", "GH-A22")
    block = stats.monster(state, combatant.id)
    if action.key == "attack" and not block.attacks:
        return Refusal("no_attack", f"{combatant.name} has no attack", "GH-026", forcible=False)
    if action.key == "special" and not any(
        special.when == "instead_of_attack" for special in stats.specials(state, combatant.id)
    ):
        return Refusal(
            "no_special", f"{combatant.name} has nothing to use instead of an attack", "GH-060", forcible=False
        )
    return None


def policy(state: State, who: Id) -> Action:
    """Choose plainly: attack the first who can be attacked, else pass."""
    spec = form(state, Action("attack", who))
    field = (
        spec.field("target" if stats.is_pc(state[who]) else "targets")
        if spec is not None and spec.refusal is None
        else None
    )
    option = next((option for option in field.options if option.refusal is None), None) if field is not None else None
    if field is None or option is None:
        return Action("end_phase")
    return Action("attack", who).put(**{field.name: option.key if field.kind == "combatant" else (option.key,)})
