"""The commands of the turn, of the GM and of time."""

from __future__ import annotations

from tracker.ui.keys.command import Command, Line, under

__all__ = ["TURNS"]

TURNS: tuple[Command, ...] = (
    *under(
        "Turn",
        Command(
            "answer",
            "enter",
            "answer",
            "answer what is asked; in a pane: open the line under the cursor",
            action="open",
            shown=("waiting", "past"),
            instead=(("past", "go on from here"),),
            near=("order", "roster", "log", "map"),
        ),
        Command(
            "act",
            "a",
            "act",
            "act with the active or chosen combatant: the usual action stands first",
            action="act",
            shown=("fight",),
            near=("console", "roster"),
        ),
        Command(
            "sheet",
            "A",
            "sheet",
            "the turn of a side, or the acts due, on one sheet: Enter does them all; then A for the next",
            action="sheet",
            shown=("fight",),
            near=("console", "roster"),
        ),
        Command(
            "next",
            "n",
            "next",
            "end the turn, the phase or the round; where something is asked, go there",
            action="advance",
            shown=("fight", "missed"),
            near=("console", "missed"),
        ),
        Command(
            "remind",
            "R",
            "reminders",
            "what may have been missed: settle it or drop it",
            action="remind",
            near=("console",),
        ),
        Command(
            "jump",
            "apostrophe",
            "jump",
            "go to a combatant by label; pressed twice before it: act as that one, out of turn too",
            action="jump",
            near=("roster",),
        ),
    ),
    *under(
        "Game master",
        Command(
            "damage",
            "minus",
            "damage",
            "number and labels; capitals have saved: half; others a share: -21abC d*2 e/4",
            line=Line("Damage", "damage", "number, labels; capital: half: 21abC d*2", 0),
            shown=("fight",),
        ),
        Command(
            "heal",
            "plus",
            "heal",
            "heal: number and labels; a word names another pool: +3a mp",
            line=Line("Heal", "heal", "number and labels: 5g", 1),
            shown=("fight",),
        ),
        Command(
            "effect",
            "e",
            "effect",
            "add an effect: e prone g 3, e blessed g +1 attack 3 rounds; * keeps it",
            line=Line("Add an effect", "add_effect", "blessed g +1 attack 3 rounds; * keeps it", 4),
            shown=("fight",),
        ),
        Command(
            "end_effect",
            "x",
            "end effect",
            "end an effect: label, and its number where there are several",
            line=Line("End an effect", "end_effect", "label; number or word where there are several", 5, numbered=True),
            shown=("fight",),
        ),
        Command(
            "status",
            "s",
            "status",
            "up, down, dead, fled: labels and the word or its number",
            line=Line("Status", "status", "labels, then a word or number from the list", 3),
            shown=("fight",),
        ),
        Command(
            "insert",
            "i",
            "insert",
            "let combatants join from the bestiary: 2 gob",
            line=Line("Insert", "insert", "how many and who: 2 gob", 6),
            shown=("fight",),
        ),
        Command(
            "move",
            "m",
            "move",
            "move in the order: label, then the label it goes before; or hold, wait",
            line=Line(
                "Move in the order", "move", "label, then the label it goes before; or: g hold", 7, numbered=True
            ),
            near=("order",),
        ),
        Command(
            "set",
            "equals_sign",
            "set",
            "set a value: label, number, and a word for which: =g 12",
            line=Line("Set a value", "set", "label, number, which: g 12, g 3 main", 2),
        ),
        Command(
            "roll",
            "f",
            "roll",
            "roll dice freely: 2d6+3",
            line=Line("Roll dice", "roll", "dice and what for: 2d6+3 luck", 8),
        ),
        Command(
            "note",
            "o",
            "note",
            "write a note on the fight or a combatant: g: afraid of fire",
            line=Line("Note", "note", "a note on the fight; on a combatant: g: afraid of fire", 9),
        ),
        Command(
            "repeat",
            "full_stop",
            "again",
            "the last command again: on new labels, or as the one under the cursor",
            line=Line("Again", "", "labels of the new targets", 10),
            action="repeat",
        ),
    ),
    *under(
        "Time",
        Command(
            "undo", "u,ctrl+z", "undo", "take back the last answer or step", action="undo", shown=("fight", "waiting")
        ),
        Command("redo", "U,ctrl+y", "redo", "do it again", action="redo"),
        Command(
            "earlier",
            "left_square_bracket",
            "earlier",
            "look one step back; {answer} goes on from there, {back} comes back to now",
            action="look",
            value=-1,
            shown=("past",),
        ),
        Command(
            "later", "right_square_bracket", "later", "look one step forward", action="look", value=1, shown=("past",)
        ),
        Command(
            "correct",
            "c",
            "correct",
            "correct a die, decision or action of the past; see what would differ",
            action="correct",
            near=("log",),
        ),
        Command("branches", "B", "branches", "the ways this fight has gone: go to one, name it", action="branches"),
        Command(
            "what_if",
            "w",
            "what-if",
            "try things; nothing is real until it is kept; again: keep it, drop it or go on",
            action="what_if",
        ),
        Command(
            "forecast",
            "F",
            "forecast",
            "how the fight will probably end from here; in a what-if: against the real one",
            action="forecast",
            shown=("fight",),
            near=("console",),
            finds="chance odds win survive die",
        ),
        Command(
            "name_branch", "", "name this way the fight has gone", "for the list of branches", action="name_branch"
        ),
    ),
)
