"""Every command of the program, one row each.

Dispatch, footer, help, palette, command line and keymap file are all made from this table. A row with neither `do` nor
`line` is fixed: the open mode reads its key itself, and the row only describes the key. Places are words separated by
blanks; a word such as `@typed` is a set of places.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tracker.ui.keys.command import PANES, Call, Command, Line, pane_commands

SETS: Mapping[str, str] = {
    "@typed": "verb picker sheet acts form line palette",
    "@left": "verb picker sheet acts form line palette missed reader forecast ended told branches",
    "@quitting": (
        "fight map waiting prompt missed report ended told forecast trial branches past start @typed broken party"
    ),
    "@lists": " ".join(pane.id for pane in PANES if pane.listed),
    "@chosen": " ".join(pane.id for pane in PANES if pane.number),
}
"""Sets of places: with a typed line, left by Escape, with `quit` in the footer, filterable panes, numbered panes."""


def places(words: str) -> tuple[str, ...]:
    """Return the places of a text, with each set replaced by its places."""
    return tuple(place for word in words.split() for place in (places(SETS[word]) if word in SETS else (word,)))


def c(
    id: str,  # noqa: A002 - the row's own word for it
    key: str,
    word: str,
    description: str,
    *,
    do: str = "",
    value: str | int | None = None,
    line: Line | None = None,
    footer: str = "",
    words: Mapping[str, str] | None = None,
    help_for: str = "",
    screens: str = "",
    board: bool = False,
    detail: str = "",
    synonyms: str = "",
    text: str = "",
) -> Command:
    """Return one row; `words` are its other words in some footers. A row with a `line` opens that line."""
    call = Call(do, value) if do else Call("verb", id) if line is not None else None
    fields: dict[str, object] = {
        **{"id": id, "key": key, "word": word, "description": description, "call": call, "line": line},
        "footers": tuple((place, (words or {}).get(place, word)) for place in places(footer)),
        **{"help_for": places(help_for), "screens": places(screens)},
        **{"board": board, "detail": detail, "synonyms": synonyms, "text": text},
    }
    return Command(**fields)  # type: ignore[arg-type]  # the places are checked by the tests of the table


def group(title: str, rows: tuple[Command, ...], *, help_for: str = "", screens: str = "fight") -> tuple[Command, ...]:
    """Return rows under a heading; `help_for` and `screens` are the defaults of the rows."""
    own = (places(help_for), places(screens))
    return tuple(
        replace(row, group=title, help_for=row.help_for or own[0], screens=row.screens or own[1]) for row in rows
    )


# fmt: off
COMMANDS: tuple[Command, ...] = (
    *group("Turn", help_for="console roster", rows=(
        c("answer", "enter", "answer", "answer what is asked; in a pane: open the line under the cursor", do="open",
          footer="waiting past", words={"past": "go on from here"}, help_for="@lists map"),
        c("act", "a", "act", "act with the active or chosen combatant: the usual action stands first", do="act",
          footer="fight"),
        c("sheet", "A", "sheet",
          "the turn of a side, or the acts due, on one sheet: Enter does them all; then A for the next", do="sheet",
          footer="fight"),
        c("next", "n", "next", "end the turn, the phase or the round; where something is asked, go there",
          do="advance", footer="fight missed", help_for="console missed"),
        c("remind", "R", "reminders", "what may have been missed: settle it or drop it", do="remind",
          help_for="console"),
        c("jump", "apostrophe", "jump",
          "go to a combatant by label; pressed twice before it: act as that one, out of turn too", do="jump",
          help_for="roster"),
    )),
    *group("Game master", rows=(
        c("damage", "minus", "damage", "number and labels; capitals have saved: half; others a share: -21abC d*2 e/4",
          footer="fight", line=Line("Damage", "damage", "number, labels; capital: half: 21abC d*2")),
        c("heal", "plus", "heal", "heal: number and labels; a word names another pool: +3a mp", footer="fight",
          line=Line("Heal", "heal", "number and labels: 5g")),
        c("effect", "e", "effect", "add an effect: e prone g 3, e blessed g +1 attack 3 rounds; * keeps it",
          footer="fight", line=Line("Add an effect", "add_effect", "blessed g +1 attack 3 rounds; * keeps it")),
        c("end_effect", "x", "end effect", "end an effect: label, and its number where there are several",
          footer="fight",
          line=Line("End an effect", "end_effect", "label; number or word where there are several")),
        c("status", "s", "status", "up, down, dead, fled: labels and the word or its number", footer="fight",
          line=Line("Status", "status", "labels, then a word or number from the list")),
        c("insert", "i", "insert", "let combatants join from the bestiary: 2 gob", footer="fight",
          line=Line("Insert", "insert", "how many and who: 2 gob")),
        c("move", "m", "move", "move in the order: label, then the label it goes before; or hold, wait",
          help_for="order",
          line=Line("Move in the order", "move", "label, then the label it goes before; or: g hold")),
        c("set", "equals_sign", "set", "set a value: label, number, and a word for which: =g 12",
          line=Line("Set a value", "set", "label, number, which: g 12, g 3 main")),
        c("roll", "f", "roll", "roll dice freely: 2d6+3",
          line=Line("Roll dice", "roll", "dice and what for: 2d6+3 luck")),
        c("note", "o", "note", "write a note on the fight or a combatant: g: afraid of fire",
          line=Line("Note", "note", "a note on the fight; on a combatant: g: afraid of fire")),
        c("repeat", "full_stop", "again", "the last command again: on new labels, or as the one under the cursor",
          do="repeat", line=Line("Again", "", "labels of the new targets")),
    )),
    *group("Time", rows=(
        c("undo", "u,ctrl+z", "undo", "take back the last answer or step", do="undo", footer="fight waiting"),
        c("redo", "U,ctrl+y", "redo", "do it again", do="redo"),
        c("earlier", "left_square_bracket", "earlier",
          "look one step back; {answer} goes on from there, {back} comes back to now", do="look", value=-1,
          footer="past"),
        c("later", "right_square_bracket", "later", "look one step forward", do="look", value=1, footer="past"),
        c("correct", "c", "correct", "correct a die, decision or action of the past; see what would differ",
          do="correct", help_for="log"),
        c("branches", "B", "branches", "the ways this fight has gone: go to one, name it", do="branches"),
        c("what_if", "w", "what-if", "try things; nothing is real until it is kept; again: keep it, drop it or go on",
          do="what_if"),
        c("forecast", "F", "forecast", "how the fight will probably end from here; in a what-if: against the real one",
          do="forecast", footer="fight", help_for="console", synonyms="chance odds win survive die"),
        c("name_branch", "", "name this way the fight has gone", "for the list of branches", do="name_branch"),
    )),
    *group("Panes", rows=(
        *pane_commands(PANES),
        c("template", "t", "area", "on the map: an area and whom it catches, for {damage} to take; again: a wider one",
          do="template", footer="map", help_for="map", board=True),
        c("shape", "T", "shape", "on the map: an area of another form", do="lay", value="shape", footer="map",
          help_for="map", board=True),
        c("reach", "G", "reach", "on the map: show or hide how far the chosen combatant can go",
          do="lay", value="reach", footer="map", help_for="map", board=True),
        c("threat", "D", "danger", "on the map: what its foes threaten", do="lay", value="threat", footer="map",
          help_for="map", board=True),
        c("ruler", "L", "ruler", "on the map: measure from here to where the cursor goes; again: no longer",
          do="lay", value="ruler", footer="map", help_for="map", board=True),
        c("fog", "V", "fog", "on the map: veil it from the players, or lift fog from the area laid", do="fog",
          footer="map", help_for="map", board=True),
        c("next_target", "tab", "", "on the map: to the next target", do="round", value=1, footer="map",
          words={"map": "target"}, help_for="map", board=True),
        c("last_target", "shift+tab", "", "on the map: to the target before", do="round", value=-1, help_for="map",
          board=True),
        c("bigger", "greater_than_sign", "", "on the map: bigger squares", do="zoom", value=1, footer="map",
          words={"map": "bigger"}, help_for="map", board=True),
        c("smaller", "less_than_sign", "", "on the map: smaller squares", do="zoom", value=-1, footer="map",
          words={"map": "smaller"}, help_for="map", board=True),
        c("block", "b", "stat block", "show or hide the stat block of the combatant under the cursor", do="block",
          help_for="order roster"),
        c("up", "up", "", "one line up", do="move", value=-1, help_for="@chosen", screens="fight start"),
        c("down", "down", "", "one line down", do="move", value=1, help_for="@chosen", screens="fight start"),
        c("left", "left", "", "among the combatants: fold a group or the dead; on the map: one square to the left",
          do="aside", value=-1, help_for="roster map"),
        c("right", "right", "",
          "among the combatants: unfold a group or the dead; on the map: one square to the right", do="aside", value=1,
          help_for="roster map"),
        c("page_up", "pageup", "", "ten lines up; on the map: up and right", do="move", value=-10, help_for="@chosen",
          screens="fight start"),
        c("page_down", "pagedown", "", "ten lines down; on the map: down and right", do="move", value=10,
          help_for="@chosen", screens="fight start"),
        c("top", "home", "", "to the first line; on the map: up and left", do="move", value=-1000000,
          help_for="@chosen",
          screens="fight start"),
        c("bottom", "end", "", "to the last line; on the map: down and left", do="move", value=1000000,
          help_for="@chosen",
          screens="fight start"),
        c("edge_up", "ctrl+up", "", "move the edge between the panes above and below up; the mouse can pull any edge",
          do="pull", value="up"),
        c("edge_down", "ctrl+down", "", "move the edge between the panes above and below down",
          do="pull", value="down"),
        c("edge_left", "ctrl+left", "", "move the edge between this pane and the next to the left",
          do="pull", value="left"),
        c("edge_right", "ctrl+right", "", "move the edge between this pane and the next to the right",
          do="pull", value="right"),
        c("edges", "", "edges", "put all panes back to where they were at first", do="pull", value="back",
          detail="panes are as high as what they hold again", synonyms="size height width resize reset layout"),
        c("odds", "O", "odds", "show the odds of the action in hand, or do without them", do="odds"),
        c("filter", "slash", "filter", "show only the lines of this pane that hold a word; {back} shows all",
          do="filter", help_for="@lists"),
    )),
    *group("The players' screen", rows=(
        c("hide", "h", "hide", "hide from the players: labels, the name of an effect on them, or a wave",
          line=Line("Hide from the players", "conceal", "labels; an effect: g prone; a wave")),
        c("reveal", "H", "reveal", "show the players what was hidden: labels, an effect or a wave",
          line=Line("Show to the players", "reveal", "labels; an effect: g prone; a wave")),
        c("name", "N", "name", "what players call a combatant: g Tall stranger; without words its own name",
          line=Line("Name for the players", "call", "label and words: g Tall stranger; without words its own name")),
        c("view", "p", "players' view", "see what the players see", do="players_view"),
        c("serve", "S", "serve", "serve the players' page to phones: its address, and who has which character",
          do="serve"),
        c("hold", "P", "hold screen", "hold the players' screen as it is; again: let it go on", do="hold_screen"),
    )),
    *group("In a prompt", help_for="prompt", rows=(
        c("p.enter", "enter", "take it",
          "with dice or a number typed: those; empty: the program rolls, or the default", footer="prompt"),
        c("p.dice", "1…9", "", "14 is a total, 4 2 are faces; or the number of an option"),
        c("p.rest", "*", "roll the rest", "the program rolls this one and the rest of the step", footer="prompt"),
        c("p.back", "backspace", "take back",
          "in an empty prompt: take back the last answer; {undo} too, where it is nobody's label", footer="prompt"),
        c("p.label", "a…z", "", "a label: chooses that one, or does what it can do in between"),
        c("p.leave", "escape", "look around",
          "leave the question standing and look around; {next} or {answer} comes back", footer="prompt"),
    )),
    *group("In the command line", help_for="line", rows=(
        c("l.complete", "tab", "complete", "complete the word with the marked one of the list", footer="line"),
        c("l.history", "up", "history", "up and down: earlier lines while it is empty, else the list", footer="line"),
    )),
    *group("In a command", help_for="@typed", rows=(
        c("k.enter", "enter", "do it", "do it", footer="@typed report"),
        c("k.choose", "up", "", "up and down choose from the list; a number too",
          help_for="verb picker sheet palette missed"),
        c("k.form", "tab", "all fields", "open every field of the action", footer="picker verb",
          help_for="picker verb"),
        c("k.field", "tab", "next field", "next field; shift+tab the one before; left and right change a choice",
          footer="form", help_for="form"),
        c("compare", "ctrl+f", "forecast", "this action against the usual one: the chance to win", do="compare",
          footer="form", help_for="form picker"),
        c("k.master", "right", "", "right: what the GM and the sides can do; left: back", help_for="picker"),
        c("k.force", "!", "", "force what the rules refuse; the log says so", help_for="@typed console"),
        c("k.leave", "escape", "leave", "leave it; nothing has happened", footer="@left report", help_for="@left"),
    )),
    *group("On a sheet", help_for="sheet", rows=(
        c("t.pair", "a…z", "", "ho: h's target is o; all o: everybody's; h alone: its form; h run, h fled: does so"),
        c("t.out", "-", "leave out", "leaves out this line, or the label's; + takes it in", footer="sheet"),
        c("t.form", "tab", "form", "the form of the line under the cursor", footer="sheet"),
        c("t.toggle", "space", "", "leaves the line under the cursor out, or takes it in again"),
    )),
    *group("In a forecast", help_for="forecast", rows=(
        c("x.again", "enter", "again", "play the fights again from the fight as it stands", footer="forecast"),
        c("x.steps", "n", "next",
          "beneath it {next}, {undo}, {redo}, {earlier} and {later} work; the forecast stays as it was"),
    )),
    *group("At the end of a what-if", help_for="trial", rows=(
        c("w.keep", "enter", "keep", "keep what was tried: it becomes the fight", footer="trial"),
        c("w.drop", "d", "drop", "drop what was tried: it stays in the list of branches", footer="trial"),
        c("w.stay", "escape", "go on trying", "go on trying; nothing is decided", footer="trial"),
    )),
    *group("In the list of branches", help_for="branches", rows=(
        c("b.go", "enter", "go there", "go on from the end of the branch under the cursor", footer="branches"),
        c("b.name", "n", "name", "name the branch under the cursor", footer="branches"),
    )),
    *group("With an area on the map", help_for="area", rows=(
        c("z.size", "0…9", "size", "as large as the number typed, in the game's unit", footer="area", board=True),
        c("z.keep", "enter", "keep", "keep it, and type no size any more", footer="area", board=True),
        c("z.lift", "escape", "take away", "take it away", footer="area", board=True),
    )),
    *group("At the end", help_for="ended", rows=(
        c("n.story", "s", "story", "the story of the fight, to read aloud", footer="ended"),
        c("n.weigh", "w", "what mattered", "what turned the fight, by the same dice without it", footer="ended"),
        c("n.page", "r", "page", "write a web page to keep: story, charts, dice", footer="ended"),
        c("n.another", "l", "another fight", "leave this one, which is kept, for the lists", footer="ended"),
        c("n.undo", "u", "not yet", "take back that the fight is over", footer="ended"),
        c("n.notes", "n", "notes", "in the story: your notes too, or not", footer="told", help_for="told"),
        c("n.full", "f", "every action", "in the story: every action, or only what mattered", footer="told",
          help_for="told"),
    )),
    *group("Before going on", help_for="missed", rows=(
        c("m.settle", "enter", "settle", "settle what may have been missed; tab opens whom it is about",
          footer="missed"),
        c("m.drop", "x", "drop", "drop it for good", footer="missed"),
        c("m.all", "*", "settle all", "settle all of it", footer="missed"),
    )),
    *group("Start screen", screens="start", rows=(
        c("s.open", "enter", "open", "resume the fight or begin the encounter; of a broken one show what is wrong",
          do="open", footer="start"),
        c("s.number", "1…9", "", "the number of a line goes there"),
        c("s.other", "tab", "other list", "go to the other list", do="other"),
        c("s.filter", "slash", "filter", "show only what holds these words, in its title, game or file", do="filter",
          footer="start"),
        c("s.edit", "e", "edit", "open the file where it is wrong, in $VISUAL or $EDITOR; copy an example first",
          do="edit", footer="start broken"),
        c("s.anyway", "b", "begin all the same", "begin an encounter in spite of its problems", do="anyway",
          footer="broken"),
        c("s.forecast", "F", "forecast", "how the fight under the cursor will probably end, from where it stands",
          do="forecast", footer="start"),
        c("s.improvise", "N", "improvise", "a fight without a file: the party of last time against a line of foes",
          do="improvise", footer="start"),
        c("s.foes", "enter", "begin", "without a file: begin the fight that is shown", footer="improvise"),
        c("s.whose", "up,down", "party", "without a file: another party"),
        c("s.reload", "r", "read again", "read every fight and file again", do="reload", footer="start"),
        c("s.away", "d", "put away", "put a fight away, or take it out again; nothing is deleted", do="away",
          footer="start"),
        c("s.last", "u", "take out", "take out the fight that was put away last", do="take_out"),
        c("s.shown", "D", "those put away", "show the fights that were put away, or hide them", do="show_away",
          footer="start"),
        c("s.sweep", "enter", "other numbers",
          "in a forecast: goblin=6..12 and enter has a line for each number of them", footer="foreseen"),
        c("s.begin", "enter", "begin", "before a fight: begin it in this way", footer="party"),
        c("s.dead", "space", "dead come too", "before a fight: let the dead come too, as their file has them",
          footer="party"),
        c("s.leave", "escape", "leave", "close what is open; from the lists: leave the program", do="back",
          footer="broken party improvise foreseen foreseen_fight"),
    )),
    *group("Help", rows=(
        c("show", "", "show picture", "show a PNG or JPEG beside the encounter on phones and TV; 0 takes it away",
          do="show_picture", synonyms="picture handout image for the players", text="its file"),
        c("put_away", "", "put this fight away", "or take it out again", do="put_away",
          detail="out of the lists, not out of the journal; choosing this again brings it back"),
        c("numbers", "", "numbers of the fight", "who won, who fell, damage, luck of the dice", do="numbers",
          detail="opens by itself when the fight ends", synonyms="end summary statistics luck"),
        c("weigh", "", "what mattered", "what turned the fight, by the same dice without it",
          do="weigh", detail="above the numbers of the fight; in the page too", synonyms="without would have been"),
        c("story", "", "story of the fight", "what mattered in it, to read aloud", do="story",
          detail="also: tracker log FIGHT --story", synonyms="tale log"),
        c("page", "", "page of the fight", "a web page to keep: story, charts, dice", do="page",
          detail="written into the folder the program was started in; also: tracker report FIGHT",
          synonyms="report html chart"),
        c("save_encounter", "", "save encounter", "write what this fight was prepared from as a file",
          do="save_encounter", detail="sides, stat blocks, waves, reminders and map, into encounters/ here",
          synonyms="yaml keep write", text="its name"),
        c("another", "", "another fight", "this one stays in the journal as it is", do="another"),
        c("line", "colon", "command", "one line for everything, with history: w att g 14 5", do="line",
          footer="fight waiting", help_for="console"),
        c("palette", "ctrl+p", "palette", "everything there is, by name", do="palette", footer="fight waiting",
          help_for="console"),
        c("rule", "r", "rule", "the rule behind the line under the cursor; look rules up", do="rule", help_for="log"),
        c("help", "question_mark,f1", "keys", "this list; f1 anywhere", do="help",
          footer="fight map waiting start prompt picker sheet acts missed branches",
          words=dict.fromkeys(("prompt", "picker", "sheet", "acts", "missed", "branches"), "help"),
          screens="fight start"),
        c("back", "escape", "", "close what is open; changes nothing in the fight", do="back", footer="past",
          words={"past": "now"}),
        c("quit", "ctrl+q", "quit", "leave; nothing is lost", do="quit", footer="@quitting", screens="fight start"),
    )),
)
