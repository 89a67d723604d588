"""Explanations of illegal choices: the rules that forbid something, with their grounds.

A text that is not an option is matched against everything on the table, not only against the
options: every figure, segment, cell, direction and placement that fits it. For each meaning, the
conditions of the rule are evaluated one by one, and the false ones are named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import did_you_mean, quoted
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.board.board import cell_of, xy_of
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.library.functions import segments
from tilewright.play.library.sets import mask_of
from tilewright.play.match import Match
from tilewright.play.notation import (
    OTHER_FACE,
    PASS,
    option_texts,
    read_segment,
    seat_name,
    value_text,
)
from tilewright.play.sites import Site
from tilewright.rules.linking.game import LinkedAction, LinkedStep
from tilewright.rules.model.geometry import SIDES, STEPS, read_cell
from tilewright.rules.model.ruleset import NO_LABEL
from tilewright.tools.explanation.conditions import Finding, is_member, unmet, unoffered
from tilewright.tools.explanation.rule_parts import Context
from tilewright.tools.explanation.score_log import Cited, grounds
from tilewright.view.match_phrases import step_label, value_words
from tilewright.view.places import cell_label, figure_label, seat_label

#: a reading of a text that is not worth more than this many tries
MAX_MEANINGS = 64
#: by type: what a game declares of it, in the order of their numbers
_DECLARED = {
    "piece": "pieces", "item": "stacked", "stack": "stacks", "item stack": "stacks",
    "token": "tokens", "action": "actions", "feature kind": "features", "figure kind": "figures",
    "role": "roles", "trait": "traits", "symbol": "symbols",
}  # fmt: skip
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,11}")


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why an option is not offered: the rule that forbids it ("" for none), in a
    sentence, and for authors the part of it that fails. `is_misread` is True where the text is not
    an option at all, `is_idle` where it is not one of this decision: nothing refuses it then.
    """

    rule: str
    sentence: str
    statements: tuple[Cited, ...]
    is_misread: bool = False
    is_idle: bool = False
    condition: str = ""

    @property
    def cites(self) -> tuple[Cited, ...]:
        """The statements; one that is the sentence has its source alone."""
        return tuple(
            replace(each, says="") if each.says == self.sentence else each
            for each in self.statements
        )

    @property
    def for_authors(self) -> str:
        """The part of the rule that fails, as it is written; else the sentence."""
        return self.condition or self.sentence

    def text(self) -> str:
        """The reason in one line, for authors."""
        return f"{self.for_authors} ({self.rule})" if self.rule else self.for_authors


def why_not(match: Match, text: str, language: str = "en") -> list[Reason]:
    """The reasons why an option is not offered now; empty when it is. Things have their labels in
    the language; options and conditions keep their notation.
    """
    wanted = " ".join(text.split())
    offered = option_texts(match)
    if wanted in offered:
        return []
    if match.to_move < 0:
        id_ = "match.game_over" if match.is_over else "why_not.no_decision"
        return [Reason("", Words(language)(id_), (), is_idle=True)]
    found = _here(match, wanted, language)
    for player in match.players if not found else ():
        name = seat_name(match, player)
        if wanted.startswith((f"{name}: ", f"{name} ")):
            rest = wanted.removeprefix(name).removeprefix(":").strip()
            if player == match.to_move:
                return why_not(match, rest, language)
            chooser, other = (seat_label(match, p, language) for p in (match.to_move, player))
            sentence = Words(language)("match.to_choose", player=chooser, other=other)
            found = [Finding("", sentence, is_idle=True)]
            break
    found = found or _elsewhere(match, wanted, Words(language))
    if not found:
        near = did_you_mean(wanted, offered, language)
        sentence = Words(language)("why_not.not_here", option=quoted(wanted))
        found = [Finding("", sentence + near, is_misread=True)]
    return _reasons(match, found, language)


def _reasons(match: Match, found: Sequence[Finding], language: str) -> list[Reason]:
    """Findings as reasons, each once."""
    reasons: list[Reason] = []
    for each in dict.fromkeys(found):
        statements: tuple[Cited, ...] = ()
        if each.rule and each.is_cited:
            statements = grounds(match.program.game, each.rule, (), language).statements
        is_idle = each.is_misread or each.is_idle
        reasons.append(
            Reason(each.rule, each.sentence, statements, each.is_misread, is_idle, each.condition)
        )
    return reasons


