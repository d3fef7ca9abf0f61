"""Modifiers, defence and withdrawal in melee, and the rolls that always count: SJ-097 to SJ-141."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["MELEE"]

MELEE: tuple[Rule, ...] = (
    Rule(
        "SJ-097",
        "Unseen foes",
        "Whoever cannot see the other has -40 to strike at it and -20 DEF against it.",
        "option",
    ),
    Rule("SJ-098", "Unseen, but heard", "With a roll of 2x PER this becomes -20 and -10."),
    Rule("SJ-099", "Unseen, but placed", "With a roll of 1x PER it becomes -10 and -5."),
    Rule("SJ-100", "Other senses", "Nobody is hampered who knows by another sense where the foe is."),
    Rule("SJ-101", "Several attackers", "For each attacker beyond the first, all who attack the same target have +10."),
    Rule(
        "SJ-102", "Range of Field", "The target's skill of that name takes 2 a rank from what several attackers gain."
    ),
    Rule("SJ-103", "Many blows, one attacker", "A creature that strikes several times is still a single attacker."),
    Rule(
        "SJ-104",
        "Tentacles",
        "Tentacles that act on their own count as one attacker a pair: six of them outnumber a target three to one.",
    ),
    Rule("SJ-105", "Striking the stunned", "Against a stunned target the strike chance is 10 higher."),
    Rule("SJ-106", "Starlight", "Under the stars or among shadows indoors: -10.", "option"),
    Rule("SJ-107", "Clouded night", "Under a clouded night sky: -20.", "option"),
    Rule("SJ-108", "No light indoors", "In a cave or an unlit building: -40.", "option"),
    Rule("SJ-109", "No light at all", "In complete darkness: -60.", "option"),
    Rule("SJ-110", "Burdened targets", "An encumbered target has 10 DEF less."),
    Rule("SJ-111", "Burdened attackers", "An encumbered attacker strikes at -10."),
    Rule(
        "SJ-112",
        "Defending",
        "Give up strike chance for defence: two points of the one buy a point of the other.",
        "option",
    ),
    Rule("SJ-113", "Defending is declared", "The choice is made when the round begins."),
    Rule(
        "SJ-114",
        "The limit of defending",
        "At most five points of strike chance for each rank with the weapon can be given up.",
    ),
    Rule("SJ-115", "Odd points", "Fractions are dropped: 25 points buy 12."),
    Rule("SJ-116", "Defending and attacking", "Whoever defends attacks as well, with what strike chance is left."),
    Rule(
        "SJ-117",
        "Full defence",
        "DEF rises by 5 and by two and a half for each rank with the weapon, rounded up.",
        "option",
    ),
    Rule(
        "SJ-118",
        "Full defence, no attack",
        "A full defender does not attack in this round but keeps up with the attacker.",
    ),
    Rule(
        "SJ-119",
        "Turning from a full defender",
        "Its attacker may strike at another foe instead, if there is one.",
        "option",
    ),
    Rule("SJ-120", "Full defence is declared", "The choice is made when the round begins."),
    Rule(
        "SJ-121",
        "Desperate defence",
        "DEF rises by 20 and by two and a half for each rank with the weapon, rounded up.",
        "option",
    ),
    Rule(
        "SJ-122",
        "Driving back",
        "Whoever attacks a desperate defender in melee may force it to move up to ten feet, wherever that leads.",
        "ask",
    ),
    Rule(
        "SJ-123", "Leaving a desperate defender", "Its attacker may as well ignore it and do something else.", "option"
    ),
    Rule(
        "SJ-124",
        "Nothing but defence",
        "Desperate defence is declared when the round begins and leaves room for nothing else.",
    ),
    Rule(
        "SJ-125",
        "The other hand",
        "A blow with the off hand is at -20 and does 2 less, except for the ambidextrous.",
        "option",
    ),
    Rule(
        "SJ-126",
        "Picking up a weapon",
        "A weapon at one's feet is retrieved on a roll of 4x DEX; DEF is 15 lower meanwhile.",
        "option",
    ),
    Rule("SJ-127", "Picking up and striking", "At 1x DEX one attack is left, at -5 initiative."),
    Rule("SJ-128", "Withdrawing", "To leave a melee altogether gives the opponents a free attack.", "ask"),
    Rule("SJ-129", "Shifting to another foe", "Turning to another foe close by is no withdrawal.", "option"),
    Rule(
        "SJ-130",
        "A busy opponent",
        "There may be no free attack if an ally goes on fighting the opponent and has all its attention.",
        "ask",
    ),
    Rule("SJ-131", "Opponents in despair", "An opponent in desperate defence has no free attack."),
    Rule("SJ-132", "Up and away", "An agile flyer that flees upward may get away without one.", "ask"),
    Rule("SJ-133", "No shield in retreat", "Against a free attack DEX still helps, the shield does not."),
    Rule("SJ-134", "Full defenders stay put", "Whoever declared full or desperate defence makes no free attack."),
    Rule(
        "SJ-135",
        "Defenders' free attacks",
        "A defending opponent makes its free attack with the strike chance it has left.",
    ),
    Rule(
        "SJ-136",
        "The GM judges",
        "Whether a free attack is due is for the GM to say, from where people stand and how well they watch the field.",
        "ask",
    ),
    Rule(
        "SJ-137",
        "Before the first step",
        "Withdrawal starts with movement on 10; attacks before that are resolved as usual.",
    ),
    Rule("SJ-138", "Always a miss", "A roll of 96 to 100 misses, whatever the numbers."),
    Rule("SJ-139", "Always a hit", "A roll of 03 hits, whatever the numbers."),
    Rule("SJ-140", "Always critical", "A roll of 02 is a critical hit, whatever the numbers."),
    Rule("SJ-141", "Always grievous", "A roll of 01 is a grievous hit, whatever the numbers."),
)
