"""Our widgets share a namespace with the library's.

A method of ours under one of its private names would be called by it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from textual.message_pump import MessagePump

import tracker.ui
from tests.windows.systems import modules_below

MADE_FOR_EACH_CLASS = {
    *(
        "_computes",
        "_css_type_name",
        "_css_type_names",
        "_decorated_handlers",
        "_inherit_bindings",
        "_inherit_component_classes",
        "_inherit_css",
    ),
    *("_merged_bindings", "_reactives"),
}
# A fault of the app is told in a line and a problem file, and its end is ours: the library's own would fill the screen.
ON_PURPOSE = {("ResilientApp", "_fatal_error"), ("ResilientApp", "_print_error_renderables")}


def below(kind: type) -> Iterator[type]:
    for other in kind.__subclasses__():
        yield other
        yield from below(other)


def test_no_private_name_of_the_library_is_taken() -> None:
    """Neither by a method nor by a class attribute."""
    for module in modules_below(tracker.ui):
        importlib.import_module(module)
    ours = [kind for kind in below(MessagePump) if kind.__module__.startswith("tracker.")]
    private = {
        (kind, name) for kind in ours for name in vars(kind) if name.startswith("_") and not name.startswith("__")
    } - {(kind, name) for kind in ours for name in MADE_FOR_EACH_CLASS}

    assert len(ours) > 10
    assert [
        (kind.__name__, name)
        for kind, name in private
        if (kind.__name__, name) not in ON_PURPOSE
        and any(name in vars(base) for base in kind.__mro__ if base.__module__.startswith("textual."))
    ] == []
