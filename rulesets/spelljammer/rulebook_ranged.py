"""Shots: targets, aim, cover, stuck missiles and friends in the way: SJ-142 to SJ-178."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["RANGED"]

RANGED: tuple[Rule, ...] = (
    Rule("SJ-142", "Very fast targets", "The GM may make it harder to hit something exceptionally fast.", "option"),
    Rule("SJ-143", "A still target", "Shots at a target that does not move are at +10.", "option"),
    Rule("SJ-144", "A walking target", "Shots at somebody who walks have no modifier.", "option"),
    Rule("SJ-145", "A running target", "Shots at somebody who runs are at -10.", "option"),
    Rule("SJ-146", "A sprinting target", "Shots at somebody who sprints are at -20.", "option"),
    Rule("SJ-147", "A racing target", "Shots at somebody at full sprint are at -30.", "option"),
    Rule("SJ-148", "A dodging target", "Shots at somebody who dodges are at -20.", "option"),
    Rule("SJ-149", "A target on the move", "Shots at a rider, or at somebody on a moving wagon, are at -10.", "option"),
    Rule("SJ-150", "Careful aim", "Somebody who stands still and takes aim shoots at +15.", "option"),
    Rule(
        "SJ-151", "Aiming makes a target", "Attackers of somebody who aims have the +10 of a target that does not move."
    ),
    Rule("SJ-152", "Aiming lowers the guard", "Neither DEX nor the Defence skill helps somebody who aims."),
    Rule("SJ-153", "Aiming takes an attack", "One attack of the round is spent on aiming."),
    Rule("SJ-154", "No Double Shots with aim", "A Master Bowman cannot aim carefully and use Double Shots together."),
    Rule(
        "SJ-155",
        "What cover is",
        "Cover hides more than half of the body. Hard cover also stops what flies, soft cover only hides.",
        "reference",
    ),
    Rule("SJ-156", "Soft cover", "Shots at somebody behind soft cover are at -10.", "option"),
    Rule("SJ-157", "Hard cover", "Shots at somebody behind hard cover are at -20.", "option"),
    Rule(
        "SJ-158",
        "Size of the target",
        "Shots are at -10 for tiny, -5 for small, +5 for large and +10 for giant targets.",
    ),
    Rule("SJ-159", "People are medium", "Characters count as medium-sized."),
    Rule("SJ-160", "Hand crossbow in melee", "In melee it is used at -10; specialists at -5, double specialists at 0."),
    Rule("SJ-161", "Crossbow in melee", "In melee it is used at -20; specialists at -15, double specialists at -10."),
    Rule("SJ-162", "Bow in melee", "In melee it is used at -30; specialists at -20, double specialists at -10."),
    Rule(
        "SJ-163",
        "Missiles stick",
        "A special hit works as in melee, and an arrow, quarrel, javelin or spear stays in the wound.",
    ),
    Rule(
        "SJ-164",
        "Stuck arrows",
        "An arrow or quarrel in the body costs 2 DEX and bleeds 1 hit point a round of fighting.",
    ),
    Rule("SJ-165", "Stuck javelins", "A javelin in the body costs 3 DEX and bleeds 2 hit points a round of fighting."),
    Rule("SJ-166", "Stuck spears", "A spear in the body costs 4 DEX and bleeds 5 hit points a round of fighting."),
    Rule("SJ-167", "Stuck in a grievous wound", "If the hit left a grievous wound, the missile costs 1 DEX more."),
    Rule(
        "SJ-168",
        "Pulling missiles out",
        "That is First Aid, of another chapter. End the effect and enter any damage by hand.",
        "manual",
    ),
    Rule(
        "SJ-169",
        "Shooting into a melee",
        "Roll d100 and add the rank, twice the Master Bowman rank, and 5 or 10 for specialists. A low total goes at a friend.",
    ),
    Rule("SJ-170", "One friend, one foe", "A total of 30 or less goes at the friend."),
    Rule("SJ-171", "One friend, two foes", "A total of 20 or less goes at the friend."),
    Rule("SJ-172", "One friend, three foes", "A total of 10 or less goes at the friend."),
    Rule("SJ-173", "Two friends, one foe", "A total of 40 or less goes at one of the friends, by chance."),
    Rule("SJ-174", "Three friends, one foe", "A total of 50 or less goes at one of the friends, by chance."),
    Rule("SJ-175", "Three friends, two foes", "A total of 45 or less goes at one of the friends, by chance."),
    Rule("SJ-176", "Then the shot itself", "The attack is resolved as usual against whomever it is aimed at now."),
    Rule(
        "SJ-177",
        "Always at a friend",
        "A natural 05 or less goes at a friend: 03 for specialists, 01 for double specialists.",
    ),
    Rule("SJ-178", "No dodging while casting", "Whoever casts cannot dodge, nor avoid attacks in any other way."),
)