def _here(match: Match, wanted: str, language: str) -> list[Finding]:
    """The meanings of the text at this decision, and the reasons against each."""
    site = match.program.sites[match.decision_site]
    if wanted == PASS:
        sentence = Words(language)("match.must_choose")
        return [Finding(rule, sentence) for rule in _forbids_passing(match, site)]
    found: list[Finding] = []
    if isinstance(site.effect, t.Offer):
        for action in _named(site.actions, wanted):
            found += _barred_action(match, action, wanted, match.to_move, language)
        return found
    label = f"{site.label or site.variable} "
    if wanted.startswith(label):
        words = Words(language)
        context = Context(match, site.rule, _locals(match), words)
        rest = wanted.removeprefix(label)
        if site.type.base == "placement":
            return _barred_placement(match, site, rest, context, language)
        values = list(_values(match, site.type, rest, -1))
        for value in values:
            asked = replace(context, about=value_words(match, site.type.one, value, words))
            found += unoffered(asked, t.children(site.effect)[0], value)
        if not values:
            what = _thing(words, site.type)
            sentence = words("why_not.none_called", what=what, name=quoted(rest))
            found += [Finding("", sentence, is_misread=True)]
    return found


def _forbids_passing(match: Match, site: Site) -> list[str]:
    """The rules that make a choice compulsory; for actions, those offered."""
    amendments = match.program.game.definitions["may_decline"].amendments
    if isinstance(site.effect, t.Offer):
        calls = [(amendment.rule.head.id, (match, match.to_move)) for amendment in amendments]
        return [id_ for id_, given in calls if not match.program.amendments[id_](*given)]
    return [site.rule]


def _locals(match: Match) -> dict[str, Any]:
    """The names that are known at the decision, with their values."""
    names = match.program.names_at.get(match.decision_site, ())
    frame = match.frames[-1] if match.frames else []
    return dict(zip(names, frame[2:], strict=False))


# ------------------------------------------------------------------ actions


def _named(actions: Sequence[LinkedAction], wanted: str) -> list[LinkedAction]:
    return [a for a in actions if wanted == a.rule.name or wanted.startswith(f"{a.rule.name} ")]


def _barred_action(
    match: Match, action: LinkedAction, wanted: str, reader: int, language: str
) -> list[Finding]:
    """Why an action is not offered in any of the ways in which the text can be read."""
    rest = wanted.removeprefix(action.rule.name).strip()
    readings = list(_meanings(match, action, rest, reader))
    if not readings:
        return [_unread(match, action, rest, Words(language))]
    best: list[Finding] | None = None
    for values in readings:
        found = list(_barred(match, action, values, language))
        # of several readings the one that is nearest to what is allowed
        if best is None or 0 < len(found) < len(best):
            best = found
    return best or []


def _label(action: LinkedAction, language: str) -> str:
    return action.rule.head.label.get(language) or action.rule.name


def _thing(words: Words, type_: Type) -> str:
    """The name of a type in words."""
    key = f"rule.thing.{type_.base}"
    return words(key) if key in words else type_.base


def _unread(match: Match, action: LinkedAction, rest: str, words: Words) -> Finding:
    """The error in a text that has no known part."""
    name, is_misread = _label(action, words.language), True
    types = [_thing(words, source.type.one) for _, source in action.offer]
    printed = next((word for word in rest.split() if _is_printed(match, word)), None)
    if not rest:
        sentence = words("why_not.needs_names", action=name, names=words.listed(types))
    elif not types:
        sentence = words("why_not.takes_nothing", action=name, found=quoted(rest))
    elif printed is not None:
        sentence, is_misread = words("why_not.not_in_game", segment=quoted(printed)), False
    else:
        sentence = words("why_not.none_called", what=words.listed(types), name=quoted(rest))
    return Finding(action.id, sentence, is_cited=False, is_misread=is_misread)


def _is_printed(match: Match, text: str) -> bool:
    """Whether a text names a segment that a tile on the table shows and the game does not use."""
    cell, _, name = text.partition("/")
    place = read_cell(cell)
    tile = None if place is None else match.board.tile_at.get(cell_of(*place))
    if tile is None or read_segment(match, text) is not None:
        return False
    face = match.board.shapes.face_of[match.board.tile_shape[tile]]
    return any(segment.id == name for segment in face.segments)


def _meanings(
    match: Match, action: LinkedAction, rest: str, reader: int
) -> Iterator[tuple[Any, ...]]:
    """The values that a text can mean, one for each variable of an action."""
    types = [source.type.one for _, source in action.offer]
    yield from islice(_split(match, types, rest, reader), MAX_MEANINGS)


