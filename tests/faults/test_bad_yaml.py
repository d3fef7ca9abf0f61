"""Bad files: each mistake is one line with its place, and the rest loads."""

from __future__ import annotations

import os
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import cast

import pytest

from tests.faults.harness.games import BLOCK_FILES, ENCOUNTERS, FIGHTS, GAMES, sample_files
from tests.support.shares import every
from tracker.cli.loading import find_ruleset
from tracker.cli.main import main
from tracker.core.terms.errors import BadData
from tracker.library.content.encounters import load_encounter
from tracker.library.content.lint import lint_file
from tracker.library.yaml.problems import Problem
from tracker.script.reader import read_script
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal

MUTATIONS = int(os.environ.get("TRACKER_MUTATIONS", "10000"))
IN_EVERY_RUN = 60
HARMLESS = re.compile("[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]*")
SIGNS = (
    *("\t", "\x00", "\x1b[31m", "\u202e", "\ufeff", "\u2028", "漢", "'", '"', "[", "]", "{", "}", ": ", "- ", "#"),
    *("&a ", "*a", "!!python/object ", "!x ", "|", "%", "@", "`", "\\", "<<: ", "? ", "\r"),
)
VALUES = (
    *("null", "~", "-1", "0", "99999999999999999999", "1e400", ".nan", "true", "[]", "{}", "''", "2d6+", "0d0"),
    *("9999d9999", "x" * 500, "[[[[1]]]]", "2024-01-01", "1:30", "0x1F", "[bold]", "../../etc/passwd"),
    *("/etc/passwd",),
)


