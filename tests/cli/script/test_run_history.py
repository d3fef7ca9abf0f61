"""`tracker run`: entries that go back and forth in the history."""

import pytest

from tests.cli.conftest import Program
from tests.cli.entries import ADA_HITS, THUG_HITS, THUGS


def test_undo_takes_back_the_last_step(program: Program) -> None:
    """`undo` takes the last step back, dice and all."""
    ran = program.run(ADA_HITS + "- undo\n")

    assert (ran.status, ran.hp("thug-1"), ran.last["events"]) == (0, 6, [])


def test_undo_takes_back_the_last_answer_of_a_pending_step(program: Program) -> None:
    """`undo` of a pending step takes back its last answer, then the step itself."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [14]}\n- undo\n- undo\n"
        "- expect: {combatants: {Ada: {budget: {main: 1}}}}\n"
    )

    assert [line.get("outcome") for line in ran.lines[1:5]] == ["pending", "pending", "done", "done"]
    assert (ran.status, ran.lines[2]["request"]["key"]) == (0, "attack")


def test_redo_brings_back(program: Program) -> None:
    """`redo` takes back an undo and tells the step again."""
    ran = program.run(ADA_HITS + "- undo\n- redo\n")

    assert (ran.status, ran.hp("thug-1")) == (0, 1)
    assert "PoolChanged" in {event["type"] for event in ran.last["events"]}


def test_amend_changes_a_die_of_an_earlier_step(program: Program) -> None:
    """`amend` changes one answer and plays the later steps again."""
    ran = program.run(
        ADA_HITS + "- {do: damage, amount: 1, targets: [Thug 2]}\n- amend: {step: 2, key: damage, answer: 2}\n"
    )

    assert (ran.status, ran.hp("thug-1"), ran.hp("thug-2")) == (0, 4, 5)


def test_amend_may_answer_what_is_newly_asked(program: Program) -> None:
    """A miss amended to a hit asks for damage. `answers` beside it has that."""
    miss = "- {do: blow, by: Ada, target: Thug 1, answers: [2]}\n- {do: brace, by: Bo}\n"
    ran = program.run(miss + "- amend: {step: 2, key: attack, answer: 17, answers: [4]}\n")

    assert (ran.status, ran.hp("thug-1"), ran.state["combatants"]["bo"]["effects"][0]["name"]) == (0, 2, "braced")


@pytest.mark.parametrize(("refused", "hp"), [("keep", 3), ("drop", 6)])
def test_amend_keeps_or_drops_what_is_refused_now(program: Program, refused: str, hp: int) -> None:
    """A later step the rules no longer allow is forced or left out, as told."""
    script = (
        "- {do: oracle, by: Ada, answers: [second_wind]}\n- {do: blow, by: Ada, target: Thug 1, answers: [14, 3]}\n"
    )
    ran = program.run(script + f"- amend: {{step: 2, key: answer, answer: moon, refused: {refused}}}\n")

    assert (ran.status, ran.hp("thug-1"), ran.state["facts"]["ada"]) == (0, hp, {"omen": "moon"})


def test_what_is_tried_is_dropped_or_kept(program: Program) -> None:
    """`what_if` tries the entries that follow.

    Dropped, the fight is as before, and the line tried can be gone to by its name.
    """
    tried = "- what_if: begin\n" + ADA_HITS + "- what_if: drop\n- expect: {combatants: {Thug 1: {hp: 6}}}\n"
    ran = program.run(
        tried
        + (
            "- what_if: begin\n- branch: what-if\n- what_if: keep\n- branch: {name: Ada hits}\n- branch: 1\n"
            "- branch: Ada hits\n"
        )
    )

    assert (ran.status, ran.hp("thug-1")) == (0, 1)


def test_branch_goes_on_from_an_earlier_step(program: Program) -> None:
    """`branch` goes back to just after a step. What is done then begins another branch."""
    ran = program.run(ADA_HITS + THUGS + "- branch: 1\n- {do: blow, by: Bo, target: Thug 2, answers: [14, 6]}\n")

    assert (ran.status, ran.hp("thug-1"), ran.state["combatants"]["thug-2"]["status"], ran.state["clock"]["side"]) == (
        0,
        6,
        "down",
        "Party",
    )


def test_amended_window_takes_an_action_with_its_answers(program: Program) -> None:
    """A window that was passed can be amended to an interruption with its dice."""
    fight = THUGS + THUG_HITS
    ran = program.run(
        fight + "- amend: {step: 3, key: after_roll, answer: {do: riposte, by: Bo, target: Thug 1, answers: [12, 6]}}\n"
    )

    assert (ran.status, ran.hp("ada"), ran.state["combatants"]["thug-1"]["status"]) == (0, 10, "down")