def _split(
    match: Match, types: Sequence[Type], rest: str, reader: int
) -> Iterator[tuple[Any, ...]]:
    if not types:
        if not rest:
            yield ()
        return
    words = rest.split(" ")
    for length in range(len(words), 0, -1):
        head, tail = " ".join(words[:length]), " ".join(words[length:])
        for value in _values(match, types[0], head, reader):
            for more in _split(match, types[1:], tail, reader):
                yield (value, *more)


def _barred(
    match: Match, action: LinkedAction, values: tuple[Any, ...], language: str
) -> Iterator[Finding]:
    """The reasons against an action with these values."""
    given = dict(zip((name for name, _ in action.offer), values, strict=True))
    known: dict[str, Any] = {}
    words, named_so = Words(language), list[str]()
    if action.when is not None:
        yield from unmet(Context(match, action.id, {}, words), action.when)
    span = action.rule.head.span
    who = t.Local("who", Type("player"), span)
    named = t.Constant("action", action.rule.name, Type("action"), span)
    is_offered = t.DefinitionCall(p.MAY_OFFER, (who, named), TRUTH, span)
    yield from unmet(Context(match, action.id, {"who": match.to_move}, words), is_offered)
    for name, source in action.offer:
        about = value_words(match, source.type.one, given[name], words)
        named_so.append(about)
        context = Context(match, action.id, dict(known), words, about)
        if not is_member(context, source, given[name]):
            supply = _not_at_hand(match, source, given[name], language)
            if supply:
                yield Finding(action.id, supply)
            else:
                yield from unoffered(context, source, given[name])
        known[name] = given[name]
    if action.where is not None:
        about = words("list.comma").join(named_so)
        yield from unmet(Context(match, action.id, known, words, about), action.where)


def _not_at_hand(match: Match, source: t.Expression, figure: Any, language: str) -> str:
    """The sentence for a supply without a figure of the kind."""
    match source:
        case t.Attribute(_, p.PLAYER_READY | p.PLAYER_SUPPLY):
            pass
        case _:
            return ""
    owner = match.owner[figure]
    if owner is None or owner != match.to_move:
        return ""
    alike = match.of_kind[match.figure_kind[figure]] & match.of_player[owner]
    if match.in_supply & alike:
        return ""
    label = figure_label(match, figure, language, owner)
    return Words(language)(
        "match.none_left", player=seat_label(match, owner, language), figure=label
    )


# -------------------------------------------------------------------- meanings of a text


def _values(match: Match, type_: Type, text: str, reader: int) -> Iterator[Any]:
    """Everything of a type on the table that reads so, what is offered or not."""
    if type_.base == "number" and _NUMBER.fullmatch(text):
        yield int(text)
        return
    known = _all(match, type_)
    found = [v for v in known if value_text(match, type_, v, reader, match.piece) == text]
    if not found and type_.base == "figure":
        # the same kind of figure, wherever it is: none may be left at home
        figures, kind = match.program.game.figures, match.figure_kind
        alike = [f for f in known if text in (match.figure_name(f), figures[kind[f]].id)]
        mine = [f for f in alike if match.owner[f] in (None, reader)]
        found = mine[:1] or alike[:1]
    yield from found


def _all(match: Match, type_: Type) -> Sequence[Any]:
    board, game = match.board, match.program.game
    match type_.base:
        case "figure":
            # figures in supply read the same: the lowest number first, as in the options
            return sorted(range(len(match.spot)), key=lambda f: (match.spot[f] != IN_SUPPLY, f))
        case "segment":
            return segments(match, mask_of(board.lying()))
        case "cell":
            return [*(board.tile_cell[tile] for tile in board.lying()), *board.cells]
        case "tile":
            return [*board.lying()]
        case "player":
            return match.players
        case "direction" | "heading" as base:
            return range(4 if base == "direction" else 8)
        case "feature":
            return board.feature_roots()
        case "truth":
            return (False, True)
        case base if base in _DECLARED:
            return range(len(getattr(game, _DECLARED[base])))
    return ()


# ------------------------------------------------------------------ placements


