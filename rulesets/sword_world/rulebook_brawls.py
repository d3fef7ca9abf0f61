"""Brawls: SW-066 to SW-100."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["BRAWLS"]

BRAWLS: tuple[Rule, ...] = (
    Rule(
        "SW-066",
        "What a brawl is",
        "People at arm's length who strike at each other and get in each other's way.",
        "reference",
    ),
    Rule("SW-067", "Starting one", "Whoever has come up to an enemy may do so."),
    Rule(
        "SW-068",
        "Stopping a mover",
        "An enemy one comes next to may start a brawl in the middle of the movement, if the game master agrees.",
        "ask",
    ),
    Rule("SW-069", "One word is enough", "The other side need not want it."),
    Rule("SW-070", "The zone", "Each brawl has one zone for all who take part; in it they reach one another."),
    Rule("SW-071", "Its center", "Where the one stands who started it."),
    Rule("SW-072", "It stays put", "A zone does not wander; it is there until it is released."),
    Rule("SW-073", "No way out but one", "Who is in a zone gets out by leaving it in proper form."),
    Rule("SW-074", "Capacity", "Room for twenty."),
    Rule("SW-075", "The one too many", "An entry beyond the capacity is refused."),
    Rule("SW-076", "Joining", "Walk to the center and say so; the newcomer is last in the order."),
    Rule(
        "SW-077",
        "The zone breathes",
        "Its size follows the number of those who fight in it, unless the game master has typed one.",
    ),
    Rule("SW-078", "Size guide", "Radius 2 to 6 m in the open, squares of 3 to 10 m indoors, by sections.", "option"),
    Rule("SW-079", "Narrow places", "A narrow field holds fewer: on 5 m of path it is five.", "option"),
    Rule("SW-080", "Staying inside", "Those who take part do not walk about outside."),
    Rule("SW-081", "No thoroughfare", "A zone blocks the way, with the exceptions below."),
    Rule(
        "SW-082",
        "Held by few",
        "Twice the enemies in it still fewer than the mover's allies there: the mover gets through.",
    ),
    Rule("SW-083", "Or held", "Otherwise the enemies in it choose: let pass, or draw the mover in.", "ask"),
    Rule("SW-084", "Drawn in", "Who is held becomes the last participant, and its movement ends."),
    Rule("SW-085", "Full is full", "Nobody gets through a zone at its capacity."),
    Rule("SW-086", "Sections", "Each section of a big body takes the room of one fighter and blocks like one."),
    Rule("SW-087", "Breaking through", "A body of more sections than all who oppose it is not held."),
    Rule(
        "SW-088",
        "Too big to hold",
        "One fighter cannot start a brawl with a body of three sections; several together may.",
    ),
    Rule("SW-089", "Areas and the center", "An area aimed at a brawl has to reach the zone's center.", "option"),
    Rule("SW-090", "Random victims", "An area with a maximum hits that many participants, drawn at random."),
    Rule("SW-091", "Lines", "The one aimed at is hit; each of the others rolls a die and is hit on 1 to 3.", "ask"),
    Rule(
        "SW-092", "Fusing", "A zone that grows over another's center swallows it, if the game master confirms.", "ask"
    ),
    Rule("SW-093", "After fusing", "The new center is half-way, and everybody of both takes part."),
    Rule("SW-094", "No walking out", "Not even a single opponent left makes normal movement enough."),
    Rule("SW-095", "Declaring to leave", "It takes the standard action of a turn."),
    Rule("SW-096", "Exposed while leaving", "4 off Evasion, until one's own next turn starts."),
    Rule("SW-097", "Going", "The turn after that, normal or full movement may lead out."),
    Rule("SW-098", "From the center", "The metres are counted from there, so they must exceed the radius."),
    Rule("SW-099", "A side has left", "With nobody of one side in it, the brawl is over and the zone gone."),
    Rule("SW-100", "A side is down", "So it is when those in it have been knocked out."),
)
