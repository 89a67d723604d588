"""Options and events in words: the meaning of a notation line, in one language.

The notation is the same in every language; these words are shown beside it. Names of things come
from the declarations in the game, in English where a language has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tilewright.language.locale.words import Words
from tilewright.language.types import Type
from tilewright.play.board.board import cell_of, xy_of
from tilewright.play.board.relaying import seen_piece
from tilewright.play.encoding import IN_SUPPLY, is_mask
from tilewright.play.faults import RuleError
from tilewright.play.library.kept import all_kept
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.notation import option_parts, option_value, place_on_board, value_text
from tilewright.play.visibility import member_text
from tilewright.rules.linking.game import Game
from tilewright.rules.model.components import Completion
from tilewright.rules.model.geometry import HEADINGS, SIDES, STEPS
from tilewright.rules.model.ruleset import (
    NO_LABEL,
    FeatureKind,
    FigureKind,
    MemoryDecl,
    Role,
    StackDecl,
    SymbolDecl,
    TileFace,
    TokenDecl,
)
from tilewright.view.places import (
    bearing,
    called,
    cell_label,
    feature_label,
    figure_label,
    laid_label,
    part_label,
    placement_label,
    role_label,
    role_of,
    role_words,
    seat_label,
    segment_label,
    spot_label,
    stack_label,
    stacked_label,
    tile_label,
)
from tilewright.view.rule_sentences import id_words

# ------------------------------------------------------------------ things of a match


def kept_lines(match: Match, language: str) -> list[tuple[str, str]]:
    """The values that memory keeps for things, and the things: (`depth: 2`, ...); of a truth that
    holds, its label alone."""
    words, found = Words(language), list[tuple[str, str]]()
    for slot, memory in enumerate(match.program.game.memory):
        if not memory.of or memory.declaration.per != "game":
            continue
        label = memory_label(memory.declaration, language)
        for thing, value in all_kept(match, slot):
            kept = value_words(match, memory.type, value, words)
            line = label if value is True else f"{label}: {kept}"
            found.append((line, value_words(match, Type(memory.of), thing, words)))
    return found


def memory_label(declared: MemoryDecl, language: str) -> str:
    """The label of memory; the words of its id without one."""
    return declared.label.get(language) or id_words(declared.id)


def token_label(match: Match, token: int, language: str) -> str:
    """The label of a token."""
    declared = match.program.game.tokens[token]
    return declared.label.get(language) or declared.id


def event_words(match: Match, event: str, facts: Sequence[Any], language: str) -> str:
    """An event of a match in words, with the same facts as its listeners; "" for the others."""
    words = Words(language)
    match event:
        case "turn":
            name = seat_label(match, facts[0], language)
            return words("match.turn_of", number=match.turn, player=name)
        case "final":
            return words("match.the_end")
        case "over":
            return words("match.game_over")
        case "home" | "hand" | "move" | "attach" | "face" | "beside":
            return _figure_event(match, event, facts, words)
        case "draw member":
            is_seen = member_text(match, *facts) is not None
            drawn = value_words(match, facts[0], facts[1], words) if is_seen else ""
            return words("match.drawn", tile=drawn or words("match.face_down"))
        case "draw":
            return words("match.drawn", tile=stacked_label(match, facts[1], language))
        case "give" | "spend":
            return tokens_words(match, Tokens(event, *facts), language)
        case "exchange":
            one, other = (seat_label(match, player, language) for player in facts)
            return words("match.exchanged", one=one, other=other)
    return _tile_event(match, event, facts, words)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a kind that a player gives up or gets one after the other: the event (`give`,
    `spend`, or `keep` for one that comes back at once), the token, the player and their number.
    """

    event: str
    token: int
    player: int
    many: int = 1

    def and_then(self, after: Tokens) -> Tokens | None:
        """These and those that come after them as one event; None where they are two."""
        if (self.token, self.player) != (after.token, after.player):
            return None
        if self.event == after.event:
            return Tokens(self.event, self.token, self.player, self.many + after.many)
        is_back = (self.event, after.event) == ("spend", "give") and self.many == after.many == 1
        return Tokens("keep", self.token, self.player) if is_back else None