def _barred_placement(
    match: Match, site: Site, text: str, context: Context, language: str
) -> list[Finding]:
    """The reasons why a piece may not be laid so."""
    words = text.split(" ", 2)
    place = read_cell(words[0])
    if place is None or len(words) < 2 or words[1] not in SIDES:
        return [Finding("", context.words("why_not.no_cell", found=quoted(text)), is_misread=True)]
    face = int(words[2:] == [OTHER_FACE])
    if max(map(abs, place)) >= 500 or (words[2:] and not face):
        return [Finding("", context.words("why_not.outside"))]
    piece = match.piece
    shapes = match.board.shapes
    spelled = shapes.layout_of(piece, face, words[1])
    if spelled is None:
        return [Finding("", context.words("why_not.no_other_face"))]
    layout, right, up = spelled
    at = (cell_of(place[0] + right, place[1] + up), layout)
    if is_member(context, t.children(site.effect)[0], at):
        side = context.words(f"place.side_{shapes.spelled(piece, layout)[1]}")
        return [Finding("", context.words("why_not.means_same", side=side))]
    wrong = list(misfits(match, piece, at, language))
    if wrong:
        return [Finding(site.rule, sentence) for sentence in wrong]
    asked = replace(context, about=cell_label(match, at[0], language))
    return list(unoffered(asked, t.children(site.effect)[0], at))


def misfits(match: Match, piece: int, at: tuple[int, int], language: str) -> Iterator[str]:
    """The obstacles on the table to a placement."""
    board = match.board
    shapes, words = board.shapes, Words(language)
    labels = {kind.id: kind.label.get(language) for kind in match.program.game.features}
    called: Callable[[str], str] = lambda kind: labels.get(kind) or kind  # noqa: E731
    cell, layout = at
    footprint = shapes.footprints[piece][layout]
    filled = [cell + step for step, _ in footprint if cell + step in board.tile_at]
    for here in filled:
        yield words("match.tile_there", tile=cell_label(match, here, language))
    if filled:
        return
    if not any(cell + step in board.frontier_index for step, _ in footprint):
        yield words("match.touches_none")
        return
    for part, (step, shape) in enumerate(footprint, 1):
        here = cell + step
        if here not in board.frontier_index:
            continue
        demand, own = board.demand[board.frontier_index[here]], shapes.pattern[shape]
        if shapes.enclosed[shape] and not all(shapes.digits(demand)):
            yield words("match.not_enclosed")
        where = "" if len(footprint) == 1 else words("match.edge_of", part=part)
        pairs = zip(shapes.digits(demand), shapes.digits(own), strict=True)
        for side, (demanded, shown) in enumerate(pairs):
            if demanded and demanded - 1 not in shapes.fits[shown - 1]:
                mine, theirs = (called(shapes.edge_names[n - 1]) for n in (shown, demanded))
                x, y = xy_of(here)
                near = cell_of(x + STEPS[side][0], y + STEPS[side][1])
                yield words(
                    "match.edge_shows",
                    side=words(f"match.side.{SIDES[side]}"),
                    where=where,
                    mine=mine,
                    neighbour=cell_label(match, near, language),
                    theirs=theirs,
                )


# ----------------------------------------------------------------------------- other steps


def _elsewhere(match: Match, wanted: str, words: Words) -> list[Finding]:
    """The meanings of the text at other steps of the game."""
    game = match.program.game
    found: list[Finding] = []
    for step in game.steps:
        for action in _named(step.actions, wanted):
            named = {
                "action": _label(action, words.language),
                "step": step_label(game, step.id, words.language),
                "here": step_label(game, match.step, words.language),
            }
            sentence = words("why_not.other_step", **named)
            barred = list(_guards(match, step, words))
            found += barred or [Finding(action.id, sentence, is_cited=False, is_idle=True)]
    if found:
        return found
    for site in match.program.sites:
        if not isinstance(site.effect, t.Choose):
            continue
        label = site.label or site.variable
        if f"{wanted} ".startswith(f"{label} "):
            called = game.labels.get(site.rule, NO_LABEL).get(words.language) or label
            sentence = words("why_not.other_rule", choice=called)
            found.append(Finding(site.rule, sentence, is_cited=False, is_idle=True))
    return found


def _guards(match: Match, step: LinkedStep, words: Words) -> Iterator[Finding]:
    """Conditions before a step's offer that do not hold as things are."""
    for rule in step.rules:
        if not _offers(rule.effects):
            continue
        context = Context(match, rule.id, {}, words)
        if rule.when is not None:
            yield from unmet(context, rule.when)
        for test, wanted in _tests_before(rule.effects):
            yield from unmet(context, test, wanted)


def _tests_before(body: t.Body) -> Iterator[tuple[t.Expression, bool]]:
    """The conditions on the way to an offer, each with the answer that leads there."""
    for effect in body:
        if isinstance(effect, t.If):
            for block, wanted in ((effect.then, True), (effect.otherwise, False)):
                if _offers(block):
                    yield effect.test, wanted
                    yield from _tests_before(block)


def _offers(body: t.Body) -> bool:
    return any(isinstance(effect, t.Offer) for effect in t.walk_effects(body))
