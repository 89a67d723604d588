"""TW3: names in effect text that nobody has declared.

The examples of TW3, TW4, TW6, TW7 and TW8 are files of a small expansion, `trial/first`. Each file
begins with a comment that names it. The game it builds on has feature kinds `town` (which counts
`flags`), `track`, `meadow` and `hut`, a symbol `star`, a figure `peg` of each player and a `stone`
of nobody, stacks `pile` and `away`, the event `paid(x)`, the procedure `pay(x)`, and the
definitions `favour(x)`, `worth(x)`, `may_stand(f, s)` and `holders(x)`.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

_HEAD = "# rules/trial.yaml\nrules:\n  - id: trial.rule\n"
_PAID = _HEAD + "    on: paid(x)\n    do: "
_FAVOUR = _HEAD + "    amend: favour(x)\n    value: "


def _tile(stack: str) -> str:
    return (
        "# tiles.yaml\ntiles:\n  - id: round\n    count: 1\n    edges: [town, town, town, town]\n"
        f"    segments: {{t1: {{kind: town, at: [N, E, S, W]}}}}\n    stack: {stack}\n"
    )


CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW301",
        "an unknown name",
        "Nothing of this name is declared in the rulesets that are played together, and no local "
        "name of it is in force here. Names are never taken for nought or for false: a slip is an "
        "error. A question is written with its arguments in brackets.",
        _FAVOUR + "x.size + town.pionts\n",
        _FAVOUR + "x.size + town.points\n",
    ),
    CodeInfo(
        "TW302",
        "an unknown question",
        "A name with arguments is a question: one that a ruleset declares under `definitions`, or "
        "one that the language has by itself.",
        _FAVOUR + "wroth(x)\n",
        _FAVOUR + "worth(x)\n",
    ),
    CodeInfo(
        "TW303",
        "an unknown procedure",
        "`do NAME(...)` performs a procedure, and no rule with `procedure: NAME` is in the game.",
        _HEAD + "    on: step tally\n    after: [table.tally]\n"
        "    do: for x in features { do pya(x) }\n",
        _HEAD + "    on: step tally\n    after: [table.tally]\n"
        "    do: for x in features { do pay(x) }\n",
    ),
    CodeInfo(
        "TW304",
        "an unknown event",
        "A rule waits for an event, or announces one, that nobody declares under `events` and that "
        "the language does not have by itself. Such a rule would never do anything.",
        _HEAD + "    on: payed(x)\n    do: award 1 to active\n",
        _HEAD + "    on: paid(x)\n    do: award 1 to active\n",
    ),
    CodeInfo(
        "TW305",
        "an unknown stack",
        "A tile is said to lie in a stack that nobody declares under `stacks` in pieces.yaml.",
        _tile("pille"),
        _tile("pile"),
    ),
)
