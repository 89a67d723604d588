"""Bots that think while the screen stays alive."""

from __future__ import annotations

import asyncio
import threading

from tilewright.faces.cli.play.session import Chooser
from tilewright.play.match import Match


async def in_thread(bot: Chooser, match: Match) -> int:
    """The choice of a bot, made in a thread that does not outlive the program."""
    loop = asyncio.get_running_loop()
    chosen: asyncio.Future[int] = loop.create_future()

    def settle(number: int, error: BaseException | None) -> None:
        if not chosen.done():
            if error is None:
                chosen.set_result(number)
            else:
                chosen.set_exception(error)

    def think() -> None:
        number, error = -1, None
        try:
            number = bot(match)
        except BaseException as raised:  # belongs to the screen, whatever it is
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, number, error)

    threading.Thread(target=think, daemon=True).start()
    return await chosen
