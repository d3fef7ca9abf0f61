"""`tracker run`: entries that act on a pending step."""

from tests.cli.conftest import Program
from tests.cli.entries import ADA_HITS, THUGS


def test_answer_answers_the_pending_request(program: Program) -> None:
    """An entry whose next one answers leaves its step pending. `answer` goes on."""
    ran = program.run("- {do: blow, by: Ada, target: Thug 1}\n- answer: 14\n- answer: 5\n")

    assert [line.get("outcome") for line in ran.lines[1:4]] == ["pending", "pending", "done"]
    assert ran.lines[1]["request"] == {
        "kind": "roll",
        "key": "attack",
        "dice": "1d20",
        "who": "ada",
        "to": "player",
        "why": "to hit",
        "total_ok": True,
        "default": None,
    }
    assert (ran.status, ran.hp("thug-1")) == (0, 1)


def test_pending_true_holds_a_step(program: Program) -> None:
    """`pending: true` leaves a step open for an expectation on it."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [14], pending: true}\n"
        "- expect: {combatants: {Ada: {budget: {main: 0}}}}\n- answer: 5\n"
    )

    assert (ran.status, ran.hp("thug-1")) == (0, 1)


def test_window_is_reported_with_its_answers(program: Program) -> None:
    """A pending window says what can be answered, and that passing is the default."""
    ran = program.run(THUGS + "- {do: blow, by: Thug 1, target: Ada, answers: [15], pending: true}\n")

    request = ran.last["request"]
    assert (request["kind"], request["default"], request["answers"]) == (
        "window",
        "pass",
        ["parry:ada", "riposte:ada", "riposte:bo", "riposte:cara"],
    )


def test_answer_may_be_an_action(program: Program) -> None:
    """A pending window is answered with an action and its answers."""
    script = THUGS + (
        "- {do: blow, by: Thug 1, target: Ada, answers: [15]}\n"
        "- answer: {do: riposte, by: Bo, target: Thug 1, answers: [12, 6]}\n"
    )
    ran = program.run(script)

    assert (ran.status, ran.state["combatants"]["thug-1"]["status"]) == (0, "down")


def test_advance_is_refused_while_a_request_is_pending(program: Program) -> None:
    """`advance` waits for the answer."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, pending: true}\n- refused: advance\n- answer: 14\n- answer: 1\n"
    )

    assert (ran.status, ran.lines[2]["outcome"], ran.state["clock"]["side"]) == (0, "refused", "Party")


def test_interrupt_is_put_before_the_pending_request(program: Program) -> None:
    """`interrupt` performs an action before the pending request, which then is asked again."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [9]}\n"
        "- interrupt: {do: blow, by: Bo, target: Thug 2, answers: [14, 6]}\n- answer: 4\n"
    )

    assert (ran.status, ran.lines[2]["outcome"], ran.hp("thug-1"), ran.hp("thug-2")) == (1, "failed", 6, 6)


def test_interrupt_leaves_the_request_pending(program: Program) -> None:
    """After an interruption the request it interrupted can be answered."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [14]}\n"
        "- interrupt: {do: damage, amount: 2, targets: [Thug 1]}\n- answer: 3\n"
    )

    assert (ran.status, ran.lines[2]["outcome"], ran.hp("thug-1")) == (0, "pending", 1)


def test_interrupt_takes_answers_of_its_own(program: Program) -> None:
    """The requests of an interruption take its own answers, by key or in order."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [14]}\n"
        "- interrupt: {do: blow, by: Bo, target: Thug 2, answers: [14, 4]}\n- answer: 3\n"
    )

    assert (ran.status, ran.hp("thug-1"), ran.hp("thug-2")) == (0, 3, 2)


def test_override_puts_a_value_in_the_pending_step(program: Program) -> None:
    """`override` overrules what the pending step computes."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1}\n- override: {key: hit, value: true}\n- answer: 2\n- answer: 6\n"
    )

    assert (ran.status, ran.state["combatants"]["thug-1"]["status"]) == (0, "down")
    assert "Overruled" in {event["type"] for event in ran.last["events"]}


def test_override_puts_a_value_in_an_earlier_step(program: Program) -> None:
    """With `step` an earlier step and what followed are played again with the value."""
    ran = program.run(
        ADA_HITS + "- {do: damage, amount: 1, targets: [Thug 2]}\n- override: {step: 2, key: hit, value: false}\n"
    )

    assert (ran.status, ran.hp("thug-1"), ran.hp("thug-2")) == (0, 6, 5)
