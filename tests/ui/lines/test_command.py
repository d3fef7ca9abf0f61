"""The small language of commands: labels, numbers and words in any order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tracker.core.terms.actions import Option
from tracker.session.rulesets.registry import find
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.tokens import Tokens, matching_options, option_called, tokenize

LABELS = ("a", "b", "c", "d", "g", "w", "za", "zb")
POOLS = (Option("hp"), Option("mp"))


@pytest.mark.parametrize("line", ["7g", "g7", "7 g", "g 7", " 7g "])
def test_order_and_blanks_do_not_matter(line: str) -> None:
    """A label and a number are the same command whichever comes first."""
    assert tokenize(line, LABELS) == Tokens(("g",), (), ("7",))


def test_capitals_are_kept_beside_the_labels() -> None:
    """`21abCD`: four are meant, two of them in capitals."""
    assert tokenize("21abCD", LABELS) == Tokens(("a", "b", "c", "d"), ("c", "d"), ("21",))


def test_long_labels_are_read_in_a_run() -> None:
    """Labels of two letters stand among those of one."""
    assert tokenize("gzaw", LABELS).labels == ("g", "za", "w")


def test_share_stands_behind_its_labels() -> None:
    """`ab c*2 de/4 w*0`."""
    assert tokenize("21ab c*2 d/4 w*0", LABELS) == Tokens(
        ("a", "b", "c", "d", "w"), (), ("21",), (), (("c", "2"), ("d", "1/4"), ("w", "0"))
    )
    assert tokenize("21ab×3 c*1", LABELS).shares == (("a", "3"), ("b", "3"))


def test_share_of_what_is_no_label_is_a_word() -> None:
    """A multiple of something else is not dropped without a word."""
    assert tokenize("7g foo*2", LABELS).words == ("foo*2",)


def test_dice_are_no_labels() -> None:
    """`2d6` is not 2 and 6 to d, and faces such as `4+2` stay together."""
    assert tokenize("2d6 g", LABELS) == Tokens(("g",), words=("2d6",))
    assert tokenize("g 4+2 *", LABELS).answers == ("4+2", "*")


def test_a_field_is_set_by_its_name() -> None:
    """`bonus=2` names the field and its value."""
    assert tokenize("g bonus=2", LABELS) == Tokens(("g",), pairs=(("bonus", "2"),))


def test_name_stands_for_its_label() -> None:
    """What cannot be read as labels may be a combatant's name, alone or behind a number."""
    names = {"Goblin": "g", "wolf": "w"}
    assert tokenize("7Goblin wolf", LABELS, label_of_name=names.get) == Tokens(("g", "w"), answers=("7",))


def test_later_word_names_an_option() -> None:
    """After the labels a word is an option first, else a label."""
    assert tokenize("3a mp", LABELS, POOLS) == Tokens(("a",), (), ("3",), ("mp",))


def test_letters_that_are_no_labels_are_words() -> None:
    """What cannot be read as labels is left as a word."""
    assert tokenize("shoot g", LABELS) == Tokens(("g",), (), (), ("shoot",))


def test_same_label_twice_is_meant_once() -> None:
    """Nobody takes a blow twice for a slip of the finger."""
    assert tokenize("7gg", LABELS).labels == ("g",)


def test_signs_belong_to_numbers() -> None:
    """A value may be negative."""
    assert tokenize("g -3", LABELS).numbers == (-3,)


@given(some.text(max_size=40))
def test_any_line_can_be_read(line: str) -> None:
    """Whatever is typed, reading it fails nowhere and finds only labels there are."""
    typed = tokenize(line, LABELS, POOLS)

    assert set(typed.labels) <= set(LABELS)
    assert set(typed.capitals) <= set(typed.labels)


def test_matching_prefers_the_beginning() -> None:
    """A name that begins with the letters comes before one that only holds them."""
    options = (Option("approach"), Option("prone"), Option("protected"))

    assert [option.key for option in matching_options("pro", options)] == ["prone", "protected", "approach"]


def test_two_letters_name_one_option_only() -> None:
    """A beginning names an option only where no other begins so."""
    options = (Option("dead"), Option("down"), Option("fled"))

    assert [option_called(word, options) for word in ("de", "d", "fled", "do")] == [
        options[0],
        None,
        options[2],
        options[1],
    ]


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        (("home", "x"), "xabc def", 1),
        (("left", "left", "backspace"), "abc ef", 4),
        (("ctrl+w",), "abc ", 4),
        (("ctrl+u",), "", 0),
        (("home", "delete", "end"), "bc def", 6),
        (("home", "right", "ctrl+k"), "a", 1),
    ],
)
def test_entry_is_edited_with_the_usual_keys(keys: tuple[str, ...], text: str, at: int) -> None:
    """The line knows the keys that lines know."""
    entry = Entry.of("abc def")
    for key in keys:
        pressed = entry.press(key, key if len(key) == 1 else None)
        assert pressed is not None
        entry = pressed

    assert entry == Entry(text, at)


@given(some.text(max_size=60), some.integers(0, 60), some.integers(4, 30))
def test_entry_shows_its_cursor_and_no_control_characters(text: str, at: int, width: int) -> None:
    """Whatever is typed, the cursor is in sight and no terminal code is shown."""
    entry = Entry().typed(text)
    entry = Entry(entry.text, min(at, len(entry.text)))
    spans = entry.spans(width)

    assert sum(span.style == "cursor" for span in spans) == 1
    assert all(character.isprintable() for span in spans for character in span.text)


def test_entry_leaves_other_keys_alone() -> None:
    """A key that types nothing is not for the entry."""
    assert Entry.of("ab").press("f5", None) is None


@pytest.mark.parametrize("game", ["githack", "sovereign", "spelljammer", "sword_world", "worlds_without_number"])
@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("fled", ("gone", "fled")),
        ("gone", ("gone", "fled")),
        ("down", ("down", "unconscious", "incapacitated")),
        ("dead", ("dead",)),
        ("slain", ("slain", "dead")),
    ],
)
def test_a_status_is_found_by_the_word_of_another_game(game: str, word: str, meant: tuple[str, ...]) -> None:
    """Each game has its own word, which is shown before Enter."""
    options = [Option(status.key, status.word) for status in find(game).statuses]

    found = option_called(word, options)

    assert found is not None
    assert found.key in meant
    assert matching_options(word, options)[0] == found


@pytest.mark.parametrize("word", ["elan", "Élan", "éla"])
def test_accents_need_not_be_typed(word: str) -> None:
    """And they may be."""
    assert option_called(word, [Option("Ordwen"), Option("Élan")]) == Option("Élan")
