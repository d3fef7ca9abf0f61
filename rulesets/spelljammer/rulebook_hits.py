"""Hits, wounds, surprise, ambush and spells: SJ-032 to SJ-069."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["HITS"]

HITS: tuple[Rule, ...] = (
    Rule(
        "SJ-032",
        "The chance to hit",
        "Take the target's DEF from the strike chance. A d100 of that number or less hits.",
    ),
    Rule(
        "SJ-033",
        "Special hits",
        "The modified strike chance tells from which roll down a hit is critical or even grievous.",
    ),
    Rule("SJ-034", "Critical hits", "Damage counts twice and protection does not help."),
    Rule(
        "SJ-035",
        "Grievous hits",
        "A grievous hit does what a critical one does and may leave a grievous wound besides.",
        "ask",
    ),
    Rule(
        "SJ-036",
        "Damaged armour",
        "Each grievous hit takes 1 from the protection of the target's armour, wound or no wound, until the armour is mended.",
    ),
    Rule("SJ-037", "Protection", "A normal hit loses the target's protection; what is left comes off its hit points."),
    Rule(
        "SJ-038",
        "Stunned",
        "One hit that does more damage than the target's stun level stuns it until the round ends. The level is CON for most.",
    ),
    Rule("SJ-039", "What being stunned costs", "Attacks that are still to come in this round are lost."),
    Rule(
        "SJ-040",
        "Stun level above CON 25",
        "From CON 26 on the stun level rises by two a point: 27 at 26, up to 45 at 35.",
    ),
    Rule("SJ-041", "Big bodies", "A large creature counts 2 CON more against being stunned, a giant one 4."),
    Rule(
        "SJ-042",
        "Many hit points",
        "For each ten hit points above 100, or part of ten, count 1 CON more against being stunned.",
    ),
    Rule(
        "SJ-043",
        "Wounds hamper",
        "The modifier of a wounded combatant applies to whatever it does: attacks, skills, casting chances.",
    ),
    Rule("SJ-044", "Wounded", "Hurt, but not below half of the hit points: no modifier."),
    Rule("SJ-045", "Bloodied", "Below half of the hit points: still no modifier."),
    Rule("SJ-046", "Badly wounded", "With 20 hit points or fewer, acts and TMR are at -10."),
    Rule("SJ-047", "Very badly wounded", "With 10 hit points or fewer, acts and TMR are at -20."),
    Rule("SJ-048", "Close to collapse", "With 5 hit points or fewer, acts and TMR are at -30."),
    Rule(
        "SJ-049",
        "Those who start low",
        "A step that covers one's full hit points does not count. The next step counts in full: 18 at first means -20 from 10 down.",
    ),
    Rule(
        "SJ-050",
        "Surprise within a fight",
        "Against a target that did not expect this attack: +10, and half of its DEF.",
        "option",
    ),
    Rule(
        "SJ-051",
        "Surprise outside a fight",
        "Against a target that expects no fight at all: +25, and only magic that always works defends.",
        "option",
    ),
    Rule(
        "SJ-052",
        "Within a fight",
        "The target takes part in the fight or knows of it, but did not see this blow coming.",
        "reference",
    ),
    Rule("SJ-053", "Outside a fight", "There is no fight yet, or the target does not know of one.", "reference"),
    Rule("SJ-054", "Alert guards", "A guard who keeps watch grants +10 and no more.", "reference"),
    Rule(
        "SJ-055",
        "Ambush",
        "When attackers spring from hiding, each victim rolls against PER. The multiple it needs says how badly it is caught.",
        "ask",
    ),
    Rule(
        "SJ-056",
        "A warning",
        "Whoever needs only 1x PER sees it coming and can shout, which helps every other victim by one step.",
        "ask",
    ),
    Rule("SJ-057", "Ambush seen in time", "At 1x the victim acts as usual while the attackers have their free round."),
    Rule(
        "SJ-058", "Ambush seen as it comes", "At 2x the attackers have no bonus, and the victim can strike back once."
    ),
    Rule("SJ-059", "Half surprised", "At 3x the attackers have +10 in the ambush round."),
    Rule("SJ-060", "Surprised", "At 4x the attackers have +20 in the ambush round."),
    Rule(
        "SJ-061", "Wholly surprised", "At 5x or worse the attackers have +30 and do 2 more damage in the ambush round."
    ),
    Rule("SJ-062", "A cleric begins", "Initiative is rolled as usual and says when a cleric begins to cast."),
    Rule("SJ-063", "A cleric's spell goes off", "Count the casting time down from the segment on which casting began."),
    Rule("SJ-064", "Below segment 1", "A spell due on 0 to -5 still goes off in the same round."),
    Rule("SJ-065", "A casting cleric's DEF", "Until the spell goes off, DEX, Defence and Shield add nothing to DEF."),
    Rule("SJ-066", "Cast from cover", "Nobody dodges while casting, so cover is worth having.", "reference"),
    Rule("SJ-067", "A mage begins", "Initiative is rolled as usual and says when a mage begins to cast."),
    Rule(
        "SJ-068",
        "A mage's casting time",
        "Rank and kind of spell give the casting time; the spell goes off that many segments later.",
    ),
    Rule("SJ-069", "A casting mage's DEF", "Until the spell goes off, DEX, Defence and Shield add nothing to DEF."),
)
