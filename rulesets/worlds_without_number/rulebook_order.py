"""Sequence, initiative, surprise and kinds of action: WN-001 to WN-040."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["ORDER"]

ORDER: tuple[Rule, ...] = (
    Rule(
        "WN-001",
        "The sequence of a fight",
        "A fight runs in a loop: roll initiative once, let each side act in turn, start over. Press advance to go to the next place in the loop.",
    ),
    Rule(
        "WN-002",
        "Everybody's side rolls",
        "When the fight opens, each side that takes part rolls for initiative; nobody is left out of the order.",
    ),
    Rule("WN-003", "Highest goes first", "The side with the best initiative opens the round."),
    Rule(
        "WN-004",
        "A side's phase",
        "While a side is active, its members spend their actions. The other sides can only answer with Instants.",
    ),
    Rule(
        "WN-005",
        "Any order within a side",
        "Members of the active side may go in whatever order suits them, even turn and turn about. The players settle theirs, the GM picks for NPCs.",
    ),
    Rule(
        "WN-006", "On to the next side", "Once a side is done, the one with the next lower initiative becomes active."
    ),
    Rule(
        "WN-007",
        "Losses test the NPCs' nerve",
        "An NPC side that has lost people or is about to lose may be put to a Morale check. The question comes up when a phase closes; the "
        "check itself is WN-C20.",
        "ask",
    ),
    Rule(
        "WN-008",
        "No Morale for player characters",
        "Player characters decide for themselves whether to run. A Morale check on one of them is refused.",
    ),
    Rule(
        "WN-009",
        "The same order again",
        "After the last side the round starts anew with the first one, in the order already set.",
    ),
    Rule(
        "WN-010",
        "One initiative per fight",
        "The order of the first round stays to the end. Move a slot by hand if the fiction demands it.",
    ),
    Rule(
        "WN-011",
        "Side initiative",
        "A side rolls 1d8 and adds the best Dexterity modifier found among its members.",
        "auto",
        "initiative",
    ),
    Rule(
        "WN-012",
        "NPCs add nothing",
        "NPC sides usually roll a bare 1d8. An `init_mod` in a stat block changes that.",
        "option",
    ),
    Rule(
        "WN-013",
        "Ties favour the player characters",
        "Sides act from high to low; on equal results the player characters' side is ahead.",
    ),
    Rule(
        "WN-014",
        "The round ends with the slowest",
        "The last side's phase closes the round, and the next one keeps the order.",
    ),
    Rule(
        "WN-015",
        "Individual initiative",
        "Optional: every combatant rolls 1d8 and adds its own Dexterity modifier instead of sharing a side's roll.",
        "auto",
        "initiative",
    ),
    Rule(
        "WN-016",
        "Individual order",
        "With individual initiative combatants act from high to low, and a player character goes before an NPC of the same result.",
        "auto",
        "initiative",
    ),
    Rule(
        "WN-017",
        "Which initiative to choose",
        "Individual rolls keep a group from being swept away before it can move, but make plans that need several people harder to carry out.",
        "reference",
    ),
    Rule(
        "WN-018",
        "Surprise",
        "A side that did not see the attack coming at all may be surprised. Mark it in the encounter or when the program asks.",
        "ask",
    ),
    Rule(
        "WN-019",
        "The surprise round",
        "Enemies of a surprised side get a whole round of their own, numbered 0; initiative is rolled after it.",
    ),
    Rule(
        "WN-020",
        "The GM decides on surprise",
        "Whether somebody is caught off guard is the GM's call; dice may only suggest an answer.",
        "ask",
    ),
    Rule(
        "WN-021",
        "Rolling for surprise",
        "In doubt set Dexterity/Sneak of whoever lies in wait against Wisdom/Notice of whoever might spot them. The result fills in the "
        "question, the GM confirms it.",
        "option",
    ),
    Rule(
        "WN-022",
        "Ready for trouble",
        "People who count on a fight at any moment cannot be surprised. Set `expects_trouble` on the side, or on all of its members.",
    ),
    Rule(
        "WN-023",
        "Caught flat-footed, not surprised",
        "A wary side that is still at a disadvantage takes a penalty to initiative at most: its `initiative_modifier`.",
        "option",
    ),
    Rule(
        "WN-024",
        "Immune to surprise",
        "Some Foci and powers never let their owner be surprised. With `immune_to_surprise` such a combatant acts in round 0 although its side does not.",
    ),
    Rule(
        "WN-025",
        "Automatic initiative",
        "Some Foci and powers let their owner always go first: the flag `auto_initiative`.",
    ),
    Rule(
        "WN-026",
        "Before all sides",
        "Whoever has automatic initiative acts at the top of every round, in a slot of its own, even if its side comes last.",
    ),
    Rule(
        "WN-027",
        "Several who are first",
        "Two or more with automatic initiative roll 1d8 and add their modifiers, only to rank themselves. One alone rolls nothing.",
    ),
    Rule(
        "WN-028",
        "Four kinds of action",
        "Everything costs a Main, a Move, an On Turn or an Instant action. The badges beside a name show what is left.",
    ),
    Rule(
        "WN-029",
        "Main action",
        "The big deed of the round, up to about six seconds long: strike, cast, bandage, or throw everything into not being hit.",
    ),
    Rule("WN-030", "One Main action", "Each combatant has a single Main action in a round."),
    Rule(
        "WN-031",
        "Move action",
        "Walk up to the normal rate, 30 feet for a human, or do another brief physical thing such as getting up. The GM keeps track of places.",
    ),
    Rule("WN-032", "One Move action", "Each combatant has a single Move action in a round."),
    Rule("WN-033", "Main traded for a Move", "A combatant may give its Main action to move a second time."),
    Rule(
        "WN-034",
        "On Turn actions",
        "Small things that take no time to speak of, like calling out or turning on a power. They cost nothing but belong to one's own phase.",
    ),
    Rule(
        "WN-035",
        "As many On Turn actions as fit",
        "There is no count of On Turn actions; the GM stops what stretches belief.",
    ),
    Rule("WN-036", "Instant actions", "Immediate acts that powers or certain actions grant."),
    Rule(
        "WN-037",
        "Instants at any time",
        "An Instant fits anywhere, in other people's turns too and even between a roll and its result. The program stops after an attack "
        "roll if somebody could answer.",
        "ask",
    ),
    Rule(
        "WN-038",
        "A miss turned into a hit",
        "Veteran's Luck is the standard example: after the roll the attack simply hits. Write it as an instant with `does: miss_to_hit`.",
        "ask",
    ),
    Rule(
        "WN-039",
        "As many Instants as fit",
        "Instants are not counted either, only their uses are; the GM judges what is believable.",
    ),
    Rule(
        "WN-040",
        "Instants at the same moment",
        "Two Instants triggered together take effect together: tick `simultaneous`. Where that leads to a riddle, the GM solves it.",
        "option",
    ),
)
