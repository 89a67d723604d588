"""A match with everything that was tried in it: a tree of choices, each with its position.

Choices are deterministic: the same option at the same node leads to the same child, since draws
follow the seed. Taking back moves to an earlier node and forgets nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tilewright.faces.studio.protocol.table import Gain, Happening, SeatKind
from tilewright.faces.studio.table.happenings import Listener
from tilewright.faces.studio.table.match_view import Stands, figure_stands
from tilewright.language.locale.words import Words
from tilewright.play.bots.named import bot_problem
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import PrescribedDraw
from tilewright.play.notation import numbered_option_text, seat_name
from tilewright.play.replay import Script, script_of
from tilewright.play.visibility import FaceDown
from tilewright.tools.explanation.score_log import Award
from tilewright.view.match_phrases import Chosen, choice_words
from tilewright.view.places import seat_label

#: nodes of one match; a match with more is not played by people
MAX_NODES = 20_000
#: letters of a name on pages
MAX_NAME = 60


@dataclass(slots=True)
class Sitting:
    """The player at a seat. Match files have the whole name, pages a short one."""

    kind: SeatKind
    name: str = ""
    bot: str = "greedy"

    @property
    def is_person(self) -> bool:
        """Whether a person decides."""
        return self.kind == "person"

    @property
    def short_name(self) -> str:
        """The name for pages: a long one is cut and ends in an ellipsis."""
        is_short = len(self.name) <= MAX_NAME
        return self.name if is_short else f"{self.name[: MAX_NAME - 1].rstrip()}…"

    @property
    def word(self) -> str:
        """The kind of player as `play --players` names it."""
        return "human" if self.is_person else self.bot

    @classmethod
    def of_word(cls, word: str) -> Sitting:
        """The player that a word of `play --players` names; another bot for an impossible one."""
        if word in ("human", ""):
            return cls("person")
        return cls("bot", "", "greedy" if bot_problem(word) else word)


@dataclass(slots=True)
class Node:
    """A choice and what followed from it. The first node is the start, with no choice."""

    id: int
    parent: int
    choice: int  # the number of the option
    notation: str
    label: str
    player: int
    turn: int  # of the decision
    step: str
    position: Match  # after the choice; it is never changed, only copied
    heard: list[Happening]
    awards: list[Award]
    gains: list[Gain]
    steps: list[str]
    lines: list[str]  # of the log of the match: the choice, and the draws that followed
    first_award: int  # how many awards there were before
    stands: Stands | None = None  # computed when it is first asked for
    winners: list[int] = field(default_factory=list)
    is_told: bool = False  # the first thing that was heard is what was chosen
    children: list[int] = field(default_factory=list)
    mark: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Choosing:
    """A node at which a choice is made, without the tree that it belongs to."""

    node: int
    position: Match
    stands: Stands
    first_award: int  # the number of the first that comes
    language: str

    def taken(self, number: int, draws: list[PrescribedDraw] | None = None) -> Node:
        """The node after an option, for a tree to add. A rule that cannot be carried out leaves a
        node whose position has failed.
        """
        match = self.position.fork()
        listener = Listener(self.language, self.first_award)
        listener.attend(match, self.stands, Chosen.of(match, number))
        script = Script()
        match.listeners = (script, *match.listeners)
        match.forced_draws = draws or match.forced_draws
        notation = numbered_option_text(match, number)
        label = choice_words(match, number, self.language)
        player, turn, step = match.to_move, match.turn, match.step
        unseen = FaceDown(match, number)
        with suppress(RuleError):  # the position has the reason
            match.choose_number(number)
        match.listeners = ()
        stays_unseen, came = unseen.compare(match)
        listener.leave_out(came)
        if stays_unseen:
            notation = label = Words(self.language)("match.face_down")
        return Node(
            -1, self.node, number, notation, label, player, turn, step, match, listener.heard,
            listener.awards, listener.gains, listener.steps, script.lines, self.first_award,
            figure_stands(match), winners_of(match), is_told=listener.is_told,
        )  # fmt: skip


def winners_of(match: Match) -> list[int]:
    """The winners of a match that is over."""
    with suppress(RuleError):  # a rule of theirs cannot be carried out
        return match.fork().winners() if match.is_over else []
    return []


class MatchTree:
    """The nodes of a match, the current one, and who sits where."""

    def __init__(self, name: str, start: Match, seats: Sequence[Sitting], language: str) -> None:
        """`start` is a match at its first decision."""
        self.name = name
        self.seats = list(seats)
        self.language = language
        self.is_kept = True  # from one run to the next
        listener = Listener(language)
        first = Node(
            0, -1, -1, "", "", -1, start.turn, start.step, start, listener.heard, [], [], [],
            script_of(start), 0, winners=winners_of(start),
        )  # fmt: skip
        self.nodes = [first]
        self.at = 0
        self._tips: dict[int, int] = {}  # by node: the child that was visited last

    @property
    def here(self) -> Node:
        """The current node."""
        return self.nodes[self.at]

    @property
    def match(self) -> Match:
        """The current position, to be read only."""
        return self.here.position

    def choose(self, number: int, draws: list[PrescribedDraw] | None = None) -> Node:
        """Take an option of the current node; a child that took it before is taken again.

        `draws` are those of a log, where the seed does not give them.
        """
        child = self.child(number)
        return (
            self.go_to(child) if child is not None else self.add(self.begin().taken(number, draws))
        )

    def child(self, number: int) -> int | None:
        """The child of the current node that took an option."""
        children = self.here.children
        return next((child for child in children if self.nodes[child].choice == number), None)

    def begin(self) -> Choosing:
        """The beginning of a new choice at the current node."""
        node = self.here
        first = node.first_award + len(node.awards)
        return Choosing(node.id, node.position, self.stands(), first, self.language)

    def add(self, made: Node) -> Node:
        """Add a choice that was made at one of the nodes, and go there."""
        made.id = len(self.nodes)
        self.nodes.append(made)
        self.nodes[made.parent].children.append(made.id)
        return self.go_to(made.id)

    def go_to(self, node: int) -> Node:
        """Make a node the current one. Raises IndexError for an unknown one."""
        if not 0 <= node < len(self.nodes):
            raise IndexError(node)
        self.at = node
        below, above = node, self.nodes[node].parent
        while above >= 0:
            self._tips[above] = below
            below, above = above, self.nodes[above].parent
        return self.here

    def path(self, node: int | None = None) -> list[Node]:
        """The nodes from the start to a node, or to the current one."""
        found = []
        number = self.at if node is None else node
        while number >= 0:
            found.append(self.nodes[number])
            number = self.nodes[number].parent
        return found[::-1]

    def line(self) -> list[int]:
        """The path through the current node to a tip: onwards by the children visited last."""
        found = [node.id for node in self.path()]
        while (child := self.onward(found[-1])) is not None:
            found.append(child)
        return found

    def onward(self, node: int) -> int | None:
        """The child of a node that was visited last."""
        children = self.nodes[node].children
        last = self._tips.get(node)
        return last if last in children else children[-1] if children else None

    def earlier(self) -> int | None:
        """The latest node before the current one at which a person decides: undo goes there."""
        for node in reversed(self.path()[:-1]):
            if self._is_own(node):
                return node.id
        return None

    def later(self) -> int | None:
        """The next node of the line at which a person decides, or its tip: redo goes there."""
        line = self.line()
        after = line[line.index(self.at) + 1 :]
        own = (n for n in after if self._is_own(self.nodes[n]))
        return next(own, after[-1] if after else None)

    def _is_own(self, node: Node) -> bool:
        """Whether a person decides at a node."""
        player = node.position.to_move
        everyone = not any(seat.is_person for seat in self.seats)
        return player < 0 or everyone or self.seats[player].is_person

    def since_own_choice(self) -> list[Node]:
        """The nodes that came since the reader's last own choice, that one included; those of the
        last two turns where nobody has choices of his own.
        """
        found: list[Node] = []
        is_watched = not any(seat.is_person for seat in self.seats)
        for node in reversed(self.path()):
            if node.parent < 0 or (is_watched and node.turn < self.match.turn - 1):
                break
            found.append(node)
            if self.seats[node.player].is_person:
                break
        return found[::-1]

    def stands(self) -> Stands:
        """Where the figures on the board stand now."""
        node = self.here
        if node.stands is None:
            node.stands = figure_stands(node.position)
        return node.stands

    def awards(self) -> list[tuple[Node, Award]]:
        """Every award on the way to the current node, with its node."""
        return [(node, award) for node in self.path() for award in node.awards]

    def scored(self) -> list[tuple[str, int]]:
        """Each feature that brought points, and the player who had them."""
        awards = (award for _, award in self.awards())
        return [(each.feature, each.player) for each in awards if each.feature and each.points > 0]

    def laid(self) -> dict[tuple[int, int], tuple[int, str]]:
        """By cell: the number of choices before it was laid, and who laid it."""
        found = {}
        for number, node in enumerate(self.path()):
            for event in node.heard:
                if event["kind"] == "laid":
                    x, y = event["cell"]
                    found[x, y] = number, event.get("seat", "")
        return found

    def seat_names(self, language: str = "") -> list[str]:
        """The names of those who play: their own, or the colours of their seats in a language, or
        in that of the match."""
        match = self.match
        return [
            seat.short_name or seat_label(match, player, language or self.language)
            for player, seat in enumerate(self.seats)
        ]

    def lines(self) -> list[str]:
        """The log of the match up to the current node, or up to the choice that failed."""
        path = [node for node in self.path() if node.position.failed is None]
        return [line for node in path for line in node.lines]

    def seat_of(self, player: int) -> str:
        """The id of a seat."""
        return seat_name(self.match, player)
