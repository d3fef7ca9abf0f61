"""`tracker run`: what must be refused, what is expected, and what the game master forces."""

import pytest

from tests.cli.conftest import Program
from tests.cli.entries import ADA_HITS


def test_force_overrules_a_refusal(program: Program) -> None:
    """`force` does what the rules forbid, and says so."""
    ran = program.run(ADA_HITS + "- force: {do: blow, by: Ada, target: Thug 1, answers: [14, 5]}\n")

    assert (ran.status, ran.state["combatants"]["thug-1"]["status"]) == (0, "down")
    assert "Forced" in {event["type"] for event in ran.last["events"]}


def test_refused_is_what_must_be_refused(program: Program) -> None:
    """`refused` goes on if the action is refused by that rule, and changes nothing."""
    ran = program.run(
        ADA_HITS + "- refused: {do: blow, by: Ada, target: Thug 1, rule: SK-003}\n- refused: {do: brace, by: Thug 1}\n"
    )

    assert ran.lines[2] == {
        "entry": 3,
        "outcome": "refused",
        "reason": "no_action_left",
        "text": "Ada has acted already",
        "rule": "SK-003",
    }
    assert (ran.status, ran.lines[3]["rule"], ran.hp("thug-1")) == (0, "SK-002", 1)


@pytest.mark.parametrize("answer", ["21", "[4, 4]", "moon", "true", "0", "{do: parry, by: Ada}"])
def test_refused_answer_leaves_the_request_pending(program: Program, answer: str) -> None:
    """An answer that cannot be must be refused.

    The request still stands.
    """
    ran = program.run(
        f"- {{do: blow, by: Ada, target: Thug 1}}\n- refused: {{answer: {answer}}}\n- answer: 14\n- answer: 5\n"
    )

    assert (ran.status, ran.lines[2]["outcome"], ran.hp("thug-1")) == (0, "refused", 1)


EXPECTED = (
    "combatants: {Thug 1: {hp: 1, status: up, effects: []}}",
    "combatants: {t: {hp_max: 6, side: Thugs, label: t}, Ada: {budget: {main: 0, instant: 1}}}",
    "combatants: {Bo: {effects: [braced]}}",
    "combatants: {Bo: {effects: [{name: braced, until: end of round 1, source: bo}]}}",
    "combatants: {Nobody: null}",
    "combatants: {Ada: {derived: {ac: 14}, pools: {hp: {now: 10, max: 10}}, position: null}}",
    "clock: {round: 1, seconds: 0, slot: r1/party, phase: party, side: party, segment: null, acting: b, acted: []}",
    "ruleset: skirmish",
    "order: [r1/party, r1/thugs]",
    "sides: [{name: Party, control: players}, Thugs]",
    "calendar: [braced ends (Bo)]",
    "facts: {}",
)


@pytest.mark.parametrize("part", EXPECTED)
def test_expectation_holds(program: Program, part: str) -> None:
    """`expect` compares a part of the state.

    Names stand for ids.
    """
    ran = program.run(ADA_HITS + f"- {{do: brace, by: Bo}}\n- expect: {{{part}}}\n")

    assert (ran.status, ran.last["outcome"]) == (0, "done"), ran.last
