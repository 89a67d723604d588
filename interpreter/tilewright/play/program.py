"""A compiled game: the data that all its matches share, without the state of any match.

`compiling` makes one program for a game. With probes, its functions also record the rules that ran
and the result of each condition, and notify listeners of the events in `measured`. Coverage and
statistics use probes; other programs do not pay for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import CodeType
from typing import Any, Protocol, TypeVar, cast

from tilewright.language.source.text import Span
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.board.tile_tables import Shapes
from tilewright.play.code import LINES_OF_A_FILE
from tilewright.play.sites import Condition, Held, Site, Unit
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import codes_of

Made = TypeVar("Made")

#: prefix of the names under which listeners hear of events of the rules
ANNOUNCE = "announce "


#: the compiled function that tests whether a rule restricts the placement of a piece at the moment
MAY_RESTRICT = "may_restrict"


@dataclass(frozen=True, slots=True)
class FinalRule:
    """A rule of the final scoring, as functions of a match.

    `each` scores one feature and `facts` returns all facts that these points depend on; `whole`
    carries out a rule that does not score feature by feature.
    """

    each: Callable[[Any, int], None] | None = None
    facts: Callable[[Any, int], tuple[Any, ...]] | None = None
    whole: Callable[[Any], None] | None = None
    #: whether `each` reads the figures on features that this one borders
    figures_beside: bool = False
    #: whether `each` reads where figures without an owner are
    reads_free: bool = False


class ImageStore(Protocol):
    """Keeps the image of one game for the native core from one process to the next."""

    def get(self) -> bytes | None:
        """The kept bytes, or None."""

    def put(self, data: bytes) -> None:
        """Keep these bytes."""


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """The data shared by all matches of a game. Everything that the game declares has a number."""

    game: Game
    shapes: Shapes
    #: by number: the kind of feature and the id of an attribute printed on it
    attributes: tuple[tuple[str, str], ...]
    piece_number: Mapping[str, int]
    stack_number: Mapping[str, int]
    #: the first of the stacks that players have under one name, by that name
    owned_stacks: Mapping[str, int]
    figure_number: Mapping[str, int]
    memory_number: Mapping[str, int]
    #: by figure kind: whether its figures occupy a feature; empty when all do, None when the
    #: definition `occupies` is evaluated for each figure
    occupying: tuple[bool, ...] | None
    #: by stack: whether it is drawn in order, without chance
    in_order: tuple[bool, ...]
    #: the start of each stream: those of the stacks, then one for each type in `drawn_types`
    stream_names: tuple[int, ...]
    #: the types of the sets that rules draw members of
    drawn_types: tuple[Type, ...]
    memory_start: tuple[object, ...]
    #: by slot: what a memory with a value for each thing has of one without a value of its own
    kept_start: tuple[object, ...]
    #: by figure kind and feature kind: whether there is a role; by role: figure kinds, feature kind
    roles: tuple[tuple[bool, ...], ...]
    role_of: tuple[tuple[frozenset[int], int], ...]
    units: Sequence[Unit]
    sites: Sequence[Site]
    #: by site: the names whose values the frame holds from index 2 on
    names_at: Mapping[int, tuple[str, ...]]
    #: by unit and block where it continues: the content of its frame from index 2 on
    kept: Mapping[tuple[int, int], tuple[Held | None, ...]]
    #: by unit and block: the step there
    steps_at: Mapping[tuple[int, int], str]
    #: files whose rule text was inlined in functions of other files
    files: Sequence[str]
    definitions: Mapping[str, Callable[..., Any]]
    amendments: Mapping[str, Callable[..., Any]]
    option_listers: Mapping[str, Callable[..., None]]
    #: the definition `may_lay`, if any rule amends it
    may_lay: Callable[[Any, int, tuple[int, int]], bool] | None
    #: by piece: whether a rule restricts its placement; if not, its edges decide, unless
    #: `may_restrict` holds: a rule does so at the moment
    constrained: tuple[bool, ...]
    may_restrict: Callable[[Any, int], bool] | None
    #: the rules of the final scoring, for `final_score`
    ending: tuple[FinalRule, ...]
    #: the names that compiled functions use
    scope: dict[str, Any]
    function_of: Callable[[t.Expression, Sequence[str]], Callable[..., Any]]
    probes: bool
    conditions: Sequence[Condition]
    condition_hits: list[int]  # by condition: 1 held, 2 failed
    reached: dict[str, int]  # rules, how often
    #: the events that listeners are notified of, because a measure uses them
    measured: frozenset[str]
    #: the functions in the intermediate form (`compiling/form.py`), by name; None where the program
    #: was kept from an earlier process
    forms: Mapping[str, Any] | None
    made: dict[Callable[[Program], Any], Any]
    #: where the image of the game for the native core is kept, if anywhere
    images: ImageStore | None

    def place_of(self, code: CodeType, instruction: int) -> Span | None:
        """The span of the rule text from which an instruction of compiled code was made.

        `instruction` is its offset in bytes, as in tracebacks.
        """
        line, end_line, column, end_column = next(
            islice(code.co_positions(), instruction // 2, None), (None, None, None, None)
        )
        if line is None:
            return None
        number, line = divmod(line, LINES_OF_A_FILE)
        file = self.files[number - 1] if number else code.co_filename
        if end_line is None or column is None or end_column is None:
            return Span(file, line, 1, line, 1)
        return Span(file, line, column + 1, end_line % LINES_OF_A_FILE, end_column + 1)

    def rule_at(self, span: Span) -> str:
        """The id of the rule or definition whose text contains a place; "" when there is none."""
        on_line = ""
        for stretch, id_ in self.cached(_stretches).get(span.file, ()):
            if stretch.line <= span.line <= stretch.end_line:
                if (stretch.line, stretch.column) <= (span.line, span.column):
                    return id_
                on_line = on_line or id_
        return on_line

    def cached(self, make: Callable[[Program], Made]) -> Made:
        """The result of `make` for this program, computed at the first call and cached."""
        if make not in self.made:
            self.made[make] = make(self)
        return cast(Made, self.made[make])

    def drawn_type(self, stream: int) -> Type:
        """The type of the members that a stream behind those of the stacks draws."""
        return self.drawn_types[stream - len(self.in_order)]

    def kind_number(self, id_: str) -> int:
        """The number of a kind of feature."""
        return self.shapes.kind_ids.index(id_)

    def evaluator(self, term: t.Expression, parameters: Sequence[str] = ()) -> Callable[..., Any]:
        """Compile a term to a function of a match and of the given local names."""
        return self.function_of(term, parameters)

    def step_of(self, frames: Sequence[Sequence[Any]]) -> str:
        """The id of the current step of a match with these frames."""
        if not frames:
            return ""
        return self.steps_at.get((frames[0][0], frames[0][1]), "")


def _stretches(program: Program) -> dict[str, list[tuple[Span, str]]]:
    """By file, the line ranges of rules and definitions, the shortest first."""
    found: dict[str, list[tuple[Span, str]]] = {}
    codes = [(r.rule.head.id, code) for r in program.game.rules() for code in codes_of(r.rule)]
    for definition in program.game.definitions.values():
        otherwise = definition.declaration.default
        codes += [(definition.id, otherwise)] if otherwise is not None else []
    for id_, code in codes:
        found.setdefault(code.file, []).append((code.whole, id_))
    for ranges in found.values():
        ranges.sort(key=lambda pair: pair[0].end_line - pair[0].line)
    return found
