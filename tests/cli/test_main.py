"""The command line itself. Help, version, mistakes, what is imported, and that a run is the same bytes everywhere."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ENCOUNTER, START, Program
from tracker.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
FIGHT = """\
- {do: blow, by: Ada, target: Thug 1}
- group: [{do: blow, by: Bo, target: Thug 2}, {do: scatter, by: Cara, targets: [Thug 1, Boss]}]
- advance
- {do: blow, by: Thug 2, target: Ada, answers: {attack: 15, after_roll: {do: riposte, by: Bo, target: Thug 2}}}
- advance: {until: {round: 3}}
- {do: add_effect, name: dazed, targets: [Boss], until: 3 rounds}
"""


def tracker(*words: str | Path, hash_seed: str = "0", **more: object) -> subprocess.CompletedProcess[str]:
    """Run the program with the made-up game in an interpreter of its own."""
    command = [sys.executable, "-m", "tests.cli.driver", *map(str, words)]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )


@pytest.mark.parametrize("words", [("--help",), ("-h",), *((command, "--help") for command in COMMANDS)])
def test_help_is_printed(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Every command explains itself on standard output, and succeeds."""
    status = main(words)

    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: tracker {words[0]} " if words[0] in COMMANDS else "usage: tracker [FIGHT]")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The help lists each command with what it does."""
    main(["--help"])

    listed = re.findall(r"^    ([\w-]+)(?: +\S|$)", capsys.readouterr().out, re.MULTILINE)
    assert listed == list(COMMANDS)


