"""Shoving, grappling, two weapons and execution attacks: WN-147 to WN-183."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["MANOEUVRES"]

MANOEUVRES: tuple[Rule, ...] = (
    Rule("WN-147", "Shove", "Main action: first hit with a melee attack."),
    Rule("WN-148", "Shove: the test of strength", "No damage is done; the two compare Strength with Exert or Punch."),
    Rule(
        "WN-149", "Shove: the effect", "The winner drives the target back, 3 metres at most, or knocks it down.", "ask"
    ),
    Rule("WN-150", "Grapple", "Main action: hit with bare hands, both of them free."),
    Rule("WN-151", "Grapple: the test of strength", "No damage is done; both check Strength/Punch."),
    Rule("WN-152", "Grappled", "If the attacker wins, it holds its victim."),
    Rule(
        "WN-153",
        "Breaking free",
        "The victim stays held until it spends a Main action on another Strength/Punch check and wins.",
    ),
    Rule("WN-154", "Nobody goes anywhere", "Neither the holder nor the held can move away."),
    Rule("WN-155", "Bare hands only", "Both can attack only with what their bodies offer: fists, teeth, claws."),
    Rule(
        "WN-156", "Squeezed", "When a round ends, everybody held takes the damage of an unarmed hit from each holder."
    ),
    Rule("WN-157", "Dragging a victim", "Main action: the holder makes a Strength/Punch check against the held."),
    Rule(
        "WN-158",
        "Drag or throw",
        "Won: both shift up to 10 feet, or the victim flies 5 feet and lies prone, free again.",
        "ask",
    ),
    Rule("WN-159", "Losing the hold", "If the holder loses or ties that check, the victim slips away."),
    Rule("WN-160", "One victim each", "Nobody can hold two people."),
    Rule("WN-161", "Several holders", "A victim may be held by more than one enemy; the GM says how many find room."),
    Rule("WN-162", "Against several holders", "The victim rolls once and must beat every one of them."),
    Rule("WN-163", "Built for humans", "Shoving and grappling assume opponents of about human size.", "reference"),
    Rule("WN-164", "Much larger humanoids", "-2 on the checks of whoever shoves or grapples one: `size: large`."),
    Rule("WN-165", "Beasts", "-4 against four-legged or otherwise awkward opponents: `size: beast`."),
    Rule("WN-166", "Two weapons", "A player character needs level 1 in the skill of each of the two weapons."),
    Rule("WN-167", "Which of the two", "Choose the weapon that strikes; its numbers are used.", "option"),
    Rule("WN-168", "Two weapons: damage", "A hit does 2 more, if the target is in reach of both weapons."),
    Rule("WN-169", "Two weapons: Shock", "The extra 2 are no part of Shock."),
    Rule("WN-170", "Two weapons: to hit", "All attack rolls suffer -1."),
    Rule(
        "WN-171",
        "Execution attack",
        "A single deadly blow against a victim that suspects nothing at all. The GM confirms that it is so.",
        "ask",
    ),
    Rule(
        "WN-172",
        "Not on the alert",
        "Guards on watch and everybody who has noticed danger cannot be executed: `expects_trouble`, or the effect `alert`.",
    ),
    Rule("WN-173", "Execution from afar", "Aim and wait for a full minute, ten rounds, before the shot.", "ask"),
    Rule("WN-174", "Disturbed", "An interruption in that minute ruins it. The GM judges that and cancels.", "manual"),
    Rule("WN-175", "The shot", "Dexterity/Shoot against 6 within two metres, 8 within normal range, 10 at long range."),
    Rule("WN-176", "Armour does not matter", "A successful check is a hit, whatever the AC."),
    Rule(
        "WN-177",
        "Execution at close quarters",
        "Spend a full minute near the victim, waiting for the chance to strike.",
        "ask",
    ),
    Rule("WN-178", "The stab", "After that minute the blow lands without a roll."),
    Rule(
        "WN-179", "The victim's save", "The victim rolls a Physical save, made harder by the attacker's combat skill."
    ),
    Rule(
        "WN-180",
        "Save failed",
        "The victim falls to 0 hit points, Mortally Wounded, or just unconscious if the weapon was used to subdue.",
    ),
    Rule("WN-181", "Save made", "The blow still does the most damage it can."),
    Rule(
        "WN-182",
        "Execution with Trauma",
        "With Trauma in play damage is rolled as usual after a successful save, but every execution that hits is Traumatic.",
        "auto",
        "trauma",
    ),
    Rule(
        "WN-183",
        "Deadly anyway",
        "The multiplied damage, or the Major Injury that follows, may still kill a victim that made its save.",
        "auto",
        "trauma",
    ),
)
