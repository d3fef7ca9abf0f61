"""The README says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from docs.release.keys import section, with_keys
from tracker.library.yaml.tree import parse

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_keys_are_those_of_the_table() -> None:
    """The section of keys is what `make keys` writes."""
    assert section() in README
    assert with_keys(README) == README


def test_every_file_it_links_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]

    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_no_address_is_made_up() -> None:
    """Neither the documents nor the metadata name a host of a kind kept for examples."""
    files = [ROOT / "pyproject.toml", *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    made_up = r"https?://[\w.-]*\b(?:example|invalid|test)(?:\.(?:com|net|org))?(?=[/:\s\"')>]|$)"

    assert len(texts) > 10
    assert [name for name, text in texts.items() if re.search(made_up, text)] == []


def test_its_yaml_reads_without_a_problem() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)

    assert parse(example.encode(), "README.md").problems == ()