def tokens_words(match: Match, tokens: Tokens, language: str) -> str:
    """Tokens that somebody gives up, gets or keeps, in words."""
    words, declared = Words(language), match.program.game.tokens[tokens.token]
    names = {
        "player": seat_label(match, tokens.player, language),
        "token": token_label(match, tokens.token, language),
    }
    if tokens.many > 1:
        return words.plural(f"match.tokens.{tokens.event}", tokens.many, **names)
    event = tokens.event
    if declared.count > 1:
        names["token"] = words("match.one", thing=names["token"])
    elif event == "spend":
        event = "give_up"
    return words(f"match.token.{event}", **names)


def _figure_event(match: Match, event: str, facts: Sequence[Any], words: Words) -> str:
    language = words.language
    label = figure_label(match, facts[0], language)
    match event:
        case "home":
            return words("match.comes_home", figure=label)
        case "hand":
            player = seat_label(match, facts[1], language)
            return words("match.goes_to_player", figure=label, player=player)
        case "attach":
            other = role_label(match, facts[1], language)
            return words("match.joins", figure=label, other=other)
        case "face":
            side = words(f"place.side_{SIDES[facts[1]]}")
            return words("match.looks", figure=label, side=side)
        case "beside":
            stack = stack_label(match, facts[1], language)
            return words("match.stands_beside", figure=label, stack=stack)
    return words("match.goes_to", figure=label, place=spot_label(match, facts[0], language))


def _tile_event(match: Match, event: str, facts: Sequence[Any], words: Words) -> str:
    language = words.language
    match event:
        case "lay":
            name = seat_label(match, match.active, language)
            return f"{name}: {laid_label(match, match.board.tile_at[facts[1]], language)}"
        case "join" | "part":
            one, other = (segment_label(match, segment, language) for segment in sorted(facts))
            return words(f"match.{event}ed", one=one, other=other)
        case "recast":
            return recast_words(match, facts[0], facts[1], language)
        case "cover":
            label = match.program.game.symbols[facts[1]].label.get(language)
            return words("match.covered", cover=label, tile=tile_label(match, facts[0], language))
        case "lift" | "rotate" | "reveal" | "hide" | "conceal":
            key = {"lift": "lifted", "rotate": "rotated", "reveal": "revealed"}.get(event, event)
            return words(f"match.{key}", tile=_printed(match, facts[0], language))
        case "swap" | "replace":
            one, other = (_printed(match, tile, language) for tile in facts)
            key = "match.swapped" if event == "swap" else "match.replaced"
            return words(key, one=one, other=other)
    return ""


def recast_words(match: Match, feature: int, kind: int, language: str) -> str:
    """The kind that a feature became, in words."""
    label = match.program.game.features[kind].label.get(language)
    return Words(language)(
        "match.recast", place=feature_label(match, feature, language), kind=label
    )


def _printed(match: Match, tile: int, language: str) -> str:
    """A tile by what is printed on it, which stays while it is taken off or turned."""
    piece = seen_piece(match.board, tile)
    if piece is None:
        return Words(language)("match.face_down")
    return stacked_label(match, piece, language)


def part_lines(game: Game, face: TileFace, language: str, turn: int = 0) -> list[tuple[str, str]]:
    """The print of a tile: each segment's id, and its label with its marks."""
    kinds = {kind.id: kind for kind in game.features}
    symbols = {symbol.id: symbol.label for symbol in game.symbols}
    found = []
    for part in face.segments:
        if part.kind not in kinds:
            continue
        declared = {a.id: a.label for a in kinds[part.kind].attributes}
        marks = [
            called(declared.get(id_), id_, language) + (f" ×{count}" if count > 1 else "")
            for id_, count in part.attributes
            if count
        ]
        marks += [called(symbols.get(id_), id_, language) for id_ in part.symbols]
        label = part_label(game, face, part.id, language, turn)
        found.append((part.id, ", ".join([label, *marks])))
    found += [("", called(symbols.get(id_), id_, language)) for id_ in face.symbols]
    return found


