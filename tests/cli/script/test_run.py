"""`tracker run`: starting, acting and going on."""

import pytest

from tests.cli.conftest import Program
from tests.cli.entries import ADA_HITS, THUG_HITS, THUGS


def test_start_answers_the_set_up(program: Program) -> None:
    """`start` gives the dice of the set-up. Its line tells what happened."""
    ran = program.run("")

    assert (ran.status, ran.hp("boss"), ran.lines[0]["entry"], ran.lines[0]["outcome"]) == (0, 9, 1, "done")
    assert {"FightOpened", "CombatantJoined", "Rolled"} <= {event["type"] for event in ran.lines[0]["events"]}
    assert "SK-001" in ran.lines[0]["rules"]


def test_start_is_implied(program: Program) -> None:
    """A script that does not begin with `start` opens the fight all the same. Only its own entries are reported."""
    script = program.file("s.yaml", "- {do: note, text: rain}\n")

    ran = program("run", program.encounter, "--script", script, "--seed", 1)

    assert (ran.status, [line.get("entry") for line in ran.lines]) == (0, [1, None])


def test_implied_start_may_stay_pending(program: Program) -> None:
    """A first entry that answers finds the start pending."""
    script = program.file("s.yaml", "- answer: 7\n")

    ran = program("run", program.encounter, "--script", script)

    assert (ran.status, ran.hp("boss")) == (0, 9)


def test_run_without_a_script_opens_the_fight(program: Program) -> None:
    """Without a script only the state is printed."""
    ran = program("run", program.encounter, "--seed", 3)

    assert (ran.status, len(ran.lines), ran.state["clock"]["slot"]) == (0, 1, "r1/party")


def test_do_performs_an_action(program: Program) -> None:
    """`do` performs an action with its answers in the order of asking."""
    ran = program.run(ADA_HITS)

    assert (ran.status, ran.hp("thug-1"), ran.last["outcome"]) == (0, 1, "done")
    assert "SK-011" in ran.last["rules"]
    assert any("Thug 1" in text for text in ran.last["log"])


@pytest.mark.parametrize("who", ["thug-1", "Thug 1", "t", "THUG 1", "Thug-1", "T"])
def test_who_is_an_id_a_name_or_a_label(program: Program, who: str) -> None:
    """A combatant is found by id, name or label, exactly or whatever the case."""
    ran = program.run(f"- {{do: blow, by: Ada, target: {who}, answers: [14, 5]}}\n")

    assert (ran.status, ran.hp("thug-1")) == (0, 1)


def test_answers_by_key(program: Program) -> None:
    """Answers may be given by the key of their request, in any order."""
    ran = program.run("- {do: blow, by: Ada, target: Thug 1, answers: {damage: 5, attack: 14}}\n")

    assert (ran.status, ran.hp("thug-1")) == (0, 1)


def test_faces_answer_a_roll(program: Program) -> None:
    """Faces in order answer a roll, also where a total would do."""
    ran = program("run", program.encounter, "--script", program.file("s.yaml", "- start: {answers: [[3, 6]]}\n"))

    assert (ran.status, ran.hp("boss")) == (0, 11)


SCATTER = "{{do: scatter, by: Ada, targets: [Thug 1, Thug 2], answers: {}}}"


@pytest.mark.parametrize(
    ("answers", "hp"),
    [
        (
            "[0, [4, 2]]",
            (2, 2),
        ),  # 00 is a hundred; the pick and the number have defaults, but a number always takes what is there
        ("[50, [thug-2], [4, 2], 1]", (1, 6)),
        ("[49, [], [4, 2], 0]", (6, 6)),
        ("{chance: 100, force: [1, 3], extra: 2, spared: [thug-1]}", (6, 1)),
    ],
)
def test_percentile_pick_faces_and_number(program: Program, answers: str, hp: tuple[int, int]) -> None:
    """0 on a d100 is 100.

    A pick is a list of keys; faces are a list; a number is a number; what has a default may be left out.
    """
    ran = program.run("- " + SCATTER.format(answers) + "\n")

    assert (ran.status, (ran.hp("thug-1"), ran.hp("thug-2"))) == (0, hp)


@pytest.mark.parametrize(("answer", "omen"), [("moon", "moon"), ("5", "5"), ('"5"', "5")])
def test_choice_takes_the_key_of_an_option(program: Program, answer: str, omen: str) -> None:
    """A choice is answered with an option's key, quoted or not."""
    ran = program.run(f"- {{do: oracle, by: Ada, answers: [{answer}]}}\n")

    assert (ran.status, ran.state["facts"]["ada"]) == (0, {"omen": omen})


def test_window_left_out_is_passed(program: Program) -> None:
    """A window takes the next answer of a list only if it fits."""
    ran = program.run(THUGS + THUG_HITS)

    assert (ran.status, ran.hp("ada")) == (0, 7)


@pytest.mark.parametrize("answer", ["parry:ada", "parry:Ada", "{do: parry, by: a}", "parry"])
def test_window_takes_an_offered_answer(program: Program, answer: str) -> None:
    """A window is answered with the key of an offered answer, or with its action.

    The window is asked again and passed.
    """
    ran = program.run(THUGS + f"- {{do: blow, by: Thug 1, target: Ada, answers: [15, {answer}]}}\n")

    assert (ran.status, ran.hp("ada")) == (0, 10)
    assert [effect["name"] for effect in ran.state["combatants"]["ada"]["effects"]] == ["parrying"]


