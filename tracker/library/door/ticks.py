"""Ticks: a signal that comes again and again in the main thread.

Where the system has a timer that sends one, it does; Windows has none, and there a thread of its own does.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time

__all__ = ["SIGNAL", "ByThread", "Ticks", "wake_no_loop"]


def wake_no_loop() -> None:
    """Let Python say nothing where a tick cannot wake an event loop.

    Every signal writes into the loop's socket, and an error is printed where that takes no more at the moment, as under
    wine while another thread writes.
    """
    socket = signal.set_wakeup_fd(-1)
    if socket != -1:
        with contextlib.suppress(OSError, ValueError):  # it is closed: then nothing is to be woken
            signal.set_wakeup_fd(socket, warn_on_full_buffer=False)


class ByThread:
    """Ticks by a thread.

    They end no sleep and no other call of C code, but whatever runs in Python. A tick may come amid a start or a stop
    and stop them itself, so neither holds a lock.
    """

    alone = False
    """Whether nothing else sends the signal; keys may send this one."""

    def __init__(self, number: signal.Signals) -> None:
        from queue import SimpleQueue  # only where a thread ticks

        self._number = number
        self._begun = SimpleQueue[None]()
        self._runs = False
        self._thread: threading.Thread | None = None
        self._seconds = 0.0

    def start(self, seconds: float) -> None:
        """Tick from now on, so many seconds apart."""
        self._seconds, self._runs = seconds, True
        self._begun.put(None)
        if self._thread is None:
            self._thread = threading.Thread(target=self._tick, name="ticks", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the ticks."""
        self._runs = False

    def restore(self) -> None:
        """Do nothing, for no other timer was taken."""

    def _tick(self) -> None:
        while True:
            self._begun.get()
            while self._runs:
                time.sleep(self._seconds)
                if self._runs:
                    _thread.interrupt_main(self._number)


if sys.platform == "win32":
    SIGNAL = signal.SIGBREAK

    class Ticks(ByThread):
        """The ticks of this system."""

        def __init__(self) -> None:
            super().__init__(SIGNAL)
else:
    SIGNAL = signal.SIGALRM

    class Ticks:
        """The ticks of this system."""

        def __init__(self) -> None:
            self._other = (0.0, 0.0)

        @property
        def alone(self) -> bool:
            """Whether nothing else sends the signal."""
            return self._other == (0.0, 0.0)

        def start(self, seconds: float) -> None:
            """Tick from now on, so many seconds apart."""
            self._other = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

        def stop(self) -> None:
            """Tick no more."""
            signal.setitimer(signal.ITIMER_REAL, 0)

        def restore(self) -> None:
            """Give another alarm its time back.

            It rings late rather than never.
            """
            signal.setitimer(signal.ITIMER_REAL, *self._other)
