"""`tracker run` where things go wrong. Which entry, what was expected, what came, and the exit status."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli import driver
from tests.cli.conftest import ENCOUNTER, Program
from tracker.session.rulesets import registry

ADA_HITS = "- {do: blow, by: Ada, target: Thug 1, answers: [14, 5]}\n"

FAILURES = """\
- {do: blow, by: Ada, target: Thug 1}
  no_answer: attack asks for 1d20 (to hit); the script has no answer => an answer
- {do: blow, by: Ada, target: Thug 1, answers: [14]}
  no_answer: damage asks for 1d8 (damage); the script has no answer => an answer
- {do: blow, by: Ada, target: Thug 1, answers: [14, 5, 3]}
  answer_left: nothing asked for 3 => every answer to be asked for
- {do: blow, by: Ada, target: Thug 1, answers: {attack: 2, damage: 5}}
  answer_left: nothing asked for damage: 5 => every answer to be asked for
- {do: brace, by: Ada, answers: [pass]}
  answer_left: nothing asked for pass => every answer to be asked for
- {do: blow, by: Ada, target: Thug 1, answers: [14, {do: parry, by: Bo}, 3]}
  bad_answer: {do: parry, by: Bo} is no answer: damage asks for 1d8 (damage) => done
- {do: blow, by: Ada, target: Thug 1, answers: [21]}
  bad_answer: 21 is not on a d20 => done
- {do: blow, by: Ada, target: Thug 1, answers: [[4, 2]]}
  bad_answer: 1d20 has 1 die, not 2 => done
- {do: blow, by: Ada, target: Thug 1, answers: [14, moon]}
  bad_answer: moon is no answer: damage asks for 1d8 (damage) => done
- {do: scatter, by: Ada, targets: [Boss], answers: [60, 7]}
  bad_answer: 2d6: each face is needed, as a list; 7 is a total => done
- {do: scatter, by: Ada, targets: [Boss], answers: {chance: 60, spared: [ada]}}
  bad_answer: [ada] is no answer: spared asks for a list of boss (who is spared) => done
- {do: blow, by: Nobody, target: Thug 1}
  no_such_combatant: there is no "Nobody" in the fight => done
- {do: blow, by: Ada, target: Thog 1}
  no_such_combatant: there is no "Thog 1" in the fight (did you mean Thug 1?) => done
- {do: bloww, by: Ada}
  unknown_action: there is no action "bloww" => done
- {do: blow, by: Ada, target: Thug 1, speed: 3}
  unknown_field: Blow has no "speed" (target) => done
- {do: blow, by: Ada}
  bad_field: target is missing => done
- {do: blow, by: Ada, target: Bo}
  bad_field: target: Bo is not on offer (Thug 1, Thug 2, Boss) => done
- {do: insert, members: [dragon]}
  bad_field: members: there is no stat block "dragon" => done
- force: {do: blow, by: Ada, target: Bo}
  bad_field: target: Bo is not on offer (Thug 1, Thug 2, Boss) => done
- refused: {do: brace, by: Ada}
  not_refused: it was not refused: done => refused
- refused: {do: blow, by: Ada, target: Boss}
  not_refused: it was not refused: pending => refused
- refused: {do: brace, by: Thug 1, rule: SK-003}
  other_rule: it is not Thug 1's turn (SK-002) => refused by SK-003
- refused: {do: brace, by: Ada, rule: SK-003}
  not_refused: it was not refused: done => refused by SK-003
- expect: {combatants: {Ada: {hp: 3, status: up}}}
  expectation: combatants.ada.hp is 10 => combatants.ada.hp: 3
- expect: {combatants: {Ada: {effects: [prone]}}}
  expectation: combatants.ada.effects is [] => combatants.ada.effects: [prone]
- expect: {clock: {round: 2, side: Thugs}}
  expectation: clock.round is 1; clock.side is Party => clock.round: 2; clock.side: Thugs
- expect: {clock: {acted: [Ada]}}
  expectation: clock.acted is [] => clock.acted: [ada]
- expect: {combatants: {Ada: {budget: {main: true}}}}
  expectation: combatants.ada.budget.main is 1 => combatants.ada.budget.main: true
- expect: {combatants: {Adda: {hp: 3}}}
  expectation: combatants.Adda is not there (there are ada, bo, cara, thug-1, thug-2, boss) => combatants.Adda: {hp: 3}
