"""The keys that modes read themselves."""

from __future__ import annotations

from tracker.ui.keys.command import Command, Place, under

__all__ = ["MODES", "TYPED"]

TYPED: tuple[Place, ...] = ("verb", "picker", "sheet", "acts", "form", "line", "palette")
"""Places where something is typed that escape leaves."""
_LEFT: tuple[Place, ...] = (*TYPED, "missed", "reader", "forecast", "ended", "told")

MODES: tuple[Command, ...] = (
    *under(
        "In a prompt",
        Command(
            "p.enter",
            "enter",
            "take it",
            "with dice or a number typed: those; empty: the program rolls, or the default",
            shown=("prompt",),
        ),
        Command("p.dice", "1…9", "", "14 is a total, 4 2 are faces; or the number of an option"),
        Command(
            "p.rest", "*", "roll the rest", "the program rolls this one and the rest of the step", shown=("prompt",)
        ),
        Command(
            "p.back",
            "backspace",
            "take back",
            "in an empty prompt: take back the last answer; {undo} too, where it is nobody's label",
            shown=("prompt",),
        ),
        Command("p.label", "a…z", "", "a label: chooses that one, or does what it can do in between"),
        Command(
            "p.leave",
            "escape",
            "look around",
            "leave the question standing and look around; {next} or {answer} comes back",
            shown=("prompt",),
        ),
        near="prompt",
    ),
    *under(
        "In the command line",
        Command("l.complete", "tab", "complete", "complete the word with the marked one of the list", shown=("line",)),
        Command(
            "l.history", "up", "history", "up and down: earlier lines while it is empty, else the list", shown=("line",)
        ),
        near="line",
    ),
    *under(
        "In a command",
        Command("k.enter", "enter", "do it", "do it", shown=(*TYPED, "report"), near=TYPED),
        Command(
            "k.choose",
            "up",
            "",
            "up and down choose from the list; a number too",
            near=("verb", "picker", "sheet", "palette", "missed"),
        ),
        Command(
            "k.form",
            "tab",
            "all fields",
            "open every field of the action",
            shown=("picker", "verb"),
            near=("picker", "verb"),
        ),
        Command(
            "k.field",
            "tab",
            "next field",
            "next field; shift+tab the one before; left and right change a choice",
            shown=("form",),
            near=("form",),
        ),
        Command(
            "compare",
            "ctrl+f",
            "forecast",
            "this action against the usual one: the chance to win",
            action="compare",
            shown=("form",),
            near=("form", "picker"),
        ),
        Command("k.master", "right", "", "right: what the GM and the sides can do; left: back", near=("picker",)),
        Command("k.force", "!", "", "force what the rules refuse; the log says so", near=(*TYPED, "console")),
        Command("k.leave", "escape", "leave", "leave it; nothing has happened", shown=(*_LEFT, "report"), near=_LEFT),
    ),
    *under(
        "On a sheet",
        Command("t.pair", "a…z", "", "ho: h's target is o; all o: everybody's; h alone: its form; h run: it runs"),
        Command("t.out", "-", "leave out", "and a label: leaves that one out; + takes it in again", shown=("sheet",)),
        Command("t.form", "tab", "form", "the form of the line under the cursor", shown=("sheet",)),
        Command("t.toggle", "space", "", "leaves the line under the cursor out, or takes it in again"),
        near="sheet",
    ),
    *under(
        "In a forecast",
        Command("x.again", "enter", "again", "play the fights again from the fight as it stands", shown=("forecast",)),
        Command(
            "x.steps",
            "n",
            "next",
            "beneath it {next}, {undo}, {redo}, {earlier} and {later} work; the forecast stays as it was",
        ),
        near="forecast",
    ),
    *under(
        "With an area on the map",
        Command(
            "z.size", "0…9", "size", "as large as the number typed, in the game's unit", shown=("area",), board=True
        ),
        Command("z.keep", "enter", "keep", "keep it, and type no size any more", shown=("area",), board=True),
        Command("z.lift", "escape", "take away", "take it away", shown=("area",), board=True),
        near="area",
    ),
    *under(
        "At the end",
        Command("n.story", "s", "story", "one sentence a deed, to read aloud", shown=("ended",)),
        Command("n.weigh", "w", "what mattered", "what each effect, force and correction turned", shown=("ended",)),
        Command("n.page", "r", "page", "write a web page to keep: story, charts, dice", shown=("ended",)),
        Command("n.another", "l", "another fight", "leave this one, which is kept, for the lists", shown=("ended",)),
        Command("n.undo", "u", "not yet", "take back that the fight is over", shown=("ended",)),
        Command("n.notes", "n", "notes", "in the story: your notes too, or not", shown=("told",), near=("told",)),
        near="ended",
    ),
    *under(
        "Before going on",
        Command(
            "m.settle",
            "enter",
            "settle",
            "settle what may have been missed; tab opens whom it is about",
            shown=("missed",),
        ),
        Command("m.drop", "x", "drop", "drop it for good", shown=("missed",)),
        Command("m.all", "*", "settle all", "settle all of it", shown=("missed",)),
        near="missed",
    ),
)
