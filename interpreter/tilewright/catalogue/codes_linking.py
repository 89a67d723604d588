"""TW7: rulesets that are played together: what goes with what, in which order, and who has the say.

For the game that the examples build on see `codes_names`. A file of another ruleset than
`trial/first` is named with the folder of that ruleset.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

_MODULE = "# module.yaml\nid: trial/first\nkind: expansion\ntitle: a trial\n"
_OTHER = "# trial/second/module.yaml\nid: trial/second\nkind: expansion\ntitle: another trial\n"
_IDLE = "# module.yaml\nid: trial/first\nkind: base\ntitle: a trial\n"
_BOTH = "requires: {base: trial/table, second: trial/second}\n"
_BASE = "requires: {base: trial/table}\n"
_RULES = "# rules/trial.yaml\n"
_RULE = _RULES + "rules:\n"
_PATCH = _RULES + "patches:\n  - id: trial.patch\n    why: to try it\n"
_RICH = "  - id: trial.rich\n    amend: favour(x)\n    when: x.size > 3\n    value: 2\n"
_FLAGS = "  - id: trial.flags\n    amend: favour(x)\n    when: x.flags > 0\n"
_LAST = (
    f"{_RULES}steps:\n  trial_last: {{phase: final, label: {{en: at last}}}}\n"
    "rules:\n  - id: trial.last\n    on: step trial_last\n"
)
_CROW = "# pieces.yaml\nfigures:\n  crow: {label: {en: crow}, owned: false, count: 1"
_TURN = _RULE + "  - id: trial.turn\n    on: paid(x)\n    do: face crow to north\n"
_RESTING = "rules:\n  - {{id: trial.rest, on: step {0}, do: stop}}\n"
_OVER = "    value: 3\n    over: [trial.rich]\n"
_RULED = (
    "# trial/second/rules/all.yaml\n" + "rules:\n  - {id: second.rule, on: paid(x), do: stop}\n"
)
_OPTION = _MODULE + _BASE
_DECLARED = "options: {mood: {choices: [calm, wild], default: calm, says: how it goes}}\n"
_WILD = _RULE + "  - id: trial.wild\n    option: {mood: wild}\n    on: paid(x)\n    do: stop\n"
_PEGS = "    on: paid(x)\n    do: for f in figures { return f }\n"
_SEEN = _RULES + "definitions:\n"
_ASK = "    parameters: {x: feature}\n    type: number\n    law: one\n    says: a number\n"


def _paid(id_: str, *more: str) -> str:
    lines = "".join(f"    {line}\n" for line in more)
    return f"  - id: {id_}\n{lines}    on: paid(x)\n    do: stop\n"


def _step(name: str, *more: str) -> str:
    return f"  {name}: {{label: {{en: a step}}, {', '.join(more)}}}\n"


def _deck(name: str, more: str) -> str:
    return f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: expansion\ntitle: more\n{more}"


def _twice(word: str) -> str:
    return (
        f"{_RULES}rules:\n  - id: trial.one\n    action: rest at step put_figure\n    do: stop\n"
        f"  - id: trial.two\n    action: {word} at step put_figure\n    do: end game\n"
    )


def _ring(second: str) -> str:
    return (
        f"{_RULE}  - id: trial.one\n    procedure: one()\n    do: do two()\n"
        f"  - id: trial.two\n    procedure: two()\n    do: {second}\n"
    )


def _row(count: int) -> str:
    """Definitions each of which asks the next one."""
    each = "{{parameters: {{}}, type: number, law: one, says: a number, otherwise: {0}}}\n"
    asked = [f"  d{n}: " + each.format(f"d{n + 1}()") for n in range(1, count)]
    return "".join((_SEEN, *asked, f"  d{count}: " + each.format('"1"')))


def _questions(second: str) -> str:
    return (
        f'{_SEEN}  luck:\n{_ASK}    otherwise: "skill(x)"\n'
        f'  skill:\n{_ASK}    otherwise: "{second}"\n'
    )


def _home(do: str) -> str:
    return (
        f"{_PATCH}    replace: table.pay\n"
        f'    procedure: "pay(x: feature)"\n    do: for f in x.figures {{ {do} }}\n'
    )


CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW701",
        "a need that is not met",
        "A ruleset requires a role, and the ruleset it names as the default for it is not there or "
        "does not say `provides:` of that role.",
        _MODULE + _BOTH + _OTHER,
        _MODULE + _BOTH + _OTHER + "provides: [second]\n",
    ),
    CodeInfo(
        "TW702",
        "rulesets that do not go together",
        "A ruleset declares under `conflicts` that it is not played with another one of this game.",
        _MODULE + _BASE + "conflicts: [trial/table]\n",
        _MODULE + _BASE + "conflicts: [trial/second]\n",
    ),
    CodeInfo(
        "TW703",
        "a role that two provide",
        "A role is filled once in a game: there is one base game, and one edition of an expansion.",
        _MODULE + "provides: [first]\n" + _BOTH + _OTHER + "provides: [second, first]\n",
        _MODULE + "provides: [first]\n" + _BOTH + _OTHER + "provides: [second]\n",
    ),
    CodeInfo(
        "TW704",
        "an unknown option",
        "No ruleset of the game declares an option of this name.",
        _RULE + _paid("trial.rule", "option: {pruse: fat}"),
        _RULE + _paid("trial.rule", "option: {purse: fat}"),
    ),
    CodeInfo(
        "TW705",
        "an unknown choice of an option",
        "The option exists, but not this choice of it.",
        _RULE + _paid("trial.rule", "option: {purse: fta}"),
        _RULE + _paid("trial.rule", "option: {purse: fat}"),
    ),
    CodeInfo(
        "TW706",
        "an option that nobody asks",
        "Whatever is chosen for this option, the game is the same: no rule, patch or tile names "
        "it.",
        _OPTION + _DECLARED,
        _OPTION + _DECLARED + _WILD,
    ),
    CodeInfo(
        "TW707",
        "a patch that misses",
        "A patch names what it changes, and there is no such thing in the game. Perhaps it is "
        "misspelt, or the ruleset that has it is not required, or it is there only under an "
        "option.",
        _PATCH + "    remove: table.twon\n",
        _PATCH + "    remove: table.town\n",
    ),
    CodeInfo(
        "TW708",
        "a patch that changes nothing",
        "What the patch puts there stands there already. Either the base has changed its mind, or "
        "another change was meant.",
        _PATCH + "    set: town.points\n    to: 2\n",
        _PATCH + "    set: town.points\n    to: 4\n",
    ),
    CodeInfo(
        "TW709",
        "not what the patch expects",
        "With `expect` a patch says what it believes it replaces. The base says something else "
        "now, so look again whether the patch still fits.",
        _PATCH + "    set: players.most\n    expect: 3\n    to: 4\n",
        _PATCH + "    set: players.most\n    expect: 2\n    to: 4\n",
    ),
    CodeInfo(
        "TW710",
        "two patches of one thing",
        "Two patches of equal rank change the same thing, and nothing says which is the last word. "
        "The patch of a ruleset that requires the other one comes after it.",
        _PATCH + "    set: town.points\n    to: 4\n"
        "  - id: trial.other\n    why: to try it\n    set: town.points\n    to: 5\n",
        _PATCH + "    set: town.points\n    to: 4\n",
    ),
    CodeInfo(
        "TW711",
        "two rules claim a case",
        "A definition under the law `one` has one answer, and two amendments may hold at once. "
        "Conditions are told apart when one denies what the other says, or when they ask for "
        "different kinds; otherwise `over: [other.rule]` says which goes first.",
        _RULE + _RICH + _FLAGS + "    value: 1\n",
        _RULE + _RICH + _FLAGS + "    over: [trial.rich]\n    value: 1\n",
    ),
    CodeInfo(
        "TW712",
        "an unknown step",
        "A rule stands at a step, or a step is to be after one, that no ruleset of the game "
        "declares under `steps`.",
        _RULE + "  - id: trial.rule\n    on: step lay_tlie\n    after: [table.lay]\n    do: stop\n",
        _RULE + "  - id: trial.rule\n    on: step lay_tile\n    after: [table.lay]\n    do: stop\n",
    ),
    CodeInfo(
        "TW713",
        "steps that cannot be put in order",
        "A step is to be after one that is to be after it, or it names a step of another phase: "
        "setup, turn and final are three lists.",
        _RULES + "steps:\n" + _step("rest", "phase: turn", "after: [tally]", "before: [draw_tile]"),
        _RULES + "steps:\n" + _step("rest", "phase: turn", "after: [tally]"),
    ),
    CodeInfo(
        "TW714",
        "an unknown rule",
        "`after` and `over` name rules by their ids, and no ruleset of the game has this one.",
        _RULE + _paid("trial.rule", "after: [trial.first]"),
        _RULE + _paid("trial.rule", "after: [trial.one]") + _paid("trial.one"),
    ),
    CodeInfo(
        "TW715",
        "rules that wait for each other",
        "By `after` or `over` each of these rules is to come after the next, and the last of them "
        "after the first.",
        _RULE + _paid("trial.one", "after: [trial.two]") + _paid("trial.two", "after: [trial.one]"),
        _RULE + _paid("trial.one", "after: [trial.two]") + _paid("trial.two"),
    ),
    CodeInfo(
        "TW716",
        "an unknown definition",
        "An amendment answers a definition, and nobody declares one of this name.",
        _RULE + "  - id: trial.rule\n    amend: fovour(x)\n    value: 1\n",
        _RULE + "  - id: trial.rule\n    amend: favour(x)\n    value: 1\n",
    ),
    CodeInfo(
        "TW717",
        "another number of parameters",
        "A rule may give the parameters of a definition or an event names of its own, but it names "
        "all of them or none.",
        _RULE + "  - id: trial.rule\n    amend: may_stand(f)\n    value: f is peg\n",
        _RULE + "  - id: trial.rule\n    amend: may_stand(f, s)\n    value: f is peg\n",
    ),
    CodeInfo(
        "TW718",
        "an item too few or too many",
        "Under the law `items` each answer has a name, which the list of points shows. Under the "
        "other laws answers have none.",
        _RULE + "  - id: trial.rule\n    amend: worth(x)\n    value: x.flags\n",
        _RULE + "  - id: trial.rule\n    amend: worth(x)\n    item: flags\n    value: x.flags\n",
    ),
    CodeInfo(
        "TW719",
        "definitions in a circle",
        "To answer the one, the other must be asked, and so on without end.",
        _questions("luck(x)"),
        _questions("x.size"),
    ),
    CodeInfo(
        "TW720",
        "procedures or events in a circle",
        "Each of these sets off the next, and the last of them the first, so that a game might "
        "never go on. A loop over a set or a `repeat` comes to an end; a circle need not.",
        _ring("do one()"),
        _ring("stop"),
    ),
    CodeInfo(
        "TW760",
        "calls too deep inside one another",
        "A definition asks a second one, that one a third, and so on; the same with procedures and "
        "events. Each call, and each loop over a set around it, takes room while it lasts, and a "
        "game would stop for want of it.",
        _row(205),
        _row(3),
    ),
    CodeInfo(
        "TW761",
        "turns in which nothing happens",
        "No rule and no action stands at a step of the turn, so nobody ever has a choice and the "
        "game does not end by itself. A match is stopped after some hundred turns.",
        _IDLE,
        _IDLE + _RULES + "steps:\n  rest: {phase: turn, label: {en: rest}}\n"
        "rules:\n  - {id: trial.rest, on: step rest, do: end game}\n",
    ),
    CodeInfo(
        "TW762",
        "a number of players that nobody can be",
        "`players.least` and `players.most` say how many play. There is a seat for each of them, "
        "there is at least one player, and the least is not more than the most.",
        _PATCH + "    set: players.least\n    to: 7\n",
        _PATCH + "    set: players.least\n    to: 1\n",
    ),
    CodeInfo(
        "TW721",
        "no order between two rules",
        "Two rules at one step or on one event change the same things, or one changes what the "
        "other reads, or may end the game, or both let a player choose. So it matters which goes "
        "first. Rules that only award points need no order.",
        _RULE + "  - id: trial.one\n" + _PEGS + "  - id: trial.two\n" + _PEGS,
        _RULE
        + "  - id: trial.one\n"
        + _PEGS
        + "  - id: trial.two\n    after: [trial.one]\n"
        + _PEGS,
    ),
    CodeInfo(
        "TW765",
        "no order between two steps",
        "The rules at two steps of one phase change the same things, or one changes what the other "
        "reads, and neither step is declared to come first: not by `after` or `before`, not by "
        "`order`, and not through other steps. Where their rules do nothing to each other, steps "
        "need no order.",
        _RULES
        + "steps:\n"
        + _step("gift", "phase: turn")
        + "rules:\n  - {id: trial.gift, on: step gift, do: award 1 to active}\n",
        _RULES
        + "steps:\n"
        + _step("gift", "phase: turn", "after: [put_figure]", "before: [tally]")
        + "rules:\n  - {id: trial.gift, on: step gift, do: award 1 to active}\n",
    ),
    CodeInfo(
        "TW722",
        "declared twice",
        "Two rulesets of the game declare a thing of the same sort and name. To change what "
        "another ruleset declares, write a patch; to add to it, choose another name.",
        _RULES + "values:\n  town.points: {type: number, is: 3}\n",
        _RULES + "values:\n  town.more_points: {type: number, is: 3}\n",
    ),
    CodeInfo(
        "TW723",
        "a figure that never comes home",
        "Figures of this kind are put on the board, and no rule of the game ever uses `return` for "
        "them. Sooner or later every supply is empty. Some games mean it so; most do not.",
        _home("award 1 to active"),
        _home("return f"),
    ),
    CodeInfo(
        "TW725",
        "a value that is none",
        "What stands under `is`, or under `to` of a patch, is not of the value's type.",
        _RULES + "values:\n  trial.limit: {type: number, is: many}\n",
        _RULES + "values:\n  trial.limit: {type: number, is: 12}\n",
    ),
    CodeInfo(
        "TW726",
        "an unknown type",
        "A type is one of the language's own, `set of` one of them, or one with a `?` when it "
        "may be nothing.",
        _RULES + "memory:\n  seen: {type: set of tiels, per: game}\n",
        _RULES + "memory:\n  seen: {type: set of tile, per: game}\n",
    ),
    CodeInfo(
        "TW727",
        "a role of nobody",
        "A role is what figures are called on a kind of feature, and it names a figure or a kind "
        "that nobody declares.",
        "# pieces.yaml\nroles:\n  walker: {label: {en: walker}, figures: [peg], on: trakc}\n",
        "# pieces.yaml\nroles:\n  walker: {label: {en: walker}, figures: [peg], on: track}\n",
    ),
    CodeInfo(
        "TW728",
        "one name for two sorts of things",
        "In effect text a name stands alone, so a symbol and a kind of feature, a figure and a "
        "role and so on cannot share one.",
        "# pieces.yaml\nsymbols:\n  hut: {label: {en: hut}}\n",
        "# pieces.yaml\nsymbols:\n  corner: {label: {en: corner}}\n",
    ),
    CodeInfo(
        "TW729",
        "two actions of one name",
        "An option is written as the name of its action and what it is about, so the actions of a "
        "step need different names.",
        _twice("rest"),
        _twice("leave"),
    ),
    CodeInfo(
        "TW730",
        "a law that does not suit the type",
        "`sum`, `items` and `max` join numbers, `all` and `any` truths, `union` sets; `one` suits "
        "every type.",
        _SEEN + "  glad:\n    parameters: {}\n    type: number\n    law: all\n    says: how glad\n",
        _SEEN
        + "  glad:\n    parameters: {}\n    type: truth\n    law: all\n    says: whether glad\n",
    ),
    CodeInfo(
        "TW731",
        "an action that is never offered",
        "An action stands at a step at which no rule says `offer actions by ...`.",
        _RULE + "  - id: trial.rule\n    action: rest at step tally\n    do: stop\n",
        _RULE + "  - id: trial.rule\n    action: rest at step put_figure\n    do: stop\n",
    ),
    CodeInfo(
        "TW732",
        "an offer of nothing",
        "A rule offers the actions of its step, and no action stands there.",
        _RULE + "  - id: trial.rule\n    on: step tally\n    after: [table.tally]\n"
        "    do: offer actions by active\n",
        _RULE + "  - id: trial.rule\n    on: step tally\n    after: [table.tally]\n"
        "    do: offer actions by active\n"
        "  - id: trial.action\n    action: rest at step tally\n    do: stop\n",
    ),
    CodeInfo(
        "TW734",
        "a memory that begins as nothing",
        "Numbers begin at 0, truths as false, sets empty. Anything else begins as nothing, so its "
        "type ends in `?` and its use is tested.",
        _RULES + "memory:\n  host: {type: player, per: game}\n",
        _RULES + 'memory:\n  host: {type: "player?", per: game}\n',
    ),
    CodeInfo(
        "TW735",
        "no single stack of tiles",
        "All tiles start in the one stack that says `holds: tiles`, unless they name another.",
        "# pieces.yaml\nstacks:\n  heap: {label: {en: heap}, holds: tiles}\n",
        "# pieces.yaml\nstacks:\n  heap: {label: {en: heap}}\n",
    ),
    CodeInfo(
        "TW736",
        "no answer when no rule holds",
        "A definition under the law `one` needs `otherwise`, unless its answer may be nothing or "
        "is a set.",
        _SEEN + "  luck:\n" + _ASK,
        _SEEN + "  luck:\n" + _ASK + '    otherwise: "0"\n',
    ),
    CodeInfo(
        "TW737",
        "order asked of answers that have none",
        "Answers to a definition are joined by its law, in no order, so `after` says nothing "
        "there. Where one answer takes precedence over another, write `over`.",
        _RULE + _RICH + "    after: [trial.flags]\n" + _FLAGS + _OVER,
        _RULE + _RICH + _FLAGS + _OVER,
    ),
    CodeInfo(
        "TW738",
        "a figure that does not carry this",
        "Only a figure that says `carries: [facing]` can be turned to a direction, and only one "
        "that says `carries: [companion]` can be attached to another figure.",
        _CROW + "}\n" + _TURN,
        _CROW + ", carries: [facing]}\n" + _TURN,
    ),
    CodeInfo(
        "TW739",
        "an end after the end",
        "`end game` lets no further turn begin. In the final phase there is no further turn, and "
        "what is still to be scored must not be cut off.",
        _LAST + "    do: end game\n",
        _LAST + "    do: award 1 to active\n",
    ),
    CodeInfo(
        "TW740",
        "nothing can be inserted there",
        "What is inserted is done before or after a rule that does something. An answer to a "
        "question does nothing: amend the question instead. Beside what is itself inserted nothing "
        "goes either; name the rule that both stand beside, and `after` for their order.",
        _PATCH + "    insert: before table.town\n    do: award 1 to active\n",
        _PATCH + "    insert: before table.tally\n    do: award 1 to active\n",
    ),
    CodeInfo(
        "TW741",
        "a rule whose step is taken out",
        "A patch takes a step out, and with it all rules there of rulesets that its own builds on. "
        "This rule belongs to none of them.",
        _PATCH + "    remove: step put_figure\n" + _RESTING.format("put_figure"),
        _PATCH + "    remove: step put_figure\n" + _RESTING.format("tally"),
    ),
    CodeInfo(
        "TW742",
        "a number that cannot be",
        "Only what is a number can be adjusted. There is at least one of every tile; a tile that "
        "is not wanted is removed. Of figures and tokens there may be none.",
        _PATCH + "    adjust: tile cap.count\n    by: -3\n",
        _PATCH + "    adjust: tile cap.count\n    by: -2\n",
    ),
    CodeInfo(
        "TW750",
        "defaults that differ",
        "Two rulesets of the game need the same role and name different rulesets for it, of which "
        "neither takes over the other. The game must name one of them.",
        _MODULE
        + "requires: {base: trial/table, second: trial/second, third: trial/third}\n"
        + _OTHER
        + "provides: [second]\nrequires: {deck: trial/red-deck}\n"
        + _deck("third", "provides: [third]\nrequires: {deck: trial/blue-deck}\n")
        + _deck("red-deck", "provides: [deck]\n")
        + _deck("blue-deck", "provides: [deck]\n"),
        _MODULE
        + "requires: {base: trial/table, second: trial/second, third: trial/third}\n"
        + _OTHER
        + "provides: [second]\nrequires: {deck: trial/red-deck}\n"
        + _deck("third", "provides: [third]\nrequires: {deck: trial/red-deck}\n")
        + _deck("red-deck", "provides: [deck]\n"),
    ),
    CodeInfo(
        "TW751",
        "company that nobody knows",
        "Under `with` stand rulesets and roles without which a thing is not in the game. No "
        "ruleset that is known has this id or provides this role, so the thing never is.",
        _RULE + _paid("trial.rule", "with: [trial/tabel]"),
        _RULE + _paid("trial.rule", "with: [trial/table]"),
    ),
    CodeInfo(
        "TW752",
        "precedence that means nothing",
        "`after` puts a step rule behind others of its step, or a reaction behind others on its "
        "event. `over` gives an answer precedence over other answers to the same question, where "
        "its law is `one`. On other rules, between places, and about itself a rule says nothing "
        "by them.",
        _RULE + _paid("trial.rule", "after: [table.lay]"),
        _RULE + _paid("trial.rule", "after: [trial.one]") + _paid("trial.one"),
    ),
    CodeInfo(
        "TW754",
        "nothing to leave out",
        "What stands behind `minus` is a topic of the ruleset's statements, of which the first "
        "words suffice, or a rule of it. It has none that is called so.",
        _MODULE + _BASE + "parts: {base: minus table.twon}\n",
        _MODULE + _BASE + "parts: {base: minus table.role}\n",
    ),
    CodeInfo(
        "TW755",
        "a role that a part cannot play",
        "A ruleset requires a role, and of the ruleset that plays it only tiles or pieces are in "
        "the game. Who requires it needs its rules.",
        _MODULE + _BASE + "parts: {base: tiles}\n",
        _MODULE + _BASE + "parts: {base: minus table.role}\n",
    ),
    CodeInfo(
        "TW756",
        "nothing to play",
        "Of the rulesets of this game only tiles or pieces are taken, and none of them has a turn "
        "with steps.",
        _MODULE + "parts: {trial/table: tiles}\n",
        _MODULE + "parts: {trial/table: minus table.role}\n",
    ),
    CodeInfo(
        "TW757",
        "something that is left out is needed",
        "A ruleset is in the game in part, and what it lacks is named by somebody. Take that too, "
        "or leave out the rule that needs it as well.",
        _MODULE + _BASE + "parts: {base: minus table.pay}\n",
        _MODULE + _BASE + "parts: {base: minus table.role}\n",
    ),
    CodeInfo(
        "TW758",
        "something has no effect in a part",
        "A ruleset is in the game in part. This piece or question of it is there, and nothing "
        "makes use of it.",
        _MODULE + _BASE + "parts: {base: minus table.town}\n",
        _MODULE + _BASE + "parts: {base: minus table.role}\n",
    ),
    CodeInfo(
        "TW759",
        "a part that takes nothing",
        "The tiles of a ruleset that has none, a topic left out of what has no rules anyway: what "
        "is asked for makes no difference.",
        _MODULE + _BASE + "parts: {trial/second: tiles}\n" + _deck("second", _BASE) + _RULED,
        _MODULE + _BASE + "parts: {trial/second: rules}\n" + _deck("second", _BASE) + _RULED,
    ),
)
