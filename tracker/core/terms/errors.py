"""The one tree of errors.

    TrackerError
    ├── Refused         the user may not do this now; carries the refusal that the screen shows
    ├── BadData         a file is wrong; carries every problem found in it
    ├── CorruptJournal  stored history contradicts itself
    └── RulesBug        a ruleset broke the protocol; the fight is left as it was

Each has a message for people and a reason for programs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why something is not possible.

    Attributes:
        reason: a word for programs (`no_action_left`).
        text: one line for people: what, why, and the way on.
        rule: the rule that forbids it, or "".
        forcible: whether the GM may overrule it; what makes no sense cannot be forced.
        at: the key of the request whose answer is refused, or "" where it is the action itself.
        field: the form field that is at fault, or "".
    """

    reason: str
    text: str
    rule: str = ""
    forcible: bool = True
    at: str = ""
    field: str = ""


class TrackerError(Exception):
    """Something the program expects to go wrong."""

    def __init__(self, message: str, reason: str = "error") -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason


class Refused(TrackerError):
    """An action or an answer that is not allowed; the state is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text, refusal.reason)
        self.refusal = refusal


def impossible(reason: str, text: str, rule: str = "", *, at: str = "", field: str = "") -> Refused:
    """Return the error for what makes no sense, so that no GM can force it."""
    return Refused(Refusal(reason, text, rule, forcible=False, at=at, field=field))


class BadData(TrackerError):
    """A file that cannot be used, with all its problems; each prints as one line."""

    def __init__(self, problems: Sequence[object]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems), "bad_data")
        self.problems = tuple(problems)


class CorruptJournal(TrackerError):
    """A journal whose events do not fit the state they are folded into.

    `absent`: the combatant an event is about who is not there.
    """

    def __init__(self, message: str, absent: str = "") -> None:
        super().__init__(message, "corrupt_journal")
        self.absent = absent


class RulesBug(TrackerError):
    """A ruleset that broke the protocol: a key asked twice, a stale event, an endless step."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "rules_bug")


class Absent(RulesBug):
    """A combatant asked for who is not in the fight.

    An action that still needs one who left while it was under way ends there.
    """

    def __init__(self, who: str) -> None:
        super().__init__(f"{who or 'a combatant without an id'} is not in the fight")
        self.who = who