def printed_words(game: Game, face: TileFace, language: str) -> str:
    """The print of a tile in a line; kinds that never end only where it has just these."""
    kinds, shown = {part.id: part.kind for part in face.segments}, dict[str, None]()
    endless = {kind.id for kind in game.features if kind.completes is Completion.NEVER}
    for part, line in part_lines(game, face, language):
        if kinds.get(part) not in endless:
            shown[line] = None
    return "; ".join(shown or (line for _, line in part_lines(game, face, language)))


def step_label(game: Game, step: str, language: str) -> str:
    """The label of a step."""
    found = next((s.declaration.label.get(language) for s in game.steps if s.id == step), "")
    return found or step


def fuller(step: str, act: str) -> str:
    """The label of a step instead of an act, if it begins with the act."""
    return step if f"{step} ".startswith(f"{act} ") else act


def question_label(match: Match, language: str) -> str:
    """The decision at hand in words: for actions and places of a tile its step, else its label."""
    step = step_label(match.program.game, match.step, language)
    site = match.program.sites[match.decision_site]
    if site.actions or site.type.base == "placement":
        return step
    return fuller(step, site_label(match, language))


# ------------------------------------------------------------------ options


@dataclass(frozen=True, slots=True)
class OptionWords:
    """An option in words: what is done, with what, and where or on whom."""

    act: str
    label: str = ""
    detail: str = ""

    @property
    def named(self) -> str:
        """With what, and where."""
        return ", ".join(word for word in (self.label, self.detail) if word)

    def __str__(self) -> str:
        return f"{self.act}: {self.named}" if self.named not in ("", self.act) else self.act


def option_words(match: Match, number: int, language: str) -> OptionWords:
    """One option of the decision at hand; a placement by its act, since its cell is its name."""
    if match.optional and number == match.count - 1:
        return OptionWords(Words(language)("match.pass"))
    value = option_value(match, number)
    values = match.program.sites[match.decision_site].parts(value)
    named = _named(match, values, language)
    ahead = cell_ahead(match, number)
    if ahead is not None:
        named = named[0], cell_label(match, ahead, language)
    return OptionWords(act_label(match, value, language), *named)


def cell_ahead(match: Match, number: int) -> int | None:
    """The cell that a figure on the board looks at after an option that is a direction alone.

    The figure is found by carrying the option out on a copy of the match.
    """
    parts = [] if match.optional and number == match.count - 1 else option_parts(match, number)
    if [type_.base for type_, _ in parts] != ["direction"] or parts[0][0].many:
        return None
    turned: list[int] = []

    def listen(trial: Match, event: str, facts: Sequence[Any]) -> None:
        if event == "face" and trial.spot[facts[0]] >= 0 and not turned:
            turned.append(trial.board.tile_cell[trial.spot[facts[0]] >> 5])

    trial = match.fork()
    trial.listeners = (listen,)
    with suppress(RuleError):
        trial.choose_number(number)
    if not turned:
        return None
    (x, y), (east, north) = xy_of(turned[0]), STEPS[parts[0][1]]
    return cell_of(x + east, y + north)


def choice_words(match: Match, number: int, language: str) -> str:
    """A choice in a sentence: what a placement does, a figure from the supply by its role and
    place, where a figure on the board goes or what it joins; anything else by its act.
    """
    return _told(match, number, option_words(match, number, language), language)[1]


def option_sentence(match: Match, number: int, language: str) -> str:
    """An option in the sentence of its choice, with the place of a figure that is joined, what
    lies ahead, or the side of a cell to go to, so that options differ.
    """
    option, words = option_words(match, number, language), Words(language)
    event, said = _told(match, number, option, language)
    if event == "move":
        parts = option_parts(match, number)
        sides = (_side(match, type_, value, words) for type_, value in parts)
        side = next(filter(None, sides), "")
        return f"{said} ({side})" if side else said
    return f"{said}, {option.detail}" if option.detail and event in ("attach", "face") else said


