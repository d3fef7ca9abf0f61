"""`tracker run`: starting, acting, dice, going back and forth, and pending steps."""

import pytest

from tests.cli.conftest import ADA_HITS, THUG_HITS, THUGS, Program


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
        # 00 is a hundred; the pick and the number have defaults, but a number always takes what is there
        ("[0, [4, 2]]", (2, 2)),
        ("[50, [thug-2], [4, 2], 1]", (1, 6)),
        ("[49, [], [4, 2], 0]", (6, 6)),
        ("{chance: 100, force: [1, 3], extra: 2, spared: [thug-1]}", (6, 1)),
    ],
)
def test_percentile_pick_faces_and_number(program: Program, answers: str, hp: tuple[int, int]) -> None:
    """0 on a d100 is 100."""
    ran = program.run("- " + SCATTER.format(answers) + "\n")

    assert (ran.status, (ran.hp("thug-1"), ran.hp("thug-2"))) == (0, hp)


@pytest.mark.parametrize(("answer", "omen"), [("moon", "moon"), ("5", "5"), ('"5"', "5")])
def test_choice_takes_the_key_of_an_option(program: Program, answer: str, omen: str) -> None:
    """A choice is answered with an option's key, quoted or not."""
    ran = program.run(f"- {{do: oracle, by: Ada, answers: [{answer}]}}\n")

    assert (ran.status, ran.state["facts"]["ada"]) == (0, {"omen": omen})


@pytest.mark.parametrize("answer", ["parry:ada", "parry:Ada", "{do: parry, by: a}", "parry"])
def test_window_takes_an_offered_answer(program: Program, answer: str) -> None:
    """A window is answered with the key of an offered answer, or with its action."""
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
    """An action in a window has its own answers, or shares those around it."""
    ran = program.run(THUGS + f"- {{do: blow, by: Thug 1, target: Ada, answers: {answers}}}\n")

    assert (ran.status, ran.state["combatants"]["thug-1"]["status"], ran.hp("ada")) == (0, "down", 10)


def test_window_takes_several_actions_at_once(program: Program) -> None:
    """A list of actions is declared together. Each is judged on the state before any of them."""
    of_bo = "{do: riposte, by: Bo, target: Thug 1, answers: [12, 6]}"
    of_cara = "{do: riposte, by: Cara, target: Thug 1, answers: {attack: 12, damage: 6}}"
    ran = program.run(THUGS + f"- {{do: blow, by: Thug 1, target: Ada, answers: [15, [{of_bo}, {of_cara}]]}}\n")

    rolled = [(event["who"], event["key"]) for event in ran.last["events"] if event["type"] == "Rolled"]
    assert (ran.status, ran.hp("thug-1")) == (0, 0)
    assert [who for who, key in rolled] == ["thug-1", "bo", "bo", "cara", "cara"]
    assert [key.rpartition("/")[2] for who, key in rolled] == ["attack", "attack", "damage", "attack", "damage"]


def test_group_is_done_whole_or_not_at_all(program: Program) -> None:
    """If one action of a group is refused, none is done."""
    ran = program.run("- group: [{do: brace, by: Ada}, {do: brace, by: Ada}]\n")

    assert (ran.status, ran.last["rule"], ran.state["combatants"]["ada"]["effects"]) == (1, "SK-003", [])


def test_advance_until_now_does_nothing(program: Program) -> None:
    """Where the clock is there already, nothing is done."""
    ran = program.run("- advance: {until: {round: 1, side: Party}}\n")

    assert (ran.status, ran.last["events"]) == (0, [])


FIGHT = (
    "- {do: blow, by: Ada, target: Thug 1}\n- {do: blow, by: Bo, target: Thug 2, answers: [19]}\n- advance\n"
    "- {do: blow, by: Boss, target: Cara}\n"
)


def test_seed_throws_what_the_script_leaves_out(program: Program) -> None:
    """With a seed, every roll without an answer is thrown."""
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
        **{"name": "Ada", "label": "a", "side": "Party", "status": "up"},
        **{"hp": 10, "hp_max": 10, "pools": {"hp": {"now": 10, "max": 10}}, "position": None, "effects": []},
        **{"budget": {"main": 1, "instant": 1}, "derived": {"ac": 14, "to_hit": 2}},
    }


def test_hundreds_of_dice_are_thrown_in_one_pass(program: Program) -> None:
    """A large set-up does not take a pass for each die the script leaves out."""
    crowd = program.file(
        "crowd.yaml",
        "ruleset: skirmish\nsides:\n  - {name: Crowd, control: gm, members: [{name: Rat, hp: 2d6, count: 150}]}\n",
    )

    ran = program("run", crowd, "--seed", 5)

    assert (ran.status, len(ran.state["combatants"])) == (0, 150)
    assert program("run", crowd, "--seed", 5).out == ran.out


def test_undo_takes_back_the_last_answer_of_a_pending_step(program: Program) -> None:
    """`undo` of a pending step takes back its last answer, then the step itself."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [14]}\n- undo\n- undo\n"
        "- expect: {combatants: {Ada: {budget: {main: 1}}}}\n"
    )

    assert [line.get("outcome") for line in ran.lines[1:5]] == ["pending", "pending", "done", "done"]
    assert (ran.status, ran.lines[2]["request"]["key"]) == (0, "attack")


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
    """`what_if` tries the entries that follow."""
    tried = "- what_if: begin\n" + ADA_HITS + "- what_if: drop\n- expect: {combatants: {Thug 1: {hp: 6}}}\n"
    kept = "- what_if: begin\n- branch: what-if\n- what_if: keep\n"
    named = "- branch: {name: Ada hits}\n- branch: 1\n- branch: Ada hits\n"
    ran = program.run(tried + kept + named)

    assert (ran.status, ran.hp("thug-1")) == (0, 1)


def test_amended_window_takes_an_action_with_its_answers(program: Program) -> None:
    """A window that was passed can be amended to an interruption with its dice."""
    riposte = "{do: riposte, by: Bo, target: Thug 1, answers: [12, 6]}"
    ran = program.run(f"{THUGS}{THUG_HITS}- amend: {{step: 3, key: after_roll, answer: {riposte}}}\n")

    assert (ran.status, ran.hp("ada"), ran.state["combatants"]["thug-1"]["status"]) == (0, 10, "down")


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


def test_interrupt_takes_answers_of_its_own(program: Program) -> None:
    """The requests of an interruption take its own answers, by key or in order."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, answers: [14]}\n"
        "- interrupt: {do: blow, by: Bo, target: Thug 2, answers: [14, 4]}\n- answer: 3\n"
    )

    assert (ran.status, ran.hp("thug-1"), ran.hp("thug-2")) == (0, 3, 2)


def test_override_puts_a_value_in_an_earlier_step(program: Program) -> None:
    """With `step` an earlier step and what followed are played again with the value."""
    ran = program.run(
        ADA_HITS + "- {do: damage, amount: 1, targets: [Thug 2]}\n- override: {step: 2, key: hit, value: false}\n"
    )

    assert (ran.status, ran.hp("thug-1"), ran.hp("thug-2")) == (0, 6, 5)
