"""What the values of Worlds Without Number's files mean, for checks."""

from __future__ import annotations

from rulesets.worlds_without_number.blocks.canonical import Monster
from tracker.core.game.meanings import Meanings, Meant
from tracker.core.terms.values import Data

_SKILLS = ("punch", "stab", "shoot", "exert", "heal", "notice", "sneak")


def _doubts(block: Data) -> tuple[str, ...]:
    return tuple(f"not read: {part}" for part in block.unread) if isinstance(block, Monster) else ()


MEANINGS = Meanings(
    values=(
        Meant("pc.skills.0", "skill", _SKILLS, open=True),
        *(Meant(f"{kind}.ac.{way}", least=0, most=30) for kind in ("pc", "monster") for way in ("melee", "ranged")),
        Meant("monster.hd", least=0, most=40),
        Meant("monster.atk", least=-5, most=40),
        Meant("pc.move", least=0, most=200),
        Meant("monster.move", least=0, most=500),
    ),
    doubts=_doubts,
)
