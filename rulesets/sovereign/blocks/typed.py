"""What may be typed in Sovereign's files, and what each key means."""

from __future__ import annotations

from rulesets.without_number.blocks import MODIFIERS, SKILL_WORDS
from tracker.core.game.typed import Key, Short, Typed, usual

_ALL = "pc or henchman or npc or monster"
_SHOCK = r"\d+\s*/\s*(AC\s*)?(\d+|-|–|—|none)|[Nn]one|-"

_MEANS = {
    "pc or henchman or npc or monster": {
        "kind": (
            "`pc` and `henchman` have attributes, skill levels and a level; `npc` and `monster` have Hit Dice and"
            " one number for all skills. By the list it stands in if it is not typed"
        ),
        "named": "lies dying at 0 hit points instead of being dead; `true` for a PC and a henchman",
        "level": "of a PC or henchman: for the Physical save",
        "hd": (
            "Hit Dice of an NPC or monster: hit points, attack bonus and save follow from them; of `2+1` the 2 counts"
        ),
        "hit_dice": "what is rolled for hit points where `hp` is missing; from `hd`",
        "hp": "hit points, a number or dice; required for a PC and a henchman, else one d8 for each Hit Die",
        "hp_now": "present hit points, as many as `hp` if it is not typed; a present 0 starts stable and prone",
        "ac": "one Armor Class for everything, the shield included",
        "shield": "ignores the first Shock of each round",
        "speed": "feet of one Move",
        "attack_bonus": "part of every attack roll; 0 for a PC and a henchman, else the Hit Dice",
        "attributes": "modifiers of a PC or henchman, not scores: `{str: 1, dex: -1}`",
        "skills": "levels of a PC or henchman: `{stab: 1, shoot: 0}`; what is not listed is −1",
        "skill": "of an NPC or monster: one number for every check it makes or opposes; not for attack rolls",
        "physical": (
            "target of the Physical save, or `saves: {physical: 13}`; if it is not typed 16 − level − the better "
            "of STR and CON, for an NPC 15 − half its Hit Dice"
        ),
        "space": "squares along one side: 2 is a footprint of 2 x 2",
        "size_ft": (
            "length, width and height in feet, 5 for each square of `space` if it is not typed; eight times "
            "another in one of them wades through its squares"
        ),
        "handling": "−2 or −4 for those who shove or grapple it",
        "disciplined": "may make Snap Attacks; `true` for a PC and a henchman",
        "morale": "`fearless`: never asked about retreat",
        "group": (
            "those whose losses are counted together; if it is not typed the side, for henchmen the henchmen of "
            "the side"
        ),
        "multiattack": "attacks in one Melee or Ranged Attack, each at a target of its own",
        "healers_kit": "has what it takes to stabilise the dying",
        "veterans_luck": "how often in a fight a miss may become a hit, or a hit on it a miss",
        "dual_wield": "the names of two of its attacks, wielded together: `[Sword, Dagger]`",
        "frail": "dies at the next 0 hit points",
        "features": (
            "feats that touch combat, see [Features](#features); the yes-or-no ones may also stand in the block itself"
        ),
        "attacks": (
            "ways to attack, see [Attacks](#attacks); bare hands (1d2) are always there unless one of them is `unarmed`"
        ),
        "atk": "attack bonus as it is printed, with the attacks in one Main action",
        "saves": "its `physical` is the one save of this game",
        "size": "short for `handling`: `human`, `large` or `beast`",
        "fate": "`mortal`: short for `named: true`",
        "instants": "Instant powers of the sister game; those that turn a miss into a hit are Veteran's Luck",
        "cannot_be_surprised": "is never surprised",
        "shock_immune": "takes no Shock",
        "disengage_free": "disengages without an action",
    },
    "Mods": MODIFIERS,
    "Features": {
        "initiative_bonus": "added to the side's initiative; of several the best counts",
        "cannot_be_surprised": "acts in round 0 though its side is surprised, and cannot be executed",
        "shock_immune": "takes no Shock, but that of a swarm",
        "disengage_free": "Disengage is a Free Action",
        "screen_bonus": "added to its side of a check against a screen",
        "screen_extra": "so many more attackers blocked in a round",
    },
    "Arm": {
        "damage": "the weapon's dice without modifiers; complete where `to_hit` is typed",
        "use": "`melee`, `ranged`, `thrown`, `unarmed`, or several: `[melee, thrown]`",
        "skill": "what it is used with; if it is not typed `stab` in melee, `shoot` from afar, `brawl` unarmed",
        "attribute": (
            "what the wielder may add to hit, damage and Shock, the better one by itself: `STR/DEX`; `str` in the"
            " hand, `dex` for shots and throws"
        ),
        "magic": "added to hit, damage and Shock",
        "damage_bonus": "added to damage: feats, Killing Blow",
        "shock": "Shock, such as `2/15`",
        "shock_bonus": "added to Shock, by what says so",
        "reach": "feet a blow extends: 10 for long weapons",
        "range": "`[50, 300]` or `50/300`: normal and farthest in feet; needed for shots and throws",
        "hands": "2: a ranged weapon is useless with an enemy beside one",
        "reload": "empty after each shot, see below",
        "natural": "fangs and claws: armed with them, and usable in a grapple",
        "to_hit": "the complete bonus, as books print it; then `damage` and `shock` are complete too",
        "traits": "short notes such as `LL`, without effect",
    },
    "Shock": {
        "points": "harm of a miss, before modifiers",
        "ac": "the highest AC it reaches; none (`-`): any",
    },
    "switches": {
        "initiative_ties": "whose side goes first on equal totals: the GM's or the players'",
        "opposed_checks": "against 8 and the opponent's modifiers, or both roll and the tie is lost",
        "aoo_limit": (
            "Attacks of Opportunity of one foe: once for an action, each time its reach is left, or once a round"
        ),
        "disengage_scope": "Disengage holds against everybody, or only against those who were adjacent",
        "hit_floor": "a hit does at least the listed Shock, or only the Shock that a miss would have done",
        "swarm_allies": "how many may join the first assailant of a swarm",
        "charge_penalty_until": "how long the −2 AC of a Charge lasts",
        "crossbow_untrained": "what loading a crossbow costs without Shoot 1",
        "natural_20": "`auto`: a natural 20 hits and a natural 1 misses",
        "grapple_escape": "one check has to beat all holders, or frees from each it beats",
        "morale_prompts": "`false`: retreat is never asked about",
        "split_move": "the rest of a Move may be run after another action",
        "interrupted_action": (
            "what an Instant has made impossible is lost, or its price comes back (not a Move already run, nor an"
            " attack already made)"
        ),
        "mortal_injury": "`false`: 0 hit points is only down, without dying and without Frail",
    },
    "set-up": {
        "grid": "the map, row by row, one sign for each square of 5 feet; without it the forms ask for distances",
        "legend": (
            'further signs: `{"T": wall, "w": difficult}`; known without it: `.` open, `#` wall, `~` difficult, '
            "`o` chasm"
        ),
        "elevation": 'heights in feet by column and row: `{"0-5,0": 10, "3,4": 5}`',
        "friendly": "sides that are friends: `[[Party, Guards]]`; all others are hostile to one another",
        "wait": "stay in set-up until `n`, for executions and checks before the fight",
    },
    "side": {
        "surprised": "what the question about surprise starts with",
        "anticipating": "expects combat: cannot be surprised",
        "careful": "moves carefully: cannot be ambushed, but burst in upon",
        "unaware": "suspects nothing at all: open to executions before the fight",
    },
    "member": {
        "at": "a square, column and row from the north-west, such as `[3, 4]`, or a list with one for each copy",
        "engaged": "whom it is in melee with where no map tells it, by id or name",
        "unaware": "this one suspects nothing",
    },
}

