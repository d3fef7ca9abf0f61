"""`tracker run`: what must be refused, what is expected, and what the game master forces."""

import pytest

from tests.cli.conftest import ADA_HITS, Program


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
    """An answer that cannot be must be refused. The request still stands."""
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
    "order: [Party, thugs]",
    "sides: [{name: Party, control: players}, Thugs]",
    "calendar: [braced ends (Bo)]",
    "facts: {}",
)


SEEN = (
    # what people see, beside the state
    "combatants: {Bo: {effects: {all: [braced], none: [parrying]}}}",
    "combatants: {Bo: {effects: {none: [parrying]}}}",
    "combatants: {Ada: {effects: {none: [braced]}}}",
    "facts: {Ada: {wounds: null, marks: null}}",
    "combatants: {Ada: {position: {x: null, y: null}}}",
    "pending: null",
    'log: ["Bo: Brace", "braced, until end of round 1"], no_log: [Cara, hits]',
    'log: "Bo: Brace"',
)


@pytest.mark.parametrize("part", [*EXPECTED, *SEEN])
def test_expectation_holds(program: Program, part: str) -> None:
    """`expect` compares a part of the state and what people see of it."""
    ran = program.run(ADA_HITS + f"- {{do: brace, by: Bo}}\n- expect: {{{part}}}\n")

    assert (ran.status, ran.last["outcome"]) == (0, "done"), ran.last


@pytest.mark.parametrize(
    ("part", "came"),
    [
        ("combatants: {Bo: {effects: {none: [braced]}}}", "combatants.bo.effects.none is braced"),
        ("combatants: {Bo: {effects: {all: [braced, prone]}}}", "combatants.bo.effects.all is [braced]"),
        ("combatants: {Bo: {effects: {some: [braced]}}}", "combatants.bo.effects.some is unknown: all or none"),
        ("facts: {Ada: {wounds: 2}}", "facts.ada is not there (there are none)"),
        ("pending: {key: attack}", "pending is nothing"),
        ("order: [Party, Wolves]", "order[1] is r1/thugs or Thugs"),
        ('log: ["Cara"]', 'log is ["Bo: Brace: braced, until end of round 1"]'),
        ("no_log: [braced]", "no_log is Bo: Brace: braced, until end of round 1"),
    ],
)
def test_what_people_see_otherwise_fails(program: Program, part: str, came: str) -> None:
    """The line says what came."""
    ran = program.run(f"- {{do: brace, by: Bo}}\n- expect: {{{part}}}\n")

    assert (ran.status, ran.last["outcome"], ran.last["text"]) == (1, "failed", came)


THUG_STRIKES = "- advance\n- {do: blow, by: Thug 1, target: Ada, answers: [15]}\n"


@pytest.mark.parametrize(
    "part",
    [
        "key: parry, kind: window",
        "offers: [parry, riposte]",
        '"offers": ["riposte:bo"], not_offered: [blow, "riposte:thug-1"]',
    ],
)
def test_expectation_sees_the_pending_request(program: Program, part: str) -> None:
    """It holds the step at the request, whose offers are named with or without actor."""
    found = program.run(THUG_STRIKES.replace("]}\n", "], pending: true}\n", 1))
    part = part.replace("key: parry", f"key: {found.last['request']['key']}")
    ran = program.run(THUG_STRIKES + f"- expect: {{pending: {{{part}}}}}\n- answer: pass\n- answer: 5\n")

    assert (ran.status, ran.lines[3]["outcome"]) == (0, "done"), ran.lines


def test_an_offer_that_is_missing_fails(program: Program) -> None:
    """What is on offer is said."""
    ran = program.run(THUG_STRIKES + "- expect: {pending: {offers: [brace], not_offered: [parry]}}\n- answer: pass\n")

    assert ran.status == 1
    assert ran.last["text"] == (
        "pending.offers is [parry:ada, riposte:ada, riposte:bo, riposte:cara]; pending.not_offered is parry"
    )


def test_whom_a_question_concerns_is_called_by_name(program: Program) -> None:
    """The name of the combatant is its id there as well."""
    ran = program.run(
        "- {do: blow, by: Ada, target: Thug 1, pending: true}\n- expect: {pending: {who: Ada}}\n- answer: 2\n"
    )

    assert ran.status == 0


