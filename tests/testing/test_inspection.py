"""An inspection finds each mistake of a game, and none in a sound one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.testing.slippery import RULES, SOUND, inspected, slips, with_deed
from tracker.core.game.telling import ActionWords, StatusWords, Telling
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.labels import Rule, RuleBook
from tracker.kit import (
    Action,
    ActionSpec,
    At,
    Boundary,
    Column,
    Ctx,
    Dice,
    Effect,
    Field,
    Modifier,
    NamedEffect,
    OnUse,
    Option,
    Refusal,
    Refused,
    State,
    Status,
    Tactics,
)
from tracker.library.guard import guarded
from tracker.testing.inspection import PATIENCE
from tracker.testing.lint import problems_of_spec


def cite(ctx: Ctx, action: Action) -> None:
    ctx.note("slipping", "D-77")


def collapse(ctx: Ctx, action: Action) -> None:
    ctx.status(action.by or "", "flattened", "D-2")


def overspend(ctx: Ctx, action: Action) -> None:
    ctx.spend(action.by or "", "main", "D-2", amount=3)


def impossible(ctx: Ctx, action: Action) -> None:
    ctx.roll("wild", Dice.of(1, 0), "D-2")


def no_choice(ctx: Ctx, action: Action) -> None:
    ctx.choose("way", [Option("left", refusal=Refusal("shut", "shut"))], "D-2")


def stumble(ctx: Ctx, action: Action) -> None:
    raise LookupError("a slip")


def late(ctx: Ctx, action: Action) -> None:
    raise Refused(Refusal("never", "this never works", "D-3"))


def linger(ctx: Ctx, action: Action) -> None:
    ctx.add_effect(Effect("lingering", action.by or "", until=(At("phase_end", phase="shooting"),)), "D-2")


def forever(ctx: Ctx, action: Action) -> None:
    ctx.add_effect(Effect("cursed", action.by or "", until=(OnUse("prayer"),), modifiers=(Modifier("luck", -1),)))


def wrong_default(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("way", "choice", default="up", options=(Option("left"), Option("right"))),)


def shut_default(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("way", "choice", default="up", options=(Option("up", refusal=Refusal("shut", "shut")), Option("x"))),)


def bounds(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("many", "number", minimum=3, maximum=2),)


def test_a_sound_game_shows_nothing() -> None:
    """The game the others are made of has no slip, and was played."""
    report = inspected(SOUND)

    assert (report.problems, report.remarks) == ((), ())
    assert (report.fights, report.steps > 40) == (3, True)


@pytest.mark.parametrize(
    ("perform", "slip"),
    [
        (cite, 'in cite: Noted cites "D-77", which is not in the rulebook'),
        (collapse, 'in collapse: "flattened" is none of the statuses of the ruleset'),
        (overspend, 'in overspend: the budget "main" is overspent'),
        (impossible, 'in impossible: the request "wild" asks for impossible dice: "1d0"'),
        (no_choice, 'in no_choice: the request "way" has no option that can be chosen'),
        (linger, 'in linger: nothing ends the effect "lingering": no order has shooting'),
    ],
)
def test_a_deed_with_a_mistake_is_found(perform: object, slip: str) -> None:
    """The slip is told once, with file, line and function."""
    found = slips(with_deed(perform))  # type: ignore[arg-type]  # each is what a deed performs

    assert [line.partition(" ")[2] for line in found] == [slip]
    assert found[0].startswith("test_inspection.py:")


def test_what_a_deed_raises_is_found() -> None:
    """The slip names the action, the error and its place."""
    found = slips(with_deed(stumble))

    assert [line.partition(" (test_inspection.py:")[0] for line in found] == ['"slip": Duel: LookupError: a slip']
    assert found[0].endswith(" in stumble)")


def test_a_form_that_refuses_its_defaults_is_found() -> None:
    """An offer that is refused with its defaults is a problem."""
    (found,) = slips(with_deed(late))

    assert '"slip" is offered, but refused with its own defaults: this never works' in found


@pytest.mark.parametrize(
    ("fields", "slip"),
    [
        (wrong_default, '"slip": the default "up" of the field "way" is none of its options'),
        (bounds, '"slip": the field "many" takes at least 3 and at most 2'),
    ],
)
def test_a_form_with_a_mistake_is_found(fields: object, slip: str) -> None:
    """A field that cannot be filled in is told with the function that made it."""
    found = slips(with_deed(fields=fields))

    assert len(found) == 1
    assert found[0].startswith("test_inspection.py:")
    assert found[0].endswith(slip)


def test_a_default_that_is_refused_is_found() -> None:
    """A table of deeds opens its form on another choice. A form of another make does not."""
    plain = ActionSpec("slip", "Slip", "ada", fields=shut_default(State(), Action("slip")))

    assert list(problems_of_spec(SOUND, plain)) == ['"slip": the default "up" of the field "way" is refused']
    assert slips(with_deed(fields=shut_default)) == []


def test_rules_and_statuses_are_read_without_playing() -> None:
    """The rulebook, the list of effects and the statuses are read as written."""
    twice = RuleBook((*RULES.rules, Rule("D-1", "Again", "The same id.")))
    effects = (NamedEffect("slow", rule="D-88"),)
    statuses = (*SOUND.statuses, Status("up", "up"))

    found = slips(replace(SOUND, rulebook=twice, effects=effects, statuses=statuses))

    assert found == [
        'the effect "slow" cites "D-88", which is not in the rulebook',
        'the rulebook has "D-1" 2 times',
        'the status "up" is there 2 times',
    ]


def test_an_offer_that_cites_an_unknown_rule_is_found() -> None:
    """The rule of a deed is in the rulebook."""
    found = slips(with_deed(forever, rule="D-99"))

    (line,) = (line for line in found if line.startswith("test_inspection.py:") and "in forever" in line)
    assert line.endswith(' in forever: "slip" cites "D-99", which is not in the rulebook')


def test_an_effect_that_nothing_ended_is_a_remark() -> None:
    """What lasts until the GM removes it need not be a mistake."""
    report = inspected(with_deed(forever))

    assert report.problems == ()
    (remark,) = report.remarks
    assert str(remark).endswith('in forever: nothing ended the effect "cursed": it lasts until the GM removes it')


@pytest.mark.parametrize("hook", ["open_fight", "open_round", "on_boundary", "settle", "join", "actions", "form"])
def test_whatever_raises_is_found(hook: str) -> None:
    """Each part of a ruleset may raise anything. The inspection tells it and ends."""

    def broken(*arguments: object) -> object:
        raise ZeroDivisionError(f"a slip in {hook}")

    found = slips(replace(SOUND, **{hook: broken}))

    assert [line for line in found if f"ZeroDivisionError: a slip in {hook} (test_inspection.py:" in line] == found
    assert found


def test_a_deed_that_is_refused_is_forced_too() -> None:
    """A refused action is forced, too, because the GM can force it."""
    found = slips(with_deed(stumble, refusal=lambda state, action: Refusal("tired", "too tired", "D-3")))

    assert [line.partition(" (test_inspection.py:")[0] for line in found] == [
        '"slip", forced: Duel: LookupError: a slip'
    ]


def test_a_deed_that_makes_no_sense_is_not_forced() -> None:
    """An action whose refusal cannot be forced is not forced."""
    refusal = Refusal("nothing", "there is nothing to slip on", "D-3", forcible=False)

    assert slips(with_deed(stumble, refusal=lambda state, action: refusal)) == []


def wrong_policy(state: State, who: str, tactics: Tactics) -> Action | None:
    return Action("strik", who)


def no_text(state: State, who: str) -> str:
    return 7  # type: ignore[return-value]  # the slip


@pytest.mark.parametrize(
    ("changes", "slip"),
    [
        ({"policy": wrong_policy}, 'in wrong_policy: policy chooses "strik", which is no action of the game'),
        (
            {"columns": (Column("hp", "HP", 3, no_text),)},
            "columns hp: cell gives a value of type int where str is wanted",
        ),
        ({"finished": lambda state: len(state.sides) < 2}, "finished gives a value of type bool where str or None is"),
        ({"badges": lambda state, who: 1 / 0}, "badges: ZeroDivisionError: division by zero (test_"),
    ],
)
def test_what_no_step_calls_is_asked_too(changes: dict[str, object], slip: str) -> None:
    """Columns, marks, ends and choices of the forecast: one line for each slip."""
    (found,) = slips(guarded(replace(SOUND, **changes)))

    assert slip in found


def test_a_check_that_gives_text_is_told_with_its_name() -> None:
    """A refusal is a Refusal, not its words."""

    def tired(state: State, action: Action) -> Refusal | None:
        return "too tired"  # type: ignore[return-value]  # the slip

    (found,) = slips(with_deed(refusal=tired))

    assert 'tired of the action "slip" gives a str, not a Refusal or None' in found


def test_the_same_game_gives_the_same_slips() -> None:
    """The same game gives the same problems."""
    assert inspected(with_deed(overspend)) == inspected(with_deed(overspend))


def test_an_endless_step_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that does not end is stopped and told."""
    monkeypatch.setattr("tracker.testing.inspection.SECONDS", 0.1)

    def endless(ctx: Ctx, encounter: Encounter) -> None:
        while ctx.state.clock.round == 0:
            pass

    (found,) = slips(replace(SOUND, open_fight=endless))

    assert "the step did not end within 0.1 seconds" in found


