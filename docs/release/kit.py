"""Make the reference of the kit from its docstrings: `make kit` writes docs/kit.md."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from tracker import kit

PAGE = Path(__file__).parents[1] / "kit.md"
HEAD = """# The kit, name by name

What `tracker.kit` has for authors of games, as its own docstrings say it. `make kit` makes this page from them;
[writing-a-ruleset.md](writing-a-ruleset.md) says how the parts go together.
"""
SECTIONS = ("Args", "Attributes", "Raises", "Returns")


def page() -> str:
    """Return the reference: a chapter for each module, its functions and classes in the order of their names."""
    return "\n".join([HEAD, *(part for module in _modules() for part in _chapter(module))]).rstrip() + "\n"


def _modules() -> list[str]:
    """Return the modules that define what the kit offers, those of the kit first."""
    found = {_module_of(getattr(kit, name)) for name in kit.__all__}
    return sorted((name for name in found if name), key=lambda name: (not name.startswith("tracker.kit"), name))


def _module_of(value: object) -> str:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return str(name) if str(name).startswith("tracker.") else ""


def _chapter(module: str) -> Iterator[str]:
    offered = {name: getattr(kit, name) for name in kit.__all__ if _module_of(getattr(kit, name)) == module}
    whole = [value for value in offered.values() if isinstance(value, ModuleType)]
    named = {name: value for name, value in offered.items() if callable(value) and not isinstance(value, ModuleType)}
    yield f"## {module.removeprefix('tracker.')}\n"
    if module.startswith("tracker.kit."):
        yield f"{_text(inspect.getdoc(import_module(module)))}\n"
    if whole:
        called = next(name for name, value in offered.items() if isinstance(value, ModuleType))
        for name, value in sorted(vars(whole[0]).items()):
            if inspect.isfunction(value) and value.__module__ == module and not name.startswith("_"):
                named.setdefault(f"{called}.{name}", value)
    for name, value in sorted(named.items(), key=lambda item: item[0].casefold()):
        yield from _entry(name, value)


def _entry(name: str, value: Any) -> Iterator[str]:
    yield f"### `{name}{_signature(value)}`\n"
    yield f"{_text(inspect.getdoc(value))}\n"
    if not inspect.isclass(value):
        return
    own = [(key, part) for kind in _own_classes(value) for key, part in vars(kind).items() if _is_public(key, part)]
    lines = [f"* `{key}{_signature(part, bound=True)}`: {_first(inspect.getdoc(part))}" for key, part in own]
    if lines:
        yield "\n".join(lines) + "\n"


def _own_classes(value: type) -> list[type]:
    """Return a class of the program with those it is made of."""
    return [kind for kind in value.__mro__ if kind.__module__.startswith("tracker.")]


def _is_public(name: str, part: object) -> bool:
    return inspect.isfunction(part) and not name.startswith("_")


def _signature(value: Any, bound: bool = False) -> str:
    """Return the names of what is given, with `=` where there is a default."""
    if inspect.isclass(value) and not issubclass(value, Struct):
        return ""
    try:
        parameters = list(inspect.signature(value).parameters.values())[bound:]
    except (TypeError, ValueError):
        return ""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    shown = [f"{stars.get(each.kind, '')}{each.name}{_default(each)}" for each in parameters]
    return f"({', '.join(shown)})"


def _default(parameter: inspect.Parameter) -> str:
    plain = isinstance(parameter.default, str | int | bool | float | None)
    if parameter.default is inspect.Parameter.empty:
        return ""
    return f"={parameter.default!r}" if plain else "=..."


def _first(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


def _text(text: str | None) -> str:
    """Return a docstring as Markdown: indented examples as code, its sections as lists."""
    lines: list[str] = []
    code = section = False
    for line in (text or "").splitlines():
        title = line.rstrip(":")
        if title in SECTIONS and line.endswith(":"):
            lines += ([] if not lines or not lines[-1] else [""]) + [f"{title}:", ""]
            section, code = True, False
            continue
        if section:
            if re.match(r" {4}\S", line):
                lines.append(f"* {line.strip()}")
            elif line.strip() and lines:
                lines[-1] += f" {line.strip()}"
            else:
                lines.append("")
            continue
        is_code = line.startswith("    ") or (code and not line.strip())
        if is_code and not code:
            lines.append("```text")
        if code and not is_code:
            while not lines[-1]:
                lines.pop()
            lines += ["```", ""]
        code = is_code
        lines.append(line[4:] if is_code else line)
    return "\n".join([*lines, "```"] if code else lines).rstrip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
