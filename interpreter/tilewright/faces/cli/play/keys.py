"""The keys of the screen of a match, and what each does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

#: keys with the ids of the words for what they do, those that are needed first at the front
KEYS = (
    ("↑ ↓", "match.key.choose"),
    ("← →", "match.key.turn"),
    ("Enter", "match.key.take"),
    ("?", "match.key.help"),
    ("F2", "match.key.hint"),
    ("F3", "match.key.why"),
    ("F4", "match.key.undo"),
    ("^C", "match.key.leave"),
    ("Shift+arrow", "match.key.look"),
    ("Esc", "match.key.close"),
)


class Played(Protocol):
    """The part of a screen that keys use."""

    buffer: Buffer
    overlay: Callable[[], object] | None

    def enter(self) -> None: ...
    def complete(self) -> None: ...
    def close(self) -> None: ...
    def interrupt(self) -> None: ...
    def suspend(self) -> None: ...
    def leave(self) -> None: ...
    def command(self, word: str, rest: str = "") -> None: ...
    def move(self, turn: int, step: int) -> None: ...
    def look(self, east: int, south: int) -> None: ...


def key_bindings(screen: Played) -> KeyBindings:
    """The keys of a screen."""
    found = KeyBindings()
    is_empty = Condition(lambda: not screen.buffer.text or screen.buffer.text.isdecimal())
    is_page = Condition(lambda: screen.overlay is not None)

    def bind(keys: str, act: Callable[[], object], *, when: Condition | None = None) -> None:
        @found.add(*keys.split(), eager=True, filter=True if when is None else when)
        def _(event: KeyPressEvent) -> None:
            act()

    bind("enter", screen.enter)
    bind("up", lambda: screen.move(0, -1))
    bind("down", lambda: screen.move(0, 1))
    bind("left", lambda: screen.move(-1, 0), when=is_empty)
    bind("right", lambda: screen.move(1, 0), when=is_empty)
    bind("pageup", lambda: screen.move(0, -10))
    bind("pagedown", lambda: screen.move(0, 10))
    bind("tab", screen.complete)
    bind("s-tab", lambda: screen.move(0, -1))
    for key, east, south in (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)):
        bind(f"s-{key}", partial(screen.look, east, south))
    bind("escape", screen.close)
    bind("q", screen.close, when=is_page)
    bind("?", lambda: screen.command("help"), when=is_empty)
    bind("f1", lambda: screen.command("help"))
    bind("f2", lambda: screen.command("hint"))
    bind("f3", lambda: screen.command("why"))
    bind("f4", lambda: screen.command("undo"))
    bind("c-z", screen.suspend)
    bind("c-c", screen.interrupt)
    bind("<sigint>", screen.interrupt)
    bind("c-d", screen.leave)
    return found