- advance: {until: {round: 0}}
  passed: the clock is at round 1, r1/party already => {round: 0}
- advance: {until: {side: Elves}}
  no_such_side: there is no side "Elves" (Party, Thugs) => done
- answer: 3
  nothing_pending: no request is pending => a pending request
- override: {key: hit, value: true}
  nothing_pending: no request is pending => a pending request
- interrupt: {do: brace, by: Ada}
  nothing_pending: no request is pending => a pending request
- undo
  nothing_to_undo: there is nothing to take back =>
- redo
  nothing_to_redo: there is nothing to bring back =>
- branch: 9
  no_such_step: there is no step 9 => done
- branch: quick end
  no_such_branch: there is no branch "quick end" (none has a name) =>
- branch: {name: x, step: 9}
  no_such_step: there is no step 9 => done
- what_if: drop
  no_what_if: there is nothing to drop: no what-if is open => done
- amend: {step: 9, key: attack, answer: 3}
  no_such_step: there is no step 9 here (there are 1) =>
- amend: {step: 1, key: attack, answer: 3}
  no_such_answer: step 1 did not ask "attack" (it asked hp:boss) =>
- amend: {step: 1, key: 'hp:boss', answer: 13}
  bad_answer: 13 is not possible on 2d6 => done
- override: {step: 1, key: hit, value: true}
  no_such_ruling: step 1 has no ruling "hit" => done
