"""What the values of GitHack's files mean, for checks."""

from __future__ import annotations

from rulesets.githack.blocks.canonical import Monster
from tracker.core.game.meanings import Meanings, Meant
from tracker.core.terms.values import Data


def _doubts(block: Data) -> tuple[str, ...]:
    return block.review if isinstance(block, Monster) else ()


MEANINGS = Meanings(
    values=(
        Meant("pc.ac", least=0, most=10),
        Meant("monster.ac", least=0, most=20),
        Meant("pc.angst", least=0, most=30),
    ),
    doubts=_doubts,
)
