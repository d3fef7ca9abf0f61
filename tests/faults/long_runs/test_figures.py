"""The table that `make faults` ends with."""

from __future__ import annotations

import msgspec

from tests.faults.long_runs.figures import OTHERS, Harness, table


def test_runs_of_one_harness_are_one_row() -> None:
    """Cases, failures and seconds are added up, seeds listed once, all other tests last."""
    found = [
        Harness(OTHERS, cases=7, seconds=1.2),
        Harness("kills", cases=400, seeds=["2"], seconds=60.0),
        Harness("kills", cases=400, failures=1, seeds=["2", "3"], seconds=61.4),
    ]

    made = table(b"".join(msgspec.json.encode(one) + b"\n" for one in found), "abc1234")

    assert made.splitlines()[0] == "Commit abc1234"
    assert made.splitlines()[4:] == [
        "| kills | 800 | 1 | 0 | 2 3 | 121 |",
        f"| {OTHERS} | 7 | 0 | 0 |  | 1 |",
        "",
        "807 cases, 1 failures",
    ]
