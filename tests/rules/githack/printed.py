"""Stat blocks as old books print them, and what each has to be read as."""

from __future__ import annotations

from typing import Any

__all__ = ["FORMATS"]

APE = "**Ape,White**: AC6[13],HD4,2×claw(1d4)/rock(1d6),THAC0 16[+3],MV120',F2,ML7,N,XP75,1d6/2d4,None"
HUNTER = "Att 1 × nailfitted clubs (1d4) or 1 x blowguns (1d2 + poison) or 1 x molotov (bodyguards)"
TAIL = "THAC0 19 [0], MV 60’ (20’), SV D14 W15 P16 B17 S18 (NH), ML 8, AL Chaotic"
BREATH = (
    "Breath weapon up to 3 times in combat deals 5d8 damage from a corrosive cloud over a wide area "
    "(save to reduce number of dice)."
)
JELLY = (
    "AC 1, HP 20, Damage 2d8 (acid). After a successful hit it sticks to the target "
    "and will continue to deal damage unless removed. "
    "Jellies that stick will destroy 1 point of AC per round, at the start of each round before initiative is rolled."
)
DCC = "Init +0; Atk bite +6 melee; Dmg 1d8; AC 13; HP 21; MV 20’; Act 1d20; SV Fort +8, Ref +4, Will +4; AL L."

