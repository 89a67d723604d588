"""Upgrades whole rulesets in memory, after their words: first orders, then texts.

All folders are upgraded together, because a line of `order` may name rules of any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YMap
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.formatting.drafts import Draft, Texts
from tilewright.tools.formatting.upgrade import Upgraded
from tilewright.tools.formatting.upgrade_orders import move_orders
from tilewright.tools.formatting.upgrade_texts import move_texts


def upgrade_folders(
    files: Mapping[Upgraded, Path | None], others: Iterable[Path], reporter: Reporter
) -> list[Upgraded]:
    """All files after the upgrade of their folders, with new and removed ones.

    A file without a folder has its words upgraded alone. `others` are folders of rulesets that
    these may name, besides the shipped ones.
    """
    drafts = {file.target: Draft(folder, file) for file, folder in files.items() if folder}
    if any(isinstance(draft.node, YMap) and draft.node.get("order") for draft in drafts.values()):
        by_name = {draft.name: draft for draft in drafts.values()}
        move_orders(by_name, _rulesets(drafts, others), reporter)
    found = [file for file, folder in files.items() if folder is None]
    for folder in dict.fromkeys(draft.folder for draft in drafts.values()):
        inside = [draft for draft in drafts.values() if draft.folder == folder]
        catalogues = move_texts(folder, inside, reporter)
        found += [*(draft.finished(reporter) for draft in inside), *catalogues]
    return found


def _rulesets(drafts: Mapping[Path, Draft], others: Iterable[Path]) -> list[Ruleset]:
    """The rulesets of the drafts and those that they may name; their problems are not reported."""
    library = Library(shipped=False, read=Texts(dict(drafts), {}))
    folders = dict.fromkeys(draft.folder for draft in drafts.values())
    for folder in (*folders, *others, shipped_rulesets()):
        library.add(folder)
    quiet = Reporter.discarding()
    found = (library.load_rules(id_, quiet) for id_ in library.ids())
    return [ruleset for ruleset in found if ruleset is not None]
