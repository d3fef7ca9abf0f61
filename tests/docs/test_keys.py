"""The page about keys: each of its typed lines is understood as the page says, in every game that it names."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from msgspec import Struct
from msgspec.structs import replace

from rulesets.githack.stat_blocks.models import HouseRules
from rulesets.sovereign.stat_blocks.models import MemberKeys as Placed
from rulesets.spelljammer.stat_blocks.models import Setup as Melees
from rulesets.sword_world.stat_blocks.models import Setup as Field
from rulesets.sword_world.stat_blocks.models import ZoneSetup
from tests.support.tables import for_each
from tests.ui.drive import fight
from tests.ui.games import GH, SJ, SV, SW, WN, played, prepared
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member
from tracker.session.intents import Do
from tracker.session.rulesets.registry import find
from tracker.ui.keys.table import KEYS, LINES, face
from tracker.ui.modes.acting.batch import TurnBatch, parse_sheet
from tracker.ui.modes.acting.command_line import parse_line
from tracker.ui.modes.acting.picker import default_action, possible_first
from tracker.ui.typing.action_line import read_action_line
from tracker.ui.typing.gm_lines import parse_command
from tracker.ui.typing.mode import ModeContext
from tracker.views.words.values import field_words

PAGE = Path(__file__).parents[2] / "docs/keys.md"
GAMES = {
    "Worlds Without Number": WN,
    "Sword World": SW,
    "Sovereign": SV,
    "Spelljammer": SJ,
    "GitHack": GH,
}
LINE_UP = {
    WN: ("first_fight", ("ordwen", "tavi"), ("toll-captain", "poacher")),
    SW: ("two_brawls", ("wolf", "mira"), ("skeleton", "zombie")),
    SV: ("first_fight", ("ysolde", "maud"), ("bone-soldier", "bone-archer")),
    SJ: ("archers_into_melee", ("brannoc", "orsolya"), ("gale-hawk", "cave-lurker")),
    GH: ("goblin_waves", ("ysolt", "mother-ade"), ("goblin", "goblin-archer")),
}


class Example(Struct, frozen=True):
    """A row of the page: the key, the text behind it, what it says, the game and when in its fight."""

    key: str
    typed: str
    says: str
    game: str
    when: str


def examples(heading: str) -> list[Example]:
    """Return the rows of the table with this heading, one for each game that a row names."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    top = next(number for number, line in enumerate(lines) if heading in line.split("|")[2:4])
    rows = []
    for line in lines[top + 2 :]:
        if not line.startswith("|"):
            break
        *keyed, typed, says, games = (cell.strip() for cell in line.strip("|").split("|"))
        key = keyed[0] if keyed else "A"
        names = list(GAMES) if games == "all" else [name.strip() for name in games.split(",")]
        when = next((name for name in names if name not in GAMES), "")
        rows += [Example(key.strip("`"), typed.strip("`"), says, GAMES[name], when) for name in names if name in GAMES]
    return rows


def line_up(game: str, when: str) -> Encounter:
    """Return a fight of the game between Wolf and Mira, Goblin 1 and 2 and a Goblin Archer."""
    name, (wolf, mira), (goblin, archer) = LINE_UP[game]
    found = prepared(game, name)
    party, foes = found.sides

    def called(members: tuple[Member, ...], ref: str, as_name: str, many: int) -> Member:
        return replace(next(one for one in members if one.ref == ref), id="", name=as_name, count=Dice(plus=many))

    heroes = tuple(called(party.members, ref, name, 1) for ref, name in ((wolf, "Wolf"), (mira, "Mira")))
    monsters = (called(foes.members, goblin, "Goblin", 2), called(foes.members, archer, "Goblin Archer", 1))
    if game == SV:  # on its map
        places = {"Wolf": (5, 8), "Mira": (6, 9), "Goblin": ((5, 7), (6, 7)), "Goblin Archer": (8, 2)}
        heroes, monsters = (
            tuple(replace(one, data=replace(as_placed(one.data), at=places[one.name])) for one in members)
            for members in (heroes, monsters)
        )
    setup, rules = found.setup, found.house_rules
    if isinstance(setup, Field):
        setup = replace(setup, zones=(ZoneSetup(participants=("Wolf", "Goblin 1", "Goblin 2")),), known=())
    if isinstance(setup, Melees):
        setup = replace(setup, engaged=(("Wolf", "Goblin 1"),))
    if isinstance(rules, HouseRules):
        rules = replace(rules, stances=when == "with stances")
    sides = (replace(party, members=heroes), replace(foes, members=monsters))
    return replace(found, sides=sides, setup=setup, house_rules=rules, waves=(), reminders=())


