"""TW2: the shape of a file: its keys, what stands under them, and where files lie.

The examples begin with a comment that names the file they are taken from.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

_MODULE = "# module.yaml\nid: trial/first\nkind: base\ntitle: a trial\n"
_TOWN = "segments: {t1: {kind: town, at: [N, E, S, W]}}"

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW201",
        "a key is missing",
        "Some keys must be there, because nothing sensible can be assumed in their place. The "
        "message names the key; the editor's hover tells what it is for.",
        "# module.yaml\nid: trial/first\nkind: base\n",
        _MODULE,
    ),
    CodeInfo(
        "TW202",
        "an unknown key",
        "No key of this name is known here. It is probably misspelt, or indented under the wrong "
        "thing. Keys are never ignored, so that a slip cannot switch something off unseen.",
        _MODULE + "confilcts: [trial/other]\n",
        _MODULE + "conflicts: [trial/other]\n",
    ),
    CodeInfo(
        "TW203",
        "a value of the wrong sort",
        "A list stands where a map is expected, text where a number is expected, and so on. A "
        "single word that belongs into a list still needs its brackets: `[word]`. Numbers and "
        "`true` are text only between quotes. Inside brackets a comma separates values, so text "
        "with a comma, such as a cell, goes between quotes there.",
        _MODULE + "provides: base\n",
        _MODULE + "provides: [base]\n",
    ),
    CodeInfo(
        "TW204",
        "not one of the allowed words",
        "Only a few words are allowed here; the help line lists them.",
        "# module.yaml\nid: trial/first\nkind: bass\ntitle: a trial\n",
        _MODULE,
    ),
    CodeInfo(
        "TW205",
        "an id that does not look like one",
        "Ids have a fixed look, so that they can be told apart at sight and used in rules without "
        "quotes: names are `two_words`, rules `group.two_words`, statements and scenarios "
        "`two-words`, rulesets `edition/two-words`.",
        "# module.yaml\nid: Trial\nkind: base\ntitle: a trial\n",
        _MODULE,
    ),
    CodeInfo(
        "TW206",
        "too few or too many",
        "A list is shorter or longer than it may be, or a text is empty. A tile has four edges, an "
        "option at least two choices.",
        _MODULE + "options: {size: {choices: [big], default: big, says: how big it is}}\n",
        _MODULE + "options: {size: {choices: [big, small], default: big, says: how big it is}}\n",
    ),
    CodeInfo(
        "TW207",
        "a number out of range",
        "The number is smaller than it may be. Counts are not negative, and a tile that is printed "
        "is there at least once.",
        _MODULE + "components: [{of: tiles, count: -1}]\n",
        _MODULE + "components: [{of: tiles, count: 0}]\n",
    ),
    CodeInfo(
        "TW208",
        "a rule without exactly one body",
        "A rule does one thing: it amends a definition (`amend` with `value`), acts at a step or "
        "on an event (`on` with `do`), offers an action (`action` with `offer`, `where`, `do`), "
        "or is a procedure (`procedure` with `do`). Two bodies are two rules.",
        "# rules/trial.yaml\nrules:\n  - id: trial.worth\n    amend: worth(x)\n    do: stop\n"
        "    value: 1\n",
        "# rules/trial.yaml\nrules:\n  - id: trial.worth\n    amend: worth(x)\n    value: 1\n",
    ),
    CodeInfo(
        "TW209",
        "a statement carried out in two ways",
        "A statement is carried out by rules, unless it says otherwise: `carried_by` names the "
        "part of the data that does it, `no_rule` says why nothing needs to, `awaits` what is "
        "missing before all of it can be, `follows_from` the rules of which it is a consequence, "
        "`compares` the statements it only compares. Only one of these can be so, but for "
        "`awaits`: a part may be carried out now while the rest waits.",
        "# statements.yaml\nstatements:\n  - id: box\n    topic: setup.box\n    says: it is a box\n"
        "    authority: official\n    carried_by: tiles\n    no_rule: about the box\n",
        "# statements.yaml\nstatements:\n  - id: box\n    topic: setup.box\n    says: it is a box\n"
        "    authority: official\n    no_rule: about the box\n",
    ),
    CodeInfo(
        "TW210",
        "a patch without exactly one verb",
        "A patch changes one thing in one way: it may `set` a value or a count with `to`, `adjust` "
        "one `by` a number, `replace` or `remove` a rule, a step or a tile, or `insert` effects "
        "before or after a rule.",
        "# rules/trial.yaml\npatches:\n  - id: trial.more\n    why: more fun\n    to: 3\n",
        "# rules/trial.yaml\npatches:\n  - id: trial.more\n    why: more fun\n    to: 3\n"
        "    set: trial.worth\n",
    ),
    CodeInfo(
        "TW211",
        "a piece with faces and edges of its own",
        "A piece of one cell and one side has `edges` and `segments`; any other piece has `faces`, "
        "and then each cell in it has edges and segments of its own.",
        "# tiles.yaml\ntiles:\n  - id: plain\n    count: 1\n    tags: [wide]\n    faces:\n"
        "      - - {at: [0, 0], edges: [town, town, town, town], " + _TOWN + "}\n",
        "# tiles.yaml\ntiles:\n  - id: plain\n    count: 1\n    faces:\n"
        "      - - {at: [0, 0], tags: [wide], edges: [town, town, town, town], " + _TOWN + "}\n",
    ),
    CodeInfo(
        "TW212",
        "a scenario that does nothing",
        "A scenario either plays (`play`, with what must then be true) or must be refused "
        "(`fails`, with the code of the complaint).",
        "# scenarios/trial.yaml\nscenarios:\n  - id: nothing\n    says: nothing happens\n",
        "# scenarios/trial.yaml\nscenarios:\n  - id: nothing\n    says: nothing happens\n"
        "    play: [pass]\n",
    ),
    CodeInfo(
        "TW213",
        "a question without exactly one answer",
        "What a statement leaves open is decided by an `option`, or `settled` by a reason why no "
        "other reading can be played or makes a difference.",
        "# statements.yaml\nstatements:\n  - id: box\n    topic: setup.box\n    says: it is a box\n"
        "    authority: official\n    carried_by: tiles\n"
        "    questions: [{asks: Is the lid a part of it?}]\n",
        "# statements.yaml\nstatements:\n  - id: box\n    topic: setup.box\n    says: it is a box\n"
        "    authority: official\n    carried_by: tiles\n"
        "    questions: [{asks: Is the lid a part of it?, settled: it is never used}]\n",
    ),
    CodeInfo(
        "TW220",
        "a file that is not read",
        "The folder of a ruleset has module.yaml, statements.yaml, pieces.yaml, tiles.yaml, and "
        "the folders rules and scenarios with files that end in `.yaml`. Another data file beside "
        "them is probably misnamed: nothing in it has any effect.",
        "trial/first/module.yaml\ntrial/first/tile.yaml\n",
        "trial/first/module.yaml\ntrial/first/tiles.yaml\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW221",
        "an unknown ruleset",
        "No ruleset of this id was found in the folders that were searched. Rulesets of your own "
        "are found when their folder is given too.",
        "requires: {base: trial/frist}\n",
        "requires: {base: trial/first}\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW222",
        "an id that differs from the folder",
        "Rulesets are found by their place: the ruleset `trial/first` lies in a folder `first` "
        "inside a folder `trial`. The id in module.yaml must say the same.",
        "# trial/second/module.yaml\nid: trial/first\nkind: base\ntitle: a trial\n",
        "# trial/first/module.yaml\nid: trial/first\nkind: base\ntitle: a trial\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW223",
        "an id given twice",
        "Two things of one sort in this ruleset have the same id, perhaps in different files. Both "
        "places are shown. To change a rule of another ruleset, write a patch.",
        "# rules/trial.yaml\nrules:\n  - {id: trial.one, on: step first, do: stop}\n"
        "  - {id: trial.one, on: step second, do: stop}\n",
        "# rules/trial.yaml\nrules:\n  - {id: trial.one, on: step first, do: stop}\n"
        "  - {id: trial.two, on: step second, do: stop}\n",
    ),
    CodeInfo(
        "TW224",
        "a default that is not among the choices",
        "The default of an option is one of its choices, written in the same way.",
        _MODULE + "options: {size: {choices: [big, small], default: bog, says: how big it is}}\n",
        _MODULE + "options: {size: {choices: [big, small], default: big, says: how big it is}}\n",
    ),
    CodeInfo(
        "TW226",
        "a folder without module.yaml",
        "Every ruleset has a file module.yaml with its id, kind and title; without it the folder "
        "cannot be read.",
        "trial/first/tiles.yaml\n",
        "trial/first/module.yaml\ntrial/first/tiles.yaml\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW227",
        "a mark in a phrase that is not closed",
        "In a phrase the words that matter stand between `**` and `**`. One of the two is missing, "
        "so nobody can say where these words end.",
        "# statements.yaml\nstatements: []\nphrases:\n  - heading: Town\n    lines:\n"
        "      - {topic: town.size, aspect: How large, says: '**Very large.', from: [large]}\n",
        "# statements.yaml\nstatements: []\nphrases:\n  - heading: Town\n    lines:\n"
        "      - {topic: town.size, aspect: How large, says: '**Very** large.', from: [large]}\n",
    ),
)
