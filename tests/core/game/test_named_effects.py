"""An effect that a game names: its end and its title are said once."""

from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import At

ROUND = (At("round_end"),)


def test_a_named_effect_has_its_usual_end() -> None:
    """An action's effect and the GM's of that name end together."""
    prone = NamedEffect("prone", "prone", ROUND, "S-1")

    assert prone.on("wolf", "orc") == Effect("prone", "wolf", source="orc", until=ROUND)


def test_a_title_that_is_the_name_is_left_out() -> None:
    """Only a title of its own is stored."""
    assert NamedEffect("no_movement", "no movement").on("wolf").title == ""
    assert NamedEffect("full_defense", "full defence").on("wolf").title == "full defence"
    assert NamedEffect("guarding", "guarding").on("wolf", title="guarding Ada").title == "guarding Ada"


def test_another_end_and_what_it_changes() -> None:
    """The giver may say another end, modifiers and stacking."""
    slow = (Modifier("evasion", -2),)
    effect = NamedEffect("slow", "slow", ROUND).on("wolf", until=(), modifiers=slow, stacking="keep")

    assert (effect.until, effect.modifiers, effect.stacking) == ((), slow, "keep")
