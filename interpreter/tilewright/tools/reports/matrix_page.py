"""The compatibility matrix for readers: signs, then reasons, failures and open interactions.

As plain text in a given width, as Markdown, or as JSON. It runs no trials.
"""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tilewright.tools.interactions.matrix import Matrix, Pair
from tilewright.tools.interactions.overlaps import Interaction
from tilewright.tools.interactions.trial import Failure, Outcome, State
from tilewright.view.page.markdown import document

SIGNS = {State.PLAYS: "+", State.REFUSED: "-", State.CLASHES: "x", State.FAILS: "!"}
OPEN = "?"
_NO_GAME = (State.REFUSED, State.CLASHES)
LEGEND = (
    ("+", "plays"),
    (OPEN, "plays, but nothing decides how they interact"),
    ("-", "refused by one of them"),
    ("x", "does not link, and neither declares a conflict"),
    ("!", "fails"),
)
#: (kind, name, text): one thing at which some pairs meet
_Subject = tuple[str, str, str]


def sign(matrix: Matrix, one: str, other: str, opened: Mapping[Pair, object]) -> str:
    """The sign in the table for two rulesets, or for one on the diagonal."""
    state = matrix.between(one, other).state
    if state is State.PLAYS and (min(one, other), max(one, other)) in opened:
        return OPEN
    return SIGNS[state]


# ------------------------------------------------------------------ text


def as_text(matrix: Matrix, width: int = 100, *, weak: bool = False) -> str:
    """The page for a terminal, wrapped at `width` columns except within names."""
    lines = [*_grid(matrix, width), "", *_wrapped([_legend()], width)]
    lines += ["", *_wrapped([_tally(matrix)], width)]
    sections = (
        ("does not go together", _reasons(matrix)),
        ("failures", failure_lines(tuple(matrix.outcomes()), matrix.seed)),
        ("undefined interactions", _interactions(matrix, strong=True)),
        ("weak interactions: the language puts them in order", _weak(matrix, weak)),
    )
    for title, entries in sections:
        found = list(entries)
        if found:
            lines += ["", title, *_wrapped(found, width)]
    if any(matrix.open_interactions()):
        lines += ["", *_wrapped([HOW_TO_SETTLE], width)]
    return "\n".join(lines) + "\n"


HOW_TO_SETTLE = (
    "To settle one: a scenario of a game with both that proves a statement and covers one of the "
    "rules, a rule `with:` the other, `after:` or `over:` between the two rules, a statement that "
    "both rules are from, or `conflicts:`."
)


