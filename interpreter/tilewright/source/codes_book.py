"""TW6: book, law and proof: statements, rules that carry them out, scenarios that prove them.

For the game that the examples build on see `codes_names`. Each example stands for an expansion of
which everything is left out that has nothing to do with its complaint.
"""

from __future__ import annotations

from tilewright.source.code_info import CodeInfo


def _says(*more: str, id_: str = "trial-bonus") -> str:
    parts = ("topic: scoring.bonus", "says: A town pays one more.", "authority: official", *more)
    return f"# statements.yaml\nstatements:\n  - {{id: {id_}, {', '.join(parts)}}}\n"


def _rule(*more: str) -> str:
    lines = "".join(f"    {line}\n" for line in more)
    return (
        "# rules/trial.yaml\nrules:\n  - id: trial.bonus\n"
        f"{lines}    amend: favour(x)\n    value: 1\n"
    )


def _shown(covers: str = "trial.bonus", proves: str = "trial-bonus") -> str:
    return (
        "# scenarios/trial.yaml\nscenarios:\n  - id: one-more\n    says: A town pays one more.\n"
        f"    players: [red, blue]\n    covers: [{covers}]\n    proves: [{proves}]\n"
        "    play: [draw cap]\n"
    )


_FROM = "from: [trial-bonus]"
_PROVIDES = (
    "# trial/second/module.yaml\nid: trial/second\nkind: expansion\ntitle: another\n"
    "requires: {{base: trial/table}}\nprovides: [{}]\n"
)

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW601",
        "a statement that nothing carries out",
        "The book says something, and no rule, value, step, role, option or patch names it under "
        "`from`. Write the rule, or say in the statement why there is none: `carried_by` the tiles "
        "or other data, `no_rule` with a reason, or `awaits` what is not there yet.",
        _says(),
        _says("carried_by: tiles"),
    ),
    CodeInfo(
        "TW602",
        "from an unknown statement",
        "What stands under `from` is the id of a statement of this ruleset, of one it takes "
        "over, or of one it is played with.",
        _says() + _rule("from: [trial-bonus, trial-bouns]") + _shown(),
        _says() + _rule(_FROM) + _shown(),
    ),
    CodeInfo(
        "TW603",
        "a rule from nowhere",
        "A rule names under `from` the statements it carries out, so that a reader can ask why "
        "it is there. In a house rule this is a warning, so that a first draft can be played.",
        _says("carried_by: tiles") + _rule() + _shown(),
        _says() + _rule(_FROM) + _shown(),
    ),
    CodeInfo(
        "TW604",
        "a rule that no scenario covers",
        "Every rule is shown at work by a scenario that names it under `covers`: one of this "
        "ruleset, or one of a ruleset that builds on it or takes it over. In a house rule this "
        "is a warning.",
        _says() + _rule(_FROM),
        _says() + _rule(_FROM) + _shown(),
    ),
    CodeInfo(
        "TW605",
        "a scenario about something unknown",
        "A scenario covers a rule that is not in its game, or proves a statement that is not in "
        "the book of its rulesets.",
        _says() + _rule(_FROM) + _shown("trial.bonus, trial.bouns"),
        _says() + _rule(_FROM) + _shown(),
    ),
    CodeInfo(
        "TW606",
        "a rule that should not be there",
        "A statement says that no rule carries it out, or that it waits for something, and yet a "
        "rule is from it. One of the two is out of date.",
        _says("no_rule: it goes without saying") + _rule(_FROM) + _shown(),
        _says() + _rule(_FROM) + _shown(),
    ),
    CodeInfo(
        "TW607",
        "an unknown source",
        "A citation names a publication that neither this ruleset nor one that it takes over or is "
        "played with lists under `sources` in module.yaml.",
        _says("carried_by: tiles", "cite: [{source: leaflte}]"),
        _says("carried_by: tiles", "cite: [{source: leaflet}]"),
    ),
    CodeInfo(
        "TW609",
        "one id for statements of two rulesets",
        "The id of a statement is the same everywhere, so two rulesets cannot both have it. Only a "
        "ruleset that takes another one over may say its statements anew.",
        _says("carried_by: tiles", id_="table-turn"),
        _says("carried_by: tiles", id_="trial-turn"),
    ),
    CodeInfo(
        "TW610",
        "what was waited for is there",
        "A statement awaits something that a ruleset of its edition now provides. Time to write "
        "the rule.",
        _says("awaits: [mill]") + _PROVIDES.format("mill"),
        _says("awaits: [mill]") + _PROVIDES.format("harbour"),
    ),
)
