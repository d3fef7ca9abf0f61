"""How the questions the rules leave open are answered here: GH-A01 to GH-A35."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["RULINGS"]


def _ruling(number: int, title: str, text: str, switch: str = "") -> Rule:
    return Rule(f"GH-A{number:02}", title, text, "ruling", switch)


RULINGS: tuple[Rule, ...] = (
    _ruling(
        1,
        "AC soaks the whole sum",
        "Number and weapon dice are added up before AC comes off, and nothing goes below 0.",
    ),
    _ruling(2, "Harm die by die", "Each die is held against AC for itself; sums count only against monsters."),
    _ruling(3, "Order of the slow", "Higher number first among them too.", "slow_order"),
    _ruling(4, "Ties in number", "Higher DEX, then the order of the roster."),
    _ruling(5, "One target", "A monster's attack is aimed at one PC; what strikes an area says so.", "monster_targets"),
    _ruling(6, "One defence per monster", "It covers all the dice of the attack.", "defence_rolls"),
    _ruling(7, "Dice left by a save", "Rounded down, but never to none.", "save_rounding"),
    _ruling(
        8,
        "How much a save leaves",
        "Half, unless the special says another share; a quarter and three quarters are on offer.",
    ),
    _ruling(9, "When a jelly sticks", "As soon as the defence fails, dice or no dice.", "sticks_on"),
    _ruling(
        10,
        "A clinging jelly",
        "Deals its damage on its own turn, against the AC that is left; the first AC goes at the next round's start.",
    ),
    _ruling(11, "As many ticks as crosses", "Stable. Stars count as crosses.", "tie_is"),
    _ruling(12, "Dying without a tick", "The referee says whether this is death; it is, unless told otherwise."),
    _ruling(
        13,
        "Coming to",
        "Once a box is empty again the form after the fight offers to wake the PC; before that the referee may.",
    ),
    _ruling(
        14,
        "When the CON save comes",
        "Once per attack that hit and left no box, after its marks. A hit without a box worsens the lowest tick, else cross.",
    ),
    _ruling(
        15,
        "Which of two dice",
        "The better for Advantage, the worse for Disadvantage is put forward; having both means one die.",
    ),
    _ruling(16, "Order of marks", "As the dice were rolled."),
    _ruling(
        17, "One save against paralysis", "Per attack, not per hit; the paralysed do not save again.", "paralysis_saves"
    ),
    _ruling(18, "Paralysis", "CON, or STR at your word. No turn, no defence, until the fight ends.", "save_ability"),
    _ruling(19, "Breath meets armour", "Its dice are held against AC; there is no defence roll."),
    _ruling(20, "Surprise", "There is no rule; preset who is fast or slow."),
    _ruling(21, "No hit points left", "The monster is slain; below 0 nothing is shown."),
    _ruling(22, "One main action", "Short moves and shouts come free; two attacks never."),
    _ruling(23, "Any ability", "All six can be picked for attack and defence, the usual ones first."),
    _ruling(24, "Damage adds", "Dropped with a note, as dice are compared one by one.", "damage_adds"),
    _ruling(25, "Pulling a jelly off", "A main action and a STR check, by the host or a friend."),
    _ruling(26, "Uses per fight", "Full again when the next fight is set up."),
    _ruling(27, "Which ticks go first", "The highest boxes; treatment does the same. Pick boxes by hand if you like."),
    _ruling(
        28, "Delayed riders", "They come before any rest: save then, and on a failure the boxes of that attack worsen."
    ),
    _ruling(29, "Equal to AC", "A die that only equals AC does nothing."),
    _ruling(30, "No initiative", "All PCs act, then the monsters.", "initiative"),
    _ruling(31, "A last swing", "Pursuit strikes even while falling, with the stance held at that moment.", "stances"),
    _ruling(32, "Area and hiding", "Areas reach the hidden; single attacks do not, unless they are spotted."),
    _ruling(
        33,
        "Hitting the fallen",
        "Marks as usual, no save; once crosses outnumber ticks the PC is dying, even after having been stabilised.",
    ),
    _ruling(34, "What Angst can do", "Only what the track allows is offered; the lowest box is put forward."),
    _ruling(
        35, "Impossible dice", "The question stays open and nothing has happened; a cancelled step leaves no trace."
    ),
)