_KEYS = (
    Key(_ALL, "hp", "number or dice", like=("9", "2d8+1")),
    Key("pc", "hp", "number or dice", like=("9",), needed=True),
    Key("henchman", "hp", "number or dice", like=("9",), needed=True),
    Key(_ALL, "kind", "stored"),
    Key(_ALL, "ac", "number or text or numbers", r"[+-]?\d+.*", ("14", "15a")),
    Key(_ALL, "hd", "number or text", r"\d{1,3}.*", ("2", "2+1")),
    Key(_ALL, "atk", "number or text", r"[+-]?\d+(\s*[x×]\s*\d+)?", ("+4", "+4 x2")),
    Key(_ALL, "attack_bonus", "number or text", r"[+-]?\d+"),
    Key(_ALL, "physical", "number"),
    Key(_ALL, "saves", "numbers", like=("{physical: 12}",)),
    Key(_ALL, "skills", "numbers or list", like=("{stab: 1, notice: 0}",)),
    Key(_ALL, "size_ft", "list or number"),
    Key(_ALL, "size", "text", r"human|large|beast"),
    Key(_ALL, "fate", "text", r"mortal|dead"),
    Key(_ALL, "instants", "list"),
    Key(_ALL, "cannot_be_surprised", "flag"),
    Key(_ALL, "shock_immune", "flag"),
    Key(_ALL, "disengage_free", "flag"),
    Key(_ALL, "attacks", "list of Arm/text or text", like=("[Sword, {name: Claw, damage: 1d6}]",)),
    Key(_ALL, "dual_wield", "words", like=("[Short sword, Dagger]",)),
    Key("Arm", "damage", "dice", needed=False),
    Key("Arm", "use", "stored or text", r"\w+(\s*/\s*\w+)*", ("melee", "[melee, thrown]")),
    Key("Arm", "attribute", "stored or text", r"\w+(\s*/\s*\w+)*", ("str/dex",)),
    Key("Arm", "skill", "stored or text", r"punch"),
    Key("Arm", "shock", "Shock or text or nothing", _SHOCK, ("2/15", "5/-")),
    Key("Arm", "range", "list or text or nothing", r"\d+\s*/\s*\d+|none|-", ("50/300", "[50, 300]")),
)