@pytest.mark.parametrize(
    "answers",
    [
        "[15, {do: riposte, by: Bo, target: Thug 1, answers: [12, 6]}]",
        "[15, {do: riposte, by: Bo, target: Thug 1}, 12, 6]",
        "{attack: 15, after_roll: {do: riposte, by: Bo, target: Thug 1, answers: {attack: 12, damage: 6}}}",
        (
            "{attack: 15, after_roll: {do: riposte, by: Bo, target: Thug 1}, 'after_roll/riposte:bo/attack': 12, "
            "'after_roll/riposte:bo/damage': 6}"
        ),
    ],
)
def test_window_takes_an_action_with_answers_of_its_own(program: Program, answers: str) -> None:
    """An action in a window has its own answers, or shares those around it.

    A blow whose striker is down goes no further.
    """
    ran = program.run(THUGS + f"- {{do: blow, by: Thug 1, target: Ada, answers: {answers}}}\n")

    assert (ran.status, ran.state["combatants"]["thug-1"]["status"], ran.hp("ada")) == (0, "down", 10)


def test_window_takes_several_actions_at_once(program: Program) -> None:
    """A list of actions is declared together. Each is judged on the state before any of them."""
    both = (
        "[{do: riposte, by: Bo, target: Thug 1, answers: [12, 6]}, {do: riposte, by: Cara, target: Thug 1, "
        "answers: {attack: 12, damage: 6}}]"
    )
    ran = program.run(THUGS + f"- {{do: blow, by: Thug 1, target: Ada, answers: [15, {both}]}}\n")

    rolled = [(event["who"], event["key"]) for event in ran.last["events"] if event["type"] == "Rolled"]
    assert (ran.status, ran.hp("thug-1")) == (0, 0)
    assert [who for who, key in rolled] == ["thug-1", "bo", "bo", "cara", "cara"]
    assert [key.rpartition("/")[2] for who, key in rolled] == ["attack", "attack", "damage", "attack", "damage"]


def test_group_is_one_step(program: Program) -> None:
    """`group` does several actions as one step, each with its own answers. One undo takes all back."""
    group = (
        "- group: [{do: blow, by: Ada, target: Thug 1, answers: [14, 5]}, {do: blow, by: Bo, target: Thug 2, "
        "answers: {attack: 14, damage: 2}}]\n"
    )

    ran = program.run(group)
    undone = program.run(group + "- undo\n")

    assert (ran.status, ran.hp("thug-1"), ran.hp("thug-2")) == (0, 1, 4)
    assert (undone.status, undone.hp("thug-1"), undone.hp("thug-2")) == (0, 6, 6)


def test_group_is_done_whole_or_not_at_all(program: Program) -> None:
    """If one action of a group is refused, none is done."""
    ran = program.run("- group: [{do: brace, by: Ada}, {do: brace, by: Ada}]\n")

    assert (ran.status, ran.last["rule"], ran.state["combatants"]["ada"]["effects"]) == (1, "SK-003", [])


def test_generic_actions_work(program: Program) -> None:
    """The game master's own actions are done under their keys. A single name will do where several may stand."""
    ran = program.run(
        "- {do: damage, amount: 3, targets: Thug 1}\n"
        "- {do: add_effect, name: dazed, targets: [Ada, Bo], until: end of the round}\n"
    )

    assert (ran.status, ran.hp("thug-1")) == (0, 3)
    assert ran.state["combatants"]["bo"]["effects"] == [{"name": "dazed", "until": "end of round 1", "source": None}]
    assert {"moment": "end of round 1", "what": "dazed ends (Ada)"} in ran.state["calendar"]


def test_rows_are_written_as_blocks(program: Program) -> None:
    """Rows of a form are a list of blocks."""
    ran = program.run("- {do: add_effect, name: slow, targets: [Ada], modifiers: [{stat: ac, amount: -2}]}\n")

    assert (ran.status, ran.state["combatants"]["ada"]["derived"]["ac"]) == (0, 12)


def test_advance_goes_to_the_next_stop(program: Program) -> None:
    """`advance` is what `n` does in the app."""
    ran = program.run("- advance\n")

    assert (ran.status, ran.state["clock"]["side"], ran.state["clock"]["slot"]) == (0, "Thugs", "r1/thugs")


def test_advance_until_the_clock_is_there(program: Program) -> None:
    """`until` advances again and again. Sides are found by name or id."""
    ran = program.run("- advance: {until: {round: 3, side: thugs}}\n")

    clock = ran.state["clock"]
    assert (ran.status, clock["round"], clock["side"], clock["seconds"]) == (0, 3, "Thugs", 20)
    assert sum(event["type"] == "OrderSet" for event in ran.last["events"]) == 2


def test_advance_until_now_does_nothing(program: Program) -> None:
    """Where the clock is there already, nothing is done."""
    ran = program.run("- advance: {until: {round: 1, side: Party}}\n")

    assert (ran.status, ran.last["events"]) == (0, [])
