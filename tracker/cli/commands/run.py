"""`tracker run`: a fight played by a script, without a screen."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from tracker.cli.loading import enlister, load, playable
from tracker.cli.output import complain, line
from tracker.cli.party import begun
from tracker.cli.playing import complaint, journal_at, opened
from tracker.core.game.ruleset import Ruleset
from tracker.script.document import Document, state_document
from tracker.script.player import Played, Player
from tracker.script.reader import read_script
from tracker.views.story.steps import tell

__all__ = ["run"]


def run(asked: argparse.Namespace) -> int:
    """Play the script and print what came of each entry, and last the state."""
    loaded = load(asked.encounter, asked.library)
    encounter, ruleset = playable(loaded)
    entries = read_script(Path(asked.script)) if asked.script else ()
    with journal_at(asked.db) as journal:
        encounter = begun(asked, journal, ruleset, encounter, carries=loaded.carries)
        begin = opened(journal, ruleset, encounter, path=Path(asked.encounter), seed=asked.seed, db=asked.db)
        enlist = enlister(ruleset, loaded.shelf)
        with closing(Player(ruleset, begin, rolls=asked.seed is not None, enlist=enlist)) as player:
            failed = None
            for result in player.play(entries):
                if not result.ok:
                    failed = result
                if not asked.quiet or not result.ok:
                    line(entry_document(ruleset, result))
            line({"state": state_document(ruleset, player.shown)})
    if failed is not None:
        complain(complaint(asked.script or asked.encounter, failed))
    return 0 if failed is None else 1


def entry_document(ruleset: Ruleset, result: Played) -> Document:
    """Return what came of an entry, as it is printed."""
    document: Document = {"entry": result.entry.number, "outcome": result.outcome}
    match result.outcome:
        case "done":
            plain = ruleset.schema.codec.builtins
            entries = [(entry, told) for told in result.told for entry in told.record.entries]
            document["steps"] = [told.record.seq for told in result.told]  # the numbers by which a script names them
            document["events"] = [plain(entry.event) for entry, _ in entries]
            document["log"] = [
                part.text
                for told in result.told
                for part in tell(ruleset, told.state, told.record.entries, before=told.before)
            ]
            document["rules"] = list(dict.fromkeys(rule for entry, _ in entries for rule in entry.rules))
        case "pending" if result.request is not None:
            document["request"] = result.request.plain()
        case _:
            document |= {"reason": result.reason, "text": result.text, "rule": result.rule or None}
            if result.request is not None:
                document["request"] = result.request.plain()
            if not result.ok:
                document["expected"] = result.expected
    return document
