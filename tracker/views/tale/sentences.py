"""The story: one sentence a deed, deaths and waves on lines of their own."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tracker.core.fight.state import Id
from tracker.core.terms.words import listed, possessive
from tracker.views.tale.chronicle import Beat, Chronicle, Deed, Fall
from tracker.views.words.moments import time_words
from tracker.views.words.text import clean, key_words

DEAD, MISSED, BAR = "dead", "miss", "  "
SIGNS = {"fell": "†", "wave": "»"}


class Verse(Struct, frozen=True):
    """A line of the story.

    `kind`: a sentence "", a heading `round`, what stands out (`fell`, `wave`), the GM's `note`, or the `ended`.
    """

    words: str
    kind: str = ""
    step: int = 0


def story(told: Chronicle, notes: bool = False) -> Iterator[Verse]:
    """Yield the story of a fight, with the GM's notes where wanted.

    Rounds of which there is nothing to tell are one sentence.
    """
    rounds: list[Verse] = []
    for verse in (*_verses(told, notes), None):
        if verse is not None and verse.kind == "round":
            rounds.append(verse)
            continue
        if len(rounds) > 1:
            first, last = (one.words.removeprefix("Round ") for one in (rounds[0], rounds[-2]))
            between = "and" if len(rounds) == 3 else "to"
            words = f"Round {first} passes." if first == last else f"Rounds {first} {between} {last} pass."
            yield Verse(words, step=rounds[0].step)
        yield from rounds[-1:]
        rounds.clear()
        if verse is not None:
            yield verse


def _verses(told: Chronicle, notes: bool) -> Iterator[Verse]:
    for one in told.told:
        if isinstance(one, Deed):
            words = "" if one.idle else _sentence(told, one)
            if words:
                yield Verse(words, step=one.step)
            for fall in one.falls:
                yield Verse(fell_words(told, fall), "fell", one.step)
        else:
            yield from _beat(told, one, notes)


def _beat(told: Chronicle, beat: Beat, notes: bool) -> Iterator[Verse]:
    match beat.kind:
        case "opened":
            for side, name in told.sides:
                here = [person for person in told.people if person.side == side and person.since == beat.step]
                names = [clean(person.name) for person in here]
                if names:
                    yield Verse(f"{clean(name)}: {listed(names)}.", step=beat.step)
            if notes and beat.words:
                yield Verse(clean(" ".join(beat.words.split())), "note", beat.step)
        case "round":
            yield Verse(f"Round {beat.words}", "round", beat.step)
        case "fell":
            assert beat.fall is not None
            yield Verse(fell_words(told, beat.fall), "fell", beat.step)
        case "wave":
            yield Verse(f"{clean(beat.words)}.", "wave", beat.step)
        case "note":
            if notes:
                yield Verse(clean(beat.words), "note", beat.step)
        case "ended":
            why = f": {clean(beat.words)}" if beat.words else ""
            yield Verse(f"The fight is over{why}.", "ended", beat.step)


def fell_words(told: Chronicle, fall: Fall) -> str:
    """Return who fell, and by whom: `Hedge Robber 1 is dead (Ordwen, long sword)`."""
    by = [clean(told.name(fall.by)), clean(key_words(fall.label))] if fall.by not in (None, fall.who) else []
    whose = f" ({', '.join(filter(None, by))})" if by else ""
    return f"{clean(told.name(fall.who))} is {clean(fall.word)}{whose}."


def _sentence(told: Chronicle, deed: Deed) -> str:
    """Return one deed in one sentence, "" for a procedure of which nothing came."""
    clauses = _together([parts for who in _touched(deed) if (parts := _parts(told, deed, who))])
    if deed.by is None:
        return f"{listed(_plain(told, deed))}." if _plain(told, deed) else ""
    name, label = clean(told.name(deed.by)), clean(deed.label)
    means = f" ({clean(deed.means)})" if deed.means and clean(deed.means).casefold() not in label.casefold() else ""
    if not clauses and deed.results:
        results = ", ".join(f"on {clean(told.name(who))}: {clean(words)}" for who, words in deed.results)
        return f"{possessive(name)} {label}{means} {results}."
    if not clauses:
        aims = listed([clean(told.name(who)) for who in deed.targets])
        verb = "answers with" if deed.answers else "uses"
        return f"{name} {verb} {label}{means}{f' on {aims}' if aims else ''}."
    return f"{possessive(name)} {label}{means} {listed(clauses)}."


def _touched(deed: Deed) -> tuple[Id, ...]:
    """Return whom a deed was aimed at or did something to, in order."""
    others = (*(loss.who for loss in deed.losses), *(who for _, who in deed.effects), *(one.who for one in deed.falls))
    return tuple(dict.fromkeys((*deed.targets, *(who for who, _ in deed.results), *others)))


def _together(found: list[list[str]]) -> list[str]:
    """Return what a deed did to each as a clause.

    The same verb is said once: `takes 5 from Wick and 3 from Snag`.
    """
    clauses: list[str] = []
    said = ""
    for parts in found:
        verb, _, rest = parts[0].partition(" ")
        alone = verb if len(parts) == 1 else ""
        clauses.append(rest if alone and alone == said else " and ".join(parts))
        said = alone
    return clauses


def _parts(told: Chronicle, deed: Deed, who: Id) -> list[str]:
    """Return what a deed did to one combatant, nothing where nothing is known."""
    name = "itself" if who == deed.by else clean(told.name(who))
    lost = sum(loss.points for loss in deed.losses if loss.who == who and loss.pool == told.pool)
    words = {fall.word for fall in deed.falls if fall.who == who}
    put = [(effect, bearer) for effect, bearer in deed.effects if bearer == who != deed.by]
    effects = [clean(effect) for effect, _ in put if effect not in words]
    result = next((clean(words) for target, words in deed.results if target == who), "")
    parts = []
    if lost > 0:
        parts.append(f"takes {lost} from {name}")
    elif lost < 0:
        parts.append(f"gives {-lost} back to {name}")
    elif MISSED in result.casefold():
        parts.append(f"misses {name}")
    marks = [clean(mark) for mark, bearer in deed.marks if bearer == who and clean(mark) != result]
    if effects:
        whom = "it" if parts else name
        parts.append(
            f"puts {listed(effects)} on {whom}" if effects[0][:1].isupper() else f"leaves {whom} {listed(effects)}"
        )
    if marks:
        parts.append(f"marks {'it' if parts else name} ({listed(marks)})")
    for fall in deed.falls:
        if fall.who == who:
            word, whom = clean(fall.word), "it" if parts else name
            if word == DEAD:
                parts.append(f"kills {whom}")
            elif parts and parts[-1].startswith("leaves "):
                parts[-1] += f" and {word}"
            else:
                parts.append(f"leaves {whom} {word}")
    return parts


def _plain(told: Chronicle, deed: Deed) -> list[str]:
    """Return points lost or gained, and what holds now, by no combatant's deed."""
    found = []
    for who in _touched(deed):
        name = clean(told.name(who))
        lost = sum(loss.points for loss in deed.losses if loss.who == who and loss.pool == told.pool)
        effects = [clean(effect) for effect, bearer in deed.effects if bearer == who]
        if lost:
            found.append(f"{name} {'loses' if lost > 0 else 'gets back'} {abs(lost)}")
        if effects:
            found.append(f"{name} is {listed(effects)} now")
    return found


def story_text(told: Chronicle, notes: bool = False) -> str:
    """Return the story as plain text."""
    lines = [clean(told.title), ""]
    for verse in story(told, notes):
        if verse.kind == "round":
            lines += ["", verse.words, ""]
        elif verse.kind in SIGNS:
            lines.append(f"{BAR}{SIGNS[verse.kind]} {verse.words}")
        elif verse.kind == "ended":
            lines += ["", verse.words]
        else:
            lines.append(f"({verse.words})" if verse.kind == "note" else verse.words)
    rounds = f"{told.rounds} round{'' if told.rounds == 1 else 's'}"
    return "\n".join((*lines, "", f"{rounds}, {time_words(told.seconds)}.")) + "\n"
