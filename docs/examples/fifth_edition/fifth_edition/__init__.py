"""Fifth Edition: fights by the rules of the System Reference Document 5.1, which is under CC-BY-4.0 (see NOTICE)."""

from fifth_edition import blocks, places
from fifth_edition.actions import ACTIONS
from fifth_edition.blocks import Being, Place, Switches, derived
from fifth_edition.checks import temp
from fifth_edition.importing import adopt, read_print
from fifth_edition.shorthand import shorthand
from fifth_edition.tactics import policy, reply, unplayed
from fifth_edition.turns import ORDER, join, on_boundary, settle
from tracker import kit
from tracker.kit import ActionWords, At, Badge, Column, Id, Moment, State, Status, StatusWords, Telling, fields, saves
from tracker.kit.squares.setup import GridSetup


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Show what is left of a turn, failed death saves, and the spell that is held."""
    one = state[who]
    left = "".join(
        sign if one.left(part) else "·" for part, sign in (("action", "A"), ("bonus", "B"), ("reaction", "R"))
    )
    feet = f" {one.left('move')}" if one.left("move") else ""
    found = [Badge(left + feet, "action, bonus action, reaction; feet left", "budget")]
    if one.status == "dying":
        failed, held = fields.whole(one.fact("failures")), fields.whole(one.fact("successes"))
        found = [Badge(f"{held}✓ {failed}✗", "death saves: held and failed", "bad")]
    return tuple(found)


def hit_points(state: State, who: Id) -> str:
    more = temp(state, who)
    return f"{state[who].pool('hp').shown}{f' +{more}' if more else ''}"


_USE = {"does": "use {means}[ on {whom}]", "misses": "use {means} on {whom} in vain", "over": "use {means} on"}
TELLING = Telling(
    action_words=(
        *(ActionWords(key, "attack", great="hit {whom} hard") for key in ("attack", "readied_attack", "opportunity")),
        *(ActionWords(key, "attack", **_USE) for key in ("power", "bonus_power", "legendary")),
        ActionWords("guard", "guard", turned="turn it aside with {means}", vain="use {means} in vain"),
        ActionWords("stabilise", "rescue", does="stop the bleeding of {whom}", misses="try in vain to save"),
    ),
    status_words=(StatusWords("stable", "saved", by="save", alone="hold on to life"),),
)

RULESET = kit.Ruleset(
    "fifth_edition",
    "Fifth Edition",
    1,
    kit.Schema(
        (("pc", Being), ("monster", Being)),
        house_rules=Switches,
        setup=GridSetup,
        member=Place,
        derived=blocks.NUMBERS,
        rolled=("attack", "save"),
        pools=blocks.POOLS,
        board="square",
        shorthand=shorthand,
        importer=read_print,
        convert_creature=adopt,
    ),
    ORDER.open_round,
    ACTIONS.actions,
    ACTIONS.form,
    ACTIONS.perform,
    rulebook=kit.rules_beside(__file__),
    columns=(
        Column("hp", "HP", 7, hit_points, bar="hp"),
        Column("ac", "AC", 3, lambda state, who: str(blocks.ac(state, who)), "right"),
    ),
    statuses=(
        Status("up", "up", acts=True),
        Status("dying", "dying", "!"),
        Status("stable", "stable", "~"),
        Status("dead", "dead", "x", takes_part=False),
        Status("gone", "gone", "-", takes_part=False, left=True),
    ),
    moments=(
        Moment("{n} rounds", (At("turn_start", "bearer"),), whole=True),
        Moment("end of the bearer's turn", (At("turn_end", "bearer"),)),
        Moment("start of the source's next turn", (At("turn_start", "source"),)),
        Moment("end of the fight", (At("combat_end"),)),
        Moment("until removed", ()),
        *saves.moments(*blocks.ABILITIES),
    ),
    effects=blocks.EFFECTS,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    windows=ACTIONS.windows,
    derived=derived,
    badges=badges,
    finished=kit.refusals.one_side_left,
    telling=TELLING,
    policy=policy,
    reply=reply,
    unplayed=unplayed,
    out_of_turn=False,
    map=places.MAP.rules(),
)
