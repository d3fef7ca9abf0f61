"""Declarations, initiative and the parts of a round: SJ-001 to SJ-031."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["ROUND"]

ROUND: tuple[Rule, ...] = (
    Rule(
        "SJ-001",
        "Everybody declares",
        "A round opens with the declarations of all combatants. No dice fall until the last of them has said something.",
    ),
    Rule(
        "SJ-002",
        "Down the initiative",
        "Once declarations are closed, the acts are resolved from the highest initiative to the lowest.",
    ),
    Rule(
        "SJ-003",
        "What a declaration says",
        "Name the act, the means and the target: a weapon and a foe, a spell and whom it is meant for.",
    ),
    Rule(
        "SJ-004",
        "Impossible acts are adjusted",
        "If something earlier in the round has spoilt a declared act, the GM bends it a little rather than letting it go to waste.",
        "ask",
    ),
    Rule(
        "SJ-005",
        "The foe has fallen already",
        "Attacks meant for somebody who is down turn to another foe within reach. Choose which one, or nobody.",
        "ask",
    ),
    Rule("SJ-006", "Acts can be lost", "Now and then a declared act is broken off and gone, above all a spell."),
    Rule(
        "SJ-007",
        "A caster is hit",
        "A hit on somebody who is casting can spoil the spell. Then the spell and the caster's act of this round are gone.",
        "ask",
    ),
    Rule(
        "SJ-008", "A round lasts ten seconds", "The clock in the header adds ten seconds for each round.", "reference"
    ),
    Rule(
        "SJ-009",
        "Dice of one attack",
        "Each attack rolls its own initiative, its own chance to hit and its own damage.",
    ),
    Rule(
        "SJ-010",
        "First and second attack",
        "The first attack rolls 1d10, the second 1d8, both plus the initiative modifier.",
    ),
    Rule(
        "SJ-011",
        "Two attacks on one segment",
        "Should two attacks of one combatant fall on the same segment, the later one slips to the next segment.",
    ),
    Rule("SJ-012", "Rolling initiative", "Initiative is 1d10 plus the modifier that comes from DEX."),
    Rule(
        "SJ-013",
        "Other initiative modifiers",
        "What somebody does besides may change initiative. The usual case is half a move before attacking, at -5.",
        "option",
    ),
    Rule("SJ-014", "Too late is lost", "An attack whose initiative comes to -6 or worse does not take place."),
    Rule("SJ-015", "Smaller dice", "Every attack after that uses the next smaller die: d6, d4, d2."),
    Rule("SJ-016", "No movement", "Whoever declares to stand stock-still gets +3 on initiative.", "option"),
    Rule(
        "SJ-017",
        "The price of standing still",
        "No movement rules out even the free five feet and lowers DEF by 20 until the round ends.",
    ),
    Rule(
        "SJ-018",
        "Standing still and Luck",
        "Luck saves are at -20 for those who declared no movement. The saves themselves belong to another chapter.",
        "reference",
    ),
    Rule(
        "SJ-019",
        "Who stands still",
        "It suits archers who will aim, and mages who want their spell sooner.",
        "reference",
    ),
    Rule(
        "SJ-020",
        "A fighter who stands still",
        "In melee it means not even shifting one's feet to parry; that is what the -20 stands for.",
        "reference",
    ),
    Rule(
        "SJ-021",
        "Moved against one's will",
        "If somebody who declared no movement has to move after all, the rest of its acts in this round are lost.",
    ),
    Rule("SJ-022", "Keeping one's feet", "Whoever is moved like that rolls against twice DEX and falls on a failure."),
    Rule("SJ-023", "Moved while casting", "A spell under way breaks off when its caster is moved like that."),
    Rule(
        "SJ-024",
        "Three parts of a round",
        "First come the acts before movement, then movement, then the acts after it.",
    ),
    Rule("SJ-025", "Before movement", "Acts on 11 and higher come before anybody moves."),
    Rule("SJ-026", "Movement, ten parts", "Between 10 and 1 each segment brings a tenth of the movement."),
    Rule("SJ-027", "After movement", "Acts on 0 down to -5 come when all movement is over."),
    Rule("SJ-028", "The last segment", "Whatever falls on -6 or later does not happen."),
    Rule(
        "SJ-029",
        "Spells need time",
        "A caster's initiative must leave room for the spell to go off before the round is over.",
    ),
    Rule("SJ-030", "Begun next round instead", "If there is no room, casting begins on 10 of the following round."),
    Rule(
        "SJ-031",
        "One-round spells",
        "A spell of a whole round begins on 10: with an initiative of 10 or more, or after an act held over from the round before.",
    ),
)
