"""TW630 to TW659: what is no error and yet most likely a slip, or unfinished.

For the game that the examples build on see `codes_names`. Each of them can be answered by `ignore`
with a reason, in the rule, patch, statement or file that it is about.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo


def _says(text: str = "A town pays one more.") -> str:
    return (
        "# statements.yaml\nstatements:\n  - id: trial-bonus\n    topic: scoring.bonus\n"
        f"    says: {text}\n    authority: official\n"
    )


def _rule(*lines: str, id_: str = "trial.bonus") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"  - id: {id_}\n    from: [trial-bonus]\n{body}"


def _law(*rules: str, before: str = "") -> str:
    return f"# rules/trial.yaml\n{before}rules:\n{''.join(rules)}"


def _shown(covers: str = "trial.bonus", proves: str = "trial-bonus") -> str:
    return (
        "# scenarios/trial.yaml\nscenarios:\n  - id: one-more\n    says: A town pays one more.\n"
        f"    players: [red, blue]\n    covers: [{covers}]\n    proves: [{proves}]\n"
        "    play: [draw cap]\n"
    )


def _one(*lines: str, before: str = "") -> str:
    """A rule with its statement and its scenario."""
    return _says() + _law(_rule(*lines), before=before) + _shown()


def _two(*rules: str, before: str = "") -> str:
    return _says() + _law(*rules, before=before) + _shown("trial.bonus, bonus.other")


_FAVOUR = "amend: favour(x)"
_ONE = "value: 1"
_LUCK = (
    "definitions:\n  luck: {parameters: {x: feature}, type: number, law: sum, says: how lucky}\n"
)
_EXTRA = "values:\n  trial.extra: {type: number, is: 2}\n"
_MOON = "# pieces.yaml\nsymbols:\n  moon: {label: {en: moon}}\n"
_REST = "steps:\n  rest: {phase: turn, after: [tally], label: {en: rest}}\n"
_AT_REST = _rule("on: step rest", "do: award 1 to active")
_COUNT = "memory:\n  paid_towns: {type: number, per: game}\n"
_COUNTS = _rule("on: paid(x)", "do: if x is town { set paid_towns = 1 }", id_="bonus.other")


def _ends(do: str) -> str:
    return _rule("on: step lay_tile", "after: [table.lay]", f"do: {do}", id_="bonus.other")


CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW630",
        "something left to do",
        "The word TODO marks what an author wants to come back to; `tilewright new` leaves such "
        "marks where only the author knows what to write. Do it, and take the mark out.",
        _says('"TODO: how much a town pays"') + "    carried_by: tiles\n",
        _says() + "    carried_by: tiles\n",
    ),
    CodeInfo(
        "TW631",
        "an ignore that is not needed",
        "`ignore` names a warning or a note that its author has looked at, and why it may stay. "
        "Here there is no such complaint, in this rule, patch, statement or file: it has been "
        "mended, or it is another code. Errors cannot be ignored.",
        _one("ignore: {TW633: all towns pay}", "when: x is town", _FAVOUR, _ONE),
        _one(
            "ignore: {TW633: all features pay}", "when: x is town or x is not town", _FAVOUR, _ONE
        ),
    ),
    CodeInfo(
        "TW632",
        "a condition that never holds",
        "One part of the condition denies what another one says, here or in the condition around "
        "it, so nothing can come of it.",
        _one("when: x is town and x is track", _FAVOUR, _ONE),
        _one("when: x is town and x.size > 2", _FAVOUR, _ONE),
    ),
    CodeInfo(
        "TW633",
        "a condition that always holds",
        "What is asked here follows from what stands before it, or holds whatever the position "
        "is. Take it out, or ask what was meant.",
        _one("when: x.size > 2 and x.size >= 2", _FAVOUR, _ONE),
        _one("when: x.size > 2 and x is town", _FAVOUR, _ONE),
    ),
    CodeInfo(
        "TW634",
        "a question that nobody asks",
        "A definition is declared and no rule of any ruleset asks it, so that its answers never "
        "count; or no rule announces an event, so that what follows from it never happens.",
        _one("amend: luck(x)", _ONE, before=_LUCK),
        _two(
            _rule("amend: luck(x)", _ONE),
            _rule(_FAVOUR, "value: luck(x)", id_="bonus.other"),
            before=_LUCK,
        ),
    ),
    CodeInfo(
        "TW635",
        "an answer in the shadow of another",
        "By `over` another answer of the ruleset goes first, and it holds whenever this one does: "
        "this one never gets a word in. Take it out, or give the other one a `when:`.",
        _two(
            _rule("when: x is town", _FAVOUR, _ONE),
            _rule("over: [trial.bonus]", _FAVOUR, "value: 2", id_="bonus.other"),
        ),
        _two(
            _rule("when: x is town", _FAVOUR, _ONE),
            _rule(
                "over: [trial.bonus]", "when: x.size > 2", _FAVOUR, "value: 2", id_="bonus.other"
            ),
        ),
    ),
    CodeInfo(
        "TW636",
        "declared and never used",
        "No rule of any ruleset uses this value, memory, stack, token, attribute or procedure.",
        _one(_FAVOUR, _ONE, before=_EXTRA),
        _one(_FAVOUR, "value: trial.extra", before=_EXTRA),
    ),
    CodeInfo(
        "TW637",
        "a symbol without a rule",
        "The symbol may be printed on tiles, and yet no rule of any ruleset asks for it, and no "
        "kind of feature comes from it.",
        _MOON + _one("when: x is town", _FAVOUR, _ONE),
        _MOON + _one('when: "any t in x.tiles: t has moon"', _FAVOUR, _ONE),
    ),
    CodeInfo(
        "TW638",
        "a step at which nothing happens",
        "No rule and no action of any ruleset stands at this step.",
        _one(_FAVOUR, _ONE, before=_REST),
        _says() + _law(_AT_REST, before=_REST) + _shown(),
    ),
    CodeInfo(
        "TW639",
        "a statement that nothing proves",
        "Rules carry out the statement, and no scenario names it under `proves`.",
        _says() + _law(_rule(_FAVOUR, _ONE)) + _shown(proves=""),
        _one(_FAVOUR, _ONE),
    ),
    CodeInfo(
        "TW641",
        "a name that differs from its topic",
        "The id of a rule and the topic of what it carries out have no word in common, so that "
        "somebody who looks for the one does not find the other. Name the rule after its topic, or "
        "say under `topic` what it is about. House rules may be named after themselves.",
        _says() + _law(_rule(_FAVOUR, _ONE, id_="trial.extra")) + _shown("trial.extra"),
        _one(_FAVOUR, _ONE),
    ),
    CodeInfo(
        "TW642",
        "an answer that makes no difference",
        "Answers to a definition are joined by its law, and this one never changes what comes out: "
        "`true` where all must agree, `false` where any suffices, 0 where they are added up, a "
        "number that is never below another answer where the least counts, or never above it where "
        "the greatest does. A second answer of the same text counts no more than the first.",
        _one("amend: may_stand(f, s)", 'value: "true"'),
        _one("amend: may_stand(f, s)", "value: s.feature.size < 9"),
    ),
    CodeInfo(
        "TW643",
        "a step that is never reached",
        "A rule at an earlier step ends the game whatever the position is.",
        _two(_AT_REST, _ends("end game"), before=_REST),
        _two(_AT_REST, _ends("if pile is empty { end game }"), before=_REST),
    ),
    CodeInfo(
        "TW644",
        "a memory of no use",
        "Something is remembered that no rule asks for, or asked for that no rule ever changes.",
        _two(_rule(_FAVOUR, _ONE), _COUNTS, before=_COUNT),
        _two(_rule(_FAVOUR, "value: paid_towns"), _COUNTS, before=_COUNT),
    ),
    CodeInfo(
        "TW650",
        "a draw from a stack that may be empty",
        "A draw from an empty stack stops the game, and nothing before this one tests that a piece "
        "is there. Test the stack (`is not empty`, `count(s) > 0`, `any p in s: ...` for a draw "
        "`where`), or draw inside `repeat count(s)`. A definition that adds up the numbers of the "
        "same stacks is a test too. Each draw uses up one piece that was tested. At the setup the "
        "stacks have the pieces of the box.",
        _one("on: paid(x)", "do: draw p from pile  put p into away"),
        _one("on: paid(x)", "do: if pile is not empty { draw p from pile  put p into away }"),
    ),
    CodeInfo(
        "TW651",
        "a piece put away twice",
        "A piece is in one place only. What was laid or put into a stack, or is just looked at in "
        "one, must be drawn or taken before it is put somewhere else; else the game stops there.",
        _one("on: paid(x)", "do: for p in pile { put p into away }"),
        _one("on: paid(x)", "do: for p in pile { take p from pile  put p into away }"),
    ),
)
