"""Odds of thirty attacks, against enumerations of the rules that know nothing of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.rules.test_vectors import BOOKS, GAMES
from tracker.core.terms.actions import Action
from tracker.forecast.odds import odds

Ends = Counter[tuple[bool, int]]


def sides(*faces: int) -> list[tuple[int, ...]]:
    """Return every way these dice can fall."""
    return list(product(*(range(1, face + 1) for face in faces)))


def blow_on_d20(bonus: int, ac: int, hp: int, die: int, plus: int, shock: tuple[int, int], least: int) -> Ends:
    """Roll d20 and a damage die: a hit does no less than `least`, a miss does Shock to low armour (WN-137, SV-135)."""
    ends: Ends = Counter()
    for face, harm in sides(20, die):
        hit = face + bonus >= ac
        missed = shock[0] if ac <= shock[1] else 0
        ends[hit, min(hp, max(harm + plus, least) if hit else missed)] += 1
    return ends


def roll_under(score: int, ac: int, hp: int, die: int) -> Ends:
    """Roll the score or less on d20: the number and the weapon's die, less AC, are the damage (GH-008)."""
    ends: Ends = Counter()
    for face, harm in sides(20, die):
        ends[face <= score, min(hp, max(0, face + harm - ac)) if face <= score else 0] += 1
    return ends


def two_dice(accuracy: int, evasion: int, dice: int, plus: int, defense: int) -> Ends:
    """Beat a fixed Evasion on 2d, ties miss (SW-104, SW-105); damage dice as written, less Defense (SW-121, SW-R53)."""
    ends: Ends = Counter()
    for faces in sides(6, 6, *[6] * dice):
        natural, harm = sum(faces[:2]), sum(faces[2:]) + plus
        hit = natural + accuracy > evasion
        ends[hit, max(0, harm - defense) if hit else 0] += 1
    return ends


def percentile(sc: int, defence: int, prot: int, die: int, plus: int, grievous: int, critical: int) -> Ends:
    """Roll SC less DEF or less on d100; special hits double the damage past PROT (T-1, SJ-032 to SJ-037)."""
    ends: Ends = Counter()
    for face, harm in sides(100, die):
        hit = face <= 3 or face <= min(95, sc - defence)
        special = face == 1 or face == 2 or face <= max(grievous, critical)
        lost = 2 * (harm + plus) if special else max(0, harm + plus - prot)
        ends[hit, lost if hit else 0] += 1
    return ends


def wwn(str_: int, stab: int, ab: int, die: int, shock: tuple[int, int], ac: int, hp: int) -> tuple[Any, Ends]:
    points, rating = shock
    weapon = {"name": "blade", "dmg": f"1d{die}", "attr": ["str"]}
    weapon |= {"shock": f"{points}/{rating}"} if points else {}
    points = points + str_ if points else 0
    pc = {"name": "Ann", "id": "ann", "kind": "pc", "hp": 9, "ac": 10, "ab": ab, "mods": {"str": str_}}
    pc |= {"skills": {"stab": stab}, "weapons": [weapon]}
    foe = {"name": "Bo", "id": "bo", "hd": 1, "hp": hp, "ac": ac, "atk": 0, "dmg": "1d4"}
    given = {"given": {"sides": {"party": [pc], "foes": [foe]}, "start": [8, 1]}}
    return given, blow_on_d20(ab + str_ + stab, ac, hp, die, str_, (points, rating), points if ac <= rating else 0)


def sovereign(to_hit: int, die: int, plus: int, shock: tuple[int, int], ac: int, hp: int) -> tuple[Any, Ends]:
    weapon = {"name": "blade", "to_hit": to_hit, "damage": f"1d{die}+{plus}" if plus else f"1d{die}"}
    weapon |= {"shock": f"{shock[0]}/{shock[1]}"} if shock[0] else {}
    foe = {"name": "Bo", "id": "bo", "kind": "monster", "hd": 1, "hp": hp, "ac": ac, "attacks": [weapon]}
    pc = {"name": "Ann", "id": "ann", "kind": "pc", "hp": 9, "ac": 10, "attacks": [weapon]}
    given = {"given": {"sides": {"party": [pc], "foes": [foe]}, "start": [6, 2]}}
    return given, blow_on_d20(to_hit, ac, hp, die, plus, shock, shock[0])  # SV-133


def githack(score: int, die: int, ac: int, hp: int) -> tuple[Any, Ends]:
    pc = {
        "name": "Ann",
        "id": "ann",
        "str": score,
        "con": 9,
        "dex": 9,
        "wis": 9,
        "weapons": [{"name": "blade", "dice": f"1d{die}"}],
    }
    foe = {"name": "Bo", "id": "bo", "ac": ac, "hp": hp, "damage": "1d6"}
    return {
        "given": {"sides": {"Party": [pc], "Monsters": [foe]}, "house_rules": {"initiative": "none"}},
        "do": [{"do": "start_round"}],
    }, roll_under(score, ac, hp, die)


