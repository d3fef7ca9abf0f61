"""Rulebooks as text: what is read, what is refused, when the file is opened."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.support.tables import for_each
from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import Rule
from tracker.kit.rulebook import KINDS, read_rules, rules_beside
from tracker.views.panes.blocks import mistake_rows

GOOD = """\
What precedes the first heading is skipped.

# Opening

And so is what a chapter says.

## KN-01 Initiative [auto]

Roll 2d6 + skill;
the highest acts first.

On a tie the first to join acts first.

## KN-02 Deadly blades [option: deadly, slow]
Damage counts twice.

# Later

## KN-R1 No kind
It is applied by the program.
"""

GAMES = ("githack", "sovereign", "spelljammer", "sword_world", "worlds_without_number")

WORDS = st.lists(st.text("abcxyz019'(),.;:+-−×%", min_size=1, max_size=8), min_size=1, max_size=30).map(" ".join)
RULES = st.lists(
    st.builds(
        Rule,
        st.from_regex(r"[A-Z]{2}-[A-Z]?[0-9]{1,3}", fullmatch=True),
        WORDS,
        st.lists(WORDS, min_size=1, max_size=3).map("\n".join),
        st.sampled_from(KINDS),
        st.lists(st.from_regex(r"[a-z][a-z_]{0,9}", fullmatch=True), max_size=2).map(", ".join),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda rule: rule.id,
)


def written(rules: list[Rule]) -> str:
    """Return the rules as a `rules.md`, lines of at most 60 columns."""
    lines = ["# All of them", ""]
    for rule in rules:
        tag = f"{rule.kind}: {rule.switch}" if rule.switch else rule.kind
        paragraphs = [textwrap.fill(part, 60, break_on_hyphens=False) for part in rule.text.split("\n")]
        lines += [f"## {rule.id} {rule.title} [{tag}]", "", *"\n\n".join(paragraphs).split("\n"), ""]
    return "\n".join(lines)


def test_a_rule_is_its_heading_and_the_text_below() -> None:
    """Lines are joined, paragraphs stay apart, a rule has its chapter, `auto` is the default."""
    assert read_rules(GOOD) == (
        Rule(
            "KN-01",
            "Initiative",
            "Roll 2d6 + skill; the highest acts first.\nOn a tie the first to join acts first.",
            "auto",
            chapter="Opening",
        ),
        Rule("KN-02", "Deadly blades", "Damage counts twice.", "option", "deadly, slow", "Opening"),
        Rule("KN-R1", "No kind", "It is applied by the program.", "auto", chapter="Later"),
    )


@given(RULES)
def test_there_and_back(rules: list[Rule]) -> None:
    """What is written is read as the same rules in the same order."""
    assert list(read_rules(written(rules))) == [replace(rule, chapter="All of them") for rule in rules]


def test_line_ends_of_other_systems(tmp_path: Path) -> None:
    """Carriage returns and a byte order mark change nothing."""
    (tmp_path / "rules.md").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())

    assert rules_beside(str(tmp_path / "ruleset.py")).rules == read_rules(GOOD)


@for_each(
    ("was", "now", "message"),
    [
        ("## KN-02", "##KN-02", "rules.md:14: `##KN-02 Deadly blades [option: deadly, slow]` is no heading; write"),
        ("## KN-02", "### KN-02", "rules.md:14: `### KN-02 Deadly blades [option: deadly, slow]` is no heading; write"),
        ("# Later", "#", "rules.md:17: `#` is no heading; write `# Chapter`"),
        ("KN-R1 No kind", "KN-R1", "rules.md:19: `## KN-R1` is no heading; write"),
        ("KN-01 Initiative", "Initiative first", "rules.md:7: `Initiative` is no id;"),
        ("[auto]", "[auot]", "rules.md:7: `auot` is no kind of rule; the kinds are auto, ask, option,"),
        ("[auto]", "[]", "rules.md:7: `` is no kind of rule;"),
        ("[auto]", "[auto", "rules.md:7: `## KN-01 Initiative [auto` is no heading; write"),
        ("[auto]", "[auto] [ask]", "rules.md:7: `## KN-01 Initiative [auto] [ask]` is no heading; write"),
        ("deadly, slow", "", "rules.md:14: `` names no switch; write `[option: deadly]`"),
        ("deadly, slow", "deadly slow", "rules.md:14: `deadly slow` names no switch; write"),
        ("Damage counts twice.", "", "rules.md:14: KN-02 has no text below its heading"),
        ("KN-R1", "KN-01", "rules.md:19: KN-01 stands already in line 7"),
    ],
)
def test_a_mistake_is_refused_with_its_line(was: str, now: str, message: str) -> None:
    """A mistake is named with file and line, and with what to write."""
    with pytest.raises(BadData) as error:
        read_rules(GOOD.replace(was, now, 1))

    assert len(error.value.problems) == 1
    assert str(error.value).startswith(message)


def test_all_mistakes_are_told_at_once() -> None:
    """Two mistakes are two problems."""
    with pytest.raises(BadData) as error:
        read_rules(GOOD.replace("[auto]", "[auot]").replace("Damage counts twice.", ""), "mine.md")

    assert [str(problem).split(": ")[0] for problem in error.value.problems] == ["mine.md:7", "mine.md:14"]


@pytest.mark.parametrize("text", ["", "# Only a chapter\n", "KN-01 Initiative\n"])
def test_a_file_without_rules_is_refused(text: str) -> None:
    """Where no heading begins a rule, the error says how one looks."""
    with pytest.raises(BadData, match=r"^rules\.md:1: no rule; a rule begins with a heading such as"):
        read_rules(text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file is named, and the line that is not UTF-8."""
    book = rules_beside(str(tmp_path / "ruleset.py"))
    with pytest.raises(BadData, match=r"rules\.md: there is no such file$"):
        book.find("KN-01")

    (tmp_path / "rules.md").write_bytes(b"# One\n\n## K-1 A\n\nb\xe9te\n")
    with pytest.raises(BadData, match=r"rules\.md:5: this line is not UTF-8 text$"):
        book.find("KN-01")


def test_a_broken_rulebook_is_shown_with_its_line(tmp_path: Path) -> None:
    """The screen shows the mistakes of a broken book, and none of a good one."""
    (tmp_path / "rules.md").write_text("## K-1 A [auto]\n")
    rows = mistake_rows(rules_beside(str(tmp_path / "ruleset.py")), 200)

    assert [Path(row.text).name for row in rows] == ["rules.md:1: K-1 has no text below its heading"]

    (tmp_path / "rules.md").write_text("## K-1 A [auto]\n\nText.\n")
    assert mistake_rows(rules_beside(str(tmp_path / "ruleset.py")), 200) == ()


def test_importing_games_opens_no_rulebook() -> None:
    """A game's file is opened once, when a rule is first looked up."""
    script = f"""
import sys
from importlib import import_module
opened = []
sys.addaudithook(lambda event, what: event == "open" and str(what[0]).endswith("rules.md") and opened.append(what[0]))
games = [import_module("rulesets." + game).RULESET for game in {GAMES!r}]
print(len(opened))
for game in games:
    game.rulebook.find("x"), game.rulebook.search("a"), game.rulebook.rules
    print(len(opened), len(game.rulebook.rules) > 100)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)

    told = [line for place in range(1, len(GAMES) + 1) for line in (str(place), "True")]
    assert run.stdout.split() == ["0", *told]
