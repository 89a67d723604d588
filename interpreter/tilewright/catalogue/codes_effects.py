"""TW4: effect text: how it is written, and the types of what is in it.

For the game that the examples build on see `codes_names`.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

_HEAD = "# rules/trial.yaml\nrules:\n  - id: trial.rule\n"
_PAID = _HEAD + "    on: paid(x)\n    do: |\n      "
_FAVOUR = _HEAD + "    amend: favour(x)\n    value: "
_BARS = _HEAD + "    amend: may_stand(f, s)\n    value: "
_STEP = _HEAD + "    on: step tally\n    after: [table.tally]\n    do: |\n      "
_MEMORY = "# rules/trial.yaml\nmemory:\n  best: {type: number, per: game}\n"
_LONG = "x.size + x.size + x.size"

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW401",
        "text that says nothing in the effect language",
        "The text breaks off or goes on where something else must stand. The message tells what "
        "may stand there; the grammar of the language, with an example of each sentence, is one "
        "page.",
        _PAID + "award 1 active\n",
        _PAID + "award 1 to active\n",
    ),
    CodeInfo(
        "TW402",
        "effect text that is too long",
        "A single text has more characters than any rule needs. Give its parts names, as "
        "definitions and procedures, and it can be read as well.",
        _FAVOUR + f"{_LONG} + ...\n",
        _FAVOUR + f"{_LONG}\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW403",
        "brackets nested too deep",
        "Brackets stand inside brackets more often than any rule needs.",
        _FAVOUR + '"' + "(" * 41 + "1" + ")" * 41 + '"\n',
        _FAVOUR + "(1)\n",
    ),
    CodeInfo(
        "TW404",
        "no expression",
        "An expression is expected, but the text is empty or only a comment.",
        _FAVOUR + '"# one for everybody"\n',
        _FAVOUR + '"1 # one for everybody"\n',
    ),
    CodeInfo(
        "TW405",
        "a value of the wrong type",
        "Everything has a type: a number, a truth, a player, a tile, a set of figures ... The "
        "message says which is expected and which was found. There is no silent turning of one "
        "into the other.",
        _FAVOUR + "x.tiles\n",
        _FAVOUR + "count(x.tiles)\n",
    ),
    CodeInfo(
        "TW406",
        "used without a test",
        "This may be nothing: a figure has no tile while it waits in the supply, and no owner when "
        "it is nobody's. Test it first with `is something`, with `is` or with `=`. The test holds "
        "until an effect may change what was tested; a note of the message shows that effect. The "
        "owner of a figure never changes, so a test of it holds to the end of the block. What may "
        "change gets a name of its own before: `let who = crown.holder`, then test `who`.",
        _PAID + "for f in x.figures { award 1 to f.owner }\n",
        _PAID + "for f in x.figures { if f.owner is something { award 1 to f.owner } }\n",
    ),
    CodeInfo(
        "TW407",
        "too few or too many arguments",
        "A question, a procedure or an event is given another number of things than it is about.",
        _FAVOUR + "max(x.size)\n",
        _FAVOUR + "max(x.size, 3)\n",
    ),
    CodeInfo(
        "TW408",
        "an unknown attribute",
        "Things of this type have no such attribute. Besides those of the language, features and "
        "segments carry the attributes that their kinds declare. A set has none: ask its members.",
        _FAVOUR + "x.flgas\n",
        _FAVOUR + "x.flags\n",
    ),
    CodeInfo(
        "TW409",
        "two things that cannot be compared",
        "The answer would always be the same: a tile is never a player, and what is always there "
        "is never nothing. `<` and its like compare numbers, `has` asks for a symbol or a trait.",
        _BARS + "s is peg\n",
        _BARS + "f is peg\n",
    ),
    CodeInfo(
        "TW410",
        "a verb with the wrong parts",
        "Each verb goes with its own little words, and some of these cannot be left out. The help "
        "line shows how the verb is written.",
        _PAID + "award 1 into active\n",
        _PAID + "award 1 to active\n",
    ),
    CodeInfo(
        "TW411",
        "a set is expected, or is not",
        "`for`, `any`, `count` and their like go through a set, `in` asks a set, and only a set or "
        "a stack is empty. A single thing goes between braces to be a set.",
        _FAVOUR + '"count f in x.size: f is placed"\n',
        _FAVOUR + '"count f in x.figures: f is placed"\n',
    ),
    CodeInfo(
        "TW412",
        "something that cannot be set",
        "Only local names, what is declared under `memory`, and `active` can be given a new value. "
        "Values are the same for the whole game; a house rule changes them with a patch.",
        _PAID + "set town.points = 3\n",
        _MEMORY + "rules:\n  - id: trial.rule\n    on: paid(x)\n    do: set best = x.size\n",
    ),
    CodeInfo(
        "TW413",
        "a name that already means something",
        "A new name must not hide another one, and the words of the language name nothing else: "
        "a reader could not tell which is meant.",
        _PAID + "let pile = 1\n      award pile to active\n",
        _PAID + "let more = 1\n      award more to active\n",
    ),
    CodeInfo(
        "TW416",
        "an offer outside a step",
        "Actions stand at a step, so only a rule that is `on: step ...` can offer them.",
        _PAID + "offer actions by active\n",
        _HEAD + "    on: step lay_tile\n    after: [table.lay]\n    do: offer actions by active\n"
        "  - id: trial.action\n    action: rest at step lay_tile\n    do: stop\n",
    ),
    CodeInfo(
        "TW418",
        "a set of mixed things",
        "All members of a set are of one type, and each of them is there and is no set itself.",
        _BARS + "f in {f, s}\n",
        _BARS + "f in {f}\n",
    ),
    CodeInfo(
        "TW419",
        "never reached",
        "What stands behind a plain `stop` or `end game` in the same block never happens.",
        _STEP + "end game\n      award 1 to active\n",
        _STEP + "award 1 to active\n      end game\n",
    ),
    CodeInfo(
        "TW420",
        "an unknown verb",
        "An effect begins with a verb, and the language has none of this name. The procedures of "
        "rulesets are performed with `do NAME(...)`.",
        _PAID + "awrad 1 to active\n",
        _PAID + "award 1 to active\n",
    ),
)
