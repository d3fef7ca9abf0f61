"""The page's address, in letters and as a QR code."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from tracker.core.terms.errors import TrackerError

LOOPBACK = "127.0.0.1"
QUIET = 4
"""Modules of light that a QR code wants around it."""
_OUTSIDE = ("203.0.113.1", 9)
"""An address for documents: nothing is sent there, but the system says by which network it would go."""


def network_address() -> str:
    """Return this computer's address in its network.

    Raises:
        TrackerError: it is in no network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_OUTSIDE)
            found = str(way.getsockname()[0])
        except OSError:
            found = LOOPBACK
    if ipaddress.ip_address(found).is_loopback or ipaddress.ip_address(found).is_unspecified:
        raise TrackerError("this computer is in no network: join one, or name its address with --bind", "no_network")
    return found


def bound(address: str) -> str:
    """Return an address to bind to, as it was typed.

    Raises:
        TrackerError: it is no address, or means every network at once.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError as error:
        raise TrackerError(
            f"--bind {address}: give an address in numbers, such as 192.168.1.20", "no_address"
        ) from error
    if found.is_unspecified:
        raise TrackerError(f"--bind {address} means every network at once: name the one address", "every_address")
    return str(found)


def code(url: str, quiet: int = QUIET) -> tuple[str, ...]:
    """Return a QR code as lines of half blocks, to be drawn dark on light.

    Cameras dislike it the other way round, and want `quiet` modules of light around it. Without the library for it
    there are no lines.
    """
    try:
        import segno
    except ImportError:
        return ()
    rows = [list(row) for row in segno.make(url, error="l", micro=False).matrix_iter(border=quiet)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    signs = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
    return tuple(
        "".join(signs[upper, lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )


def painted(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a code in black on white, whatever the terminal's colours.

    These two of the 256 colours are the same in every theme.
    """
    return tuple([f"\x1b[38;5;16;48;5;231m{line}\x1b[0m" for line in lines])