def _grid(matrix: Matrix, width: int) -> Iterator[str]:
    """The table; columns are numbered, and continue below on a narrow page."""
    ids, opened = matrix.ids, matrix.open_interactions()
    digits = len(str(len(ids)))
    head = digits + 1 + max(map(len, ids), default=0) + 2
    room = max(5, (width - head) // 2)
    for start in range(0, len(ids), room):
        columns = ids[start : start + room]
        if start:
            yield ""
        numbers = [str(start + i + 1).rjust(digits) for i in range(len(columns))]
        for digit in range(digits):
            yield (" " * head + " ".join(number[digit] for number in numbers)).rstrip()
        for number, row in enumerate(ids, 1):
            signs = " ".join(sign(matrix, row, column, opened) for column in columns)
            yield f"{number:>{digits}} {row}".ljust(head) + signs


def _legend() -> str:
    return "   ".join(f"{mark} {meaning}" for mark, meaning in LEGEND)


def _tally(matrix: Matrix) -> str:
    found = list(matrix.outcomes())
    tried = [o for o in found if o.games]
    played, choices = sum(o.games for o in tried), sum(o.choices for o in tried)
    text = f"{len(tried)} different games were played {played} times, with {choices} choices"
    failed = sum(len(o.failures) for o in found)
    text += f"; {failed} went wrong" if failed else ", and every one held"
    if matrix.mixes:
        sizes = [len(o.text.split("+")) for o in matrix.mixes]
        text += f"; {len(sizes)} of them mix {min(sizes)} to {max(sizes)} rulesets"
    return text


def _reasons(matrix: Matrix) -> Iterator[str]:
    """Refusals, grouped by reason; undeclared ones come first.

    A ruleset that fails alone is mentioned only once.
    """
    alone: dict[tuple[str, str, str], list[str]] = {}
    pairs: dict[tuple[str, str, str], list[Pair]] = {}
    mixes: dict[tuple[str, str, str], list[str]] = {}
    bad = {id_ for id_, outcome in matrix.alone.items() if outcome.state in _NO_GAME}

    def key(outcome: Outcome) -> tuple[str, str, str]:
        return SIGNS[outcome.state], outcome.code, outcome.reason

    for id_ in sorted(bad):
        alone.setdefault(key(matrix.alone[id_]), []).append(id_)
    for pair, outcome in matrix.pairs.items():
        if outcome.state in _NO_GAME and bad.isdisjoint(pair):
            pairs.setdefault(key(outcome), []).append(pair)
    for outcome in matrix.mixes:
        if outcome.state in _NO_GAME:
            mixes.setdefault(key(outcome), []).append(outcome.text)
    for reason in sorted({*alone, *pairs, *mixes}, key=lambda x: (x[0] == "-", x)):
        yield f"  {' '.join(reason)}"
        if reason in alone:
            yield f"      not even alone: {', '.join(alone[reason])}"
        for line in _pair_lines(pairs.get(reason, ())):
            yield f"      {line}"
        for text in mixes.get(reason, ()):
            yield f"      {text}"


def _pair_lines(pairs: Iterable[Pair]) -> Iterator[str]:
    """Pairs as short texts, grouped by common rulesets, the largest group first."""
    left = list(pairs)
    while left:
        counted = Counter(id_ for pair in left for id_ in pair)
        hub = min(counted, key=lambda id_: (-counted[id_], id_))
        mine = [pair for pair in left if hub in pair]
        left = [pair for pair in left if hub not in pair]
        others = sorted(one if other == hub else other for one, other in mine)
        yield f"{hub} with {', '.join(others)}"


def failure_lines(outcomes: Iterable[Outcome], seed: str) -> Iterator[str]:
    """Every failed game, by combination and kind of failure, with a command that repeats it."""
    for outcome in outcomes:
        if outcome.state is not State.FAILS:
            continue
        yield f"  ! {outcome.text}"
        if not outcome.failures:
            yield f"      {outcome.reason}"
            continue
        grouped: dict[str, list[Failure]] = {}
        for failure in outcome.failures:
            grouped.setdefault(failure.what, []).append(failure)
        for what, failed in grouped.items():
            numbers = ", ".join(str(f.number) for f in failed)
            first = failed[0]
            yield f"      {what}"
            yield (
                f"      game {numbers} of {outcome.games}; game {first.number}: {first.players} "
                f"players, after {first.choices} choices"
            )
        last = min(f.number for f in outcome.failures)
        yield f"      tilewright matrix --mix {outcome.text} --seed {seed} --games {last + 1}"


def _interactions(matrix: Matrix, *, strong: bool) -> Iterator[str]:
    for pairs, subjects in grouped_interactions(matrix.open_interactions(strong=strong)):
        yield "  " + "; ".join(_pair_lines(pairs))
        for (_, _, says), interactions in subjects.items():
            rules = dict.fromkeys(rule for x in interactions for _, rule in x.rules)
            yield f"      {says}: {', '.join(rules)}"


def _weak(matrix: Matrix, at_length: bool) -> Iterator[str]:
    if at_length:
        yield from _interactions(matrix, strong=False)
        return
    found = matrix.open_interactions(strong=False)
    if found:
        count = sum(map(len, found.values()))
        yield f"  {count} in {len(found)} pairs; `--weak` lists them"


def grouped_interactions(
    found: Mapping[Pair, Sequence[Interaction]],
) -> list[tuple[tuple[Pair, ...], dict[_Subject, list[Interaction]]]]:
    """Interactions by subject; pairs with the same rules, such as editions, in one group."""
    alike: dict[tuple[object, ...], list[Pair]] = {}
    for pair, interactions in found.items():
        key = tuple((x.what, x.on, tuple(rule for _, rule in x.rules)) for x in interactions)
        alike.setdefault(key, []).append(pair)
    result = []
    for pairs in alike.values():
        subjects: dict[_Subject, list[Interaction]] = {}
        for interaction in found[pairs[0]]:
            subjects.setdefault((interaction.what, interaction.on, interaction.says), []).append(
                interaction
            )
        result.append((tuple(pairs), subjects))
    return result


def _wrapped(lines: Iterable[str], width: int) -> Iterator[str]:
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(
            line.strip(),
            max(width, 40),
            initial_indent=indent,
            subsequent_indent=indent + "  " * bool(indent),
            break_long_words=False,
            break_on_hyphens=False,
        )


def mixes_as_text(outcomes: Sequence[Outcome], seed: str, width: int = 100) -> str:
    """The outcomes of individually requested games."""
    lines = []
    for outcome in outcomes:
        lines.append(f"{SIGNS[outcome.state]} {outcome.text}")
        if outcome.state in (State.REFUSED, State.CLASHES):
            lines.append(f"    {outcome.code} {outcome.reason}")
        elif outcome.state is State.PLAYS:
            lines.append(f"    {outcome.games} games, {outcome.choices} choices, every one held")
    lines += failure_lines(outcomes, seed)
    return "\n".join(_wrapped(lines, width)) + "\n"


# ------------------------------------------------------------------ markdown


def as_markdown(matrix: Matrix, *, weak: bool = False) -> str:
    """The page as Markdown."""
    ids, opened = matrix.ids, matrix.open_interactions()
    lines = ["# Which rulesets go together", ""]
    lines.append("| | | " + " | ".join(str(i) for i in range(1, len(ids) + 1)) + " |")
    lines.append("| --: | :-- |" + " :-: |" * len(ids))
    for number, row in enumerate(ids, 1):
        signs = " | ".join(f"`{sign(matrix, row, column, opened)}`" for column in ids)
        lines.append(f"| {number} | {row} | {signs} |")
    lines += ["", ", ".join(f"`{mark}` {meaning}" for mark, meaning in LEGEND) + "."]
    lines += ["", _tally(matrix).capitalize() + "."]
    sections = (
        ("Does not go together", _reasons(matrix)),
        ("Failures", failure_lines(tuple(matrix.outcomes()), matrix.seed)),
        ("Undefined interactions", _interactions(matrix, strong=True)),
        ("Weak interactions: the language puts them in order", _weak(matrix, weak)),
    )
    for title, entries in sections:
        found = list(entries)
        if found:
            lines += ["", f"## {title}", ""]
            lines += [_item(line) for line in found]
    if opened:
        lines += ["", HOW_TO_SETTLE]
    return document(lines)


def _item(line: str) -> str:
    depth = "  " if line.startswith("      ") else ""
    return f"{depth}- {line.strip()}"


# ------------------------------------------------------------------ json


def as_json(matrix: Matrix) -> str:
    """All results as JSON, resolved interactions too."""
    found = {
        "rulesets": list(matrix.ids),
        "seed": matrix.seed,
        "games": matrix.games,
        "failed": matrix.has_failed,
        "alone": [_outcome(matrix.alone[id_]) for id_ in matrix.ids],
        "pairs": [
            _outcome(outcome)
            | {"meetings": [_interaction_data(x) for x in matrix.interactions.get(pair, ())]}
            for pair, outcome in matrix.pairs.items()
        ],
        "mixes": [_outcome(outcome) for outcome in matrix.mixes],
    }
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def mixes_as_json(outcomes: Sequence[Outcome]) -> str:
    """The results of individually requested games as JSON."""
    return json.dumps([_outcome(o) for o in outcomes], ensure_ascii=False, indent=2) + "\n"


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "rulesets": outcome.text.split("+"),
        "game": outcome.game,
        "state": outcome.state.value,
        "code": outcome.code,
        "reason": outcome.reason,
        "games": outcome.games,
        "choices": outcome.choices,
        "failures": [
            {
                "number": failure.number,
                "seed": failure.seed,
                "players": failure.players,
                "choices": failure.choices,
                "what": failure.what,
                "log": list(failure.log),
            }
            for failure in outcome.failures
        ],
    }


def _interaction_data(interaction: Interaction) -> dict[str, object]:
    return {
        "what": interaction.what,
        "on": interaction.on,
        "weight": "strong" if interaction.strong else "weak",
        "says": interaction.says,
        "rules": [{"ruleset": ruleset, "rule": rule} for ruleset, rule in interaction.rules],
        "settled": interaction.resolution,
    }
