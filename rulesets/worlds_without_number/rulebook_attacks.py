"""Attack rolls, damage, Trauma and Shock: WN-101 to WN-146."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["ATTACKS"]

ATTACKS: tuple[Rule, ...] = (
    Rule(
        "WN-101",
        "Attack roll",
        "1d20 + base attack bonus + attribute modifier + combat skill. The log lists every part.",
    ),
    Rule("WN-102", "Untrained attacks", "Whoever lacks the skill, even at level 0, has -2 in its place."),
    Rule("WN-103", "Hit or miss", "Reaching the target's Armor Class is a hit; anything below is a miss."),
    Rule(
        "WN-104", "Two Armor Classes", "Melee attacks go against the Melee AC, shots and throws against the Ranged AC."
    ),
    Rule(
        "WN-105",
        "Choice of attribute",
        "Some weapons leave a choice, the dagger between Strength and Dexterity. One pick counts for the roll and the damage; the form "
        "starts with the better one.",
        "option",
    ),
    Rule(
        "WN-106",
        "NPC attack bonus",
        "An NPC has one number instead of attributes and skills. Untyped, it is the creature's hit dice.",
    ),
    Rule(
        "WN-107",
        "Circumstances",
        "Cover, range, darkness and the like change the roll. For everything else there is a free modifier in the form.",
        "option",
    ),
    Rule("WN-108", "A prone target far away", "-2 to shoot at somebody who lies on the ground at a distance."),
    Rule("WN-109", "A prone target close by", "+2 to attack somebody who lies on the ground next to the attacker."),
    Rule("WN-110", "Striking from the ground", "-4 for a melee attack made while prone."),
    Rule(
        "WN-111",
        "Long range",
        "-2 between the weapon's normal and its greatest range; farther is impossible.",
        "option",
    ),
    Rule("WN-112", "Half cover", "-2 if at least half of the target is behind something.", "option"),
    Rule("WN-113", "Almost full cover", "-4, in place of the -2, if hardly anything of the target shows.", "option"),
    Rule("WN-114", "Throwing in melee", "-4 to throw while an enemy is in melee range."),
    Rule(
        "WN-115",
        "The same penalty named twice",
        "The game's table repeats the -4 for throws in melee; it is applied once.",
    ),
    Rule("WN-116", "Bows in melee", "Bows and two-handed crossbows cannot be shot while in melee."),
    Rule("WN-117", "Unseen, but located", "-4 to shoot at somebody one cannot see if the place is known.", "option"),
    Rule("WN-118", "Neither seen nor located", "Nobody can shoot at a target whose place is unknown."),
    Rule("WN-119", "Damage", "The weapon's dice plus the modifier of the attribute used for the attack."),
    Rule(
        "WN-120",
        "More damage",
        "Improved weapons and abilities add their own: `bonus` in a stat block, or the damage modifier in the form.",
        "option",
    ),
    Rule(
        "WN-121",
        "Pulling the blow",
        "Bare hands, and weapons fit for it, may strike to subdue. Tick `nonlethal`; whether the weapon will do is up to the GM.",
        "option",
    ),
    Rule("WN-122", "Subdued", "Somebody brought to 0 hit points by such a blow is out of the fight, but in no danger."),
    Rule("WN-123", "Punch adds to bare hands", "Attacks with nothing but the body add the Punch skill to damage."),
    Rule("WN-124", "Not to fist weapons", "Made weapons that are used with Punch get no such bonus."),
    Rule(
        "WN-125",
        "Trauma is optional",
        "Trauma Dice are an extra for deadlier fights; the switch `trauma` turns them on.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-126",
        "Where the Trauma numbers are",
        "Dice of weapons and better Targets from armour are printed in Cities Without Number. Type them as `trauma` and `trauma_target`.",
        "reference",
        "trauma",
    ),
    Rule(
        "WN-127",
        "Rolling the Trauma Die",
        "After each hit that is meant to wound, roll the attack's Trauma Die.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-128",
        "Traumatic Hit",
        "The hit is Traumatic if the die reaches the victim's Trauma Target; for a human without armour that is 6.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-129",
        "Trauma Rating",
        "A Traumatic Hit multiplies all of its damage by the Rating: 9 points with x3 make 27.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-130",
        "Major Injury",
        "A victim marked by a Traumatic Hit that drops later in the fight, or at once, may be maimed. The program points it out; the injury is found by hand.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-131",
        "A better Trauma Target",
        "Heavy armour and abilities raise the Target: type the final number.",
        "auto",
        "trauma",
    ),
    Rule("WN-132", "A better Trauma Die", "Abilities may add to the roll: `bonus.trauma_die`.", "auto", "trauma"),
    Rule(
        "WN-133",
        "Throw it together",
        "Save time and roll the Trauma Die along with damage. Both can be typed in one go.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-134",
        "Things without a heart to hit",
        "Objects and vehicles shrug off Trauma from weapons too small to wreck them: `trauma_immune`.",
        "option",
        "trauma",
    ),
    Rule("WN-135", "Shock", "Some melee weapons hurt even when they miss."),
    Rule("WN-136", "How Shock is written", "2/15 means 2 points against AC 15 or worse."),
    Rule(
        "WN-137",
        "When Shock hurts",
        "On a miss the points are dealt if the target's Melee AC is no higher than the number after the slash.",
    ),
    Rule(
        "WN-138",
        "Shock against any armour",
        "A dash in place of the number, as in 5/-, means that no AC is high enough.",
    ),
    Rule("WN-139", "Still stopped by shields", "Even Shock against any AC is stopped by a shield or by immunity."),
    Rule(
        "WN-140", "The attribute adds to Shock", "The modifier of the attribute used for the attack raises the points."
    ),
    Rule(
        "WN-141",
        "What else adds to Shock",
        "Other bonuses raise Shock only where they say so, as Killing Blow does. Here that is `bonus.shock`.",
    ),
    Rule("WN-142", "Plain damage bonuses", "`bonus.damage` never touches Shock."),
    Rule(
        "WN-143", "Shields and Shock", "Somebody with a shield ignores the first Shock that would hurt in each round."
    ),
    Rule("WN-144", "Immune to Shock", "Some Foci, and actions such as Total Defense, protect from Shock altogether."),
    Rule(
        "WN-145",
        "A hit is no worse than a miss",
        "If the Shock of a miss would have been more than the damage rolled, it is what the hit does.",
    ),
    Rule("WN-146", "Shock is never Traumatic", "No Trauma Die is rolled for Shock."),
)
