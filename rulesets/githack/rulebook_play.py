"""What combat needs of the rest of the game: checks, saves, Angst, the Harm track, stances, imported stat blocks; GH-101 to GH-314."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["IMPORT", "PLAY", "STANCES"]

PLAY: tuple[Rule, ...] = (
    Rule(
        "GH-101", "Checks", "A d20 that shows the ability score or less succeeds. No face succeeds or fails by itself."
    ),
    Rule(
        "GH-102",
        "Grades of success",
        "10 and up is great, 5 to 9 a success, less is weak. Shown with `degrees`; no number changes.",
        "option",
        "degrees",
    ),
    Rule("GH-103", "Other gradings", "Tables may grade in other ways; nothing in a fight hangs on it.", "reference"),
    Rule("GH-104", "Advantage", "Roll two d20, the player takes the one they like.", "ask"),
    Rule("GH-105", "Disadvantage", "Roll two d20, the referee takes one.", "ask"),
    Rule(
        "GH-106",
        "Where Advantage comes from",
        "Plan, position, tools, or a Background that fits. The form lists the PC's Backgrounds.",
        "option",
    ),
    Rule("GH-107", "Who does best", "Among those who make the same check the higher number leads; who fails is out."),
    Rule(
        "GH-108",
        "Saving throws",
        "They soften or undo an effect. WIS unless another ability fits the hazard.",
        "option",
        "save_ability",
    ),
    Rule(
        "GH-109",
        "Hazards",
        "Poison CON, paralysis CON or STR, petrification CON or CHA, devices DEX, breath CON or DEX, minds INT, traps INT.",
        "option",
    ),
    Rule(
        "GH-110",
        "One danger, one save",
        "Even where several hazards fit, only one save is rolled; settle which before.",
    ),
    Rule(
        "GH-111",
        "Graded saves",
        "A save may be all or nothing, or leave a part of the effect: `keep_on_save`.",
        "option",
    ),
    Rule("GH-112", "Angst", "A PC's Angst begins at 0; events raise it."),
    Rule(
        "GH-113",
        "Angst bites",
        "A saving throw that succeeds with a number up to Angst has a price. Attacks, defences and initiative do not.",
        "ask",
    ),
    Rule(
        "GH-114",
        "The price",
        "The referee lets a Deep Wound fester, deepens a Wound, drags in a Background, keeps a token, or finds something else.",
        "ask",
    ),
    Rule("GH-115", "Size of the track", "As many boxes as CON, empty at first."),
    Rule("GH-116", "Filling the track", "Boxes count from 1; a mark goes into the lowest empty one."),
    Rule("GH-117", "Healing", "It empties only the boxes healed; later marks fill the gaps first."),
    Rule("GH-118", "Marks get worse", "Tick to cross, cross to star."),
    Rule("GH-119", "Festering", "A festering star spreads into the boxes beside it, a step at a time.", "ask"),
    Rule("GH-120", "A full track", "Harm that leaves no box empty calls for a CON save to stay active."),
    Rule("GH-121", "Incapacitated", "On a failure the PC is out; with more ticks than crosses stable."),
    Rule("GH-122", "Dying", "With more crosses than ticks the PC is dying, and a tick becomes a cross at once."),
    Rule("GH-123", "Bleeding", "It goes on at the referee's word until somebody stabilises the PC.", "ask", "bleed"),
    Rule(
        "GH-124", "Going on", "On a success the PC goes on; the next hit worsens a tick and calls for the save again."
    ),
    Rule("GH-125", "Ability scores", "They run from 3 to 18; 10 is average."),
    Rule("GH-126", "Other Harm", "Fear and shame can mark boxes too; mark them by hand.", "option"),
    Rule("GH-127", "Magic", "Has a chapter of its own; mark its harm by hand.", "manual"),
)

STANCES: tuple[Rule, ...] = (
    Rule(
        "GH-201",
        "Six stances",
        "Pursuit, Defend and Flank attack; Talk, Observe and Device do not. One for each ability.",
    ),
    Rule(
        "GH-202",
        "Whom monsters turn to",
        "First those who engage, then those who wait, then those who avoid. The referee picks all the same.",
        "option",
    ),
    Rule("GH-203", "Stances and defence", "No stance makes a defence better or worse; everybody defends."),
    Rule("GH-204", "Picking a stance", "On the PC's turn, after initiative; it says what the turn is for.", "ask"),
    Rule("GH-205", "Keeping a stance", "It stays from round to round until the PC changes it on its turn."),
    Rule("GH-206", "Who may attack", "Pursuit, Defend and Flank only."),
    Rule(
        "GH-207",
        "Pursuit strikes whatever happens",
        "Who already holds Pursuit and falls or is paralysed may still swing once in their phase, unless dead.",
    ),
    Rule("GH-208", "Pursuit on the field", "Straight at the enemy, seen by all, apart from the others.", "reference"),
    Rule(
        "GH-209",
        "Defend: the ward",
        "Name a person or a place. An attack on the ward goes to the defender first, unless the referee lets it past.",
        "ask",
    ),
    Rule(
        "GH-210",
        "Defend: the strike",
        "When a monster comes for defender or ward, the defender may spend the round's attack on it at once.",
        "ask",
    ),
    Rule("GH-211", "Defend on the field", "In the open, less noticed than a charge.", "reference"),
    Rule("GH-212", "Flank: the position", "First get out of sight into a better place, a DEX check.", "ask"),
    Rule("GH-213", "Flank: the attack", "Only from that place."),
    Rule("GH-214", "Flank: spotted", "An enemy who sees the PC spoils the attack of the round.", "ask"),
    Rule(
        "GH-215",
        "Talk",
        "Who can hear and is not being attacked gets the message; the referee says how they take it.",
        "manual",
    ),
    Rule("GH-216", "Talk comes first", "Those who held Talk when the phase begins stand first in its order."),
    Rule("GH-217", "Observe", "No attack; neither hidden nor conspicuous."),
    Rule("GH-218", "Observe: warn", "An ally gets Advantage on the next roll.", "ask"),
    Rule("GH-219", "Observe: be ready", "Next round the PC is fast without a roll."),
    Rule("GH-220", "Device", "Use a thing, cast, pick something up, out of the way of trouble.", "option"),
    Rule("GH-221", "Device: disturbed", "Being attacked may spoil or delay it.", "ask"),
    Rule("GH-222", "A round with stances", "Initiative, then stance and deed on each turn; stances stay."),
    Rule("GH-223", "Room for stances", "The set-up may limit how many hold a stance: `stance_limits`."),
    Rule(
        "GH-224",
        "Flank: noticed?",
        "After an attack from hiding the referee says whether it gave the place away.",
        "ask",
    ),
)

IMPORT: tuple[Rule, ...] = (
    Rule("GH-301", "AC of other games", "The distance from that game's unarmoured value, at least 0."),
    Rule("GH-302", "Two scales", "7 [12] prints both; they must agree, else the bracket counts and a note says so."),
    Rule("GH-303", "Which game", "A single number of an unknown game has to be told its system.", "ask"),
    Rule(
        "GH-304",
        "Hit dice of other games",
        "They become dice, rolled for each monster, at least 1. A printed average is only offered.",
    ),
    Rule("GH-305", "Printed hit points", "Used as they stand."),
    Rule("GH-306", "Parts and modes", "Comma, plus, and: one attack. Or: another way to attack."),
    Rule("GH-307", "Several of a kind", "2 x claw (1d4) rolls 1d4 twice."),
    Rule(
        "GH-308",
        "Flat adds",
        "A number added to damage is dropped, or stands for one more d4.",
        "option",
        "damage_adds",
    ),
    Rule("GH-309", "Ranges", "3-18 is 3d6, 2-5 is 1d4+1."),
    Rule("GH-310", "Riders in print", "Text beside the dice becomes a draft of a rider, to be looked over.", "ask"),
    Rule(
        "GH-311",
        "Attacks without dice",
        "A gaze, charm or hazard becomes a draft in the place of damage; a breath waits for dice; the rest is reported.",
        "ask",
    ),
    Rule("GH-312", "The rest", "Morale, movement, saves and the like are kept and shown."),
    Rule("GH-313", "What cannot be read", "It is reported with the reason, never guessed.", "ask"),
    Rule("GH-314", "Prose", "Sentences about paralysis, breath and sticking are read; others become notes.", "ask"),
)