def test_pending_true_where_nothing_is_pending_fails(program: Program) -> None:
    """The step is done, so nothing can be said of its request."""
    ran = program.run("- {do: brace, by: Bo, pending: true}\n")

    assert (ran.status, ran.last["outcome"]) == (1, "failed")
    assert ran.last["text"] == "nothing is pending: the step is done"


def test_a_choice_takes_the_label_it_lists(program: Program) -> None:
    """A side is named as the list names it, whatever the case."""
    program.file("beasts.yaml", "ruleset: skirmish\nmonsters: [{id: brute, name: Brute, hp: 7}]\n")
    for name in ("thugs", "Thugs", "THUGS"):
        ran = program.run(f"- {{do: insert, members: [brute], side: {name}}}\n")

        assert (ran.status, ran.state["combatants"]["brute"]["side"]) == (0, "Thugs"), ran.last


REFUSED_START = """\
- refused: {start: {answers: [7]}}
"""


def test_a_refused_start_is_what_must_be_refused(program: Program) -> None:
    """A script can hold that an encounter is not accepted. One that is accepted fails it."""
    script = program.file("script.yaml", REFUSED_START)
    fine = program("run", program.encounter, "--script", script)

    assert (fine.status, fine.lines[0]["outcome"], fine.lines[0]["text"]) == (1, "failed", "it was not refused: done")

    text = program.encounter.read_text(encoding="utf-8").replace("name: Cara", "name: Unwelcome")
    unwelcome = program("run", program.file("unwelcome.yaml", text), "--script", script)

    assert (unwelcome.status, unwelcome.lines[0]["outcome"]) == (0, "refused")
    assert unwelcome.lines[0]["text"] == "Unwelcome is not welcome here"


def test_words_of_vectors_are_words_of_scripts(program: Program) -> None:
    """Dice, fields, keys asked for, numbers compared, and what is expected afterwards stand beside an action."""
    ran = program.run(
        "- do: blow\n  by: Ada\n  fields: {target: Thug 1}\n  dice: [14, 5]\n  asks: [attack, damage]\n"
        "  checked: [{total: 16}]\n  expect: {Thug 1: {hp: 1, lacks: [braced]}, clock: {round: 1, over: false}}\n"
        "- {refused: {do: blow, by: Ada, target: Thug 1}, rule: SK-003, says: acted already}\n"
        "- {do: blow, by: Ada, target: Thug 1, forced: true, dice: {attack: 14, damage: 5}}\n"
        "- next: 2\n"
    )

    assert ran.status == 0, ran.err


@pytest.mark.parametrize(
    ("beside", "came"),
    [
        ("asks: [damage, attack]", "asks is [attack, damage]"),
        ("asks: [attack]", "asks is [attack, damage]"),
        ("checked: []", "checked is [blow: 16 against 12]"),
        ("checked: [{total: 18}]", "checked[0].total is 16 (blow: die +14, to_hit +2)"),
        ("expect: {Thug 1: {hp: 2}}", "combatants.thug-1.hp is 1"),
        ("expect: {Thug 1: {has: [braced]}}", "combatants.thug-1.has.all is []"),
        ("expect: {Thug 1: {luck: 3}}", "combatants.thug-1.luck is nothing that there is"),
        ("interrupts: {morale: {do: note, text: x}}", "nothing asked for morale"),
    ],
)
def test_what_is_beside_an_action_must_be_so(program: Program, beside: str, came: str) -> None:
    """One line says what came instead."""
    ran = program.run(f"- {{do: blow, by: Ada, target: Thug 1, answers: [14, 5], {beside}}}\n")

    assert ran.status == 1
    assert came in ran.err
    assert ran.lines[-2]["outcome"] == "failed"


def test_an_interrupt_is_put_before_its_request(program: Program) -> None:
    """The action is done before the request is answered, in the same step."""
    ran = program.run(
        "- do: blow\n  by: Ada\n  target: Thug 1\n  answers: [14, 5]\n"
        "  interrupts: {attack: [{do: note, text: before the roll}, {do: note, text: and this}]}\n"
    )

    assert ran.status == 0, ran.err
    log = ran.lines[-2]["log"]
    assert [line for line in log if "before the roll" in line]
    assert [line for line in log if "and this" in line]


def test_words_of_a_refusal(program: Program) -> None:
    """Other words than those expected end the run."""
    ran = program.run(ADA_HITS + "- {refused: {do: blow, by: Ada, target: Thug 1}, says: it is raining}\n")

    assert (ran.status, "Ada has acted already" in ran.err) == (1, True)