def as_placed(data: object) -> Placed:
    assert isinstance(data, Placed)
    return data


@cache
def at_the_table(game: str, when: str) -> ModeContext:
    """Return the fight at the moment at which Wolf acts, or declares."""
    session = fight(Path(mkdtemp()), line_up(game, when), find(game))

    def scene() -> ModeContext:
        return ModeContext(session.ruleset, session.model, session)

    def reached(_: object) -> bool:
        possible = [spec.key for spec in scene().offers("wolf") if spec.refusal is None]
        usual = ("attack", "melee_attack", "attack_melee", "start_turn")
        wanted = {"declaring": ("declare",), "with stances": ("stance",)}.get(when, usual)
        return any(key in wanted for key in possible)

    played(session, reached)
    if game == SW:  # a turn is opened in this game
        session.dispatch(Do((action("start_turn", "wolf"),)))
    return scene()


def understood(scene: ModeContext, example: Example) -> tuple[str, str]:
    """Return what the line is understood as, in the words of the page, and what is wrong with it."""
    command = next((one for one in KEYS if face(one.key) == example.key and "fight" in one.screens), None)
    verb = command.id if command is not None and command.id in LINES else ""
    if example.key == "a":
        specs = possible_first(scene.offers("wolf"))
        line = read_action_line(scene, specs, example.typed, usual=default_action(scene, "wolf"))
        if line.spec is None or line.typed is None:
            return "", line.problem
        return in_words(scene, line.spec.label, line.typed, line.answers), line.problem or line.wants
    if verb:
        parsed = parse_command(scene, verb, example.typed, -1)
        return in_words(scene, LINES[verb].title, parsed.action, ()), parsed.wants
    read = parse_line(scene, example.typed)
    if read.named is None or read.parsed is None:
        return "", read.wants
    return in_words(scene, read.named.option.shown, read.parsed.action, read.typed_answers), read.wants


def in_words(scene: ModeContext, label: str, action: Action, dice: tuple[str, ...]) -> str:
    spec = scene.spec(action)
    told = []
    for name, value in action.fields:
        field = spec.field(name)
        assert field is not None
        words = field.shown if field.kind == "flag" else field_words(scene.model.state, field, value)
        for person in scene.model.state.combatants:
            words = words.replace(f"{person.label} {person.name}", person.name)
        told.append(f"half for {words}" if name == "halved" else words)
    told += [f"dice {' '.join(dice)}"] if dice else []
    return f"{label.casefold()}: {'; '.join(told)}" if told else label.casefold()


def facts(words: str) -> tuple[str, set[str]]:
    """Return the action and its values, in whatever order they stand."""
    label, _, values = words.partition(": ")
    return label, set(values.split("; "))


def named(example: Example) -> str:
    return f"{example.game}: {example.key} {example.typed}"


@for_each("example", examples(" Is understood as "))
def test_a_line_is_understood_as_the_page_says(example: Example) -> None:
    """Exactly what is typed stands in the action; what is usual is not among it."""
    found, problem = understood(at_the_table(example.game, example.when), example)

    label, values = facts(example.says)
    assert problem == ""
    assert facts(found)[0].endswith(label)
    assert facts(found)[1] == values


@for_each("example", examples(" What is said "))
def test_a_line_is_refused_as_the_page_says(example: Example) -> None:
    """The sentence of the page is what Enter answers."""
    _, problem = understood(at_the_table(example.game, example.when), example)

    assert problem.startswith(example.says)


@for_each("example", examples(" The line then has "))
def test_a_line_of_the_sheet_is_understood_as_the_page_says(example: Example) -> None:
    """Its action has what is typed, beside what the game or an earlier line has chosen."""
    scene = at_the_table(example.game, example.when)
    lines = TurnBatch.open(scene).filled(scene).lines
    by = scene.labels[example.typed[0]]

    read = parse_sheet(scene, lines, example.typed, 0)

    line = next(line for line in read.lines if line.by == by)
    assert line.action is not None
    assert line.outlook is not None
    assert line.outlook.spec is not None
    label, values = facts(example.says)
    found = in_words(
        replace(scene, model=replace(scene.model, state=line.outlook.at)), line.outlook.spec.label, line.action, ()
    )
    assert read.problem == ""
    assert facts(found)[0].endswith(label)
    assert values <= facts(found)[1]
