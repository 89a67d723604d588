"""The events of a choice, heard from a match: in words, with cells and gains."""

from __future__ import annotations

from itertools import compress
from typing import Any, Literal

from tilewright.faces.studio.protocol.table import Gain, GainItem, Happening
from tilewright.faces.studio.table.match_view import (
    Stands,
    feature_cells,
    figure_cell,
    segment_place,
)
from tilewright.language.locale.words import Words, capital
from tilewright.play.board.board import xy_of
from tilewright.play.faults import rule_at_work
from tilewright.play.library.exchange import counterparts
from tilewright.play.match import Match
from tilewright.play.notation import (
    figure_id,
    first_segment,
    seat_name,
)
from tilewright.play.visibility import unnamed
from tilewright.rules.model.ruleset import ItemDecl
from tilewright.tools.explanation.score_log import Award, award_of, gain_text, step_of_rule
from tilewright.view.match_phrases import Chosen, Tokens, event_words, tokens_words

#: by event: the kind of a change of tiles that lie already
_CHANGES: dict[str, Literal["joined", "parted", "recast"]] = {
    "join": "joined",
    "part": "parted",
    "recast": "recast",
}


class Listener:
    """Hears a match; `heard` has everything in order, `awards` the points.

    `steps` are the steps in which something happened. Awards are numbered on from `first`.
    `is_told` is whether the first thing that was heard is what was chosen.
    """

    def __init__(self, language: str, first: int = 0) -> None:
        self.language = language
        self.words = Words(language)
        self.heard: list[Happening] = []
        self.awards: list[Award] = []
        self.gains: list[Gain] = []
        self.steps: list[str] = []
        self.is_told = False
        self._first = first
        self._chosen: Chosen | None = None
        self._spots: dict[int, tuple[list[int], list[float]]] = {}
        #: the draws, each as its place among what was heard, the stack and the piece
        self._drawn: list[tuple[int, int, int]] = []
        #: the latest tokens that somebody got or spent, which are one happening
        self._tokens: Tokens | None = None

    def attend(self, match: Match, stands: Stands, chosen: Chosen) -> None:
        """Begin to listen to a choice; `stands` is where figures stand before."""
        self._chosen = chosen
        for figure, at in stands.items():
            cell = figure_cell(match, figure)
            if cell is not None:
                self._spots[figure] = (cell, at)
        match.listeners = (self,)

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        """Hear one event."""
        rule = rule_at_work(match.program)
        step = step_of_rule(match, rule) if rule else ""
        if step and step not in self.steps:
            self.steps.append(step)
        made = self._made(match, event, facts)
        if made is None:
            return
        if self._chosen is not None:
            self.is_told = self._chosen.is_told_by(match, event, facts)
            self._chosen = None
        before, tokens = self._tokens, None
        if event in ("give", "spend"):
            tokens = Tokens(event, *facts)
            if before is not None and (more := before.and_then(tokens)) is not None:
                made["text"], tokens = tokens_words(match, more, self.language), more
                self.heard.pop()
        self._tokens = tokens
        self.heard.append(made)

    def leave_out(self, unseen: set[int]) -> None:
        """Leave out the names of drawn pieces and items that players hold unseen now."""
        text = self.words("match.drawn", tile=self.words("match.face_down"))
        is_unseen = unnamed([(stack, piece) for _, stack, piece in self._drawn], unseen)
        for place, *_ in compress(self._drawn, is_unseen):
            self.heard[place] = {"kind": "drawn", "text": text}

    def _made(self, match: Match, event: str, facts: tuple[Any, ...]) -> Happening | None:
        text = event_words(match, event, facts, self.language)
        match event:
            case "turn":
                return {"kind": "turn", "text": text, "seat": seat_name(match, facts[0])}
            case "final":
                return {"kind": "final", "text": text}
            case "over":
                return {"kind": "over", "text": text}
            case "draw member":
                return {"kind": "drawn", "text": text}
            case "draw":
                drawn, shown = match.program.game.stacked[facts[1]], facts[1]
                self._drawn.append((len(self.heard), facts[0], shown))
                if isinstance(drawn, ItemDecl):
                    return {"kind": "drawn", "text": text}
                return {"kind": "drawn", "text": text, "piece": drawn.id}
            case "lay":
                x, y = xy_of(facts[1])
                piece = match.program.game.pieces[facts[0]].id
                seat = seat_name(match, match.active)
                return {
                    "kind": "laid", "text": text, "cell": [x, y], "piece": piece, "seat": seat,
                }  # fmt: skip
            case "home" | "move" | "attach" | "hand" | "beside" | "face":
                return self._figure(match, event, facts, text)
            case "give" | "spend":
                return {
                    "kind": "given" if event == "give" else "spent", "text": text,
                    "seat": seat_name(match, facts[1]),
                }  # fmt: skip
            case "exchange":
                others, before = counterparts(match, *facts), self._spots
                self._spots = {others.get(figure, figure): at for figure, at in before.items()}
                return {"kind": "given", "text": text, "seat": seat_name(match, facts[0])}
            case "cover" | "lift" | "rotate" | "swap" | "replace" | "hide" | "reveal" | "conceal":
                cell = [*xy_of(match.board.tile_cell[facts[0]])]
                return {"kind": "covered", "text": text, "cell": cell}
            case "join" | "part" | "recast":
                return self._changed(match, event, facts, text)
            case "award":
                return self._award(match, facts)
        return None

    def _changed(self, match: Match, event: str, facts: tuple[Any, ...], text: str) -> Happening:
        """A change of tiles that lie already."""
        segment = first_segment(match, facts[0]) if event == "recast" else facts[0]
        cell, _ = segment_place(match, segment, self.language)
        kind = _CHANGES[event]
        return {"kind": kind, "text": text, "cell": cell}

    def _figure(self, match: Match, event: str, facts: tuple[Any, ...], text: str) -> Happening:
        figure = facts[0]
        owner, before = match.owner[figure], self._spots.get(figure)
        found: Happening = {"kind": "moved", "text": text, "figure": figure_id(match, figure)}
        if owner is not None:
            found["seat"] = seat_name(match, owner)
        if before is not None:
            found["from_cell"], found["from_at"] = before
        if event == "home":
            found["kind"] = "home"
            self._spots.pop(figure, None)
            return found
        if event == "face":
            found["kind"] = "faced"
        cell = figure_cell(match, figure)
        if cell is not None:
            found["cell"] = cell
            path = [cell]
            last = self.heard[-1] if self.heard else None
            if last is not None and last.get("figure") == found["figure"] and "path" in last:
                path = [*last["path"], cell]
            elif before is not None:
                path = [before[0], cell]
            found["path"] = path
            self._spots[figure] = (cell, [0.5, 0.5])
        return found

    def _award(self, match: Match, facts: tuple[Any, ...]) -> Happening | None:
        award = award_of(match, facts, self.language)
        number = self._first + len(self.awards)
        self.awards.append(award)
        if not award.points:
            return None
        feature = facts[2]
        cells = [] if feature is None else feature_cells(match, feature)
        gain = gain_of(match, award, number, cells, self.language)
        self.gains.append(gain)
        found: Happening = {
            "kind": "award", "text": gain["text"], "seat": gain["seat"], "gain": gain,
        }  # fmt: skip
        if cells:
            found["cell"] = cells[-1]
        return found


def gain_items(award: Award, language: str) -> list[GainItem]:
    """The items of some points."""
    return [
        {"label": item.called(language), "points": item.points}
        for item in award.items
        if item.points
    ]


def gain_of(match: Match, award: Award, number: int, cells: list[list[int]], language: str) -> Gain:
    """Points that somebody gets, in words."""
    return {
        "award": number,
        "seat": seat_name(match, award.player),
        "points": award.points,
        "text": capital(gain_text(match, award, language)),
        "items": gain_items(award, language),
        "rule": award.rule,
        "cells": cells,
        "turn": award.turn,
    }
