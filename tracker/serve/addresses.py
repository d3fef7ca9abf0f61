"""Addresses: where the page is, in letters and as a QR code."""

from __future__ import annotations

import ipaddress
import socket

from tracker.core.terms.errors import TrackerError

__all__ = ["LOOPBACK", "bound", "code", "network_address"]

LOOPBACK = "127.0.0.1"
_OUTSIDE = ("203.0.113.1", 9)
"""An address for documents: nothing is sent there, but the system says by which network it would go."""


def network_address() -> str:
    """Return this computer's address in the network it is in.

    Raises:
        TrackerError: where it is in none.
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
        TrackerError: where it is none, or means every network at once.
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


def code(url: str) -> tuple[str, ...]:
    """Return a QR code as lines of half blocks.

    None where the library for it is missing.
    """
    try:
        import segno
    except ImportError:
        return ()
    rows = [list(row) for row in segno.make(url, error="l", micro=False).matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    # Dark on light, whatever the colours of the terminal: a light module is drawn, a dark one is left out.
    signs = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return tuple(
        "".join(signs[upper, lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )
