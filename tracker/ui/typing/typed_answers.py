"""Typed answers: numbers typed together with an action, for its questions in order.

Rolls and numbers take the next one each. A question about options takes the next one only if it names an option, else
its default; windows before a question that takes one are passed. Any other question waits in its prompt.
"""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Passed, Request, Roll, Window
from tracker.session.intents import Intent, Reply, RollRest
from tracker.session.model import Model
from tracker.session.settings import Settings, source_of
from tracker.session.step.runner import dry_run, without_dice
from tracker.ui.typing.mode import DryRun
from tracker.ui.typing.tokens import REST, option_called

MOST = 50


def tried(ruleset: Ruleset, settings: Settings, state: State, action: Action, hand: tuple[str, ...]) -> DryRun:
    """Return how far the hand reaches, by performing the step on the side.

    The program's dice are not rolled for it.
    """
    unasked = source_of(without_dice(settings), state, {})
    given: list[tuple[str, Request]] = []
    answers: Answers = ()
    for _ in range(MOST):
        outcome = dry_run(ruleset, state, Step("do", (action,)), answers)
        if not isinstance(outcome, Pending):
            return DryRun(tuple(given), hand, refused=not isinstance(outcome, Done))
        request = outcome.request
        answer, many = unasked(request), 0
        if answer is not None and isinstance(request, Roll):
            return DryRun(tuple(given), hand, open=True)
        if hand and hand[0] == REST:
            return DryRun((*given, (REST, request)), hand[1:], open=True)
        if answer is None and not hand:
            if not isinstance(request, Window):
                return DryRun(tuple(given), asks=request)
            answer = Passed()
        elif answer is None:
            try:
                answer, many = request.from_words(hand, option_called)
            except ValueError as error:
                return DryRun(tuple(given), hand, str(error), request)
            if answer is None:
                return DryRun(tuple(given), hand, asks=request)
        if many:
            given.append((" ".join(hand[:many]), request))
            hand = hand[many:]
        answers = (*outcome.answers, (request.key, answer))
    return DryRun(tuple(given), hand, open=True)


def apply_answers(
    dispatch: Callable[[Intent], Model], model: Model, hand: tuple[str, ...], stop: str | None
) -> tuple[Model, str, str]:
    """Give the hand to the questions of the step that was begun.

    It stops at the question `stop` that stood before.

    Returns:
        the model, what is to be said about answers nobody asked for, and what is wrong with one that cannot be.
    """
    given: list[str] = []
    while hand and model.pending is not None and model.pending.request.key != stop:
        request, many = model.pending.request, 0
        intent: Intent
        if hand[0] == REST:
            intent, many = RollRest(leave_player_choices=True), 1
        else:
            try:
                answer, many = request.from_words(hand, option_called)
            except ValueError as error:
                so_far = f"; {', '.join(given)} {'is' if len(given) == 1 else 'are'} given" if given else ""
                return model, "", f"{error}{so_far}: type the rest here"
            if answer is None:
                return model, f"{' '.join(hand)} not used: this is asked first", ""
            intent = Reply(answer)
        model = dispatch(intent)
        if model.refusal is not None or model.problem:
            return model, "", ""
        given += [" ".join(hand[:many])] if many else []
        hand = hand[many:]
    return model, f"{' '.join(hand)} was not asked for" if hand else "", ""