# name, typed keys (a text is a stat line), AC, hit points or hit dice (with the printed average), dice of the modes,
# drafts, a kept note
FORMATS: tuple[tuple[str, Any, int, str, str, tuple[str, ...], str], ...] = (
    ("F01", "Goblin: AC2, HD1d6, Damage: knife(1d6), Overwhelm", 2, "1d6", "6", (), "Overwhelm"),
    (
        "F02",
        "Cockatrice: AC5, HD5d6, Damage: beak(1d10+Petrification)",
        5,
        "5d6",
        "10",
        ("petrification harm con/cha",),
        "",
    ),
    (
        "F03",
        "Ghoul: AC6, HD2d8, Damage: claws(1d6/1d6),bite(1d8*Disease), Unpredictable & Fast",
        6,
        "2d8",
        "6,6 | 8",
        ("disease wound con on bite",),
        "Unpredictable & Fast",
    ),
    ("F04", f"AC 7 [12], HD 1/2, {HUNTER}, {TAIL}", 2, "1d4", "4 // 2 // ", ("poison harm con",), "ML 8"),
    (
        "F05",
        "AC 8 [11], HD 3* (13hp), Att 1 × touch (2d8), THAC0 17 [+2], MV 10’ (3’), "
        "SV D12 W13 P14 B15 S16 (2), ML 12, AL Neutral, XP 50.",
        1,
        "3d8 (13)",
        "8,8",
        (),
        "XP 50",
    ),
    (
        "F06",
        "26 Skeletons: AC 7 [12], HD 1 (4hp each), Att 1 × rusty weapon (1d6), THAC0 19 [0], ML 12, AL Chaotic",
        2,
        "1d8 (4)",
        "6",
        (),
        "26 in print",
    ),
    (
        "F07",
        "Armour Class 6 [13]\nHit Dice 2* (9hp)\nAttacks 2 × claw (1d3 + paralysis), 1 × bite (1d3 + paralysis)",
        3,
        "2d8 (9)",
        "3,3 | 3",
        ("paralysis harm con/str paralysed",),
        "",
    ),
    (
        "F08",
        "1 [18] / 8**(36hp) / [2 × claw (1d6), 1 × bite (3d8)] or breath",
        8,
        "8d8 (36)",
        "6,6 | 8,8,8",
        ("breath instead_of_attack con/dex",),
        "",
    ),
    (
        "F09",
        {"ac": "5 [14]", "hd": "5 to 12 (8hp per HD)", "attacks": "5 to 12 × bite (1d10)", "choices": {"hd": 7}},
        4,
        "56",
        ",".join(["10"] * 7),
        (),
        "",
    ),
    (
        "F10",
        "4 [15] / 6+1**(28hp) / 1 × bite (1d10 + petrification), 1 × gaze (petrification)",
        5,
        "6d8+1 (28)",
        "10 | ",
        ("gaze (petrification) instead_of_damage con/cha on gaze", "petrification harm con/cha on bite"),
        "",
    ),
    ("F11", APE, 3, "4d8", "4,4 // 6", (), "ML 7,N"),
    (
        "F12",
        "**Troll**: AC4[15],HD6+3*,2×talon(1d6)+bite(1d10),THAC0 13[+6],...",
        5,
        "6d8+3",
        "6,6 | 10",
        (),
        "THAC0 13[+6]",
    ),
    (
        "F13",
        "**Kobold**: AC7[12],HD½,wpn(1d4-1),THAC0 19[0],...",
        2,
        "1d4",
        "4",
        (),
        "damage 1d4-1 wpn: the add is no die (switch damage_adds)",
    ),
    (
        "F14",
        {
            "ac": "14",
            "hd": "2*",
            "attacks": "2 claws, 1 bite",
            "damage": "1d4 claw, 1d4 bite, all plus paralysis",
            "system": "bfrpg",
        },
        3,
        "2d8",
        "4,4 | 4",
        ("paralysis harm con/str paralysed",),
        "",
    ),
    (
        "F15",
        {"ac": "14 (11)", "hd": "1-1", "attacks": "1 weapon", "damage": "1d6 or by weapon", "system": "bfrpg"},
        3,
        "1d8-1",
        "6",
        (),
        "AC 0 without armour",
    ),
    (
        "F16",
        {"ac": "12", "hd": "3*", "attacks": "1 pseudopod", "damage": "2d8", "system": "bfrpg"},
        1,
        "3d8",
        "8,8",
        (),
        "",
    ),
    (
        "F17",
        {
            "ac": "15 (m)",
            "hd": "4**",
            "attacks": "2 claws, 1 bite, 1 horn",
            "damage": "1d4 claw, 1d6 bite, 1d4 horn",
            "system": "bfrpg",
        },
        4,
        "4d8",
        "4,4 | 6 | 4",
        (),
        "AC: (m)",
    ),
    (
        "F18",
        "Hit Dice: 2+2\nArmor Class: 7 [12]\nAttacks: 1 touch (1d4 + Str drain)",
        2,
        "2d8+2",
        "4",
        ("Str drain harm wis",),
        "",
    ),
    (
        "F19",
        "Hit Dice: 1\nArmor Class: 4 [15]\nAttacks: War hammer (1d4+1)",
        5,
        "1d8",
        "4",
        (),
        "damage 1d4+1 War hammer: the add is no die (switch damage_adds)",
    ),
    (
        "F20",
        {"stat_line": "Armor Class: 6\nHit Dice: 4\nAttacks: 2 (claw, claw)\nDamage: 1d4/1d4", "system": "ll"},
        3,
        "4d8",
        "4 | 4",
        (),
        "",
    ),
    (
        "F21",
        {"stat_line": 'armorClass 3, hitDice "16", attacks 1, damage "8-32"', "system": "adnd"},
        7,
        "16d8",
        "4,4,4,4,4,4,4,4",
        (),
        "",
    ),
    (
        "F22",
        {
            "stat_line": 'armorClass "2 (overall); 4 (underside)", hitDice "3-8", damage "3-18 (+1-4 acid)"',
            "system": "adnd",
            "choices": {"hd": 5},
        },
        8,
        "5d8",
        "6,6,6 | 4",
        (),
        "AC 6 underside",
    ),
    (
        "F23",
        {
            "stat_line": "AC 12, HP 4, ATK 1 beak +2 (1d4 + blood drain), MV near (fly), S -2, D +2, LV 1",
            "system": "shadowdark",
        },
        2,
        "4",
        "4",
        ("blood drain harm wis",),
        "LV 1",
    ),
    ("F24", {"stat_line": DCC, "system": "dcc"}, 3, "21", "8", (), "Act 1d20"),
    (
        "E01",
        "AC 3, HP 5, Damage 1d6 (ranged or close). Come in waves from all directions.",
        3,
        "5",
        "6",
        (),
        "Come in waves from all directions",
    ),
    (
        "E02",
        "AC 3, HP 15, Damage 3d4 (claws and bite) plus paralysis for any hits that get through (see hazards).",
        3,
        "15",
        "4,4,4",
        ("paralysis harm con/str paralysed",),
        "",
    ),
    (
        "E03",
        f"AC 8, HP 40, Damage 2d6 (claws) plus 1d12 (bite). {BREATH}",
        8,
        "40",
        "6,6 | 12",
        ("breath weapon instead_of_attack con/dex",),
        "",
    ),
    ("E04", JELLY, 1, "20", "8,8", ("sticks connect  stuck",), ""),
)
