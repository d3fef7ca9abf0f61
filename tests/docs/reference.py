"""Tables of the games' pages, made from the Structs and the schema.

A page `docs/games/<game>.md` is prose by hand around tables, each between `<!-- table: NAME -->` and `<!-- end -->`.
`python -m tests.docs.update [GAME ...]` writes the tables anew: key, values and default come from the Structs, the last
column, the meaning, from the annotations of their fields (`tracker.core.game.file_syntax.key`), short forms and usual
words from the game's `file_syntax`; JSON Schemas for editors and the hints of `tracker check` read them too. A new
field appears with an empty meaning, a field that is gone takes its row along. Which tables a page needs is said by
`tables_of`; one that is missing is added at the end, to be moved wherever it belongs. Headings, examples and
what is asked at the table are all by hand; every block marked as `yaml` has to load (`test_games.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct, inspect

from tracker.core.game.file_syntax import FileSyntax
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.terms.dice import Dice
from tracker.library.content import files
from tracker.library.content.effect_presets import EffectPreset
from tracker.library.schemas.structs import named as names_of
from tracker.library.validation.semantics import keys_of, syntax_of

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "games"
HEAD = "| {} | Values | Default | Meaning |\n|---|---|---|---|\n"
_TABLE = re.compile(r"<!-- table: (?P<name>.+?) -->\n(?P<body>.*?)<!-- end -->", re.DOTALL)
_CELLS = re.compile(r"(?<!\\)\|")


GENERAL: Mapping[str, type] = {
    "encounter": files.SquaresEncounterKeys,
    "side": files.SideKeys,
    "wave": files.WaveKeys,
    "reminder": files.ReminderKeys,
    "campaign": files.CampaignKeys,
    "effect": EffectPreset,
}
"""The tables of `docs/yaml.md`."""


class Row(Struct, frozen=True):
    """A line of a table without its meaning: key, values and default."""

    key: str
    values: str
    default: str


class Table(Struct, frozen=True):
    """A table of a page: its name, the heading of its first column, its rows."""

    name: str
    first: str
    rows: tuple[Row, ...]

    def text(self, meanings: Mapping[str, str]) -> str:
        """Return it as Markdown, with the meanings that are known."""
        lines = [
            f"| `{row.key}` | {row.values} | {row.default} | {_cell(meanings.get(row.key, ''))} |".replace(
                "|  |", "| |"
            )
            for row in self.rows
        ]
        return HEAD.format(self.first) + "".join(f"{line}\n" for line in lines)


def page_of(game: Ruleset) -> Path:
    """Return where a game's page is."""
    return FOLDER / f"{game.key}.md"


# -- which tables ------------------------------------------------------------------------------------------------------


def tables_of(schema: Schema) -> tuple[Table, ...]:
    """Return every table a game's page has to hold."""
    named = names_of(schema)
    headings = {"switches": "Switch"}
    return tuple(
        Table(name, headings.get(name, "Key" if name in ("set-up", "side", "member") else "Field"), _rows(kind, named))
        for kind, name in named.items()
    )


