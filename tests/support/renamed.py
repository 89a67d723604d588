"""The shipped rulesets with other names for every rule, patch, step and file.

Each name is drawn at random and replaces the old one everywhere, so that alphabetical orders
change. Nothing else is changed; scenarios are left out.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from support.recast import _Loader
from tilewright.rules.reading.library import Library, shipped_rulesets

Tree = dict[str, Any]
_PLACED = ("before ", "after ")


class Renamer:
    """Names by lot, the same for the same thing everywhere."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self.rules: dict[str, str] = {}
        self.steps: dict[str, str] = {}

    def rule(self, id_: str) -> str:
        if id_ not in self.rules:
            self.rules[id_] = f"{self._name()}.{self._name()}"
        return self.rules[id_]

    def step(self, id_: str) -> str:
        if id_ not in self.steps:
            self.steps[id_] = self._name()
        return self.steps[id_]

    def _name(self) -> str:
        return "".join(self.lot.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(9))

    # -------------------------------------------------------------- one file

    def file(self, tree: Tree) -> Tree:
        found = dict(tree)
        if "rules" in tree:
            found["rules"] = [self.entry(rule) for rule in tree["rules"]]
        if "patches" in tree:
            found["patches"] = [self.entry(patch) for patch in tree["patches"]]
        if "shared" in tree:
            found["shared"] = {self.rule(id_): text for id_, text in tree["shared"].items()}
        if "steps" in tree:
            found["steps"] = {
                self.step(id_): self.placed(step, self.step) for id_, step in tree["steps"].items()
            }
        if "moments" in tree:
            found["moments"] = {
                self.target(place, is_rule=False): [
                    self.step(each) if isinstance(each, str) else each for each in order
                ]
                for place, order in tree["moments"].items()
            }
        if "order" in tree:
            found["order"] = [[self.named(name) for name in chain] for chain in tree["order"]]
        self.lot.shuffle(entries := list(found.items()))
        return dict(entries)

    def named(self, name: str) -> str:
        """The members of a chain are rules or steps; a step is one that some ruleset declares."""
        return self.rule(name) if "." in name else self.step(name)

    def placed(self, entry: Tree, name: Any) -> Tree:
        words = ("after", "before", "over")

        def new(id_: str) -> str:
            plain = id_.removesuffix("?")
            return str(name(plain)) + id_[len(plain) :]

        return {
            key: [new(id_) for id_ in value] if key in words else value
            for key, value in entry.items()
        }

    def entry(self, entry: Tree) -> Tree:
        """A rule or a patch."""
        of_step = str(entry.get("replace", "")).startswith("step ")
        found = self.placed(entry, self.step if of_step else self.rule)
        found["id"] = self.rule(entry["id"])
        for key in ("on", "replace", "remove"):
            if key in entry:
                found[key] = self.target(entry[key], is_rule=key != "on")
        if "action" in entry:
            name, step = re.split(r"\s+at\s+step\s+", entry["action"])
            found["action"] = f"{name} at step {self.step(step)}"
        if "expect" in entry:
            text = str(entry["expect"])
            found["expect"] = re.sub(r"\bstep (\w+)", lambda m: f"step {self.step(m[1])}", text)
        if "insert" in entry:
            side, place = entry["insert"].split(maxsplit=1)
            found["insert"] = f"{side} {self.target(place, is_rule=True)}"
        return found

    def target(self, text: str, *, is_rule: bool) -> str:
        word, _, name = text.partition(" ")
        if word == "step":
            return f"step {self.step(name.strip())}"
        return self.rule(text) if is_rule and not name else text


def renamed(folder: Path, seed: int) -> tuple[Library, Renamer]:
    """A library of the shipped rulesets under other names, written into a folder."""
    renamer = Renamer(seed)
    for path, name in _files():
        target = folder / path.parent
        target.mkdir(parents=True, exist_ok=True)
        if path.parent.name != "rules":
            (target / path.name).write_text(name.read_text("utf-8"), encoding="utf-8")
            continue
        tree = yaml.load(name.read_text("utf-8"), Loader=_Loader)
        text = json.dumps(renamer.file(tree), ensure_ascii=False)
        (target / f"{renamer.step(str(path))}.yaml").write_text(text, encoding="utf-8")
    return Library([folder], shipped=False), renamer


def _files() -> Iterator[tuple[Path, Path]]:
    root = shipped_rulesets()
    for path in sorted(root.rglob("*.yaml")):
        if path.parent.name != "scenarios":
            yield path.relative_to(root), path
