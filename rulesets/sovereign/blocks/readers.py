"""Readers of what a GM types in a stat block of Sovereign."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.kit.readers import NOTHING, Plain, number, text


def shock(value: object) -> Plain | None:
    """Read Shock: `2/15`, `5/-`, or nothing."""
    if isinstance(value, Mapping):
        if set(value) != {"points", "ac"}:
            raise ValueError("Shock is points and ac, such as 2/15")
        return {"points": number(value["points"]), "ac": None if value["ac"] is None else number(value["ac"])}
    written = text(value)
    if written.casefold() in NOTHING:
        return None
    points, slash, limit = written.partition("/")
    if not slash:
        raise ValueError(f'"{written}" is no Shock, such as 2/15 or 5/-')
    limit = limit.strip().upper().removeprefix("AC").strip()
    return {"points": number(points), "ac": None if limit in NOTHING else number(limit)}


def ranges(value: object) -> list[int] | None:
    """Read a range: `[10, 30]` or `10/30`, or nothing."""
    if not isinstance(value, list | tuple) and text(value).casefold() in NOTHING:
        return None
    parts = list(value) if isinstance(value, list | tuple) else text(value).split("/")
    if len(parts) != 2:
        raise ValueError("a range has two numbers: normal and maximum")
    normal, most = (number(part) for part in parts)
    if most < normal:
        raise ValueError(f"the maximum of {most} ft is less than the normal {normal} ft")
    return [normal, most]


def listed(value: object) -> list[object]:
    """Read a list, or one value as a list of one."""
    return list(value) if isinstance(value, list | tuple) else [value]


def words(value: object) -> list[str]:
    """Read words: a list, or several between slashes, as `STR/DEX`."""
    parts = [text(part) for part in value] if isinstance(value, list | tuple) else text(value).split("/")
    return [part.strip().casefold() for part in parts if part.strip()]


def mapping(value: object) -> Mapping[str, object]:
    """Read a mapping."""
    if not isinstance(value, Mapping):
        raise ValueError("names and values are needed here, such as {str: 1}")
    return {str(key): part for key, part in value.items()}
