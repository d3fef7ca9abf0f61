"""Default phrases for actions and statuses without phrases of the game: from labels and kinds of status."""

from __future__ import annotations

from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.telling import ActionWords, StatusWords
from tracker.core.terms.actions import Action

MOVES = ("dash", "run", "move", "walk", "withdraw", "retreat", "disengage", "flee")
BLOWS = ("bite", "gash", "hit", "kick", "punch", "shoot", "slash", "smite", "stab", "strike")
"""First words of the labels of attacks."""
VERBS = (
    "aim", "attend", "begin", "cast", "change", "charge", "climb", "come", "defend", "delay", "dodge", "drag", "draw",
    "drink", "drive", "drop", "escape", "fall", "go", "grapple", "heal", "hide", "hold", "interact", "join", "leave",
    "lift", "load", "observe", "open", "parry", "pick", "pull", "push", "put", "raise", "ready", "recover", "release",
    "reload", "rise", "roll", "set", "sheathe", "shout", "shove", "stabilise", "stand", "start", "stow", "switch",
    "take", "talk", "tend", "throw", "treat", "twist", "wait",
)  # fmt: skip # a plain list of words
"""First words of labels that say what the actor does; any other label names the thing that is used."""
WITH_OBJECT = (
    "attend", "bind", "bless", "curse", "demoralise", "drag", "grapple", "guard", "heal", "help", "protect", "shove",
    "stabilise", "taunt", "tend", "treat", "trip",
)  # fmt: skip # a plain list of words
"""Labels of one word that are verbs if the action has a target."""
MEANS = ("weapon", "attack", "spell", "power", "special", "mode", "instant", "feat")
"""Fields with the weapon, spell or power of an action."""
POWERS = ("spell", "power", "special", "instant", "feat")
"""The fields of `MEANS` that name a power."""
TARGETS = ("target", "targets", "victim", "ally", "ward", "who")


def action_words(ruleset: Ruleset, action: Action, label: str) -> tuple[ActionWords, bool]:
    """Return the phrases for an action, and whether they are the game's; else they are made from its label."""
    known = {words.key: words for words in ruleset.telling.action_words}
    for key in (*(f"{action.key}:{action.get(name)}" for name in MEANS), action.key):
        if key in known:
            return known[key], True
    first, _, rest = label.casefold().partition(" ")
    aimed = any(action.get(name) for name in TARGETS)
    if action.by is None:
        return ActionWords(action.key, "silent"), False
    if "attack" in action.key:
        return ActionWords(action.key, "attack"), False
    if first in BLOWS and aimed:
        return ActionWords(action.key, "attack", hits=first), False
    if first in MOVES:
        return ActionWords(action.key, "move", does=label.lower()), False
    if first in WITH_OBJECT and aimed and not rest:
        return ActionWords(action.key, does=f"{first} {{whom}}"), False
    power = first not in VERBS and any(isinstance(action.get(name), str) for name in POWERS)
    does = "use {means}" if power else label.lower() if first in VERBS else f"use {label}"
    return ActionWords(action.key, does=does), False


def status_words(ruleset: Ruleset, key: str) -> StatusWords:
    """Return the phrases for a status: the game's, else those for its kind."""
    words = ruleset.telling.status(key)
    if words is not None:
        return words
    status = status_of(ruleset, key)
    if status.acts:
        return StatusWords(key, "saved", by="bring {whom} back", alone="be up again")
    if status.takes_part:
        return StatusWords(key, "down", by="bring {whom} down", alone="go down")
    if status.left:
        return StatusWords(key, "gone", by="drive {whom} off", alone="surrender" if key == "surrendered" else "flee")
    return StatusWords(key, "dead", by="kill", alone="die")