def mutations(data: bytes, chance: Random) -> bytes:
    """Return a file with some damage, as typing, editors and disks do it."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        lines = data.split(b"\n")
        place = chance.randrange(len(lines))
        match chance.randrange(12):
            case 0:
                at = chance.randrange(len(data) + 1)
                data = data[:at] + chance.choice(SIGNS).encode("utf-8", "surrogatepass") + data[at:]
            case 1:
                at = chance.randrange(len(data) + 1)
                data = data[:at] + data[at + chance.choice((1, 1, 2, 10, 100)) :]
            case 2:
                lines[place] = chance.choice((b" ", b"  ", b"\t", b"   ")) + lines[place]
                data = b"\n".join(lines)
            case 3:
                lines[place] = lines[place].lstrip()
                data = b"\n".join(lines)
            case 4:
                lines.insert(place, lines[chance.randrange(len(lines))])
                data = b"\n".join(lines)
            case 5:
                del lines[place]
                data = b"\n".join(lines)
            case 6 | 7 | 8:
                value = chance.choice(VALUES).encode()
                lines[place] = re.sub(rb"(: ?)[^,}\]]*", lambda found: found[1] + value, lines[place], count=1)  # noqa: B023 - used at once
                data = b"\n".join(lines)
            case 9:
                lines[place] = re.sub(rb"(\w+):", lambda found: found[1][::-1] + b":", lines[place], count=1)
                data = b"\n".join(lines)
            case 10:
                at = chance.randrange(len(data) + 1)
                data = data[:at] + chance.randbytes(chance.randint(1, 4)) + data[at:]
            case _:
                data = chance.choice(
                    (
                        data.replace(b"\n", b"\r\n"),
                        data.replace(b"  ", b"\t"),
                        data[: chance.randrange(len(data) + 1)],
                        b"\xef\xbb\xbf" + data,
                        data.decode("utf-8", "replace").encode("utf-16"),
                        data + data,
                    )
                )
        data = data or b"\n"
    return data


def check_problem(problem: Problem) -> None:
    """A problem is one line, harmless to a terminal, with file, line and column."""
    line = problem.render()
    assert HARMLESS.fullmatch(line), ascii(line)
    assert problem.message
    without_place = ("escape in double quotes", "larger than", "cannot be read")
    assert any(words in problem.message for words in without_place) or (problem.line >= 1 and problem.column >= 1), line


def look_at(path: Path) -> tuple[Problem, ...]:
    """Read a file as `tracker check` and `tracker play` do. Open the fight if there is one."""
    if "script" in path.name:
        return problems_of(path)
    found = lint_file(path, find_ruleset, (), registry.rulesets())
    loaded = load_encounter(path, find_ruleset, (), registry.rulesets())
    return (*found, *loaded.problems) if "encounter" in path.name or path.stem not in BLOCK_FILES else found


def problems_of(script: Path) -> tuple[Problem, ...]:
    try:
        read_script(script)
    except BadData as error:
        return tuple(cast("Problem", problem) for problem in error.problems)
    return ()


def fuzz(folder: Path, many: int, seed: int) -> int:
    """Damage every sample file in turn, so often altogether, and return how many had problems."""
    chance, files, wrong = Random(seed), sample_files(), 0
    for number in range(many):
        source = files[number % len(files)]
        here = folder / source.parent.name
        if not here.is_dir():
            here.mkdir()
            for sibling in source.parent.glob("*.yaml"):
                (here / sibling.name).write_bytes(sibling.read_bytes())
        path = here / source.name
        data = mutations(source.read_bytes(), chance)
        path.write_bytes(data)
        try:
            problems = look_at(path)
            for problem in problems:
                check_problem(problem)
        except BaseException as error:
            error.add_note(f"{source.parent.name}/{source.name}, number {number} of seed {seed}: {data[:3000]!r}")
            raise
        wrong += bool(problems)
        path.write_bytes(source.read_bytes())
    return wrong


def test_damaged_samples_never_raise(tmp_path: Path) -> None:
    """Sample files with typing mistakes: every problem has its place."""
    assert fuzz(tmp_path, IN_EVERY_RUN, 1) > IN_EVERY_RUN // 4


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_damaged_samples_never_raise_in_the_long_run(
    tmp_path: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Thousands of them."""
    record_property("cases", MUTATIONS // 10)
    assert fuzz(tmp_path, MUTATIONS // 10, seed) > MUTATIONS // 40


def test_the_samples_themselves_are_sound() -> None:
    """What is damaged above is without fault as it stands."""
    files = [path for path in sample_files() if "script" not in path.name]
    found = [problem.render() for path in files for problem in look_at(path) if not problem.is_warning]

    assert found == []


# -- files made to hurt ------------------------------------------------------------------------------------------------

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "bomb": BOMB.encode(),
    "bomb merged": b"a: &a {x: 1}\n"
    + b"".join(b"k%d: &k%d {<<: [*a, *a, *a]}\n" % (number, number) for number in range(500)),
    "deep list": b"ruleset: " + b"[" * 20_000,
    "deep blocks": b"".join(b" " * number + b"a:\n" for number in range(3_000)),
    "deep quotes": b"[" * 500 + b"]" * 500,
    "nul": b"ruleset: x\x00y\n",
    "control": b"ruleset: a\x07b\x1b[2Jc\n",
    "bom": b"\xef\xbb\xbfruleset: nothing\n",
    "utf-16": "ruleset: nothing\n".encode("utf-16"),
    "utf-16 without mark": "ruleset: nothing\n".encode("utf-16-le"),
    "utf-32": "ruleset: nothing\n".encode("utf-32"),
    "latin-1": "title: Größe\n".encode("latin-1"),
    "crlf": b"ruleset: nothing\r\ntitle: x\r\n",
    "cr": b"ruleset: nothing\rtitle: x\r",
    "tabs": b"ruleset: nothing\nsides:\n\t- name: x\n",
    "twice": b"ruleset: nothing\nruleset: other\n",
    "python": b"!!python/object/apply:os.system ['true']\n",
    "recursive": b"a: &a [*a]\n",
    "many documents": b"---\na: 1\n" * 500,
    "surrogates": b'title: "\\ud800\\udfff"\n',
    "huge number": b"ruleset: " + b"9" * 10_000 + b"\n",
    "huge key": b"k" * 100_000 + b": 1\n",
    "empty": b"",
    "binary": bytes(range(256)) * 40,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_files_made_to_hurt(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bombs, depth, encodings, tags: lines with places, in a moment, and exit status 2."""
    path = tmp_path / "fight.yaml"
    path.write_bytes(HOSTILE[name])
    began = time.process_time()

    status = main(["check", str(path)])

    out, err = capsys.readouterr()
    assert time.process_time() - began < 5
    assert status == 2
    assert err.startswith(tuple("123456789"))
    for line in out.splitlines():
        assert line.startswith(f"{path}:")
        assert HARMLESS.fullmatch(line), ascii(line)


def test_a_file_of_fifty_megabytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused by its size before it is read."""
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.write(b"title: x\n")
        file.truncate(50_000_000)
    began = time.process_time()

    assert main(["check", str(path)]) == 2
    assert time.process_time() - began < 2
    assert "huge.yaml" in capsys.readouterr().out


NAMES = {
    "long": "N" * 10_000,
    "right to left": "\u05d0\u05d1\u202egnp\u202c",
    "wide": "漢字" * 40,
    "escape": "\\e[2J\\e]0;owned\\a",
    "markup": "[bold red]loud[/] [link=file:///etc/passwd]x[/link] [@click=app.quit]y[/]",
    "combining": "e" + "\u0301" * 200,
    "emoji": "👩\u200d🚀" * 20,
    "lines": "one\\ntwo\\r\\nthree\\tfour",
    "empty": "",
    "quotes": 'it\'s \\"so\\" %s {0} $(x)',
}


def texts(document: str, name: str) -> Iterator[str]:
    """Yield a sample encounter with this in each of its texts."""
    for field in ("title", "name", "notes"):
        yield re.sub(rf"(\b{field}: *)([^,}}\n|]+)", lambda found: f'{found[1]}"{name}"', document)


@pytest.mark.parametrize(("name", "key"), every(2, zip(NAMES, cycle(GAMES), strict=False)))
def test_strange_texts_reach_the_screen_as_text(
    tmp_path: Path, key: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any text in title, names and notes is refused with its place or played."""
    for number, text in enumerate(texts(FIGHTS[key][0].read_text(encoding="utf-8"), NAMES[name])):
        folder = tmp_path / str(number)
        folder.mkdir()
        for sibling in (ENCOUNTERS / key).glob("*.yaml"):
            (folder / sibling.name).write_bytes(sibling.read_bytes())
        path = folder / "strange.yaml"
        path.write_text(text, encoding="utf-8")
        loaded = load_encounter(path, find_ruleset, (), registry.rulesets())
        for problem in loaded.problems:
            check_problem(problem)
        if loaded.encounter is None or loaded.ruleset is None:
            continue
        with Journal.open(folder / "fights.db") as journal:
            with Session.start(journal, loaded.ruleset, loaded.encounter, Settings(roller=dice_roller(1))) as session:
                assert session.model.problem == ""
                fight = session.model.fight
                journal.backups.wait()
            for command in (["fights"], ["log", fight]):
                main([*command, "--db", str(folder / "fights.db")])
        out, _ = capsys.readouterr()
        bad = {
            sign
            for sign in out
            if sign != "\n" and (unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in "\u202d\u202e")
        }
        assert not bad


def test_links_in_a_circle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A library whose folders lead back to themselves is read once."""
    key = GAMES[0]
    library = tmp_path / "library"
    library.mkdir()
    (library / "again").symlink_to(library)
    (library / "bestiary.yaml").write_bytes((ENCOUNTERS / key / "bestiary.yaml").read_bytes())
    (library / "loop.yaml").symlink_to(library / "loop.yaml")
    (library / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")

    status = main(["check", str(FIGHTS[key][0]), "--library", str(library)])

    assert status == 0, capsys.readouterr().out


def test_a_pipe_in_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no file is not waited for."""
    os.mkfifo(tmp_path / "bestiary.yaml")
    began = time.process_time()

    status = main(["check", str(tmp_path / "bestiary.yaml")])

    assert time.process_time() - began < 2
    assert status == 2
    assert "bestiary.yaml" in capsys.readouterr().out