_STARTER = {
    "pc": """\
hp: 9
ac: 13
attack_bonus: 1
attributes: {str: 1}
skills: {stab: 1}
attacks: [Short sword]
""",
    "monster": """\
hd: 1
ac: 12
atk: +1
attacks:
  - {name: Claw, damage: 1d6}
""",
}

TYPED = Typed(
    means=_MEANS,
    keys=_KEYS,
    starter=_STARTER,
    also=(
        (_ALL, "ab", "attack_bonus"),
        (_ALL, "mods", "attributes"),
        (_ALL, "weapons", "attacks"),
        (_ALL, "move", "speed"),
        (_ALL, "immune_to_surprise", "cannot_be_surprised"),
        (_ALL, "save", "physical"),
        ("Arm", "dmg", "damage"),
        ("Arm", "attr", "attribute"),
        ("Arm", "kind", "use"),
    ),
    short=(
        Short("pc", "{hp: 9, ab: 1, mods: {str: 1}, move: 30}", "`attack_bonus`, `attributes` and `speed`"),
        Short("pc", "{hp: 9, weapons: [Sword]}", "`attacks`; a name of the printed list is enough"),
        Short("pc", "{hp: 9, skills: {stab: 1, punch: 0}}", "`punch` is `brawl` here"),
        Short(
            "pc",
            "{hp: 9, attacks: [{name: Sword, dmg: 1d8, attr: str/dex, kind: melee}]}",
            "`damage`, `attribute`, `use`",
        ),
        Short("pc", "{hp: 9, saves: {physical: 12}}", "`physical`"),
        Short("monster", "atk: +4 x2", "attack bonus and attacks in one Main action"),
        Short("monster", "hp: 2d8+1", "dice for hit points"),
        Short("monster", "hd: 2+1", "its leading number"),
        Short("monster", "fate: mortal", "`named: true`"),
        Short("monster", "size: large", "`handling: clearly_larger_humanoid`"),
        Short("monster", "cannot_be_surprised: true", "a feature beside the other keys"),
    ),
    words=usual(
        {
            **SKILL_WORDS,
            "morale": "ml",
            "speed": "movement",
            "attacks": "attack weapon",
            "brawl": "fight",
        },
        "hp ac",
    ),
)
