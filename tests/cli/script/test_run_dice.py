"""`tracker run`: dice from a seed, and what is printed."""

from tests.cli.conftest import Program
from tests.cli.entries import ADA_HITS

FIGHT = (
    "- {do: blow, by: Ada, target: Thug 1}\n- {do: blow, by: Bo, target: Thug 2, answers: [19]}\n- advance\n"
    "- {do: blow, by: Boss, target: Cara}\n"
)


def test_seed_throws_what_the_script_leaves_out(program: Program) -> None:
    """With a seed, every roll without an answer is thrown.

    The same seed gives the same bytes, another one another fight.
    """
    first, again, other = (program.run(FIGHT, "--seed", seed) for seed in (7, 7, 8))

    assert (first.status, other.status) == (0, 0)
    assert first.out == again.out
    assert first.out != other.out


def test_scripted_dice_are_typed_and_others_are_not(program: Program) -> None:
    """The events tell scripted dice from thrown ones."""
    ran = program.run("- {do: blow, by: Bo, target: Thug 2, answers: [19]}\n", "--seed", 1)

    rolled = {event["key"]: event.get("typed", False) for event in ran.last["events"] if event["type"] == "Rolled"}
    assert rolled == {"attack": True, "damage": False}


def test_quiet_prints_only_the_state(program: Program) -> None:
    """`--quiet` leaves out what went as scripted."""
    ran = program.run(ADA_HITS, "--quiet")

    assert (ran.status, [list(line) for line in ran.lines]) == (0, [["state"]])


def test_state_has_every_part(program: Program) -> None:
    """The state printed last is whole."""
    ran = program.run("")

    assert list(ran.state) == ["ruleset", "clock", "sides", "combatants", "effects", "order", "calendar", "facts"]
    assert ran.state["combatants"]["ada"] == {
        "name": "Ada",
        "label": "a",
        "side": "Party",
        "status": "up",
        "hp": 10,
        "hp_max": 10,
        "pools": {"hp": {"now": 10, "max": 10}},
        "position": None,
        "effects": [],
        "budget": {"main": 1, "instant": 1},
        "derived": {"ac": 14, "to_hit": 2},
    }


def test_hundreds_of_dice_are_thrown_in_one_pass(program: Program) -> None:
    """A large set-up does not take a pass for each die the script leaves out."""
    crowd = program.file(
        "crowd.yaml",
        "ruleset: skirmish\nsides:\n  - {name: Crowd, control: gm, members: [{name: Rat, hp: 2d6, count: 400}]}\n",
    )

    ran = program("run", crowd, "--seed", 5)

    assert (ran.status, len(ran.state["combatants"])) == (0, 400)
    assert program("run", crowd, "--seed", 5).out == ran.out
