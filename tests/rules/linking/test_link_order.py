"""Whatever the order in which rulesets are named, read and written: the game is the same."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.ruleset_cases import ON_TABLE, library_of, patched, ruleset
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.analysis.link import link_game
from tilewright.rules.linking.toposort import inserted
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library, shipped_rulesets

LIBRARY = Library()
BIG = (
    "c2/abbot",
    "c2/farmers",
    "c2/inns-and-cathedrals",
    "c2/princess-and-dragon",
    "c2/river",
    "c2/traders-and-builders",
    "house/fairy-five",
    "house/redraw-dragon-tile",
)
LATER = ("c3.1/dragon-and-fairy", "c3.1/traders-and-builders", "c3/river", "c3/farmers", "c3/abbot")
IN_PART = ("c2/princess-and-dragon:minus=portal", "c2/inns-and-cathedrals:tiles", "c2/river")
MIXES = (BIG, LATER, IN_PART)
#: lists and maps that mean the same in any order
SHUFFLED = (
    "features",
    "symbols",
    "figures",
    "attributes",
    "tokens",
    "roles",
    "stacks",
    "pieces",
    "values",
    "memory",
    "steps",
    "definitions",
    "events",
    "rules",
    "patches",
    "order",
)


def hash_of(ids, load) -> str:
    reporter = Reporter()
    game = link_game("+".join(ids), {}, load, reporter)
    assert game is not None, [str(found) for found in reporter.diagnostics]
    return f"{game.id} {game.hash}"


def read(id_: str) -> Ruleset | None:
    return LIBRARY.load_rules(id_, Reporter())


def shuffled(found: Ruleset | None, chance: random.Random) -> Ruleset | None:
    """A ruleset whose files were written and read in another order."""
    if found is None:
        return None
    parts = {name: list(getattr(found, name)) for name in SHUFFLED}
    for items in parts.values():
        chance.shuffle(items)
    return replace(found, **{name: tuple(items) for name, items in parts.items()})


@pytest.mark.parametrize("mix", MIXES, ids=["big", "later", "in part"])
def test_the_order_of_rulesets_does_not_matter(mix: tuple[str, ...]) -> None:
    chance = random.Random(7)
    orders = [mix, mix[::-1], *(chance.sample(mix, len(mix)) for _ in range(3))]
    assert len({hash_of(order, read) for order in orders}) == 1


@pytest.mark.parametrize("mix", MIXES, ids=["big", "later", "in part"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_inside_of_rulesets_does_not_matter(mix: tuple[str, ...], seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(mix, len(mix))
    assert hash_of(order, lambda id_: shuffled(read(id_), chance)) == hash_of(mix, read)


def test_the_names_of_files_do_not_matter(tmp_path: Path) -> None:
    copy = tmp_path / "rulesets"
    shutil.copytree(shipped_rulesets(), copy)
    for number, file in enumerate(sorted(copy.glob("*/*/rules/*.yaml"))):
        file.rename(file.with_name(f"{'zyxwvu'[number % 6]}{number}.yaml"))
    library = Library([copy], shipped=False)
    assert hash_of(BIG, lambda id_: library.load_rules(id_, Reporter())) == hash_of(BIG, read)


HASHES = (
    "import sys\nfrom tilewright.tools.workspace.loading import load_game\n"
    "for text in sys.argv[1:]:\n    print(load_game(text)[0].hash)\n"
)


def test_the_seed_of_python_does_not_matter() -> None:
    texts = ["+".join(mix) for mix in MIXES]
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", HASHES, *texts]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1


MANY = (
    patched("one", "adjust: town.points, by: 2"),
    patched("two", "adjust: town.points, by: 3"),
    patched("three", "insert: after step tally, do: end game"),
    patched("four", "insert: before table.pay, do: end game"),
    patched("five", "replace: step put_figure, before: [draw_tile]"),
    patched("six", "set: option purse.default, to: fat"),
    patched("seven", "adjust: tile cap.count, times: 2"),
    patched("eight", "remove: four.change", "four: trial/four"),
    ruleset(
        "nine", "steps:\n  late: {phase: turn, after: [put_figure], label: {en: late}}\n", ON_TABLE
    ),
)
NAMES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def test_the_order_of_patches_of_strangers_does_not_matter(tmp_path: Path) -> None:
    library, _ = library_of("".join(MANY), tmp_path)
    orders = itertools.islice(itertools.permutations(NAMES), 0, None, 30011)
    found = {
        hash_of(
            [f"trial/{name}" for name in order], lambda id_: library.load_rules(id_, Reporter())
        )
        for order in orders
    }
    assert len(found) == 1


def test_what_disagrees_does_so_in_any_order(tmp_path: Path) -> None:
    text = patched("one", "set: town.points, to: 3") + patched("two", "set: town.points, to: 4")
    text += patched("three", "adjust: town.points, by: 4")
    library, _ = library_of(text, tmp_path)
    found = set()
    for order in itertools.permutations(("one", "two", "three")):
        reporter = Reporter()
        game = "+".join(f"trial/{name}" for name in order)
        link_game(game, {}, lambda id_: library.load_rules(id_, Reporter()), reporter)
        found.add(tuple(map(str, reporter.diagnostics)))
    assert len(found) == 1 and {line.split("[")[1][:5] for line in next(iter(found))} == {"TW710"}


def any_steps(lot: random.Random) -> tuple[list[tuple], list[tuple[str, str]], dict[str, set[str]]]:
    """Steps, pairs, and what comes before each, so that at least one order keeps it all."""
    names = [f"s{number}" for number in range(lot.randint(2, 8))]
    lot.shuffle(names)
    after: dict[str, list[str]] = {name: [] for name in names}
    before: dict[str, list[str]] = {name: [] for name in names}
    pairs: list[tuple[str, str]] = []
    earlier: dict[str, set[str]] = {name: set() for name in names}
    for first, second in itertools.combinations(names, 2):
        way = lot.choice(["after", "before", "pair", "", "", "", ""])
        if way:
            earlier[second].add(first)
        if way == "after":
            after[second].append(first)
        elif way == "before":
            before[first].append(second)
        elif way == "pair":
            pairs.append((first, second))
    steps = [
        (name, lot.randint(0, 2), tuple(after[name]), tuple(before[name]))
        for name in lot.sample(names, len(names))
    ]
    return steps, pairs, earlier


def test_steps_that_can_be_put_in_order_are() -> None:
    lot = random.Random(4)
    for _ in range(2_000):
        steps, pairs, earlier = any_steps(lot)
        order, looped = inserted(tuple(steps), tuple(pairs))
        assert not looped, (steps, pairs)
        place = {name: number for number, name in enumerate(order)}
        assert all(place[a] < place[b] for b, those in earlier.items() for a in those), steps
