"""Combining acts: SJ-070 to SJ-096."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["ACTIONS"]

ACTIONS: tuple[Rule, ...] = (
    Rule(
        "SJ-070",
        "Two things in one round",
        "Whoever wants to do more than one thing, mostly to move and to attack, finds the price in the rules that follow.",
        "reference",
    ),
    Rule("SJ-071", "Move, then attack", "Cover up to half the TMR and attack all the same.", "option"),
    Rule(
        "SJ-072",
        "Attacks lost by moving first",
        "Half of the attacks, rounded down, are given up: one of two or three, two of four or five.",
    ),
    Rule("SJ-073", "Slower by moving first", "Every initiative roll of somebody who moves first is at -5."),
    Rule("SJ-074", "The free five feet", "Anybody may shift five feet without giving up an attack.", "reference"),
    Rule("SJ-075", "Attack, then move", "How far somebody gets after attacking depends on when the last attack came."),
    Rule(
        "SJ-076",
        "Attacks over before 10",
        "If the last attack came before 10, up to half the TMR is covered from 10 on, a twentieth of TMR each segment.",
    ),
    Rule(
        "SJ-077",
        "Attacks over on 10 to 2",
        "If the last attack came on 10 to 2, a DEX roll says when the movement can begin.",
    ),
    Rule("SJ-078", "Too slow to move", "A DEX roll of 5x or worse leaves no movement in this round."),
    Rule(
        "SJ-079",
        "Some segments later",
        "At 4x, 3x, 2x or 1x DEX the movement begins that many segments after the last attack, a twentieth of TMR each.",
    ),
    Rule("SJ-080", "No movement after 1", "Movement stops with segment 1, so a late start may leave nothing of it."),
    Rule("SJ-081", "Moving ends the attacks", "After such a movement no further attack is possible."),
    Rule("SJ-082", "Run, then attack", "At a run one covers up to the whole TMR and still attacks.", "option"),
    Rule("SJ-083", "Slower by running", "Initiative is at -7 for those who run first."),
    Rule("SJ-084", "Wild blows", "The strike chance is at -25 for those who run first."),
    Rule("SJ-085", "Attacks lost by running", "Half of the attacks, rounded up, are given up, but one always stays."),
    Rule("SJ-086", "Too late after a run", "An attack pushed to -6 or later by moving or running is lost as well."),
    Rule("SJ-087", "Drawing a weapon", "It costs 5 on initiative.", "option"),
    Rule("SJ-088", "Changing weapons", "Putting one weapon away and drawing another costs 10 on initiative.", "option"),
    Rule("SJ-089", "Two things at -5", "Two things that cost 5 on initiative each also cost one action."),
    Rule(
        "SJ-090",
        "Readying a shield",
        "A shield within reach is ready after half a round. Half of the attacks, rounded up, are given up.",
        "option",
    ),
    Rule(
        "SJ-091",
        "Drinking a potion",
        "A potion at hand takes half a round, and nobody may have been in melee when the round began.",
        "option",
    ),
    Rule(
        "SJ-092", "The price of a potion", "Give up half of the attacks, rounded up, or half of the movement.", "option"
    ),
    Rule("SJ-093", "Free actions", "Trifles do not count as an action.", "option"),
    Rule("SJ-094", "When a free action happens", "It can be done at the first chance one's initiative gives."),
    Rule("SJ-095", "One free action", "Only one of them is free in a round."),
    Rule("SJ-096", "More free actions", "Each further one costs a regular action."),
)
