"""The recipes about steps, played."""

from tests.recipes.steps import advantage, ending_a_turn, generic, keys, reactions, recharge, rerolls, saves
from tests.recipes.table import open_table
from tracker.core.fight.events import ActionStopped, Noted
from tracker.core.run import Done, Step
from tracker.core.terms.actions import action
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer, Responded, Roll, Window
from tracker.kit import Effect
from tracker.testing.table import of_kind


def test_a_parry_stops_a_blow() -> None:
    """The target is asked before the blow, once a round."""
    table = open_table(reactions.RULESET)
    blow = action("hit", "ada", target="wolf-1")
    window = table.asks(blow)
    assert isinstance(window, Window)
    assert [(spec.key, spec.by) for spec in window.offers] == [("parry", "wolf-1")]

    table.do(blow, answers={"struck": Responded((action("parry", "wolf-1"),))})
    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["it is parried"]
    assert table.state["wolf-1"].hp == 6

    table.next()
    assert table.asks(action("hit", "bo", target="wolf-1")).key == "attack"
    assert table.asks(action("hit", "bo", target="wolf-2")).key == "struck"


def test_a_readied_blow_strikes_the_one_it_waits_for() -> None:
    """Only the foe named sets it off, and the blow is offered with that target."""
    table = open_table(reactions.RULESET, hp=2)
    table.do(action("ready", "ada", target="wolf-2"))
    table.next(2)
    assert table.at == "r1/wolf-1"
    table.do(action("close_in", "wolf-1", target="ada"))
    assert [event.text for event in of_kind(table.last, Noted)] == ["stands beside Ada"]

    table.next()
    window = table.asks(action("close_in", "wolf-2", target="ada"))
    assert isinstance(window, Window)
    (offer,) = window.offers
    field = offer.field("target")
    assert field is not None
    assert (offer.key, offer.by, field.default) == ("spring", "ada", "wolf-2")

    answer = Responded((action("spring", "ada", target="wolf-2"),))
    table.do(action("close_in", "wolf-2", target="ada"), answers={"comes": answer, "attack": 6})
    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["the one who moves is down"]
    assert not table.state["ada"].has("readied")


def test_a_readied_blow_is_given_up_with_the_next_turn() -> None:
    """It waits no longer than that."""
    table = open_table(reactions.RULESET)
    table.do(action("ready", "ada", target="wolf-2"))
    table.next(4)

    assert (table.at, table.state["ada"].has("readied")) == ("r2/ada", False)


def test_a_deed_that_ends_the_turn() -> None:
    """The clock is at the next stop, although an action was left."""
    table = open_table(ending_a_turn.RULESET)
    table.do(action("hide", "ada"))
    assert (table.at, table.state["ada"].left("action")) == ("r1/bo", 1)

    table.next(3)
    assert (table.at, table.state["ada"].has("hidden")) == ("r2/ada", False)


def test_luck_rolls_again_until_it_is_used_up() -> None:
    """The last roll counts, and two tokens are all there are."""
    table = open_table(rerolls.RULESET)
    again = Responded((action("again", "ada"),))
    table.do(
        action("hit", "ada", target="wolf-1"),
        answers={
            "try:1/attack": 6,
            "try:1/rolled": again,
            "try:2/attack": 1,
            "try:2/rolled": again,
            "try:3/attack": 2,
        },
    )
    assert (table.state["wolf-1"].hp, table.state["ada"].left("luck")) == (6, 0)

    table.next(4)
    table.do(action("hit", "ada", target="wolf-1"), answers={"try:1/attack": 6})
    assert table.state["wolf-1"].hp == 4


def test_keys_say_what_a_question_is_about() -> None:
    """Each is a path of scopes and a name, whatever the order of the targets."""
    table = open_table(keys.RULESET)

    def asked(*targets: str) -> list[str]:
        outcome = table.run(Step("do", (action("whirl", "ada", targets=targets),)))
        assert isinstance(outcome, Done)
        return [key for key, _ in outcome.answers]

    assert asked("wolf-1", "wolf-2") == [
        "footing",
        "target:wolf-1/attack",
        "target:wolf-2/attack",
        "after:wolf-1/give_way",
        "after:wolf-2/give_way",
    ]
    assert sorted(asked("wolf-2", "wolf-1")) == sorted(asked("wolf-1", "wolf-2"))


