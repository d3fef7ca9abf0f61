"""How the questions the rules leave open are answered here: SW-R01 to SW-R55."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["RULINGS"]


def _ruling(number: int, title: str, text: str, switch: str = "") -> Rule:
    return Rule(f"SW-R{number:02}", title, text, "ruling", switch)


RULINGS: tuple[Rule, ...] = (
    _ruling(
        1, "Initiative tie with monsters", "Reaching the monsters' best total is enough for the PCs.", "initiative_tie"
    ),
    _ruling(2, "Initiative tie with people", "The opponents lead on equal totals.", "initiative_contest_tie"),
    _ruling(
        3,
        "Mixed opponents",
        "Their best total counts; a character among its holders makes it a contest. A side without any total loses.",
    ),
    _ruling(4, "Once a fight", "Initiative is not rolled again in later rounds."),
    _ruling(
        5,
        "Whose phase ends a round",
        "The side of the creature concerned counts, whoever cast the spell.",
        "duration_anchor",
    ),
    _ruling(
        6,
        "Longer durations",
        "n beginnings of that side's phase; ten seconds are a round, rounded up. Changing sides moves nothing.",
    ),
    _ruling(
        7,
        "Until the next turn",
        "The penalties of full movement and of leaving end with one's own turn, not with the side's phase.",
    ),
    _ruling(
        8,
        "How long surprise lasts",
        "Until the surprised side's first phase; it lowers checks and fixed values, not damage.",
    ),
    _ruling(9, "Who cannot act", "Is passed over; what waits for that turn ends with the phase."),
    _ruling(10, "Move first", "Movement is one piece and comes before the standard action.", "move_after_action"),
    _ruling(11, "Standing still", "Allows all that short movement allows, and long actions."),
    _ruling(12, "What the GM allows", "`gm_allows` in the form of other actions; any refusal by a rule can be forced."),
    _ruling(
        13,
        "Free casting after running",
        "The ban on casting outweighs the freedom of free actions; starting a brawl stays legal.",
    ),
    _ruling(
        14,
        "Leaving in detail",
        "Declared in one turn, done in the very next by normal or full movement farther than the radius, or it lapses.",
    ),
    _ruling(15, "When a brawl ends", "As soon as one side has nobody able in it.", "brawl_end"),
    _ruling(
        16,
        "The unconscious in a zone",
        "They lie there without taking part; whoever wakes up takes part again, last.",
        "unconscious_are_candidates",
    ),
    _ruling(17, "Exactly half", "Half as many enemies as allies are enough to hold a mover."),
    _ruling(
        18,
        "Order of the passing rules",
        "Full zone, few enemies, big body, no room for the body, then the enemies' choice.",
    ),
    _ruling(19, "Outnumbering", "More sections than all opponents concerned; equal numbers hold the body."),
    _ruling(
        20, "Indoor sizes", "The first two rows of the indoor guide are read the other way round.", "indoor_zone_table"
    ),
    _ruling(21, "Beyond the capacity", "Neither entry nor fusing makes a zone hold more than twenty."),
    _ruling(
        22, "The crossfire die", "One number for each combatant entry in order of joining; sections do not count here."
    ),
    _ruling(23, "Drawing random targets", "One die a pick, without putting back; none is needed if everybody is hit."),
    _ruling(
        24, "Kinds of spells", "Picked targets are picked, Shots risk crossfire, areas draw, lines have their own rule."
    ),
    _ruling(25, "Without a common zone", "No melee; Touch only if both are in no zone."),
    _ruling(26, "Reaching the crit rate", "Equal dice are a critical."),
    _ruling(27, "Floor of the crit rate", "All changes are added before 8 is held as the least."),
    _ruling(28, "Impact result 0", "Is no failure: the bonus is dealt."),
    _ruling(
        29, "Halves", "Impact and Magic Power together are halved and rounded up; additions come later.", "halving"
    ),
    _ruling(
        30,
        "Mixed damage",
        "Two subtotals. Defense and reductions lower the one they are made for; those against anything the physical one first.",
    ),
    _ruling(31, "One roll or many", "Each target of an area gets its own Impact roll.", "impact_roll"),
    _ruling(
        32,
        "Spells meet targets",
        "One Spellcasting roll against each one's Willpower; ties resist. Without resistance nothing is rolled.",
    ),
    _ruling(33, "Exactly 0 HP", "Is unconscious, without a Death Check.", "unconscious"),
    _ruling(
        34,
        "Death Checks",
        "Fortitude against a number the game master types; failing is death. Monsters make none unless their block says so.",
    ),
    _ruling(35, "Paying in full", "Without enough MP there is no spell; MP go before any die."),
    _ruling(
        36,
        "Automatic results",
        "Double 1 and double 6 mean nothing on checks, unless switched on.",
        "automatic_results",
    ),
    _ruling(37, "Who gets xp", "Those whose block says so, for every failing first roll."),
    _ruling(
        38,
        "The contest for surprise",
        "The lowest of the movers has to beat the highest of the others; equality fails.",
    ),
    _ruling(39, "Hiding on open ground", "The penalty is typed; empty is 0."),
    _ruling(
        40,
        "When the fight ends",
        "It is marked at once and ends with the round, or earlier by hand; it goes on if a wave is still to come.",
    ),
    _ruling(
        41, "Rolling for spoils", "Once for each defeated monster with entries; ten minutes in all.", "spoils_roll"
    ),
    _ruling(
        42, "Healing", "Up to the maximum. HP above 0 wake somebody and cancel the Death Check; the dead stay dead."
    ),
    _ruling(
        43,
        "Entering big monsters",
        "One entry with sections, or several with the same body; where size counts they are added up.",
    ),
    _ruling(44, "Fractions of a fall", "Points are rounded up."),
    _ruling(45, "Drawing again", "From the next round on."),
    _ruling(
        46,
        "What is in hand",
        "A character's first attack, unless the encounter names another; a monster has all at hand.",
    ),
    _ruling(
        47,
        "Knowledge numbers",
        "Those of the block; without one the game master decides. One try for each character and kind.",
    ),
    _ruling(48, "Fixed values", "Are used where a block has them; the form can switch to dice."),
    _ruling(
        49,
        "Other resistances",
        "Negate undoes a spell, none asks nothing. An effect takes hold unless negated or failed.",
    ),
    _ruling(
        50,
        "Feats in numbers",
        "They are on the sheet. A declared feat's Evasion lasts until its owner's next turn, the rest for the action.",
    ),
    _ruling(51, "Metal and spells", "Armor and Fencer change weapon attacks only."),
    _ruling(
        52,
        "The helpless",
        "An attack on somebody unconscious hits without a roll, unless unticked; not if crossfire picks another.",
    ),
    _ruling(53, "Damage dice", "Rolled as written: no critical and no failure."),
    _ruling(54, "Fusing without a map", "The game master's call; known centers are averaged."),
    _ruling(55, "Twice the same", "The newer one counts, with an end of its own; the older is gone."),
)