def _rows(kind: type, named: Mapping[type, str]) -> tuple[Row, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(Row(field.encode_name, _values(field.type, named), _default(field)) for field in info.fields)


def _meanings(syntax: FileSyntax, kind: type, of: str) -> dict[str, str]:
    return {row.name: row.means for _, row in keys_of(syntax, kind, of)}


def told(schema: Schema) -> dict[str, str]:
    """Return the tables that hold nothing by hand: short forms and usual words."""
    syntax = syntax_of(schema)
    tables: dict[str, str] = {}
    if syntax.short:
        rows = [f"| {short.kind} | `{_cell(short.typed)}` | {_cell(short.means)} |\n" for short in syntax.short]
        tables["short forms"] = "| Of | Typed | Stands for |\n|---|---|---|\n" + "".join(rows)
    if syntax.words:
        groups: dict[str, list[str]] = {}
        for word, key in syntax.words:
            groups.setdefault(key, []).append(word.replace("_", " "))
        rows = [f"| {', '.join(words)} | `{key}` |\n" for key, words in sorted(groups.items())]
        tables["usual words"] = "| Elsewhere | Here |\n|---|---|\n" + "".join(rows)
    return tables


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# -- values and defaults in words --------------------------------------------------------------------------------------


def _values(info: inspect.Type, named: Mapping[type, str]) -> str:
    match info:
        case inspect.Metadata():
            return _values(info.type, named)
        case inspect.UnionType():
            parts = [part for part in info.types if not isinstance(part, inspect.NoneType)]
            return " or ".join(dict.fromkeys(_values(part, named) for part in parts))
        case inspect.BoolType():
            return "`true`, `false`"
        case inspect.IntType() | inspect.FloatType():
            return _number(info)
        case inspect.StrType():
            return "text"
        case inspect.LiteralType():
            return ", ".join(f"`{value}`" for value in info.values)
        case inspect.StructType():
            return f"block: {named[info.cls]}"
        case inspect.VarTupleType() | inspect.ListType():
            return f"list: {_values(info.item_type, named)}"
        case inspect.TupleType():
            return f"{len(info.item_types)}: {', '.join(_values(part, named) for part in info.item_types)}"
        case inspect.DictType():
            return f"names with {_values(info.value_type, named)}"
        case inspect.CustomType() if info.cls is Dice:
            return "dice"
        case _:
            raise AssertionError(f"no words for {info}")


def _number(info: inspect.IntType | inspect.FloatType) -> str:
    step = f"in steps of {info.multiple_of:g}" if info.multiple_of else ""
    least, most = info.ge, info.le
    if least is not None and most is not None:
        words = f"{least:g} to {most:g}"
    elif least is not None:
        words = f"{least:g} or more"
    elif most is not None:
        words = f"up to {most:g}"
    else:
        words = "number"
    return f"{words}, {step}" if step else words


def _default(field: inspect.Field) -> str:
    if field.required:
        return "required"
    if field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT:
        return "none"
    held = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return _shown(held)


def _shown(held: object) -> str:
    match held:
        case None | () | "" | {}:
            return "none"
        case bool():
            return f"`{str(held).lower()}`"
        case Struct():
            name = getattr(held, "name", None)
            plain = {key: part for key, part in msgspec.to_builtins(held, enc_hook=str).items() if part}
            return f"`{name or _flow(plain)}`" if plain else "none"
        case tuple() if isinstance(held[0], Struct):
            return ", ".join(map(_shown, held))
        case tuple():
            return f"`{_flow(msgspec.to_builtins(held, enc_hook=str))}`"
        case float():
            return f"`{held:g}`"
        case _:
            return f"`{held}`"


def _flow(value: object) -> str:
    """Return a value as YAML in one line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key}: {_flow(part)}" for key, part in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_flow, value)) + "]"
        case bool():
            return str(value).lower()
        case _:
            return str(value)


# -- pages -------------------------------------------------------------------------------------------------------------


def tables_in(page: str) -> dict[str, dict[str, str]]:
    """Return the tables of a page: the meaning of each key, by the table's name."""
    found: dict[str, dict[str, str]] = {}
    for table in _TABLE.finditer(page):
        rows = [_CELLS.split(line)[1:-1] for line in table["body"].splitlines() if line.startswith("| `")]
        found[table["name"]] = {cells[0].strip(" `"): cells[-1].strip() for cells in rows}
    return found


def updated_general(page: str) -> str:
    """Return the page on files in general with its tables of keys written anew."""

    def written(found: re.Match[str]) -> str:
        rows = keys_of(FileSyntax(), GENERAL[found["name"]], found["name"])
        lines = [f"| `{row.name}` | {_cell(row.means)} |\n" for _, row in rows]
        return f"<!-- table: {found['name']} -->\n| Key | Meaning |\n|---|---|\n{''.join(lines)}<!-- end -->"

    return _TABLE.sub(written, page)


def updated(page: str, game: Ruleset) -> str:
    """Return a page with its tables written anew and those added that it lacks."""
    tables = {table.name: table for table in tables_of(game.schema)}
    whole = told(game.schema)
    kept = tables_in(page)
    syntax = syntax_of(game.schema)
    meanings = {of: _meanings(syntax, kind, of) for kind, of in names_of(game.schema).items()}
    for name in (*tables, *whole):
        if name not in kept:
            page = f"{page.rstrip()}\n\n## {name}\n\n<!-- table: {name} -->\n<!-- end -->\n"

    def written(found: re.Match[str]) -> str:
        table = tables.get(found["name"])
        if table is None:
            body = whole.get(found["name"])
            return found[0] if body is None else f"<!-- table: {found['name']} -->\n{body}<!-- end -->"
        return f"<!-- table: {table.name} -->\n{table.text(meanings[table.name])}<!-- end -->"

    return _TABLE.sub(written, page)
