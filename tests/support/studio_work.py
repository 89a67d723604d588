"""Work for the processes of the studio: long, wrong, and deadly."""

from __future__ import annotations

import os
import time

from tilewright.faces.studio.client import Client


def sleeping(client: Client, seconds: float) -> int:
    """The number of the process, after some seconds."""
    time.sleep(seconds)
    return os.getpid()


def failing(client: Client) -> None:
    """A mistake of this program."""
    raise ZeroDivisionError


def devouring(client: Client) -> int:
    """More memory than any work needs."""
    return len(bytearray(1 << 40))


def ending(client: Client) -> None:
    """The end of the process."""
    os._exit(1)
