"""Messages about matches: begin, choose, go back, keep, save, load; bots at their seats."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any

from tilewright.faces.studio.client import CONFLICT, Client, RefusedError, Work, WorkFirst
from tilewright.faces.studio.protocol import matches as r
from tilewright.faces.studio.protocol import table as t
from tilewright.faces.studio.protocol.common import Nothing
from tilewright.faces.studio.table.keeping import (
    KIND,
    PART,
    file_text,
    kept_text,
    match_in,
    read_tree,
)
from tilewright.faces.studio.table.match_tree import MAX_NODES, Choosing, MatchTree, Node, Sitting
from tilewright.faces.studio.table.match_view import (
    board_state,
    figures_of,
    memory_of,
    stacks_of,
    tokens_of,
)
from tilewright.faces.studio.table.offers import decision_of, drawn_pieces, offers_of
from tilewright.language.locale.words import ENGLISH, Words, capital, languages
from tilewright.play.bots.named import bot_named, bot_problem
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import TURN
from tilewright.play.new_match import start_match
from tilewright.play.notation import find_option, seat_name, seat_number
from tilewright.play.observation import PHASES
from tilewright.play.visibility import sees_options
from tilewright.rules.linking.game import Game
from tilewright.view.match_phrases import question_label
from tilewright.view.places import seat_label

#: matches that are open at once; the one not used for longest is read again when it is wanted
MAX_OPEN = 24


def new_match(client: Client, params: r.NewMatch) -> Work[t.MatchState]:
    """Begin a match."""
    return Work(_new, (params,), lambda tree: _added(client, tree))


def _new(client: Client, params: r.NewMatch) -> MatchTree:
    program = client.studio.program(params["game"], params.get("options"), client.report)
    client.report("setting")
    seats = [_sitting(seat) for seat in params["seats"]]
    why = program.game.refusal(len(seats))
    if why:
        raise RefusedError(why)
    seed = params.get("seed") or secrets.token_hex(4)
    try:
        start = start_match(program, len(seats), seed)
    except RuleError as fault:
        raise RefusedError(f"the match cannot begin: {fault.message}") from None
    return MatchTree(new_name(), start, seats, client.language)


def load_match(client: Client, params: r.LoadMatch) -> Work[t.MatchState]:
    """A match from the text of a saved file, or of a kept match."""
    return Work(_loaded, (params,), lambda tree: _added(client, tree))


def _loaded(client: Client, params: r.LoadMatch) -> MatchTree:
    seats = [_sitting(seat) for seat in params.get("seats", [])]
    return read_tree(
        new_name(), match_in(params["text"], client), client, seats,
        as_far_as_possible=params.get("replay", False),
    )  # fmt: skip


def new_name() -> str:
    """A name that no other match has."""
    return secrets.token_hex(6)


def _sitting(seat: r.SeatRequest) -> Sitting:
    bot = seat.get("bot") or "greedy"
    if problem := bot_problem(bot):
        raise RefusedError(problem)
    return Sitting(seat["kind"], seat.get("name", ""), bot)


def _added(client: Client, tree: MatchTree) -> t.MatchState:
    trees = client.studio.trees
    trees[tree.name] = tree
    for name in list(trees)[: max(0, len(trees) - MAX_OPEN)]:
        del trees[name]
    _keep(client, tree)
    return state_of(tree, client.language, None)


def tree_of(client: Client, name: str) -> MatchTree:
    """A match by its name, opened again if it was kept. Raises RefusedError and WorkFirst."""
    studio = client.studio
    if name in studio.trees:
        tree = studio.trees[name] = studio.trees.pop(name)  # the latest is the last
        return tree
    kept = studio.store.kept(KIND).get(name)
    if kept is None:
        raise RefusedError("this match does not exist any more")
    # a tree that another message has opened meanwhile stays
    work = Work(_reopened, (name, kept), lambda tree: studio.trees.setdefault(name, tree))
    if studio.workers is not None:
        raise WorkFirst(work)
    return work.result(client)


def _reopened(client: Client, name: str, text: str) -> MatchTree:
    return read_tree(name, match_in(text, client), client)


def _keep(client: Client, tree: MatchTree) -> None:
    """Keep a match as it is when the answer has been sent."""

    def keep() -> None:
        if tree.is_kept:
            text = kept_text(tree, client.studio, summary_of(tree))
            client.studio.store.keep(KIND, tree.name, text)

    client.studio.unkept[tree.name] = keep


def _changed(client: Client, tree: MatchTree, seat: str | None) -> t.MatchState:
    """Keep a changed match, notify other pages, and give its state."""
    _keep(client, tree)
    changed = {"match": tree.name, "at": tree.at}
    client.studio.tell("match.changed", changed, but=client)
    return state_of(tree, client.language, viewer_of(tree.match, seat))


# ------------------------------------------------------------------ choices


def choose(client: Client, params: r.Choose) -> t.MatchState | Work[t.MatchState]:
    """Take an option."""
    tree = tree_of(client, params["match"])
    at = params.get("at", tree.at)
    if at != tree.at:
        if not 0 <= at < len(tree.nodes):
            raise RefusedError("the match does not have this position")
        raise _gone_on(client)
    match = tree.match
    if match.to_move < 0:
        over = Words(client.language)("match.game_over")
        raise RefusedError(capital(over))
    number = params.get("n")
    if number is None:
        number = find_option(match, params.get("text", ""))
    if number is None or not 0 <= number < match.count:
        raise RefusedError("this is not offered here")
    child = tree.child(number)
    if child is not None:
        tree.go_to(child)
        return _changed(client, tree, params.get("seat"))
    return _choosing(client, tree, params.get("seat"), _taken, number)


def _gone_on(client: Client) -> RefusedError:
    return RefusedError(Words(client.language)("studio.table_gone_on"), CONFLICT)


def _choosing(
    client: Client,
    tree: MatchTree,
    seat: str | None,
    compute: Callable[[Client, Choosing, Any], Node],
    by: int | str,
) -> Work[t.MatchState]:
    """A choice at the current node, which is made elsewhere and then added to the tree."""
    if len(tree.nodes) >= MAX_NODES:
        raise RefusedError("the match has too many choices")

    def added(made: Node) -> t.MatchState:
        now = tree_of(client, tree.name)
        if now.at != made.parent:
            raise _gone_on(client)
        child = now.child(made.choice)
        if child is None:
            now.add(made)
        else:
            now.go_to(child)
        return _changed(client, now, seat)

    return Work(compute, (tree.begin(), by), added)


def _taken(client: Client, begin: Choosing, number: int) -> Node:
    return begin.taken(number)


def play_bot(client: Client, params: r.BotMove) -> t.MatchState | Work[t.MatchState]:
    """Let the bot whose decision it is choose once."""
    tree = tree_of(client, params["match"])
    match, seat = tree.match, params.get("seat")
    is_asked = params.get("at", tree.at) == tree.at
    if is_asked and match.to_move >= 0 and not tree.seats[match.to_move].is_person:
        return _choosing(client, tree, seat, _taken_by_bot, tree.seats[match.to_move].bot)
    return state_of(tree, client.language, viewer_of(tree.match, seat))


def _taken_by_bot(client: Client, begin: Choosing, name: str) -> Node:
    match = begin.position
    bot = bot_named(name, f"{match.seed}/{match.to_move}/{len(match.log)}")
    return begin.taken(bot(match.fork()))


def go_to(client: Client, params: r.GoTo) -> t.MatchState:
    """Go to a node, or one own choice back or onwards."""
    tree = tree_of(client, params["match"])
    target = params.get("at")
    match params.get("step"):
        case "undo":
            target = tree.earlier()
        case "redo":
            target = tree.later()
    if target is None:
        raise RefusedError("there is nothing to go to")
    try:
        tree.go_to(target)
    except IndexError:
        raise RefusedError("the match does not have this position") from None
    return _changed(client, tree, params.get("seat"))


def change_seat(client: Client, params: r.SeatChange) -> t.MatchState:
    """Let somebody else sit at a seat."""
    tree = tree_of(client, params["match"])
    player = seat_number(tree.match, params["seat"])
    if player is None:
        raise RefusedError("nobody plays at this seat")
    tree.seats[player] = _sitting(params)
    return _changed(client, tree, None)


def annotate(client: Client, params: r.Annotate) -> r.Tree:
    """Write a mark and a note at a node."""
    tree = tree_of(client, params["match"])
    if not 0 <= params["at"] < len(tree.nodes):
        raise RefusedError("the match does not have this position")
    node = tree.nodes[params["at"]]
    node.mark, node.note = params["mark"][:8], params["note"]
    _keep(client, tree)
    return tree_data(tree)


# ------------------------------------------------------------------ files


def save(client: Client, params: r.MatchName) -> r.Saved:
    """The match as a file of the command line."""
    tree = tree_of(client, params["match"])
    if tree.match.failed is not None:
        raise RefusedError("a match that has failed cannot be saved; take the last choice back")
    name = tree.match.program.game.id.partition("?")[0].rpartition("/")[2]
    content = file_text(tree, client.studio)
    return {"name": f"{name}-{tree.match.turn}.json", "text": content}


def kept(client: Client, params: Nothing) -> r.KeptMatches:
    """All kept matches, the latest first; those that cannot be read are left out."""
    found: list[r.KeptMatch] = []
    for name, content in client.studio.store.kept(KIND).items():
        try:
            parts = json.loads(content)
            facts = parts.get(PART, parts)["summary"]
            said = facts.pop("said", {})
            told = said.get(client.language) or said.get(ENGLISH, {})
            summary: r.KeptMatch = facts | told | {"match": name}
            found.append(summary)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
    return {"matches": found}


def summary_of(tree: MatchTree) -> dict[str, Any]:
    """A match as an entry of a list, with its texts in every language: the reader of the list may
    use another one than the players."""
    match = tree.match
    return {
        "match": tree.name,
        "game": match.program.game.id,
        "turn": match.turn,
        "points": list(match.points),
        "over": match.is_over,
        "changed": datetime.now(UTC).isoformat(timespec="seconds"),
        "said": {language: _said_of(tree, language) for language in languages()},
    }


def _said_of(tree: MatchTree, language: str) -> dict[str, Any]:
    """The title, the players and the result or the question of a match."""
    match, asked = tree.match, ""
    if match.to_move >= 0:
        asked = f"{seat_label(match, match.to_move, language)}: {question_label(match, language)}"
    return {
        "title": title_of(match.program.game, language),
        "players": tree.seat_names(language),
        "text": _result(tree, language) or asked,
    }


def forget(client: Client, params: r.MatchName) -> r.KeptMatches:
    """Forget a kept match."""
    client.studio.trees.pop(params["match"], None)
    client.studio.store.drop(KIND, params["match"])
    return kept(client, {})


# ------------------------------------------------------------------ states


def state(client: Client, params: r.Look) -> t.MatchState:
    """The state of a match, as a seat sees it."""
    tree = tree_of(client, params["match"])
    return state_of(tree, client.language, viewer_of(tree.match, params.get("seat")))


def viewer_of(match: Match, seat: str | None) -> int | None:
    """The player from whose seat a page looks; None for everybody."""
    return None if seat is None else seat_number(match, seat)


def title_of(game: Game, language: str) -> str:
    """The titles of the rulesets of a game that no other ruleset of it needs."""
    needed = {need.role for ruleset in game.rulesets for need in ruleset.module.requires}
    own = [r for r in game.rulesets if not needed & {r.id, *r.module.provides}] or game.rulesets
    return ", ".join(r.module.title.get(language) or r.id for r in own)


def state_of(tree: MatchTree, language: str, viewer: int | None) -> t.MatchState:
    """A match at its current node, as a player sees it, or everybody."""
    match = tree.match
    covered = not sees_options(match, viewer)
    offers = [] if covered else offers_of(match, language)
    fault = match.failed
    events: list[t.Happening] = [
        {**event, "node": node.id} for node in tree.since_own_choice() for event in node.heard
    ]
    return {
        "match": tree.name,
        "game": match.program.game.id,
        "title": title_of(match.program.game, language),
        "at": tree.at,
        "node": _node(tree, tree.here),
        "tip": tree.line()[-1],
        "seat": None if viewer is None else seat_name(match, viewer),
        "covered": covered,
        "turn": match.turn,
        "phase": PHASES[match.phase],
        "step": match.step,
        "steps": _steps_of(tree, language),
        "decision": decision_of(match, offers, language),
        "drawn": drawn_pieces(match, offers, language),
        "offers": offers,
        "board": board_state(match, language, tree.laid(), tree.stands(), tree.scored()),
        "players": players_of(tree, language),
        "stacks": stacks_of(match, viewer, language),
        "supply": tokens_of(match, -1, language),
        "memory": memory_of(match, language),
        "events": events,
        "over": match.is_over,
        "winners": _winners(tree),
        "result": _result(tree, language),
        "fault": None if fault is None else {
            "text": Words(language)("studio.table_stopped", text=fault.message),
            "rule": fault.rule,
            "file": "",
            "line": fault.line,
        },
        "can_undo": tree.earlier() is not None,
        "can_redo": tree.onward(tree.at) is not None,
        "digest": match.digest(),
    }  # fmt: skip


def players_of(tree: MatchTree, language: str) -> list[t.Player]:
    """Everybody who plays."""
    match, winners = tree.match, _winners(tree)
    game = match.program.game
    found: list[t.Player] = []
    for player, sitting in enumerate(tree.seats):
        label, seat = seat_label(match, player, language), seat_name(match, player)
        found.append(
            {
                "seat": seat,
                "label": label,
                "name": sitting.short_name or label,
                "colour": game.seats[player].colour if player < len(game.seats) else "",
                "kind": sitting.kind,
                "bot": "" if sitting.is_person else sitting.bot,
                "points": match.points[player],
                "figures": figures_of(match, player, language),
                "tokens": tokens_of(match, player, language),
                "to_move": match.to_move == player,
                "active": match.active == player,
                "winner": seat in winners,
            }
        )
    return found


def _winners(tree: MatchTree) -> list[str]:
    return [seat_name(tree.match, player) for player in tree.here.winners]


def _result(tree: MatchTree, language: str) -> str:
    """The end of a match in a sentence."""
    match = tree.match
    winners = _winners(tree)
    if not winners:
        return Words(language).sentence("studio.table_over") if match.is_over else ""
    names = tree.seat_names(language)
    first = [player for player in match.players if seat_name(match, player) in winners]
    who = Words(language).listed([names[player] for player in first])
    key = "studio.table_won" if len(first) == 1 else "studio.table_shared"
    return Words(language).sentence(key, names=who, points=match.points[first[0]])


def _steps_of(tree: MatchTree, language: str) -> list[t.Step]:
    """The steps of the phase, in their order, as far as the turn has come."""
    match = tree.match
    name = "setup" if match.phase < TURN else "turn" if match.phase == TURN else "final"
    steps = [step.declaration for step in match.program.game.phase(name)]
    order = [step.id for step in steps]
    at = order.index(match.step) if match.step in order else len(order)
    busy = _busy(tree, match)
    if busy is None:  # the turn began before the match was begun here
        busy = order
    found: list[t.Step] = []
    for number, step in enumerate(steps):
        status: t.StepStatus = "coming"
        if number == at:
            status = "now"
        elif number < at:
            status = "done" if step.id in busy else "skipped"
        why = Words(language)("studio.table_nothing") if status == "skipped" else ""
        label = step.label.get(language) or step.id
        found.append({"id": step.id, "label": label, "status": status, "why": why})
    return found


def _busy(tree: MatchTree, match: Match) -> Collection[str] | None:
    """The steps of this turn in which somebody chose or something happened; None where its begin
    is not known.
    """
    found: set[str] = set()
    for node in reversed(tree.path()):
        began = [n for n, event in enumerate(node.heard) if event["kind"] == "turn"]
        found.update(node.steps)
        if node.turn == match.turn:
            found.add(node.step)
        if began or node.turn != match.turn:
            return found
    return None


# ------------------------------------------------------------------ the tree


def tree(client: Client, params: r.MatchName) -> r.Tree:
    """All nodes of a match."""
    return tree_data(tree_of(client, params["match"]))


def tree_data(tree: MatchTree) -> r.Tree:
    """A tree as data."""
    return {
        "match": tree.name,
        "at": tree.at,
        "line": tree.line(),
        "nodes": [_node(tree, node) for node in tree.nodes],
    }


def _node(tree: MatchTree, node: Node) -> t.Node:
    return {
        "id": node.id,
        "parent": node.parent,
        "seat": "" if node.player < 0 else tree.seat_of(node.player),
        "bot": node.player >= 0 and not tree.seats[node.player].is_person,
        "turn": node.turn,
        "step": node.step,
        "text": capital(node.label) or Words(tree.language)("studio.table_start"),
        "notation": node.notation,
        "log": [event["text"] for event in node.heard],
        "cells": _cells(node.heard[0]) if node.is_told else [],
        "effects": _effects(node, tree.language),
        "gains": node.gains,
        "points": list(node.position.points),
        "children": node.children,
        "mark": node.mark,
        "note": node.note,
    }


#: kinds of events that the turn, the board and the points show
_SHOWN = ("turn", "final", "over", "laid", "award")


def _effects(node: Node, language: str) -> list[t.Outcome]:
    """The outcomes of a choice, without tiles drawn, and figures that go home with points; of a
    figure that goes on and on, where it ends."""
    unseen = Words(language)("match.drawn", tile=Words(language)("match.face_down"))
    events = node.heard[1:] if node.is_told else node.heard
    return [
        {"text": capital(event["text"]), "cells": event.get("path", _cells(event))}
        for event, after in zip_longest(events, events[1:])
        if event["kind"] not in _SHOWN
        and not (after is not None and _goes_on(event, after))
        and not (event["kind"] == "home" and node.gains)
        and not (event["kind"] == "drawn" and ("piece" in event or event["text"] == unseen))
    ]


def _goes_on(event: t.Happening, after: t.Happening) -> bool:
    """Whether a figure that moved moves again at once."""
    return event["kind"] == after["kind"] == "moved" and event["figure"] == after["figure"]


def _cells(event: t.Happening) -> list[list[int]]:
    return [event["cell"]] if "cell" in event else []
