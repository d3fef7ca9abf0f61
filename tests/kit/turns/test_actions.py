"""ActionTable: what is offered, refused and paid, and who may answer a window."""

import pytest
from msgspec.structs import replace

from tests.kit.duel import ACTIONS, spec_of, table
from tracker.core.fight.events import BudgetsChanged
from tracker.core.terms.requests import Responded, Window
from tracker.kit import Action, ActionSpec, ActionTable, ActionType, Refusal, RulesBug, State, action, budget
from tracker.testing.table import of_kind

STRIKE = action("strike", "ada", target="goblin-1")


def keys(specs: tuple[ActionSpec, ...]) -> list[str]:
    return [spec.key for spec in specs]


def test_a_combatant_is_offered_its_listed_deeds() -> None:
    """ActionTable of others, and those that come with another action, are not listed."""
    state = table().state

    assert keys(ACTIONS.actions(state, "ada")) == ["strike", "step", "shout", "cast"]
    assert keys(ACTIONS.actions(state, "goblin-1")) == ["strike", "step", "shout"]
    assert keys(ACTIONS.actions(state, None)) == ["rain"]


def test_the_usual_deed_comes_first() -> None:
    """A game names the deed that stands at the top."""
    first = replace(ACTIONS, usual=lambda state, who: "shout")

    assert keys(first.actions(table().state, "ada")) == ["shout", "strike", "step", "cast"]


def test_senseless_deeds_are_not_listed() -> None:
    """A deed refused for good is left out, unless the game shows it."""
    never = ActionType("fly", "Fly", refusal=lambda state, action: Refusal("wings", "no wings", forcible=False))
    deeds = ActionTable((never,))
    state = table().state

    assert (deeds.actions(state, "ada"), keys(replace(deeds, shown=lambda spec: True).actions(state, "ada"))) == (
        (),
        ["fly"],
    )


def test_what_makes_no_sense_is_told_before_what_can_be_forced() -> None:
    """A deed that is neither in time nor possible cannot be forced."""
    fly = ActionType("fly", "Fly", refusal=lambda state, action: Refusal("wings", "no wings", forcible=False))
    state = table().state

    early = spec_of(ActionTable((ActionType("fly", "Fly"),)), state, action("fly", "goblin-1"))
    spec = spec_of(ActionTable((fly,)), state, action("fly", "goblin-1"))

    assert early.refusal == Refusal("not_your_turn", "it is not Goblin 1's turn")
    assert spec.refusal == Refusal("wings", "no wings", forcible=False)


def test_form_carries_the_record() -> None:
    """The specification is the deed with its fields filled in from the state."""
    spec = spec_of(ACTIONS, table().state, STRIKE)

    assert (spec.key, spec.label, spec.by, spec.cost, spec.rule, spec.refusal) == (
        "strike",
        "Strike",
        "ada",
        "Main",
        "D-2",
        None,
    )
    assert [field.default for field in spec.fields] == ["goblin-1"]


@pytest.mark.parametrize("unknown", [Action("fly", "ada"), Action("cast", "goblin-1")])
def test_what_is_not_in_the_table_is_not_ours(unknown: Action) -> None:
    """An unknown deed, and one the combatant does not have, has no form."""
    assert ACTIONS.form(table().state, unknown) is None


def test_the_gm_keeps_a_generic_command_of_the_same_key() -> None:
    """A combatant's `move` leaves the GM's move in the order alone."""
    state = table().state
    deeds = ActionTable((ActionType("move", "Run"), ActionType("leap", "Leap")))
    run, leap = spec_of(deeds, state, Action("move", "ada")), spec_of(deeds, state, Action("leap"))

    assert (run.label, deeds.form(state, Action("move"))) == ("Run", None)
    assert leap.refusal is not None
    assert leap.refusal.reason == "no_actor"


def reason(state: State, key: str, who: str | None) -> str:
    spec = ACTIONS.form(state, Action(key, who))
    return "" if spec is None or spec.refusal is None else spec.refusal.reason


def test_refusals_come_in_their_order() -> None:
    """The actor comes first, then the turn, the price, and the deed itself."""
    held = table()
    fresh = reason(held.state, "strike", "ada"), reason(held.state, "strike", "bo"), reason(held.state, "shout", "bo")
    held.within(lambda ctx: ctx.status("bo", "down"))
    held.within(lambda ctx: ctx.spend("ada", "main"))

    later = reason(held.state, "strike", "ada"), reason(held.state, "strike", "bo"), reason(held.state, "strike", None)

    assert (fresh, later) == (("", "not_your_turn", ""), ("nothing_left", "down", "no_actor"))


