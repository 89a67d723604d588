"""The verbs: their order and groups on the help page, and the meaning of exit code 1."""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """A row of the help page: the purpose of a verb, and the meaning of exit code 1."""

    purpose: str
    problems: str = ""  # empty where the verb never exits with 1


WRITE, COMPARE, LOOK_UP, PLAY, MEASURE = (
    "Write rules",
    "Compare",
    "Look up",
    "Play",
    "Measure",
)

#: the verbs, in the order of the help page
VERBS = {
    "new": Verb(WRITE, "with `scenario`: the save cannot be replayed"),
    "check": Verb(WRITE, "problems of at least the severity of `--fail-on`"),
    "fmt": Verb(WRITE, "with `--check`: files would change; with `--upgrade`: something stays"),
    "test": Verb(WRITE, "a scenario fails, or with `--coverage` something is not reached"),
    "lsp": Verb(WRITE),
    "compare": Verb(COMPARE, "a game has errors, or `--play` finds a difference"),
    "diff": Verb(COMPARE, "a change has the impact of `--fail-on`, or a game has errors"),
    "rulesets": Verb(LOOK_UP),
    "show": Verb(LOOK_UP, "the game has errors"),
    "explain": Verb(LOOK_UP),
    "trace": Verb(LOOK_UP, "a ruleset has errors"),
    "config": Verb(LOOK_UP),
    "resolve": Verb(LOOK_UP, "the game has errors"),
    "studio": Verb(PLAY),
    "play": Verb(PLAY, "the game has errors, or its rules cannot be carried out"),
    "replay": Verb(PLAY, "the match ends otherwise than recorded, or something differs"),
    "why": Verb(PLAY, "the save cannot be replayed"),
    "simulate": Verb(MEASURE, "a game has errors, or a match stopped"),
    "matrix": Verb(MEASURE, "a combination fails, or with `--strict` is undefined"),
    "mutate": Verb(MEASURE, "too many changes are not noticed"),
}
