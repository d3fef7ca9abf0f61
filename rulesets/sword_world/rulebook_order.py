"""Opening, Initiative, rounds, turns and movement: SW-001 to SW-065."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["ORDER"]

ORDER: tuple[Rule, ...] = (
    Rule(
        "SW-001", "The fight begins", "Nothing starts before the game master says so: `Start the combat` in the set-up."
    ),
    Rule(
        "SW-002",
        "Two sides",
        "Everybody fights with the PCs or against them; whoever joins is put on one of the two.",
        "option",
    ),
    Rule(
        "SW-003",
        "The field",
        "Terrain, width, distance and the state of everybody are set-up of the encounter; terrain is free text.",
        "option",
    ),
    Rule(
        "SW-004",
        "A useful distance",
        "Between 5 and 30 m everybody has something to do. Other distances get a warning.",
        "option",
    ),
    Rule(
        "SW-005",
        "Distance by space",
        "5 m in a cramped place, 10 m in a big room or a crowded one such as a wood, 20 m in the open.",
        "option",
    ),
    Rule("SW-006", "Distance on the move", "Riders and the like begin 10 to 20 m farther away.", "option"),
    Rule("SW-007", "Distance to a giant", "A large monster is noticed 5 to 10 m earlier.", "option"),
    Rule(
        "SW-008",
        "Afterwards",
        "Once the fight runs, only movement counts; the starting distance is history.",
        "reference",
    ),
    Rule(
        "SW-009",
        "Monster Knowledge",
        "Before Initiative each character may try to recognise each kind of enemy monster it does not know.",
        "ask",
    ),
    Rule("SW-010", "Everyone for themselves", "What one character recognises, the others do not."),
    Rule("SW-011", "Initiative", "Then everybody may roll Initiative; untick whoever would rather not.", "ask"),
    Rule(
        "SW-012",
        "Against monsters",
        "The best monster sets the mark. One PC who reaches it is enough: the PCs' side leads.",
    ),
    Rule("SW-013", "All fail", "If no PC reaches the mark, the monsters lead."),
    Rule(
        "SW-014",
        "Against people",
        "If the best opponent is a character, the best of both sides contest with each other.",
    ),
    Rule("SW-015", "Ten seconds", "That is the length of a round."),
    Rule("SW-016", "Round 1", "It begins when Initiative is settled."),
    Rule("SW-017", "A turn each", "In each round everybody may have one turn."),
    Rule("SW-018", "End of the round", "When the turns are over, the round closes."),
    Rule("SW-019", "The leading party", "It acts first; which member is next is up to its players.", "ask"),
    Rule("SW-020", "The following party waits", "Its phase opens only after that of the leading party has ended."),
    Rule("SW-021", "The following party", "It chooses its own order, too.", "ask"),
    Rule("SW-022", "The clock moves on", "After both phases ten seconds have gone by."),
    Rule(
        "SW-023",
        "The end is fixed at once",
        "How long something holds is settled when it is made; nothing that happens later moves its end.",
    ),
    Rule(
        "SW-024",
        "One round, n rounds",
        "One round ends when the side of the creature concerned begins its next phase; n rounds at the n-th such moment.",
    ),
    Rule(
        "SW-025",
        "Within the leading party",
        "What it puts on its own members in round 1 holds through the enemies' phase and ends with its phase of round 2.",
    ),
    Rule("SW-026", "Within the following party", "The same there: from its own phase to its own next one."),
    Rule(
        "SW-027",
        "The next round",
        "As long as both sides can and will fight, another round begins; who leads stays the same.",
    ),
    Rule("SW-028", "Nobody left", "If a side has nobody able when a round closes, the fight is over."),
    Rule(
        "SW-029",
        "Giving up",
        "Surrender, flight without pursuit and the like end the fight; use `End the fight` or a status.",
        "manual",
    ),
    Rule(
        "SW-030",
        "Decided",
        "As soon as a side has nobody able the fight is marked as decided and can be ended there and then.",
    ),
    Rule("SW-031", "Everything ends", "At the end of the fight all effects on everybody are gone."),
    Rule("SW-032", "Unless it stays", "If the next fight is near, the game master may pick effects that go on.", "ask"),
    Rule("SW-033", "Spoils", "The winners may search the defeated monsters.", "ask"),
    Rule("SW-034", "Drop entries", "Roll 2d for each defeated monster that has entries, and read them there.", "ask"),
    Rule("SW-035", "Sword Shards", "They are the PCs' as well; the log adds them up."),
    Rule("SW-036", "It takes a while", "Searching costs ten minutes, once."),
    Rule("SW-037", "End of a turn", "A turn is over when its owner says so, even if nothing was done in it."),
    Rule("SW-038", "What a turn holds", "Movement and actions; badges show what is left."),
    Rule(
        "SW-039",
        "Declare the movement",
        "One kind, once a turn, before the standard action; then walk up to its limit.",
    ),
    Rule(
        "SW-040",
        "Movement limits actions",
        "The farther the kind of movement goes, the less may follow. Without any, everything may.",
    ),
    Rule("SW-041", "Full movement", "Up to three times Agility in metres."),
    Rule("SW-042", "Full movement exposes", "Evasion is 4 lower until the mover's next turn starts."),
    Rule("SW-043", "After full movement", "Nothing that costs anything, and no spells, free or not."),
    Rule("SW-044", "Normal movement", "Up to Agility in metres."),
    Rule("SW-045", "After normal movement: not", "No shooting and no spell."),
    Rule(
        "SW-046",
        "After normal movement: yes",
        "Free actions, a melee attack, anything shorter than ten seconds; for the rest ask the game master.",
    ),
    Rule("SW-047", "Short movement", "Up to 3 m."),
    Rule("SW-048", "Short movement of the slow", "Whose Agility is below 3 gets no farther than that."),
    Rule("SW-049", "After short movement", "Everything that normal movement leaves, and shots and spells besides."),
    Rule("SW-050", "The standard action", "Once a turn, something that calls for a check."),
    Rule("SW-051", "What is one", "Attacks of both kinds and spells."),
    Rule(
        "SW-052",
        "Anything complicated",
        "Whatever takes time or a check is the standard action too, unless unticked.",
        "option",
    ),
    Rule("SW-053", "Free actions", "As many as wanted, whenever it is one's turn."),
    Rule(
        "SW-054",
        "Not in the middle",
        "No free action interrupts an action: from Accuracy to damage an attack is one piece.",
    ),
    Rule(
        "SW-055",
        "Declared feats",
        "They are switched on before the roll, in the form of the attack or the spell.",
        "option",
    ),
    Rule("SW-056", "One of them", "At most one declared feat in a turn."),
    Rule("SW-057", "Brawls are free", "Starting one and joining one cost nothing."),
    Rule(
        "SW-058", "Free casting", "Some spells, such as those that load bullets, are free actions; as many as MP allow."
    ),
    Rule("SW-059", "It is casting all the same", "So it is out of question after normal or full movement."),
    Rule("SW-060", "Standing up", "Free, for whoever is prone."),
    Rule("SW-061", "Unsteady", "Having stood up costs 2 on Fortitude and Willpower for the rest of the turn."),
    Rule("SW-062", "Changing weapons", "Free, but only while the standard action is still there."),
    Rule(
        "SW-063",
        "Scabbard and holster",
        "Swords and one-handed guns can be put away, and drawn again from the next round on.",
    ),
    Rule("SW-064", "All other arms", "They are dropped before something else is taken."),
    Rule("SW-065", "Who is next", "After a turn the next one is chosen from those who have had none.", "ask"),
)
