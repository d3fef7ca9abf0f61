"""The words of moments, wherever a file or a screen has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.skirmish import SKIRMISH
from tests.core.terms.test_moments import WORDS
from tests.support.tables import for_each
from tracker.core.fight.state import State
from tracker.core.terms.encounter import TimedNote
from tracker.core.terms.errors import BadData
from tracker.core.terms.moments import NamedRound, named_round
from tracker.library.content.encounters import load_encounter
from tracker.script.entries import Advancing
from tracker.script.reader import read_script
from tracker.views.time.calendar import calendar


@pytest.mark.parametrize(("words", "named"), WORDS)
def test_a_script_goes_on_until_the_same_words(words: str, named: NamedRound | None, tmp_path: Path) -> None:
    """`until` takes a moment of the whole fight, and says what one looks like."""
    script = tmp_path / "s.yaml"
    script.write_text(f"- advance: {{until: '{words}'}}\n")
    if named is None:
        with pytest.raises(BadData, match=r'is no moment .*"end of round 2"'):
            read_script(script)
    else:
        (entry,) = read_script(script)
        assert entry.command == Advancing(named)


@for_each(("words", "named"), WORDS)
def test_the_calendar_has_the_same_words(words: str, named: NamedRound | None) -> None:
    """A reminder's moment is told in full."""
    state = replace(State(), reminders=(TimedNote("now", words),))

    assert [due.moment for due in calendar(SKIRMISH, state)] == ([] if named is None else [named.words])


@pytest.mark.parametrize(("words", "named"), WORDS)
def test_an_encounter_takes_the_same_words(words: str, named: NamedRound | None, tmp_path: Path) -> None:
    """A wave and a reminder name a round in the words a file shows."""
    file = tmp_path / "ford.yaml"
    file.write_text(
        "ruleset: skirmish\ntitle: The ford\nparty: [{name: Ada, hp: 10}]\nmonsters: [{name: Thug, hp: 6}]\n"
        f"waves: [{{when: '{words}', side: monsters, members: [{{name: Dog, hp: 3}}]}}]\n"
        f"reminders: [{{when: '{words}', text: it rises}}]\n"
    )

    found = load_encounter(file, lambda key: SKIRMISH)

    assert found.encounter is not None
    when = [*(wave.when for wave in found.encounter.waves), *(one.when for one in found.encounter.reminders)]
    assert [named_round(words) for words in when] == [named, named]
    assert sum("is no moment" in str(problem) for problem in found.problems) == (0 if named else 2)
