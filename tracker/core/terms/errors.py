"""The tree of errors; each has a message for people and a reason for programs.

TrackerError
├── Refused         the user may not do this now; has the refusal that the screen shows
├── BadData         a file is wrong; has all its problems
├── CorruptJournal  the stored events contradict one another
└── RulesBug        a ruleset broke the protocol; the fight is unchanged
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why an action or an answer is not possible.

    Attributes:
        reason: a word for programs (`no_action_left`).
        text: one line for people: what, why, and the way on.
        rule: the rule that forbids it, or "".
        forcible: whether the GM may overrule it; an impossible action cannot be forced.
        at: the key of the request whose answer is refused, or "" for the action itself.
        field: the wrong field of the form, or "".
    """

    reason: str
    text: str
    rule: str = ""
    forcible: bool = True
    at: str = ""
    field: str = ""


class TrackerError(Exception):
    """An expected error of the program."""

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
    """Return the error for an impossible action or answer, which the GM cannot force."""
    return Refused(Refusal(reason, text, rule, forcible=False, at=at, field=field))


class BadData(TrackerError):
    """A file that cannot be used, with all its problems; each prints as one line."""

    def __init__(self, problems: Sequence[object]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems), "bad_data")
        self.problems = tuple(problems)


class CorruptJournal(TrackerError):
    """A journal whose events do not fit their state; `absent`: the event's combatant, if it is not in the fight."""

    def __init__(self, message: str, absent: str = "") -> None:
        super().__init__(message, "corrupt_journal")
        self.absent = absent


class RulesBug(TrackerError):
    """A ruleset that broke the protocol: a key asked twice, a stale event, an endless step."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "rules_bug")


class Absent(RulesBug):
    """A combatant that is not in the fight; an action that needs a combatant that has left ends there."""

    def __init__(self, who: str) -> None:
        super().__init__(f"{who or 'a combatant without an id'} is not in the fight")
        self.who = who
