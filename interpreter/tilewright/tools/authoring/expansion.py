"""New expansions and scenarios: files that pass unchanged.

An expansion is a folder with one tile, one rule, their statements and a scenario. Everything links;
a draft is marked for replacement too. The tile is a copy of one of the base's, the scenario is the
start of a match up to the first effect of the rule. A scenario alone is a turn of a saved match.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.yaml.dump import Commented
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import select, split_game
from tilewright.rules.linking.game import Game, LinkedStep
from tilewright.rules.model.ruleset import PieceKind, Scenario
from tilewright.tools.authoring.files import Files, as_id, checked_name, in_words, read_back, texts
from tilewright.tools.authoring.first_drafts import SEEN, TODO
from tilewright.tools.authoring.targets import CannotMakeError, behind_all
from tilewright.tools.formatting.ruleset_writer import tile_data
from tilewright.tools.persistence.match_file import MatchFile, played
from tilewright.tools.scenarios.capture import position_of, scenario_data
from tilewright.tools.workspace.loading import load_program
from tilewright.tools.workspace.workspace import Workspace


def new_expansion(
    name: str, workspace: Workspace, base: str = "", edition: str = "", *, is_draft: bool = True
) -> tuple[str, Files]:
    """The id and the files of an expansion of a base; those of a draft have marks for `check`.

    Raises CannotMakeError.
    """
    checked_name(name)
    base = base or _first_base(workspace)
    game, role, its_edition = _base(base, workspace)
    id_ = f"{edition or its_edition or 'own'}/{name}"
    if id_ in workspace.ids():
        raise CannotMakeError(f"there is a ruleset `{id_}` already")
    made = partial(_files, id_, name, role, base, its_edition, game, f"{TODO}: " * is_draft)
    files = made(None)
    library = workspace.library.instead(read_back(files, id_))
    program, reporter = load_program(id_, {}, library)
    if program is None:
        first = next(iter(reporter.diagnostics))
        raise CannotMakeError(f"`{base}` has no place for a first rule: {first.message}")
    return id_, made(_played(program))


def _first_base(workspace: Workspace) -> str:
    for id_ in workspace.ids():
        own = workspace.own(id_)
        if own is not None and own.module.kind == "base":
            return id_
    raise CannotMakeError("no base game was found that an expansion can extend")


def _base(base: str, workspace: Workspace) -> tuple[Game, str, str]:
    """The game of a base, the role it fills, its edition."""
    entire = workspace.whole(base)
    if entire is None:
        raise CannotMakeError(f"unknown ruleset `{base}`{did_you_mean(base, workspace.ids())}")
    reporter = Reporter()
    selection = select((base,), {}, workspace.own, reporter)
    game = link(selection, reporter) if selection is not None else None
    if game is None:
        first = next(iter(reporter.diagnostics))
        hint = f"`tilewright check {base}` shows more"
        raise CannotMakeError(f"`{base}` has errors: {first.message}", hint)
    return game, (*entire.module.provides, base)[0], entire.module.edition


def _played(program: Program) -> Scenario:
    """The first turn of a match, as far as it goes before somebody has to choose again."""
    match = start_match(program, program.game.players_least, "first")
    if match.to_move >= 0:
        match.choose_number(0)
    return position_of(match)


def _files(
    id_: str, name: str, role: str, base: str, edition: str, game: Game, mark: str,
    played: Scenario | None,
) -> Files:  # fmt: skip
    statement, tiles = f"{name}-first", f"{name}-tiles"
    source = {"source": "rules"}
    module: dict[str, Any] = {
        "id": id_,
        "kind": "expansion",
        "edition": edition,
        "title": in_words(name),
        "provides": [name],
        "requires": {role: base},
        "sources": {"rules": {"title": f"{mark}Rules of {in_words(name)}"}},
        "components": [{"of": "tiles", "count": 1}],
    }
    topic = name
    statements = [
        {
            "id": statement,
            "topic": f"{topic}.first",
            "says": f"{mark}In each turn the player whose turn it is gets one point.",
            "authority": "official",
            "cite": [source],
        },
        {
            "id": tiles,
            "topic": f"{topic}.tiles",
            "says": f"{mark}One tile is mixed with the other tiles.",
            "authority": "official",
            "cite": [source],
            "carried_by": "tiles",
        },
    ]
    do = f"{SEEN if mark else 'award 1 to active'}\n"
    step = _place(game)
    rule: dict[str, Any] = {
        "id": f"{as_id(name)}.first",
        "from": [statement],
        "on": f"step {step.id}",
    }
    rule |= behind_all(game, f"step {step.id}", step.rules)
    files: dict[str, tuple[str, dict[str, Any]]] = {
        "module.yaml": ("", {key: value for key, value in module.items() if value}),
        "statements.yaml": ("", {"statements": statements}),
        "tiles.yaml": ("", {"tiles": [_tile(f"{as_id(name)}_tile", game, mark)]}),
        f"rules/{name}.yaml": ("", {"rules": [rule | {"do": do}]}),
    }
    if played is not None:
        proof = replace(
            played,
            id=f"{name}-at-work",
            says=f"{mark}A player gets a point before the first choice of a turn.",
            statements=(statement,),
            covers=(rule["id"],),
        )
        scenarios = {"scenarios": [scenario_data(proof)]}
        files[f"scenarios/{name}.yaml"] = ("", scenarios)
    return files


def _place(game: Game) -> LinkedStep:
    """A step of every turn that has rules, the earliest."""
    for step in game.phase("turn"):
        if step.rules:
            return step
    raise CannotMakeError(f"`{game.id}` has no rule at a step of the turn")


def _tile(id_: str, game: Game, mark: str) -> dict[str, Any]:
    """A tile like the first plain one of the base."""
    plain = (p for p in game.pieces if len(p.faces) == 1 and len(p.faces[0]) == 1)
    piece = next(plain, None)
    if piece is None:
        raise CannotMakeError(f"`{game.id}` has no tile that could be copied")
    return _copy(piece, id_, {kind.from_symbol for kind in game.features}, mark)


def _copy(piece: PieceKind, id_: str, symbols: set[str], mark: str) -> dict[str, Any]:
    (face,) = piece.faces[0]
    kept = replace(face, segments=tuple(s for s in face.segments if s.id not in symbols))
    comment = f"{mark}draw your own; this one is like `{piece.id}`"
    plain = replace(piece, faces=((kept,),))
    found = {key: value for key, value in tile_data(plain).items() if key in ("edges", "segments")}
    return {"id": Commented(id_, comment), "count": 1, **found}


# ------------------------------------------------------------------ scenarios


def new_scenario(file: MatchFile, start: Match, turn: int | None, id_: str, to: Path | None) -> str:
    """The text of a scenario file with one turn of a match file, by default the latest.

    `to` is its future path, for the schema line. Raises CannotMakeError, and LogError where the
    match cannot be replayed.
    """
    try:
        match = played(file, start)
        found = position_of(match, turn=turn, id_=checked_name(id_) if id_ else "")
    except ValueError as fault:
        raise CannotMakeError(str(fault)) from None
    entries = {"scenarios": [scenario_data(replace(found, rulesets=split_game(file.game)))]}
    return texts({"scenarios": ("", entries)}, to.parent if to is not None else None)["scenarios"]
