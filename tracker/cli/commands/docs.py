"""`tracker docs`: the documents, as they are installed with the program."""

from __future__ import annotations

import argparse
import sys

from tracker.cli.helpers import print_error, print_text
from tracker.core.terms.errors import TrackerError
from tracker.library.content.samples import documents
from tracker.library.yaml.problems import did_you_mean


def run(asked: argparse.Namespace) -> int:
    """List the documents, or show one: in a terminal as a page with links, elsewhere as its Markdown."""
    pages = documents()
    if not pages:
        raise TrackerError("this installation has no documents; install it anew", "no_documents")
    if asked.page is None:
        widest = max(map(len, pages))
        for name, path in pages.items():
            print_text(f"{name.ljust(widest)}  {_title(path.read_text('utf-8'))}")
        print_error("tracker docs PAGE shows one of them")
        return 0
    page = pages.get(asked.page.removesuffix(".md").rpartition("/")[2])
    if page is None:
        near = did_you_mean(asked.page, pages) or f"there are: {', '.join(pages)}"
        raise TrackerError(f'there is no page "{asked.page}" ({near})', "no_such_page")
    if asked.plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in page.read_text("utf-8").splitlines():
            print_text(line)
        return 0
    from tracker.ui.document_screen import read  # only for a page in the terminal

    read(page)
    return 0


def _title(text: str) -> str:
    return next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), "")