def _told(match: Match, number: int, option: OptionWords, language: str) -> tuple[str, str]:
    """The event that describes a choice, "" for none, and the sentence."""
    if match.optional and number == match.count - 1:
        return "", str(option)
    values = option_parts(match, number)
    named = {type_.base: value for type_, value in values if value is not None and not type_.many}
    if len(values) == 1 and "placement" in named:
        cell, layout = named["placement"]
        return "lay", placement_label(match, cell, layout, language)
    segment, words = named.get("segment"), Words(language)
    figures = [value for type_, value in values if type_.base == "figure" and not type_.many]
    are_new = all(figure is not None and match.spot[figure] == IN_SUPPLY for figure in figures)
    if segment is None or not figures or not are_new or len(figures) + 1 < len(values):
        return (option.named and _outcome(match, number, language)) or ("", str(option))
    who = [_as_role(match, figure, segment, words) for figure in figures]
    place = segment_label(match, segment, language)
    return "move", words("place.puts", figure=words.listed(who), place=place)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cells of the values of an option, and whether a direction is one of them."""

    cells: frozenset[int]
    has_direction: bool

    @classmethod
    def of(cls, match: Match, number: int) -> Chosen:
        """Those of an option; of a pass, nothing."""
        is_pass = match.optional and number == match.count - 1
        values = [] if is_pass else option_parts(match, number)
        single = [(t.base, value) for t, value in values if value is not None and not t.many]
        places = (place_on_board(match, base, value) for base, value in single)
        cells = frozenset(place[0] for place in places if place is not None)
        return cls(cells, any(base == "direction" for base, _ in single))

    def is_told_by(self, match: Match, event: str, facts: Sequence[Any]) -> bool:
        """Whether an event, the first after the choice, is what was chosen: a tile is laid, or a
        figure goes there or turns that way.
        """
        match event:
            case "lay":
                return True
            case "face":
                return self.has_direction
            case "move" | "attach":
                spot = match.spot[facts[0]]
                return spot >= 0 and match.board.tile_cell[spot >> 5] in self.cells
        return False


class _FirstEventError(Exception):
    """The first event of a trial was heard: no rule needs to go on."""


def _outcome(match: Match, number: int, language: str) -> tuple[str, str] | None:
    """The first event after a choice, and its sentence, if it is what was chosen; it is found by
    carrying the choice out on a copy of the match.
    """
    chosen, found = Chosen.of(match, number), list[tuple[str, str]]()
    if not chosen.cells and not chosen.has_direction:
        return None

    def listen(trial: Match, event: str, facts: Sequence[Any]) -> None:
        if event == "choice":
            return
        if chosen.is_told_by(trial, event, facts):
            found.append((event, event_words(trial, event, facts, language)))
        raise _FirstEventError

    trial = match.fork()
    trial.listeners = (listen,)
    with suppress(RuleError, _FirstEventError):
        trial.choose_number(number)
    return found[0] if found else None


def _as_role(match: Match, figure: int, segment: int, words: Words) -> str:
    """A figure by its role on a segment, and by its kind too where that is a rarer one."""
    role, *kind = _figure_named(match, figure, segment, words.language)
    if match.owner[figure] not in (None, match.to_move):
        return words("place.the", thing=role)
    return words("place.as", figure=kind[0], role=role) if kind else words("place.a", thing=role)


def _named(match: Match, values: Sequence[tuple[Type, Any]], language: str) -> tuple[str, str]:
    """The names in an option: the first, and the others with the place of a figure."""
    words, found = Words(language), list[str]()
    named = {type_.base: value for type_, value in values if value is not None and not type_.many}
    figure, segment = named.get("figure"), named.get("segment")
    for type_, value in values:
        if type_.base == "placement" and len(values) == 1:
            continue
        if type_.base == "figure" and value is not None and not type_.many:
            found += _figure_named(match, value, segment, language)
        else:
            label, side = value_words(match, type_, value, words), _side(match, type_, value, words)
            found.append(f"{side}, {label}" if side else label)
    if figure is not None and segment is None and match.spot[figure] != IN_SUPPLY:
        found.append(spot_label(match, figure, language))
    first, *others = found or [""]
    return first, ", ".join(others)


def _figure_named(match: Match, figure: int, segment: int | None, language: str) -> list[str]:
    """A figure by its role on a segment or where it is, and its kind where that is a rarer one."""
    role, reader = role_of(match, figure, segment), match.to_move
    kind = match.program.game.figures[match.figure_kind[figure]].id
    label = "" if role is None else role_words(match, figure, role, language)
    if role is None or not label:
        return [figure_label(match, figure, language, reader)]
    owner = match.owner[figure]
    if owner not in (None, reader):
        label = role_label(match, figure, language)
    is_rarer = role.figures[0] != kind
    if not is_rarer:
        return [label]
    return [label, figure_label(match, figure, language, -1 if owner is None else owner)]


def _side(match: Match, type_: Type, value: Any, words: Words) -> str:
    """The side at which a cell or tile is of the figure that all those to choose from touch."""
    is_place = type_.base in ("cell", "tile") and not type_.many and value is not None
    if not is_place or match.count > len(HEADINGS) + 1:
        return ""
    cells = match.board.tile_cell
    options = range(match.count - match.optional)
    offered = [place for n in options for place in _cells(match, n)]
    here = cells[value] if type_.base == "tile" else value
    for figure, spot in enumerate(match.spot):
        if spot >= 0 and match.owner[figure] is None:
            sides = [bearing(cells[spot >> 5], cell, words) for cell in offered]
            if all(sides):
                return bearing(cells[spot >> 5], here, words)
    return ""


def _cells(match: Match, number: int) -> Iterator[int]:
    for type_, value in option_parts(match, number):
        if type_.base in ("cell", "tile") and not type_.many and value is not None:
            yield match.board.tile_cell[value] if type_.base == "tile" else value


def act_label(match: Match, value: Any, language: str) -> str:
    """The label of the action of an option, or of the decision."""
    site = match.program.sites[match.decision_site]
    if not site.actions:
        return site_label(match, language)
    name: str = site.verb(value)
    return site.actions[value[0]].rule.head.label.get(language) or name


def site_label(match: Match, language: str) -> str:
    """The label of a decision that offers no actions."""
    site = match.program.sites[match.decision_site]
    label = match.program.game.labels.get(site.rule, NO_LABEL).get(language)
    return label or site.label or site.variable


def value_words(match: Match, type_: Type, value: Any, words: Words) -> str:
    """A value of the rules in words."""
    game, language = match.program.game, words.language
    if value is None:
        return words("match.nothing")
    if type_.many:
        members = bits(value) if is_mask(type_) else list(value)
        found = [value_words(match, type_.one, member, words) for member in members]
        return words.listed(found) if found else words("match.nothing")
    match type_.base:
        case "cell":
            return cell_label(match, value, language)
        case "placement":
            return cell_label(match, value[0], language)
        case "tile":
            return tile_label(match, value, language)
        case "player":
            return seat_label(match, value, language)
        case "direction":
            return words(f"place.side_{SIDES[value]}")
        case "segment":
            return segment_label(match, value, language)
        case "print":
            shapes, (_, shape, index) = match.board.shapes, value
            part, turn = shapes.segment_names[shape][index], shapes.turn_of[shape]
            return part_label(game, shapes.face_of[shape], part, language, turn)
        case "figure":
            return role_label(match, value, language, match.to_move)
        case "feature":
            return feature_label(match, value, language)
        case "truth":
            return words("match.true" if value else "match.false")
        case "item":
            return stacked_label(match, value, language)
        case "piece":
            cover = game.stacked[value].cover if value < len(game.pieces) else None
            if cover is not None:
                symbol = next(each for each in game.symbols if each.id == cover.symbol)
                sides = (
                    words(f"place.side_{SIDES[side]}") for side in (cover.side, cover.side + 2)
                )
                return ", ".join([symbol.label.get(language), *sides])
            return stacked_label(match, value, language)
    declared = _declared(game, type_.base)
    if declared:
        return called(declared[value].label, declared[value].id, language)
    return value_text(match, type_, value, match.to_move, match.piece)


def _declared(
    game: Game, base: str
) -> Sequence[FeatureKind | FigureKind | Role | StackDecl | SymbolDecl | TokenDecl]:
    """The declarations behind the values of a type, where they have labels."""
    match base:
        case "stack" | "item stack":
            return game.stacks
        case "feature kind":
            return game.features
        case "figure kind":
            return game.figures
        case "role":
            return game.roles
        case "symbol":
            return game.symbols
        case "token":
            return game.tokens
    return ()