def test_pipes_are_utf8_with_plain_line_ends_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever code page and line ends that system has."""
    pipes = [io.BytesIO("Ωgre: AC 5 [14], HP 5, Att 1 club (1d6)\r\n".encode()), io.BytesIO(), io.BytesIO()]
    for name, pipe in zip(("stdin", "stdout", "stderr"), pipes, strict=True):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(pipe, encoding="cp1252", newline="\r\n"))
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "argv", ["tracker", "import-statblock", "-"])

    status = main()

    assert status == 0
    assert pipes[1].getvalue().startswith("ruleset: githack\nmonsters:\n  - name: Ωgre\n".encode())
    assert b"\r" not in pipes[1].getvalue()


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints name and version."""
    status = main(["--version"])

    assert (status, re.fullmatch(r"tracker \d+\.\d+\S*\n", capsys.readouterr().out) is not None) == (0, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run",), "tracker run: the following arguments are required: ENCOUNTER (try tracker run --help)\n"),
        (
            ("run", "a.yaml", "--seed", "x"),
            "tracker run: argument --seed: invalid int value: 'x' (try tracker run --help)\n",
        ),
        (("run", "a.yaml", "--sed", "3"), "tracker: unrecognized arguments: --sed 3 (try tracker --help)\n"),
        (("--bogus",), "tracker: unrecognized arguments: --bogus (try tracker --help)\n"),
        (("check",), "tracker check: name a file, a folder, or a game with --ruleset (try tracker check --help)\n"),
    ],
)
def test_wrong_command_line_is_status_2(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    """A command line that cannot be understood is one line with the way to help."""
    status = main(words)

    assert (status, *capsys.readouterr()) == (2, "", said)


def test_unknown_command_names_the_nearest(program: Program) -> None:
    """A word that is neither a command nor a fight names the nearest of both."""
    ran = program("chekc")

    assert (ran.status, ran.out, ran.err) == (
        1,
        "",
        'tracker: there is no fight or command "chekc" (did you mean check?)\n',
    )


def test_folder_of_the_library_must_be_one(program: Program) -> None:
    """A folder named on the command line must be there."""
    ran = program("run", program.encounter, "--library", program.folder / "nowhere")

    assert (ran.status, ran.err) == (2, f"{program.folder / 'nowhere'}: there is no such folder\n")


def test_stat_blocks_are_found_in_the_library(program: Program, tmp_path: Path) -> None:
    """`insert` finds stat blocks by id or name in the folders of the game master."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "beasts.yaml").write_text(
        "ruleset: skirmish\nmonsters:\n  - {id: wolf, name: Grey Wolf, hp: 4}\n", encoding="utf-8"
    )
    script = "- {do: insert, members: [wolf, {ref: grey wolf, name: Fang, hp: 9, count: 2}], side: Thugs}\n"

    ran = program.run(script, "--library", own)

    people = ran.state["combatants"]
    assert (ran.status, people["wolf"]["hp"], people["fang-1"]["hp"], people["fang-2"]["side"]) == (0, 4, 9, "Thugs")


def test_check_finds_every_problem(program: Program) -> None:
    """`check` looks through files, folders and scripts, and ends with status 2 for mistakes."""
    below = program.folder / "more"
    below.mkdir()
    (below / "ford.yaml").write_text(
        ENCOUNTER.replace("ac: 14", "ac: lots").replace("control: gm", "control: god"), encoding="utf-8"
    )
    (below / "ford.script.yaml").write_text("- advance\n- undoo\n", encoding="utf-8")
    (below / ".hidden.yaml").write_text("[", encoding="utf-8")

    ran = program("check", program.folder)

    assert (ran.status, ran.err) == (2, "3 problems in 3 files\n")
    assert [text.split(": ")[0] for text in ran.out.splitlines()] == [
        f"{below / 'ford.script.yaml'}:2:3",
        f"{below / 'ford.yaml'}:7:33",
        f"{below / 'ford.yaml'}:11:14",
    ]


def test_check_without_problems(program: Program) -> None:
    """Where nothing is wrong, nothing is printed and the status is 0."""
    ran = program("check", program.encounter)

    assert (ran.status, ran.out, ran.err) == (0, "", "no problems in 1 file\n")


def test_actions_are_specifications(program: Program) -> None:
    """`actions` prints what is on offer and what is refused, with every field."""
    script = program.file("s.yaml", START + "- {do: brace, by: Ada}\n")

    everything = program("actions", program.encounter, "--script", script).lines[0]
    (ada,) = program("actions", program.encounter, "--script", script, "--by", "a").lines
    gm = program("actions", program.encounter, "--by", "gm")
    (master,) = gm.lines

    assert len(gm.out.splitlines()) == 1 + len(master) + 1, "one action a line, between the brackets"
    assert [spec["key"] for spec in ada] == ["blow", "brace", "scatter", "oracle"]
    assert (ada[0]["refusal"]["rule"], ada[0]["fields"][0]["name"], ada[0]["fields"][0]["options"][0]["key"]) == (
        "SK-003",
        "target",
        "thug-1",
    )
    assert "damage" in [spec["key"] for spec in master]
    assert len(everything) == 6 * 4 + len(master)


def test_actions_of_nobody(program: Program) -> None:
    """`--by` with a combatant who is not there is one line."""
    ran = program("actions", program.encounter, "--by", "Adda")

    assert (ran.status, ran.out, ran.err) == (1, "", 'tracker: there is no "Adda" in the fight (did you mean Ada?)\n')


def test_same_bytes_whatever_the_hash_seed(program: Program) -> None:
    """Script and seed decide every byte, in whatever order the interpreter hashes."""
    script = program.file("s.yaml", START + FIGHT)
    words = ("run", program.encounter, "--script", script, "--seed", "11")

    runs = [tracker(*words, hash_seed=seed) for seed in ("0", "4711")]

    assert [(run.returncode, run.stderr) for run in runs] == [(0, ""), (0, "")]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout == program(*words).out


def test_closed_pipe_is_no_traceback(program: Program) -> None:
    """Where the reader goes away, the program ends quietly."""
    script = program.file("s.yaml", START + FIGHT + "- advance: {until: {round: 60}}\n")
    command = [
        sys.executable,
        "-m",
        "tests.cli.driver",
        "run",
        str(program.encounter),
        "--script",
        str(script),
        "--seed",
        "1",
    ]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()

    assert (process.returncode, err) == (141, b"")


def test_commands_do_not_load_the_interface(program: Program) -> None:
    """Whatever works without a screen does so without Textual."""
    lines = ("--help", "run --help", f"check {program.encounter}", f"run {program.encounter} --seed 1", "fights")
    code = (
        "import sys; from tests.cli import driver; from tracker.session.rulesets import registry\n"
        "registry.find = driver.find\nfrom tracker.cli.main import main\n"
        "done = [main(line.split()) for line in sys.argv[1:]]\n"
        "sys.stderr.write(f'{done} ' + ' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    )

    run = subprocess.run(
        [sys.executable, "-c", code, *lines], capture_output=True, text=True, check=False, timeout=60, cwd=ROOT
    )

    assert "[0, 0, 0, 0, 0]" in run.stderr
    assert {"textual", "rich"} & set(run.stderr.split()) == set()
