"""What the combat chapter takes from elsewhere: checks, saves, dying, Morale, lists (WN-C01 to WN-C31)."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["COMPANION"]

COMPANION: tuple[Rule, ...] = (
    Rule(
        "WN-C01",
        "Skill check",
        "2d6 + skill level + attribute modifier. It succeeds from the difficulty up: 6 simple, 8 a task for professionals, 10 for experts, "
        "12 for masters, 14 and more hardly possible.",
    ),
    Rule("WN-C02", "Unskilled check", "Without even level 0, the skill counts as -1."),
    Rule(
        "WN-C03",
        "Skill checks of NPCs",
        "An NPC adds its one skill bonus where its trade helps, and otherwise nothing or -1.",
        "option",
    ),
    Rule("WN-C04", "Opposed check", "Both roll a skill check and the higher total wins."),
    Rule(
        "WN-C05",
        "Saving throw",
        "1d20 from the save number up succeeds. A natural 1 always fails and a natural 20 always succeeds.",
        "auto",
        "natural_saves",
    ),
    Rule(
        "WN-C06",
        "Saves of player characters",
        "16 - level - the better of two modifiers: Strength or Constitution for Physical, Dexterity or Intelligence for Evasion, Wisdom or "
        "Charisma for Mental. Typed numbers win.",
        "auto",
        "companion",
    ),
    Rule(
        "WN-C07",
        "Saves of NPCs",
        "15 less half the hit dice, rounded down, never below 2; one number for all saves. A typed number wins.",
        "auto",
        "companion",
    ),
    Rule(
        "WN-C08", "Attribute modifiers", "3 gives -2, 4 to 7 gives -1, 8 to 13 gives 0, 14 to 17 gives +1, 18 gives +2."
    ),
    Rule("WN-C09", "Hit points of NPCs", "1d8 for each hit die, unless the stat block fixes them."),
    Rule("WN-C10", "Death of ordinary NPCs", "At 0 hit points they are dead.", "auto", "companion"),
    Rule(
        "WN-C11",
        "Mortally Wounded",
        "Player characters, and NPCs with `fate: mortal`, lie dying at 0 hit points and can do nothing.",
        "auto",
        "companion",
    ),
    Rule(
        "WN-C12",
        "How long dying takes",
        "Unless somebody stops it, death comes when the sixth round after the fall ends.",
        "auto",
        "death_rounds",
    ),
    Rule(
        "WN-C13",
        "Stabilising",
        "Main action: Intelligence or Dexterity with Heal against 8, one more for every full round since the fall, 2 more without bandages.",
        "auto",
        "companion",
    ),
    Rule(
        "WN-C14",
        "One attempt a round",
        "A victim can be treated once in a round; try again in the next.",
        "auto",
        "companion",
    ),
    Rule("WN-C15", "Harm to the dying", "Any damage kills somebody who is Mortally Wounded.", "auto", "companion"),
    Rule(
        "WN-C16",
        "Recovering",
        "Ten minutes after being stabilised a victim gets up with 1 hit point, and is Frail.",
        "option",
        "companion",
    ),
    Rule(
        "WN-C17",
        "Frail",
        "Falling to 0 hit points again by a deadly blow kills a Frail character outright.",
        "auto",
        "companion",
    ),
    Rule(
        "WN-C18",
        "Coming to",
        "Somebody who was only subdued wakes after ten minutes with 1 hit point.",
        "option",
        "companion",
    ),
    Rule(
        "WN-C20",
        "Morale check",
        "2d6: more than the Morale score breaks an NPC, which then flees or yields as the GM sees fit. A score of 12 holds always.",
        "auto",
        "companion",
    ),
    Rule(
        "WN-C21",
        "When Morale is at stake",
        "The first loss of a side, half of it down, its leader's fall; also a show of overwhelming force, which the GM calls.",
        "ask",
        "companion",
    ),
    Rule(
        "WN-C22",
        "Allies of the party",
        "Hirelings and friends who are NPCs check Morale like all others.",
        "ask",
        "companion",
    ),
    Rule(
        "WN-C23",
        "Instinct check",
        "1d10: up to the Instinct score the NPC does something rash, as its nature suggests.",
        "option",
        "companion",
    ),
    Rule(
        "WN-C30",
        "Bare hands and the weapon list",
        "Without a weapon: 1d2 plus Punch, with Strength. Common weapons need only their names in a file.",
    ),
    Rule(
        "WN-C31",
        "Printed stat lines",
        "A line with HD, AC, Atk, Dmg, Shock, Move, ML, Inst, Skill and Save can be pasted as `stat_line`.",
    ),
)