"""
"""A script, and below it the reason, the text and what was expected."""


@pytest.mark.parametrize(("script", "said"), re.findall(r"^(- .*)\n  (.*)$", FAILURES, re.MULTILINE))
def test_failure_is_said_and_changes_nothing(program: Program, script: str, said: str) -> None:
    """A failed entry is reported on both streams with exit status 1."""
    before = program.run("")
    reason, _, text = said.partition(" =>")[0].partition(": ")

    ran = program.run(script + "\n- {do: note, text: never reached}\n")

    last = ran.last
    assert (ran.status, last["entry"]) == (1, 2)
    assert f"{last['reason']}: {last['text']} => {last['expected']}".rstrip() == said
    assert f"script.yaml:2:3: entry 2: {ran.last['outcome']}: {text}" in ran.err
    if reason != "no_answer":
        assert ran.state == before.state


def test_an_answer_that_does_not_fit_is_named(program: Program) -> None:
    """What is asked for is said beside it."""
    ran = program.run("- {do: oracle, by: Ada, answers: [mars]}\n")

    asked = "answer asks for moon or sun or 5 or second_wind (what is drawn)"
    assert (ran.last["reason"], ran.last["text"]) == ("no_answer", f"{asked}; the next answer, mars, does not fit")


def test_step_without_an_answer_stays_pending(program: Program) -> None:
    """Without an answer the run stops, and prints the state of the pending step."""
    ran = program.run("- {do: blow, by: Ada, target: Thug 1}\n")

    assert (ran.last["outcome"], ran.last["request"]["key"], ran.state["combatants"]["ada"]["budget"]["main"]) == (
        "failed",
        "attack",
        0,
    )


def test_failure_in_mid_step_takes_the_whole_entry_back(program: Program) -> None:
    """An answer that cannot be, behind others that can, leaves nothing of its step."""
    ran = program.run(
        ADA_HITS
        + "- advance\n- {do: blow, by: Thug 1, target: Ada, answers: [15, {do: riposte, by: Bo, target: Ada}, 3]}\n"
    )

    assert (ran.status, ran.last["reason"], ran.state["combatants"]["thug-1"]["budget"]["main"]) == (1, "bad_field", 1)


def test_failure_of_an_advance_takes_all_its_steps_back(program: Program) -> None:
    """An advance that finds an answer too many ends where it began."""
    ran = program.run("- advance: {until: {round: 3}, answers: [4]}\n")

    assert (ran.status, ran.last["reason"], ran.state["clock"]["round"]) == (1, "answer_left", 1)


def test_failure_of_an_answer_leaves_the_step_pending(program: Program) -> None:
    """A wrong `answer` leaves the request as it was."""
    ran = program.run("- {do: blow, by: Ada, target: Thug 1}\n- answer: 21\n")

    assert (ran.status, ran.last["reason"], ran.state["combatants"]["ada"]["budget"]["main"]) == (1, "bad_answer", 0)


def test_override_of_nothing_fails(program: Program) -> None:
    """A value that the pending step never computes cannot be overruled."""
    ran = program.run("- {do: blow, by: Ada, target: Thug 1}\n- override: {key: hitt, value: true}\n- answer: 2\n")

    assert (ran.status, ran.last["reason"]) == (1, "no_such_value")


def test_implied_start_without_answers_fails(program: Program) -> None:
    """Without a seed the dice of the set-up need answers as well. A start that the script leaves out is entry 0."""
    ran = program("run", program.encounter, "--script", program.file("s.yaml", "- {do: brace, by: Ada}\n"))

    assert (ran.status, ran.last["entry"], ran.last["reason"], ran.last["request"]["key"]) == (
        1,
        0,
        "no_answer",
        "hp:boss",
    )
    assert "s.yaml: the start: failed: hp:boss asks for 2d6 (hit points)" in ran.err


def test_impossible_answer_to_the_start_fails(program: Program) -> None:
    """An answer that cannot be given to the set-up is refused like any other."""
    ran = program("run", program.encounter, "--script", program.file("s.yaml", "- start: {answers: [13]}\n"))

    assert (ran.status, ran.last["reason"], ran.last["text"]) == (1, "bad_answer", "13 is not possible on 2d6")


def test_quiet_prints_failures(program: Program) -> None:
    """`--quiet` still prints what failed."""
    ran = program.run(ADA_HITS + "- {do: blow, by: Ada, target: Thug 1}\n", "--quiet")

    assert (ran.status, [line.get("entry") for line in ran.lines], ran.lines[0]["rule"]) == (1, [3, None], "SK-003")


def test_ambiguous_name_is_an_error(program: Program) -> None:
    """A name that two have is refused. The id still works."""
    ran = program.run(
        "- {do: rename, who: Bo, name: Ada 2}\n- {do: rename, who: cara, name: ada 2}\n- {do: brace, by: ADA 2}\n"
    )

    assert (ran.status, ran.last["reason"], ran.last["text"]) == (
        1,
        "ambiguous_name",
        '"ADA 2" may be bo, cara: use the id',
    )


UNREADABLE = (
    ("brawl.yaml", "ruleset: skirmish\nsides: [\n", "brawl.yaml:"),
    ("brawl.yaml", ENCOUNTER.replace("ac: 14", "ac: lots"), "brawl.yaml:7:"),
    ("brawl.yaml", ENCOUNTER.replace("skirmish", "skirmsh"), "brawl.yaml:1:10: ruleset: there is no ruleset"),
    ("script.yaml", "- {do: blow, by: Ada\n- advance\n", "script.yaml:"),
    ("script.yaml", "- advance\n- {answer: 1, undo: }\n", "script.yaml:2:15: [1].undo:"),
)


@pytest.mark.parametrize(("file", "text", "said"), UNREADABLE, ids=[text for _, text, _ in UNREADABLE])
def test_file_that_cannot_be_read_is_status_2(program: Program, file: str, text: str, said: str) -> None:
    """A mistake in a file is one line with its place on standard error. The exit status is 2."""
    script = program.file("script.yaml", "- advance\n")
    program.file(file, text)

    ran = program("run", program.encounter, "--script", script)

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "words", [("run", "nowhere.yaml"), ("run", "brawl.yaml", "--script", "nowhere.yaml"), ("actions", "nowhere.yaml")]
)
def test_file_that_is_not_there_is_status_2(
    program: Program, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A file that is missing is said by name."""
    monkeypatch.chdir(program.folder)

    ran = program(*words)

    assert (ran.status, ran.out, ran.err) == (2, "", "nowhere.yaml: there is no such file\n")


def test_a_problem_file_outlives_the_run(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run keeps no journal, but the problem file it names is there. It holds line and function of the ruleset."""

    def broken(ctx: object) -> None:
        raise LookupError("a slip")

    monkeypatch.setattr(registry, "find", lambda key: replace(driver.SKIRMISH, settle=broken))

    ran = program.run("")

    found = re.search(r"a slip \(test_failures\.py:\d+ in broken\).*: (\S+\.jsonl)", ran.err)
    assert found is not None, ran.err
    assert "Traceback" in Path(found[1]).read_text(encoding="utf-8")
