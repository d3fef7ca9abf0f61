"""Weapons in a stat block: presets and names; what else a file keeps of this game."""

import pytest
import yaml
from msgspec import ValidationError
from msgspec.structs import replace

from rulesets.without_number.stat_blocks import Shock
from rulesets.worlds_without_number.stat_blocks.entries import PRESETS, likely, preset
from rulesets.worlds_without_number.stat_blocks.models import Bonus, HouseRules, Setup, SideKeys
from tests.rules.worlds_without_number.typed import CODEC, monster, weapon
from tracker.core.terms.values import Data

# Weapons

TABLE = """
unarmed:        {dmg: 1d2,  attr: [str], kind: [melee], skill: punch, natural: true, nonlethal: true}
blackjack:      {dmg: 1d4,  attr: [str], kind: [melee], nonlethal: true}
club:           {dmg: 1d4,  attr: [str], kind: [melee, thrown], nonlethal: true}
great club:     {dmg: 1d10, shock: 2/15, attr: [str], hands: 2}
claw blades:    {dmg: 1d6,  shock: 2/13, attr: [str]}
dagger:         {dmg: 1d4,  shock: 1/15, attr: [str, dex], kind: [melee, thrown], range: 30/60}
halberd:        {dmg: 1d10, shock: 2/15, attr: [str], hands: 2}
great hammer:   {dmg: 1d10, shock: 2/18, attr: [str], hands: 2}
war hammer:     {dmg: 1d8,  shock: 1/18, attr: [str]}
hand axe:       {dmg: 1d6,  shock: 1/15, attr: [str], kind: [melee, thrown], range: 10/30}
war axe:        {dmg: 1d10, shock: 3/15, attr: [str], hands: 2}
mace:           {dmg: 1d6,  shock: 1/18, attr: [str], nonlethal: true}
pike:           {dmg: 1d8,  shock: 1/15, attr: [str], hands: 2}
large shield bash: {dmg: 1d6, shock: 1/13, attr: [str], nonlethal: true}
small shield bash: {dmg: 1d4, attr: [str], nonlethal: true}
heavy spear:    {dmg: 1d10, shock: 2/15, attr: [str], hands: 2}
light spear:    {dmg: 1d6,  shock: 2/13, attr: [str, dex], kind: [melee, thrown], range: 30/60}
staff:          {dmg: 1d6,  shock: 1/13, attr: [str], hands: 2, nonlethal: true}
stiletto:       {dmg: 1d4,  shock: 1/18, attr: [dex]}
great sword:    {dmg: 1d12, shock: 2/15, attr: [str], hands: 2}
long sword:     {dmg: 1d8,  shock: 2/13, attr: [str]}
short sword:    {dmg: 1d6,  shock: 2/15, attr: [str]}
throwing blade: {dmg: 1d4,  attr: [dex], kind: [thrown], range: 30/60}
large bow:      {dmg: 1d8,  attr: [dex], hands: 2, kind: [ranged], range: 100/600, reload: bow}
small bow:      {dmg: 1d6,  attr: [dex], hands: 2, kind: [ranged], range: 50/300, reload: bow}
crossbow:       {dmg: 1d10, attr: [dex], hands: 2, kind: [ranged], range: 100/300, reload: crossbow}
"""


def test_presets_are_the_table() -> None:
    """WN-C30: every row of table 8.9, typed by hand under another name, is the preset."""
    table = yaml.safe_load(TABLE)
    typed = tuple(replace(weapon(name="x", **row), name=name) for name, row in table.items())

    assert typed == PRESETS


def test_the_dagger_leaves_a_choice() -> None:
    """E07: Strength or Dexterity, 1d4, Shock 1/15. Thrown with three skills, stabbed with one."""
    dagger = preset("dagger")

    assert dagger is not None
    assert (dagger.attr, str(dagger.dmg), dagger.shock, dagger.range) == (("str", "dex"), "1d4", Shock(1, 15), (30, 60))
    assert (dagger.skills_for("melee"), dagger.skills_for("thrown")) == (("stab",), ("shoot", "stab", "exert"))


def test_a_typed_skill_counts_for_melee_and_shots_but_not_for_throws() -> None:
    """WN-045: throwing leaves its choice."""
    fist = weapon(name="fist blade", dmg="1d4", skill="Punch", kind="melee/thrown")

    assert [fist.skills_for(use) for use in ("melee", "ranged", "thrown")] == [
        ("punch",),
        ("punch",),
        ("shoot", "stab", "exert"),
    ]


def test_likely_presets() -> None:
    """A slip of the pen is recognised, something else is not."""
    assert (likely("daggr"), likely("laser")) == ("dagger", "")


def test_whatever_weapon_it_holds() -> None:
    """8.8: `Wpn` without a list offers every preset, the pluses added."""
    block = monster(dmg="Wpn+2", shock="Wpn+2")

    assert block.any_weapon
    assert [weapon.name for weapon in block.weapons] == [weapon.name for weapon in PRESETS[1:]]
    assert {weapon.bonus for weapon in block.weapons} == {Bonus(damage=2, shock=2)}


def test_wpn_without_shock() -> None:
    """Peaceful folk do no Shock, whatever they pick up."""
    assert {weapon.shock for weapon in monster(dmg="Wpn", shock="none").weapons} == {None}


def test_a_surprised_side_expects_no_trouble() -> None:
    """WN-022: both keys together are an error."""
    with pytest.raises(ValidationError, match="expects trouble"):
        CODEC.convert({"surprised": True, "expects_trouble": True}, SideKeys)


@pytest.mark.parametrize(
    "keys",
    [
        HouseRules(initiative="individual", swarm_size=5),
        Setup(wait=True),
        SideKeys(surprised=True, initiative_modifier=-1),
    ],
    ids=lambda keys: type(keys).__name__,
)
def test_keys_come_back_from_json(keys: HouseRules | Setup | SideKeys) -> None:
    """The journal keeps what went in, whether the type is known or only its mark."""
    assert CODEC.decode(CODEC.encode(keys), type(keys)) == CODEC.decode(CODEC.encode(keys), Data) == keys