def test_little_is_tried_where_steps_do_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some steps without an end, no more are tried."""
    monkeypatch.setattr("tracker.testing.inspection.SECONDS", 0.05)
    begun: list[str] = []

    def endless(ctx: Ctx, action: Action) -> None:
        begun.append(action.key)
        while True:
            pass

    found = slips(replace(SOUND, perform=endless))

    assert any("the step did not end within 0.05 seconds" in slip for slip in found)
    assert len(begun) == PATIENCE


def test_an_edge_that_asks_for_impossible_dice_is_found() -> None:
    """Requests in hooks are inspected, too."""

    def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
        SOUND.on_boundary(ctx, boundary)
        if boundary.edge == "turn_end":
            ctx.roll("bleed", Dice.of(2, 0), "D-2")

    (found,) = slips(replace(SOUND, on_boundary=on_boundary))

    assert found.endswith('in on_boundary: the request "bleed" asks for impossible dice: "2d0"')


@pytest.mark.parametrize(
    ("telling", "slip"),
    [
        (Telling((ActionWords("slip", does="slips away"),)), '"slips away" of the action "slip" does not begin with'),
        (Telling((ActionWords("slip", does="slip past {wall}"),)), 'the action "slip" has no field "wall"'),
        (Telling(status_words=(StatusWords("lost", "gone", "chase", "run"),)), 'there is no status "lost"'),
    ],
)
def test_words_that_do_not_fit_the_game_are_found(telling: Telling, slip: str) -> None:
    """A phrase without a verb, a blank without a field, a status that does not exist."""
    found = slips(replace(with_deed(), telling=telling))

    assert [slip in line for line in found] == [True]


def test_words_of_an_action_that_is_never_offered_are_a_remark() -> None:
    """Its key may be misspelt."""
    report = inspected(replace(SOUND, telling=Telling((ActionWords("slpi", does="slip"),))))

    assert [str(remark) for remark in report.remarks] == ['telling: the action "slpi" was never offered']
