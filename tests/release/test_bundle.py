"""The folder for people without Python, where `make bundle` has made one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "bundle" / "tracker" / ("tracker.exe" if os.name == "nt" else "tracker")

pytestmark = [pytest.mark.long, pytest.mark.skipif(not PROGRAM.exists(), reason="no bundle is made: make bundle")]


def test_its_programs_of_several_processes_run(tmp_path: Path) -> None:
    """Examples are copied, all of them check, and a forecast has its workers."""

    def said(*words: str) -> str:
        ran = subprocess.run([PROGRAM, *words], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout + ran.stderr

    assert "files copied" in said("examples", "mine")
    assert "no problems" in said("check", "mine")
    assert "20 fights" in said("forecast", "mine/githack/goblin_waves.yaml", "--fights", "20")