def sword_world(accuracy: int, evasion: int, dice: int, plus: int, defense: int) -> tuple[Any, Ends]:
    attack = {"name": "claw", "mode": "melee", "accuracy": accuracy, "damage": f"{dice}d+{plus}"}
    one = {
        "name": "Ann",
        "id": "ann",
        "kind": "monster",
        "hp": 30,
        "move": 12,
        "initiative_fixed": 20,
        "attacks": [attack],
    }
    foe = {
        "name": "Bo",
        "id": "bo",
        "kind": "monster",
        "hp": 90,
        "move": 12,
        "initiative_fixed": 5,
        "evasion_fixed": evasion,
        "defense": defense,
    }
    given = {"sides": {"party": [one], "foes": [foe]}, "setup": {"zones": [{"participants": ["Ann", "Bo"]}]}}
    return {"given": given, "do": [{"next": 2}, {"do": "start_turn", "by": "ann"}]}, two_dice(
        accuracy, evasion, dice, plus, defense
    )


def spelljammer(
    sc: int, defence: int, prot: int, die: int, plus: int, grievous: int, critical: int
) -> tuple[Any, Ends]:
    one = {
        "name": "Ann",
        "id": "ann",
        "hp_max": 40,
        "con": 15,
        "weapons": [{"name": "blade", "sc": sc, "dmg": f"1d{die}+{plus}", "rank": 3, "class": "A"}],
    }
    foe = {
        "name": "Bo",
        "id": "bo",
        "hp_max": 90,
        "con": 30,
        "def": defence,
        "prot": prot,
        "weapons": [{"name": "pole", "sc": 10, "dmg": "1d4", "rank": 1}],
    }
    do = [
        {"do": "declare", "by": "ann", "target": "bo"},
        {"do": "declare", "by": "bo", "main": "nothing"},
        {"next": 1, "dice": [5]},
    ]
    return {"given": {"sides": {"Party": [one], "Foes": [foe]}}, "do": do}, percentile(
        sc, defence, prot, die, plus, grievous, critical
    )


ATTACKS: dict[str, tuple[str, Callable[..., tuple[Any, Ends]], list[tuple[Any, ...]]]] = {
    "worlds_without_number": (
        "melee_attack",
        wwn,
        [
            (1, 1, 1, 8, (2, 13), 13, 5),
            (1, 1, 1, 8, (2, 13), 14, 20),
            (0, 0, 0, 6, (0, 0), 21, 4),
            (2, 1, 3, 10, (1, 15), 8, 9),
            (-1, 0, 1, 4, (2, 18), 16, 3),
            (2, 2, 5, 12, (0, 0), 9, 40),
        ],
    ),
    "sovereign": (
        "attack_melee",
        sovereign,
        [
            (0, 6, 0, (2, 15), 13, 4),
            (0, 6, 0, (2, 15), 16, 4),
            (5, 8, 2, (0, 0), 21, 12),
            (3, 4, 0, (3, 18), 18, 20),
            (10, 10, 1, (1, 12), 10, 8),
            (-2, 6, 1, (0, 0), 19, 6),
        ],
    ),
    "githack": (
        "attack",
        githack,
        [(16, 6, 2, 4), (13, 10, 3, 8), (16, 4, 8, 40), (9, 8, 0, 5), (18, 6, 5, 12), (3, 12, 1, 9)],
    ),
    "sword_world": (
        "attack",
        sword_world,
        [(3, 11, 2, 2, 3), (5, 12, 2, 0, 9), (0, 20, 2, 4, 0), (9, 5, 1, 3, 2), (4, 11, 2, 6, 12), (2, 9, 1, 0, 1)],
    ),
    # grievous and critical: the highest rolls of T-1 for the modified strike chance
    "spelljammer": (
        "attack",
        spelljammer,
        [
            (92, 0, 4, 8, 4, 5, 14),
            (60, 0, 2, 6, 2, 3, 9),
            (45, 0, 1, 4, 3, 2, 7),
            (112, 0, 3, 8, 4, 6, 17),
            (28, 0, 0, 6, 1, 1, 4),
            (9, 0, 2, 10, 0, 1, 2),
        ],
    ),
}
CASES = [
    pytest.param(game, numbers, id=f"{game} {numbers}") for game, (_, _, many) in ATTACKS.items() for numbers in many
]


Figures = tuple[float, float, float]
"""The chance to hit, to drop the target, and the mean loss."""


def compared(game: str, numbers: tuple[Any, ...]) -> tuple[Figures, Figures]:
    """Return the figures that the program shows of an attack, and those counted by hand."""
    key, made, _ = ATTACKS[game]
    vector, ends = made(*numbers)
    state = BOOKS[game].play(vector).state
    was = state["bo"].hp
    total = sum(ends.values())
    exact = (
        sum(many for (hit, _), many in ends.items() if hit) / total,
        sum(many for (_, lost), many in ends.items() if lost >= was) / total,
        sum(many * lost for (_, lost), many in ends.items()) / total,
    )

    found = odds(GAMES[game], state, Action(key, "ann").put(target="bo"), seconds=60.0)
    tally = next(tally for tally in found.tallies if tally.who == "bo")

    assert (found.refused, round(found.open, 9)) == ("", 0.0)
    assert tally.success is not None
    return (tally.success, tally.drops, tally.mean), exact


@pytest.mark.parametrize(("game", "numbers"), CASES)
def test_odds_are_those_counted_by_hand(game: str, numbers: tuple[Any, ...]) -> None:
    """The chance to hit, to drop the target, and the mean loss."""
    shown, exact = compared(game, numbers)

    assert [round(one, 6) for one in shown] == [round(one, 6) for one in exact]
