"""Degrees of success, by the margin and the natural die.

degree = degrees.degree(total.value, against, natural=die)          # 10 over is critical, a 20 is one better
ctx.emit(Checked("attack", who, total.value, degree.word, target), "TA-05")
if degree >= Degree.SUCCESS: ...
"""

from __future__ import annotations

from enum import IntEnum


class Degree(IntEnum):
    """A degree of success; a better degree is greater."""

    CRITICAL_FAILURE = 0
    FAILURE = 1
    SUCCESS = 2
    CRITICAL_SUCCESS = 3

    @property
    def word(self) -> str:
        """The words of the degree in the log."""
        return self.name.replace("_", " ").lower()

    def better(self, steps: int = 1) -> Degree:
        """Return the degree some steps better, or worse if negative."""
        return Degree(max(0, min(len(Degree) - 1, self + steps)))


def degree(
    total: int,
    against: int,
    natural: int | None = None,
    margin: int = 10,
    best: int | None = 20,
    worst: int | None = 1,
) -> Degree:
    """Return the degree of a total against a number.

    Missing or beating it by the margin is critical; the best natural die is one degree better, the worst one worse.
    """
    if total >= against:
        by_margin = Degree.CRITICAL_SUCCESS if total >= against + margin else Degree.SUCCESS
    else:
        by_margin = Degree.CRITICAL_FAILURE if total <= against - margin else Degree.FAILURE
    if natural is None:
        return by_margin
    return by_margin.better(1 if natural == best else -1 if natural == worst else 0)
