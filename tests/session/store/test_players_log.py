"""What players read of the last steps: what they could see when it happened."""

from __future__ import annotations

from collections.abc import Sequence

from tests.session.conftest import play, public_view, strike
from tracker.core.terms.actions import action
from tracker.core.terms.values import Value
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.session.store.player_view_reader import PlayerViewReader


def log(watch: PlayerViewReader) -> tuple[str, ...]:
    return public_view(watch).log


def gm(session: Session, key: str, **fields: Value) -> None:
    model = session.dispatch(Do((action(key, **fields),)))
    assert (model.refusal, model.problem) == (None, "")


def hide(session: Session, *targets: str) -> None:
    gm(session, "conceal", targets=targets)


def reveal(session: Session, *targets: str) -> None:
    gm(session, "reveal", targets=targets)


def test_a_reveal_does_not_tell_what_happened_before(session: Session, watch: PlayerViewReader) -> None:
    """Losses and effects of a hidden combatant stay untold; what comes after it appears is told."""
    hide(session, "thug")
    before = log(watch)
    gm(session, "damage", amount=2, targets=("thug",))
    gm(session, "add_effect", name="dazed", targets=("thug",), until="2 rounds")
    reveal(session, "thug")

    assert log(watch) == (*before, "Thug appears")

    gm(session, "add_effect", name="prone", targets=("thug",), until="2 rounds")
    assert log(watch) == (*before, "Thug appears", "Thug: prone")


def test_what_was_seen_before_a_combatant_hid_is_told_again_once_it_is_back(
    session: Session, watch: PlayerViewReader
) -> None:
    """While it is hidden its name is not in the log."""
    gm(session, "add_effect", name="prone", targets=("thug",), until="2 rounds")
    assert "Thug: prone" in log(watch)
    hide(session, "thug")
    assert "Thug" not in "".join(log(watch))
    reveal(session, "thug")
    assert log(watch)[-2:] == ("Thug: prone", "Thug appears")


def test_unseen_steps_change_nothing_and_send_nothing(session: Session, watch: PlayerViewReader) -> None:
    """Not one of thirty acts of a hidden combatant pushes a line out of the log, or wakes a page."""
    for amount in (1, 2):
        gm(session, "damage", amount=amount, targets=("ansa",))
    hide(session, "thug")
    before = log(watch)
    assert before

    for _ in range(10):
        for key, fields in _ACTS:
            gm(session, key, **fields)
            assert not watch.poll(), key

    assert log(watch) == before


_ACTS: Sequence[tuple[str, dict[str, Value]]] = (
    ("damage", {"amount": 1, "targets": ("thug",)}),
    ("add_effect", {"name": "prone", "until": "2 rounds", "targets": ("thug",)}),
    ("note", {"text": "it waits"}),
)


def test_what_was_kept_back_at_its_time_stays_so(session: Session, watch: PlayerViewReader) -> None:
    """Points that were not shown when they were lost are not told as numbers later."""
    gm(session, "players_see", what="points_off")
    gm(session, "damage", amount=3, targets=("ansa",))
    gm(session, "players_see", what="points_on")

    assert "loses" not in "".join(log(watch))


def test_the_log_calls_a_combatant_as_the_list_does(session: Session, watch: PlayerViewReader) -> None:
    """A name the GM has given later stands for the old one in earlier lines, too."""
    gm(session, "add_effect", name="prone", targets=("thug",), until="2 rounds")
    gm(session, "call", who="thug", name="Tall stranger")

    assert "Tall stranger: prone" in log(watch)
    assert "Thug" not in "".join(log(watch))


def test_an_attack_is_told_by_its_result(session: Session, watch: PlayerViewReader) -> None:
    """A blow of a visible combatant on a hidden one says nothing."""
    hide(session, "thug")
    before = log(watch)
    session.dispatch(strike())
    play(session, 15, 2)

    assert log(watch) == before
