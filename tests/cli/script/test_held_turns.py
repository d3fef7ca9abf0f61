"""`tracker run`: held turns, as answers and between two steps of a Run."""

from tests.cli.conftest import Program

WORLDS_WITHOUT_NUMBER = """\
ruleset: worlds_without_number
title: The ford
sides:
  - name: Party
    control: players
    members:
      - {name: Ansa, level: 1, hp: 12, ac: 14, ab: 1, skills: {stab: 1}, weapons: [long sword]}
      - {name: Bero, level: 1, hp: 12, ac: 12, ab: 1, skills: {shoot: 1, punch: 1}, weapons: [dagger, large bow]}
      - {name: Cato, level: 1, hp: 12, ac: 12, ab: 1, skills: {punch: 1, exert: 1}, weapons: [dagger]}
      - {name: Dirk, level: 1, hp: 12, ac: 12, ab: 1, skills: {stab: 1}, weapons: [dagger]}
  - {name: Raiders, members: [{name: Raider, hp: 4, ac: 12, attack: 1, weapons: [short sword], count: 2}]}
"""
ANSWERS = """\
- start: {answers: [8, 1]}
- {do: hold, by: Ansa}
- {do: hold, by: Bero}
- {do: hold, by: Cato}
- {do: hold, by: Dirk}
- advance
- {do: melee_attack, by: Raider 1, target: Ansa, pending: true}
- answer: {do: trigger_held, by: Bero, action: ranged_attack, target: Raider 2, answers: [15, 4]}
- expect: {combatants: {Raider 2: {hp: 0}}, pending: {key: "declared:2"}}
- answer: {do: trigger_held, by: Dirk, action: screen, ward: Ansa, distance: 15}
- answer: {do: trigger_held, by: Cato, action: grapple, target: Raider 1, hands_free: true, answers: [20, 12, 2]}
- answer: {do: trigger_held, by: Ansa, action: run, distance: 20}
- expect:
    combatants:
      Ansa: {budget: {main: 0}, effects: {none: [held]}}
      Raider 1: {effects: [grappled]}
      Dirk: {effects: [screening]}
    pending: {key: "screen:raider-1"}
"""
BETWEEN = """\
- start: {answers: [8, 1]}
- {do: hold, by: Bero}
- advance
- {do: run, by: Raider 1, distance: 20, leaving: [Ansa], pending: true}
- interrupt: {do: trigger_held, by: Bero, action: ranged_attack, target: Raider 2, answers: [15, 4]}
- answer: 1
- expect: {combatants: {Raider 2: {hp: 0}, Bero: {budget: {main: 0}}}, pending: null}
"""
SNAP = """\
- start: {answers: [8, 1]}
- advance
- {do: melee_attack, by: Raider 2, target: Ansa, answers: {attack: 15}}
- answer: "snap_attack:bero"
- answer: 19
- answer: 4
- expect: {combatants: {Raider 2: {hp: 0}, Raider 1: {hp: 4}, Ansa: {hp: 12}}, facts: {Ansa: {engaged: [raider-2]}}}
"""
SOVEREIGN = """\
ruleset: sovereign
title: The yard
setup: {grid: "........\\n........\\n........\\n........\\n........\\n........\\n........\\n........"}
sides:
  - name: Party
    control: players
    members:
      - {name: Kay, at: [1, 1], hp: 10, ac: 14, skills: {stab: 1}, attacks: [{name: sword, damage: 1d8}]}
      - {name: Kim, at: [4, 4], hp: 10, ac: 14, skills: {stab: 1}, attacks: [{name: sword, damage: 1d8}]}
      - {name: Ada, at: [0, 7], hp: 8, ac: 12, skills: {shoot: 1}, attacks: [{name: sling, use: ranged, damage: 1d6}]}
      - {name: Wilm, at: [2, 2], hp: 9, ac: 12, skills: {brawl: 1}, attacks: [{name: knife, damage: 1d4}]}
  - name: Foes
    members:
      - {name: Thug, at: [2, 1], hp: 12, morale: fearless, ac: 13, attacks: [{name: club, to_hit: 1, damage: 1d4}]}
      - {name: Guard, at: [7, 6], hp: 3, morale: fearless, ac: 10, attacks: [{name: spear, to_hit: 4, damage: 1d6}]}
"""
SOVEREIGN_ANSWERS = """\
- start: {answers: [6, 2]}
- {do: hold, by: Kay}
- {do: hold, by: Kim}
- {do: hold, by: Ada}
- {do: hold, by: Wilm}
- advance
- {do: attack_melee, by: Thug, target: Kay, pending: true}
- answer: {do: use_held, by: Ada, action: attack_ranged, target: Guard, answers: [15, 4]}
- expect: {combatants: {Guard: {hp: 0}}, pending: {key: "declared:2"}}
- answer: {do: use_held, by: Wilm, action: grapple, target: Thug, answers: [1]}
- answer: {do: use_held, by: Kim, action: screen, ward: Kay, path: [[3, 3], [2, 3], [1, 2]]}
- answer: {do: use_held, by: Kay, action: run, path: [[1, 0], [0, 0]], answers: ["no"]}
- expect: {combatants: {Kay: {position: [0, 0]}, Kim: {effects: [screening]}, Thug: {budget: {main: 0}}}}
"""
SOVEREIGN_BETWEEN = """\
- start: {answers: [6, 2]}
- {do: hold, by: Ada}
- advance
- {do: run, by: Thug, path: [[3, 1], [4, 1]], answers: ["no"], pending: true}
- expect: {pending: {key: "aoo:wilm"}, combatants: {Thug: {position: [3, 1]}}}
- interrupt: {do: use_held, by: Ada, action: attack_ranged, target: Guard, answers: [15, 4]}
- answer: "no"
- expect: {combatants: {Guard: {hp: 0}, Thug: {position: [4, 1]}}}
"""


def test_a_held_turn_is_a_whole_turn_in_a_script(program: Program) -> None:
    """It answers with any action, and comes between two steps of a Run."""
    for text, scripts in (
        (WORLDS_WITHOUT_NUMBER, (ANSWERS, BETWEEN, SNAP)),
        (SOVEREIGN, (SOVEREIGN_ANSWERS, SOVEREIGN_BETWEEN)),
    ):
        encounter = program.file("fight.yaml", text)
        for script in scripts:
            ran = program("run", encounter, "--script", program.file("script.yaml", script))
            assert ran.status == 0, ran.err