def test_price_may_depend_on_the_form() -> None:
    """A deed whose price follows from its form is paid accordingly."""
    leap = ActionType("leap", "Leap", price=lambda state, action: budget(move=2 if action.get("far") else 1))
    state = table().state
    deeds = ActionTable((leap,), ACTIONS.economy)

    assert (leap.price_of(state, action("leap", far=True)), deeds.legality(state, leap, Action("leap", "ada"))) == (
        budget(move=2),
        None,
    )


def test_performing_pays_first_and_cites_the_rules() -> None:
    """The price is taken under the deed's own rules."""
    held = table()

    entries = held.do(Action("step", "ada"))

    paid = next(entry for entry in entries if isinstance(entry.event, BudgetsChanged))
    assert (paid.rules, held.state["ada"].budget) == (("D-3", "D-9"), budget(main=1, move=0, reaction=1))


def test_forced_deeds_leave_no_debt() -> None:
    """What the GM forces takes what there is."""
    held = table()
    held.do(STRIKE)

    held.do(STRIKE, forced=True)

    assert held.state["ada"].budget == budget(main=0, move=1, reaction=1)


def test_free_deeds_and_the_gm_pay_nothing() -> None:
    """Without a price no budget changes."""
    held = table()

    entries = (*held.do(Action("shout", "ada")), *held.do(Action("rain")))

    assert of_kind(entries, BudgetsChanged) == []


def test_games_decide_in_their_own_way() -> None:
    """Able, in time and paid: each can be replaced."""
    seen: list[str] = []
    own = replace(
        ACTIONS,
        unable=lambda state, who: None,
        untimely=lambda state, deed, action: Refusal("poor", "poor") if deed.key == "step" else None,
        economy=None,
        pay=lambda ctx, deed, action: seen.append(f"pay {deed.key}"),
    )
    held = table()
    held.within(lambda ctx: ctx.status("bo", "down"))
    strike, step = (spec_of(own, held.state, Action(key, "bo")) for key in ("strike", "step"))

    held.within(lambda ctx: own.perform(ctx, STRIKE))

    assert (strike.refusal, step.refusal, seen) == (None, Refusal("poor", "poor"), ["pay strike"])


def test_whole_forms_are_refused_like_others() -> None:
    """A deed that makes its whole form is still refused out of turn."""
    odd = ActionType("odd", "Odd", form=lambda state, action: ActionSpec("odd", "Odd one", action.by))
    deeds, state = ActionTable((odd,)), table().state

    mine, other = (spec_of(deeds, state, Action("odd", who)) for who in ("ada", "bo"))

    assert (mine.label, mine.refusal, other.refusal and other.refusal.reason) == ("Odd one", None, "not_your_turn")


def test_a_window_offers_what_answers_it() -> None:
    """The struck may parry, aimed at the striker, as long as a reaction is left."""
    held = table()
    window = Window("struck", "struck", actor="ada", target="goblin-2")
    offered = ACTIONS.windows(held.state, window)
    held.within(lambda ctx: ctx.spend("goblin-2", "reaction"))

    assert [(spec.key, spec.by, spec.fields[0].default) for spec in offered] == [("parry", "goblin-2", "ada")]
    assert [spec.bare for spec in offered] == [action("parry", "goblin-2", target="ada")]
    assert ACTIONS.windows(held.state, window) == ()
    assert ACTIONS.windows(table().state, replace(window, name="moves")) == ()
    assert ACTIONS.windows(table().state, replace(window, target=None)) == ()


def test_an_answer_is_paid_and_performed() -> None:
    """The parry costs the reaction and turns the strike."""
    held = table()

    held.do(STRIKE, answers={"struck": Responded((action("parry", "goblin-1", target="ada"),))})

    assert (held.state["goblin-1"].hp, held.state["goblin-1"].left("reaction")) == (6, 0)


def test_gm_and_combatants_may_share_a_key() -> None:
    """A key stands for the GM's deed without a combatant, for the combatant's with one."""
    both = ActionTable((ActionType("wave", "Wave"),), gm=(ActionType("wave", "Send a wave"),))
    state = table().state

    own, gms = (spec_of(both, state, Action("wave", who)) for who in ("ada", None))

    assert (own.label, gms.label, gms.refusal) == ("Wave", "Send a wave", None)


def test_performing_what_is_no_action_is_a_bug() -> None:
    """A table performs its own actions only."""
    with pytest.raises(RulesBug, match="fly is no action"):
        table().within(lambda ctx: ACTIONS.perform(ctx, Action("fly", "ada")))
