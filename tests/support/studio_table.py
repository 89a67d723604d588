"""A player who looks at the table of the studio and chooses by lot, by pointer or by keyboard."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from support.studio_page import PATIENCE, Page

#: the table on the screen: the choice that is shown, places, options, the pass
_LOOK = """
(() => {
  const table = document.querySelector(".table");
  if (!table) return null;
  const box = (element) => {
    const {x, y, width, height} = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  return {
    at: table.dataset.at,
    over: table.dataset.over === "true",
    digest: table.dataset.digest,
    places: [...document.querySelectorAll(".frame g.legal rect")].map(box),
    ghost: !!document.querySelector(".frame .ghost"),
    options: [...document.querySelectorAll(".turn [role=option]")].map((one) => one.dataset.n),
    skips: [...document.querySelectorAll(".turn .card button")]
      .some((one) => one.getAttribute("aria-keyshortcuts") === "0"),
    cover: !!document.querySelector(".cover"),
    said: document.querySelector(".middle p")?.innerText ?? "",
  };
})()
"""


#: the choice that is shown; undefined on the way to another table
_AT = "document.querySelector('.table')?.dataset.at"

_IS_LEGAL = "!!document.elementFromPoint(arguments[0], arguments[1])?.closest('.frame g.legal')"


def begin(
    page: Page,
    game: str,
    *,
    seats: int = 2,
    seed: str = "1",
    bots: int = 0,
    name: str = "",
    patience: float = PATIENCE,
) -> None:
    """Begin a match on the page; the first seats are people, the last ones bots."""
    rows = [
        {"id": n, "kind": "bot" if n >= seats - bots else "person", "name": name, "bot": "greedy"}
        for n in range(seats)
    ]
    page.ask("void localStorage.setItem('tilewright.seats', JSON.stringify(arguments[0]))", rows)
    page.go("#/library")
    page.go(f"#/play?game={game.replace('+', '%2B')}")
    page.wait("document.querySelector('.start .seed input')")
    page.wait("!document.querySelector('.start .buttons button[aria-disabled]')", seconds=patience)
    page.ask(
        "(i => { i.value = arguments[0]; i.dispatchEvent(new Event('input', {bubbles: true})) })"
        "(document.querySelector('.start .seed input'))",
        seed,
    )
    page.click_on(".start .buttons button")
    page.wait("document.querySelector('.table')", seconds=patience)


def look(page: Page) -> dict[str, Any]:
    """The state of the table on the screen."""
    return dict(page.wait(_LOOK))


class Player:
    """Chooses by lot. `kinds` are the sentences of the decisions that were met."""

    def __init__(self, page: Page, seed: int = 0) -> None:
        self.page, self.lot = page, random.Random(seed)
        self.kinds: set[str] = set()
        self.choices = 0

    def play(self, most: int = 5000) -> dict[str, Any]:
        """Choose until the match is over, or so many times; the last look."""
        shown = look(self.page)
        while not shown["over"] and self.choices < most:
            if shown["cover"]:
                self.page.click_on(".cover button")
                self.page.wait("!document.querySelector('.cover')")
                shown = look(self.page)
                continue
            self.kinds.add(shown["said"])
            self.choose(shown)
            self.choices += 1
            at = shown["at"]
            shown = self.page.wait(f"({_AT}) !== arguments[0] && {_LOOK}", at)
        return shown

    def choose(self, shown: dict[str, Any]) -> None:
        """Take one choice."""
        raise NotImplementedError


class PointerPlayer(Player):
    """Uses the pointer alone."""

    def choose(self, shown: dict[str, Any]) -> None:
        page, lot = self.page, self.lot
        if shown["places"] and not (shown["options"] and lot.random() < 0.5):
            x, y = lot.choice(shown["places"])
            if not page.ask(_IS_LEGAL, x, y):  # outside of the window, or under something
                page.click_on(".zoom button:last-of-type")  # the whole board
                page.move(2, 400)
                x, y = lot.choice(look(page)["places"])
            page.click(x, y)
            page.wait("document.querySelector('.handles .lay')")
            for _ in range(lot.randrange(3)):
                page.click(x, y)  # turns it
            page.click_on(".handles .lay")
        elif shown["options"] and not (shown["skips"] and lot.random() < 0.3):
            n = lot.choice(shown["options"])
            page.click_on(f".turn [role=option][data-n='{n}']")
            page.click_on(".turn .options .buttons button")
        else:
            page.click_on(".turn .card [aria-keyshortcuts='0']")


class KeyboardPlayer(Player):
    """Uses keys alone."""

    def choose(self, shown: dict[str, Any]) -> None:
        page, lot = self.page, self.lot
        if shown["places"] and not (shown["options"] and lot.random() < 0.5):
            for _ in range(lot.randrange(1, 5)):
                page.press(lot.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
            if not look(page)["ghost"]:
                page.press("Tab")
            if lot.random() < 0.6:
                page.press("r")
            page.press("Enter")
        elif shown["options"] and not (shown["skips"] and lot.random() < 0.3):
            number = lot.randrange(1, len(shown["options"]) + 1)
            if number < 100 and lot.random() < 0.7:
                page.press(*str(number))
            else:
                page.press(*["ArrowDown"] * min(number, 30))
            page.press("Enter")
        else:
            page.press("0")


class BothPlayer(PointerPlayer, KeyboardPlayer):
    """Uses the pointer for one choice and keys for the next."""

    def choose(self, shown: dict[str, Any]) -> None:
        player = KeyboardPlayer if self.choices % 2 else PointerPlayer
        player.choose(self, shown)


def save(page: Page) -> Path:
    """Press the button that saves the match; the file that was downloaded."""
    before = set(page.folder.glob("*.json"))
    button = "header .action button[aria-label='Save the match']"
    page.ask("void document.querySelector(arguments[0]).click()", button)
    found: list[Path] = []

    def is_there() -> bool:
        found[:] = sorted(set(page.folder.glob("*.json")) - before)
        return bool(found)

    page.until(is_there, "the saved match")
    return found[0]
