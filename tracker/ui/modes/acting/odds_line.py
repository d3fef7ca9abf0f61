"""The odds of the open action, computed in a thread after the key is shown, and cancelled by the next key."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step
from tracker.core.terms.actions import Action
from tracker.library.guard import unwrapped
from tracker.library.time_limit import TimedCall, call_within
from tracker.session.step.runner import dry_run
from tracker.ui.typing.mode import Mode, ModeContext

if TYPE_CHECKING:
    from textual.screen import Screen


ENOUGH = 0.001
"""A share of the outcomes too small to change a shown figure."""
COUNTED, SAMPLED = 0.012, 0.03
"""Seconds of enumeration, after which the present run is finished (15 ms in all), and of sampling if it is not done."""
MOST = 0.25
"""Seconds after which a step that does not end is stopped."""
VAGUE = 0.25
"""Figures with a larger error are not shown."""
MOST_KEPT = 64
Before: TypeAlias = Mapping[Action, "Action | State | None"]
"""Actions whose chances are shown, each with the state in which it is done, or with the action done before it."""


class OddsLine:
    """Computes the odds of the open action, while it is `on`.

    `show` gets the line when it is known, and "" when it no longer holds; `redraw` shows the chances of a
    sheet or map.
    """

    def __init__(
        self,
        screen: Screen[None],
        show: Callable[[str], None],
        on: bool = False,
        redraw: Callable[[], None] = lambda: None,
    ) -> None:
        self._screen, self._show, self.on, self._redraw = screen, show, on, redraw
        self._stop = threading.Event()
        self._due: Callable[[], None] | None = None
        self._kept: dict[Action, str] = {}
        self._state: State | None = None
        self._asked: Action | None = None
        self._chances: dict[Action, str] = {}
        self._wanted: Before = {}

    def chance(self, action: Action) -> str:
        return self._chances.get(action, "")

    def turn(self) -> None:
        self.on = not self.on
        if not self.on:
            self._show("")

    def begin(self) -> None:
        """Start the thread for the actions of the last `follow`."""
        due, self._due = self._due, None
        if due is not None:
            threading.Thread(target=due, name="odds", daemon=True).start()

    def stop(self) -> None:
        self._due = None
        self._stop.set()

    def follow(self, scene: ModeContext, mode: Mode | None, targeted: Before | None = None) -> None:
        """Prepare the odds of the open mode's actions, else of the chosen pane's; `begin` then computes them."""
        if not self.on:
            return
        state, new = scene.model.state, scene.model.state is not self._state
        if new:
            self._state = state
            self._kept.clear()
            self._chances.clear()
        aims = targeted if mode is None else mode.aims(scene)
        if aims is not None:
            self._follow_sheet(scene.ruleset, state, aims)
            return
        self._wanted = {}
        action = mode.aim(scene) if mode is not None and scene.model.pending is None else None
        if action == self._asked and not new:
            return
        self.stop()
        self._asked = action
        self._show("" if action is None else self._kept.get(action, ""))
        if action is not None and action not in self._kept:
            self._count(scene.ruleset, state, action)

    def _follow_sheet(self, ruleset: Ruleset, state: State, actions: Before) -> None:
        """Prepare the chances of several actions, each in the state after the action before it."""
        self._asked = None
        self._show("")
        unchanged = {action for action in actions if action in self._wanted and actions[action] is self._wanted[action]}
        if len(unchanged) == len(actions) == len(self._wanted):
            return
        self.stop()
        for action in self._wanted.keys() & actions.keys() - unchanged:
            self._chances.pop(action, None)
        self._wanted = actions
        left = {action: first for action, first in actions.items() if action not in self._chances}
        if left:
            self._count_all(ruleset, state, left)

    def _count_all(self, ruleset: Ruleset, state: State, actions: Before) -> None:
        stop = self._stop = threading.Event()

        def work() -> None:
            from tracker.forecast.odds import chance, odds  # only where odds are wanted

            for action, first in actions.items():
                if stop.is_set():
                    return
                try:
                    call, there = TimedCall(MOST, state), first if isinstance(first, State) else state
                    if isinstance(first, Action):
                        done = call_within(call, dry_run, unwrapped(ruleset), state, Step("do", (first,)))
                        if not isinstance(done, Done):
                            continue  # it asks something first
                        there = done.state
                    result = call_within(
                        call,
                        odds,
                        unwrapped(ruleset),
                        there,
                        action=action,
                        seconds=COUNTED,
                        enough=ENOUGH,
                        cancelled=stop.is_set,
                    )
                except BaseException:  # noqa: BLE001 - a fault of the ruleset shows when the step is really done
                    continue
                if not stop.is_set() and result.error - result.asks <= VAGUE:
                    self._screen.call_later(self._take_chance, state, action, chance(result, action.by))

        self._due = work

    def _take_chance(self, state: State, action: Action, words: str) -> None:
        if state is self._state:
            self._chances[action] = words
            self._redraw()

    def _count(self, ruleset: Ruleset, state: State, action: Action) -> None:
        stop = self._stop = threading.Event()

        def work() -> None:
            from tracker.forecast.odds import Odds, odds, words  # only where odds are wanted

            def glance(result: Odds) -> None:
                if not stop.is_set() and result.error <= VAGUE:
                    self._screen.call_later(self._take, state, action, words(state, result))

            try:
                result = call_within(
                    TimedCall(MOST, state),
                    odds,
                    unwrapped(ruleset),
                    state,
                    action=action,
                    seconds=COUNTED,
                    enough=ENOUGH,
                    sample_seconds=SAMPLED,
                    cancelled=stop.is_set,
                    glance=glance,
                )
            except BaseException:  # noqa: BLE001 - a fault of the ruleset shows when the step is really done
                result = Odds()
            if not stop.is_set():
                self._screen.call_later(self._take, state, action, words(state, result))

        self._due = work

    def _take(self, state: State, action: Action, line: str) -> None:
        if state is not self._state:
            return
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[action] = line
        if action == self._asked:
            self._show(line)