def test_a_generic_command_does_what_it_does_and_more() -> None:
    """The GM's healing gives the points back as in every game, and stops the bleeding."""
    table = open_table(generic.RULESET)
    table.hold(Effect("bleeding", "ada"))
    table.do(action("damage", amount=3, targets=("ada",)))
    assert table.state["ada"].hp == 3

    table.do(action("heal", amount=2, targets=("ada",)))
    assert (table.state["ada"].hp, table.state["ada"].has("bleeding")) == (5, False)


def test_answers_may_be_given_by_name() -> None:
    """The last part of a key is enough where it is the only one."""
    table = open_table(keys.RULESET)
    table.do(action("whirl", "ada", targets=("wolf-1",)), answers={"attack": 5, "give_way": ChoiceAnswer("yes")})

    assert [event.text for event in of_kind(table.last, Noted)] == ["gives way"]


def test_advantage_keeps_the_better_of_two_dice() -> None:
    """A prone foe gives it; what the GM types against it takes it away, and more of a kind counts once."""
    blow = action("hit", "ada", target="wolf-1")
    table = open_table(advantage.RULESET)
    one = table.asks(blow)
    table.do(action("add_effect", name="prone", targets=("wolf-1",), until=""))
    two = table.asks(blow)
    assert isinstance(one, Roll)
    assert isinstance(two, Roll)
    assert [(str(asked.dice), asked.why) for asked in (one, two)] == [
        ("1d20", "attack"),
        ("2d20", "attack, the better of two"),
    ]

    table.do(blow, answers={"attack": DiceAnswer(18, (3, 15))})
    assert table.state["wolf-1"].hp == 4

    for name, amount in (("dazed", -1), ("blinded", -1)):
        rows = ((("amount", amount), ("stat", "advantage")),)
        table.do(action("add_effect", name=name, targets=("bo",), until="", modifiers=rows))
    table.next()
    assert str(table.asks(action("hit", "bo", target="wolf-1")).dice) == "1d20"  # type: ignore[union-attr]
    worse = table.asks(action("hit", "bo", target="wolf-2"))
    assert isinstance(worse, Roll)
    assert worse.why == "attack, the worse of two"


def test_a_save_halves_the_damage_and_ends_the_flames() -> None:
    """Each target saves by itself; a target that has not burns until a save at the end of its turn."""
    table = open_table(saves.RULESET, hp=20)
    burst = action("burst", "ada", targets=("wolf-1", "wolf-2"))
    table.do(burst, answers={"damage": 9, "save:wolf-1": 12, "save:wolf-2": 11})
    assert [table.state[who].hp for who in ("wolf-1", "wolf-2")] == [16, 11]
    assert [table.state[who].has("burning") for who in ("wolf-1", "wolf-2")] == [False, True]

    table.next(3)
    table.next(**{"save:wolf-2": 9})
    assert (table.state["wolf-2"].hp, table.state["wolf-2"].has("burning")) == (10, True)
    table.next(3)
    table.next(**{"save:wolf-2": 10})
    assert (table.state["wolf-2"].hp, table.state["wolf-2"].has("burning")) == (10, False)


def test_a_breath_comes_back_on_five_or_six() -> None:
    """Without its die it stays spent, turn after turn."""
    table = open_table(recharge.RULESET)
    table.do(action("breathe", "ada", target="wolf-1"))
    assert (table.state["wolf-1"].hp, table.state["ada"].left("breath")) == (2, 0)

    table.next(3)
    table.next(**{"recharge:ada": 4})
    assert (table.state["ada"].left("action"), table.state["ada"].left("breath")) == (1, 0)
    table.next(3)
    table.next(**{"recharge:ada": 5})
    assert table.state["ada"].left("breath") == 1
