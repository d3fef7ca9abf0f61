"""Rulebooks as text: a game's `rules.md`, parsed when a rule is first needed.

    # Opening and initiative

    Text below a chapter is for readers of the file.

    ## SV-007 Enemies bar the way [auto]

    A standing enemy cannot be passed through. Lines of a paragraph
    are joined.

    A blank line begins a new line of the rule's text.

    ## SV-R12 Split moves [ruling: split_move]

    A move may be split around an action if the switch `split_move` is on.

`## id title [kind: switch]` begins a rule; its text ends at the next heading. An id is one word with a number in it,
unique in the book. The kind says who applies the rule: `auto` (the default), `ask`, `option`, `manual`, `reference` or
`ruling`. The switches, if any, separated by commas, are the house rules that change it. `# title` begins a chapter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import Kind, Rule, RuleBook

HEADING = r"## +(?P<id>\S+) +(?P<title>[^\[\]]+?)(?: +\[(?P<kind>[^\[\]:]*)(?P<switch>:[^\[\]]*)?\])?"
SWITCHES = r"[a-z]\w*(, [a-z]\w*)*"
KINDS: tuple[Kind, ...] = get_args(Kind)


def rules_beside(module: str, name: str = "rules.md") -> RuleBook:
    """Return the rulebook in a file beside a module: `rules_beside(__file__)`.

    The file is read at the first use of a rule, which raises BadData if the file is missing or has mistakes.
    """
    return RuleBook(source=lambda: _file(Path(module).with_name(name)))


def read_rules(text: str, name: str = "rules.md") -> tuple[Rule, ...]:
    """Parse the rules of a text, in its order; raises BadData with each mistake and its line."""
    rules: list[Rule] = []
    mistakes: list[str] = []
    lines: dict[str, int] = {}
    chapter = ""
    for number, heading, body in _parts(text):
        chapter = heading[1:].strip() if heading.startswith("# ") else chapter
        rule, mistake = _rule(heading, body, chapter)
        if rule and lines.setdefault(rule.id, number) != number:
            mistake = f"{rule.id} stands already in line {lines[rule.id]}"
        if mistake:
            mistakes.append(f"{name}:{number}: {mistake}")
        elif rule:
            rules.append(rule)
    if not rules and not mistakes:
        mistakes.append(f"{name}:1: no rule; a rule begins with a heading such as `## KN-01 Initiative [auto]`")
    if mistakes:
        raise BadData(mistakes)
    return tuple(rules)


def _file(path: Path) -> tuple[Rule, ...]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BadData([f"{path}: there is no such file"]) from None
    except OSError as error:
        raise BadData([f"{path}: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadData([f"{path}:{line}: this line is not UTF-8 text"]) from None
    return read_rules(text, str(path))


def _parts(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each heading with its line number and the lines below it."""
    number, heading, body = 0, "", list[str]()
    for at, line in enumerate(map(str.strip, text.split("\n")), 1):
        if line.startswith("#"):
            if heading:
                yield number, heading, body
            number, heading, body = at, line, []
        else:
            body.append(line)
    if heading:
        yield number, heading, body


def _rule(heading: str, body: list[str], chapter: str) -> tuple[Rule | None, str]:
    """Return the rule of a heading, None for a chapter, and the mistake in it."""
    if re.match(r"# +\S", heading):
        return None, ""
    match = re.fullmatch(HEADING, heading)
    if not match:
        return None, f"`{heading}` is no heading; write `# Chapter` or `## KN-01 Title [auto]`"
    key, title, kind = match["id"], match["title"], "auto" if match["kind"] is None else match["kind"].strip()
    switch = (match["switch"] or "").removeprefix(":").strip()
    text = "\n".join(part.replace("\n", " ") for part in re.split(r"\n{2,}", "\n".join(body).strip()))
    if not re.search(r"\d", key):
        return None, f"`{key}` is no id; an id is one word with a number in it, such as KN-01"
    if kind not in KINDS:
        return None, f"`{kind}` is no kind of rule; the kinds are {', '.join(KINDS)}"
    if match["switch"] and not re.fullmatch(SWITCHES, switch):
        return None, f"`{switch}` names no switch; write `[option: deadly]` or `[option: deadly, slow]`"
    if not text:
        return None, f"{key} has no text below its heading"
    return Rule(key, title, text, kind, switch, chapter), ""
