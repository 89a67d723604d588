"""The rulesets under `with`, called a company, and whether the library has them.

A game knows only its own rulesets, so a misspelt name under `with` can be found only with a whole
library.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.linking.compose.select import Selection, select
from tilewright.rules.model.collections import GAME
from tilewright.rules.model.ruleset import Reference, Ruleset
from tilewright.tools.workspace.workspace import Workspace

#: names under `with` that nobody knows: who has more begins with these
_MAX_UNKNOWN = 50
#: ways to fill roles that are tried before a company is given up, and in all companies together
_MAX_TRIES = 50
_MAX_TRIES_IN_ALL = 500


def check_company(ruleset: Ruleset, workspace: Workspace, reporter: Reporter) -> None:
    """Report names under `with` that are neither a ruleset nor a role of the library."""
    unknown: dict[str, bool] = {}
    for mention in mentioned(ruleset):
        if mention.id not in unknown:
            is_there = workspace.has(mention.id) or workspace.providing(mention.id)
            unknown[mention.id] = not is_there
        if sum(unknown.values()) > _MAX_UNKNOWN:
            return
        if unknown[mention.id]:
            known = {*workspace.ids(), *providers(workspace)}
            what = "ruleset" if "/" in mention.id else "ruleset provides the role"
            message = f"no known {what} `{mention.id}`{did_you_mean(mention.id, known)}"
            reporter.warning("TW751", message, mention.span)


def mentioned(ruleset: Ruleset) -> Iterator[Reference]:
    """Every ruleset and role that a ruleset names under `with`."""
    return chain.from_iterable(_companies(ruleset))


def companies(
    ruleset: Ruleset, selection: Selection, workspace: Workspace
) -> Iterator[tuple[str, ...]]:
    """The ids of games that satisfy the `with` conditions of a ruleset, one for each company.

    `selection` is the ruleset with its requirements; a company within it needs no other game. A
    role that several rulesets provide is filled by the first compatible one.
    """
    present = selection.present()
    found: set[tuple[str, ...]] = set()
    left = _MAX_TRIES_IN_ALL
    for company in {tuple(m.id for m in company): None for company in _companies(ruleset)}:
        if present.issuperset(company):
            continue
        fillers = [
            [name] if workspace.has(name) else workspace.providing(name)
            for name in company
            if name not in present
        ]
        for others in islice(product(*fillers), min(left, _MAX_TRIES)):
            left -= 1
            ids = tuple(dict.fromkeys((ruleset.id, *others)))
            if ids in found:
                break
            if select(ids, {}, workspace.own, Reporter.discarding()) is not None:
                found.add(ids)
                yield ids
                break


def _companies(ruleset: Ruleset) -> Iterator[tuple[Reference, ...]]:
    """Every `with` of a ruleset that names anything."""
    for kind in GAME:
        for thing in getattr(ruleset, kind):
            company: tuple[Reference, ...] = getattr(getattr(thing, "head", thing), "with_", ())
            if company:
                yield company


def providers(workspace: Workspace) -> dict[str, list[str]]:
    """The rulesets of the library that provide each role."""
    found: dict[str, list[str]] = {}
    for id_ in workspace.ids():
        ruleset = workspace.whole(id_)
        for role in ruleset.module.provides if ruleset is not None else ():
            found.setdefault(role, []).append(id_)
    return found
