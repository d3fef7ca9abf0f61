"""The runner of the tests by a Windows Python."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from threading import Thread

import pytest

from tests.windows.run import pass_on

STAYS = "import sys; sys.stdin.read()"
LEAVES_ONE = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {STAYS!r}]); print('4 passed in 1 s')"


@pytest.mark.skipif(os.name != "posix", reason="the runner runs where wine does")
def test_what_a_test_leaves_running_is_not_waited_for() -> None:
    """It has the output of the tests' process, and keeps it open."""
    command = [sys.executable, "-c", LEAVES_ONE]
    said = io.BytesIO()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        reader = Thread(target=pass_on, args=(process, said))
        reader.start()
        reader.join(60)
        waits = reader.is_alive()
        assert process.stdin is not None
        process.stdin.close()  # what is left ends
        reader.join()

    assert (waits, said.getvalue()) == (False, b"4 passed in 1 s\n")
