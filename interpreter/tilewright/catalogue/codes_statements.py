"""TW6: book, law and proof: statements, rules that carry them out, scenarios that prove them.

For the game that the examples build on see `codes_names`. Each example stands for an expansion of
which everything is left out that has nothing to do with its complaint.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo


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


def _reading(proves: str) -> str:
    return (
        "# scenarios/trial.yaml\nscenarios:\n  - id: fat\n    says: A fat purse.\n"
        f"    options: {{purse: fat}}\n    players: [red, blue]\n    proves: [{proves}]\n"
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
        "or other data, `no_rule` with a reason, `awaits` what is not there yet, `follows_from` "
        "rules of which it is a consequence, `compares` other statements.",
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
        "A statement says that no rule carries it out, that it only follows from other rules or "
        "that it only compares statements, and yet a rule is from it. One of the two is out of "
        "date.",
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
    CodeInfo(
        "TW620",
        "a consequence of an unknown rule",
        "What stands under `follows_from` are ids of rules, patches, values, steps, roles or "
        "definitions of any ruleset of the library: together they bring about what the statement "
        "says, so it needs no rule of its own.",
        _says("follows_from: [table.twon]") + _shown("table.town"),
        _says("follows_from: [table.town]") + _shown("table.town"),
    ),
    CodeInfo(
        "TW621",
        "a consequence that nobody shows",
        "A statement follows from other rules, and no scenario of the library names it under "
        "`proves`. Only a scenario shows that it really follows. In a house rule this is a "
        "warning.",
        _says("follows_from: [table.town]"),
        _says("follows_from: [table.town]") + _shown("table.town"),
    ),
    CodeInfo(
        "TW622",
        "a comparison with an unknown statement",
        "What stands under `compares`, `agrees` or `replaces` are ids of statements of any ruleset "
        "of the library.",
        _says("compares: [table-worht]"),
        _says("compares: [table-worth]"),
    ),
    CodeInfo(
        "TW623",
        "a question about an unknown option",
        "A question names the option that decides it: one that a ruleset of the library declares. "
        "Where no option is needed, say why it is `settled`.",
        _says("carried_by: tiles", "questions: [{asks: How much?, option: pruse}]")
        + _reading("trial-bonus"),
        _says("carried_by: tiles", "questions: [{asks: How much?, option: purse}]")
        + _reading("trial-bonus"),
    ),
    CodeInfo(
        "TW624",
        "a reading that nobody plays",
        "A question is decided by an option, and one of the other choices is chosen by no scenario "
        "that proves something. A reading that no scenario plays may have ceased to work. In a "
        "house rule this is a warning.",
        _says("carried_by: tiles", "questions: [{asks: How much?, option: purse}]"),
        _says("carried_by: tiles", "questions: [{asks: How much?, option: purse}]")
        + _reading("trial-bonus"),
    ),
)
