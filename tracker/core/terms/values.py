"""Values in state, events and actions, and their JSON codec.

`Data` marks the tagged Structs of a ruleset: stat blocks, facts, payloads, switches. A `Value` of a fact or a field is
a scalar, a tuple of values, or such a Struct; never a list, so that a value decoded from JSON equals the encoded one.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar, Union

import msgspec

from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import RulesBug

T = TypeVar("T")
MOST_SHARED = 256
_built: set[Any] = set()
_building: list[AbstractContextManager[object]] = [nullcontext()]


class Data:
    """Marker of a ruleset's stored Structs: `class X(Struct, Data, frozen=True, tag=True)`.

    `seen_as`: the words that players read for an effect with this payload on a combatant of another side: "" for none,
    None for the effect's own name.
    """

    __slots__ = ()
    seen_as: ClassVar[str | None] = None

    def __init_subclass__(cls, **options: object) -> None:
        """Raise RulesBug for a field called `type`: the journal has the Struct's own name there."""
        super().__init_subclass__(**options)
        if "type" in vars(cls).get("__annotations__", {}):
            raise RulesBug(
                f"{cls.__name__}: the journal keeps the Struct's name under `type`, so no field can be called so; "
                "name it otherwise, and let the schema's `shorthand` put the file's key there"
            )


if TYPE_CHECKING:
    Value: TypeAlias = bool | int | float | str | Data | tuple["Value", ...] | None
else:

    class _Anything(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return True

    class _Value(metaclass=_Anything):
        """What msgspec sees where a `Value` is annotated: anything, sorted out by the codec's hook."""

    Value = _Value | None


def build_within(lock: AbstractContextManager[object]) -> None:
    """Build types within a lock from now on, for a program with threads; core has none."""
    _building[0] = lock


def build_type(kind: Any) -> None:
    """Let msgspec collect the fields of a type, in one thread at a time, before the type is first decoded or converted.

    msgspec stores them at each Struct while it collects them; another thread that reads half of them crashes the
    program.
    """
    if kind not in _built:
        with _building[0]:
            msgspec.msgpack.Decoder(kind)
        _built.add(kind)


def decode(text: bytes | str, kind: Any) -> Any:
    """Decode JSON as a type without values of a ruleset; raises `msgspec.DecodeError`."""
    build_type(kind)
    return msgspec.json.decode(text, type=kind)


class Codec:
    """JSON for core's Structs with one ruleset's `Data` types in them.

    Type names are the tags, so they must differ within a ruleset; else RulesBug is raised.
    """

    def __init__(self, types: Iterable[type[Data]]) -> None:
        self._types = tuple(dict.fromkeys(types))
        # msgspec builds the union from run-time types; the checker cannot see it.
        self._union: Any = Union[self._types] if self._types else None  # noqa: UP007 - made at run time
        names = [kind.__name__ for kind in self._types]
        if clash := [name for name in names if names.count(name) > 1]:
            raise RulesBug(f"two types of this ruleset are called {clash[0]}")
        self._decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
        self._encoder = msgspec.json.Encoder(enc_hook=_plain)
        self._known: dict[bytes, Data] = {}

    def encode(self, value: object) -> bytes:
        """Return the JSON of a Struct, tuple or scalar."""
        return self._encoder.encode(value)

    def decode(self, text: bytes | str, kind: type[T]) -> T:
        """Decode JSON as `kind`; raises `msgspec.ValidationError` or `msgspec.DecodeError`."""
        decoder = self._decoders.get(kind)
        if decoder is None:
            build_type(kind)
            decoder = self._decoders[kind] = msgspec.json.Decoder(kind, dec_hook=self._hook)
        try:
            result: T = decoder.decode(text)
        except RecursionError as error:
            raise msgspec.DecodeError("nested too deeply") from error
        return result

    def builtins(self, value: object) -> Any:
        """Return a value as plain dicts, lists and scalars."""
        return msgspec.to_builtins(value, enc_hook=_plain)

    def convert(self, plain: object, kind: type[T]) -> T:
        """Convert plain dicts, lists and scalars to `kind`."""
        build_type(kind)
        return msgspec.convert(plain, kind, dec_hook=self._hook)

    def _hook(self, kind: type, plain: object) -> object:
        if kind is Data:
            return self._shared(plain)
        if kind is Dice:
            return Dice.parse(str(plain))
        return self._freeze(plain)

    def _shared(self, plain: object) -> Data:
        """Return data; equal data is the same object, such as the stat blocks of a crowd."""
        text = self._encoder.encode(plain)
        data: Data | None = self._known.get(text)
        if data is None:
            build_type(self._union)
            data = msgspec.convert(plain, self._union, dec_hook=self._hook)
            if len(self._known) >= MOST_SHARED:
                self._known.clear()
            self._known[text] = data
        return data

    def _freeze(self, plain: object) -> Value:
        if isinstance(plain, list | tuple):
            return tuple(self._freeze(part) for part in plain)
        if isinstance(plain, dict):
            build_type(self._union)
            data: Data = msgspec.convert(plain, self._union, dec_hook=self._hook)
            return data
        if plain is None or isinstance(plain, bool | int | float | str):
            return plain
        raise TypeError(f"{type(plain).__name__} is no value")


def _plain(value: object) -> object:
    if isinstance(value, Dice):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be stored")
