"""The list of what bytecode cannot carry is complete."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from support.paths import ROOT
from support.played import program_of
from support.two_engines import loaded, needs_core
from tilewright.play.compiling.bytecode.instructions import NOT_CARRIED
from tilewright.play.compiling.bytecode.translation.writer import Writer

PACKAGE = ROOT / "interpreter" / "tilewright" / "play" / "compiling" / "bytecode"


def reasons() -> Iterator[str]:
    """The first constant words of every refusal in the package."""
    assert Writer.refuse.__defaults__ is not None
    yield str(Writer.refuse.__defaults__[0])
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            place = {"NotCarried": 0, "refuse": 1}.get(name)
            for reason in node.args[place : place + 1] if place is not None else ():
                parts = reason.values if isinstance(reason, ast.JoinedStr) else [reason]
                words = [p.value for p in parts if isinstance(p, ast.Constant)]
                longest = max(map(str, words), key=len, default="").strip()
                if len(longest) > 3:  # else the reason is passed on
                    yield longest


def test_every_refusal_belongs_to_one_cause_of_the_list() -> None:
    for reason in reasons():
        causes = [
            cause
            for cause, starts in NOT_CARRIED.items()
            if any(reason.startswith(start) or start.startswith(reason) for start in starts)
        ]
        assert len(causes) == 1, reason


def test_every_entry_of_the_list_is_a_refusal() -> None:
    known = set(reasons())
    for starts in NOT_CARRIED.values():
        for start in starts:
            assert any(r.startswith(start) or start.startswith(r) for r in known), start


@needs_core
def test_a_game_of_twelve_boxes_is_carried() -> None:
    """Its turn needs more rounds of translation than games of a few boxes."""
    boxes = (
        "crop-circles", "farmers", "ferries", "festival", "gold-mines", "mage-and-witch", "phantom",
        "river", "shrines", "tower", "traders-and-builders", "tunnel",
    )  # fmt: skip
    loaded(program_of("+".join(f"c2/{box}" for box in boxes)))
