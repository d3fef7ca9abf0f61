"""What the chapter borrows from the rest of the game: SV-P01 to SV-P18."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["PUBLIC"]

PUBLIC: tuple[Rule, ...] = (
    Rule("SV-P01", "Modifiers and skills", "Scores give -2 to +2; skills go from -1, untrained, to 4."),
    Rule("SV-P02", "Skill check", "2d6, attribute and skill; 10 succeeds."),
    Rule("SV-P03", "Opposed check", "Only the one who wants a change rolls, against 8 and the other's modifiers."),
    Rule("SV-P04", "Checks of a group", "One rolls; each other member adds or takes 1.", "option"),
    Rule(
        "SV-P05",
        "Checks for surprise",
        "They are group checks, DEX and Sneak or STR and Exert against WIS and Notice.",
        "option",
    ),
    Rule(
        "SV-P06",
        "Physical save",
        "1d20 against 16 less level and the better of STR and CON; NPCs 15 less half their Hit Dice. A 1 fails, a 20 succeeds.",
    ),
    Rule(
        "SV-P07",
        "Mortally Injured",
        "At 0 hit points somebody lies helpless and dies at the end of the sixth round after this one.",
    ),
    Rule("SV-P08", "The nameless die", "NPCs without a name die at 0 hit points."),
    Rule(
        "SV-P09",
        "Stabilise",
        "Main and a healer's kit: DEX or INT and Heal against 10, less the rounds since the fall; one try for each victim and round.",
    ),
    Rule("SV-P10", "Stable", "Helpless for the rest of the fight, but no longer dying."),
    Rule("SV-P11", "Frail", "Whoever has come back from 0 dies at the next 0."),
    Rule(
        "SV-P12",
        "Fists and long weapons",
        "Bare hands do 1d2 and Brawl without Shock; long weapons reach ten feet; thrown weapons do no Shock.",
    ),
    Rule("SV-P13", "Killing Blow", "Enter it as `damage_bonus` and `shock_bonus` of the attacks.", "option"),
    Rule("SV-P14", "Veteran's Luck", "Once in a fight an own miss hits, or a hit on oneself misses.", "ask"),
    Rule("SV-P15", "Feats", "Those that touch combat are the `features` of a stat block.", "option"),
    Rule("SV-P16", "NPCs", "Several attacks in one action, and a d8 of hit points for each Hit Die."),
    Rule("SV-P17", "Hurt casters", "Whoever has been hurt in a round cannot cast in it.", "ask"),
    Rule("SV-P18", "Twenties and ones", "They mean nothing special in attack rolls."),
)
