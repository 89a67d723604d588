"""A corpus of rulesets that mean no good: each a folder of files that somebody might be sent.

    python hostile.py FOLDER      # writes them all, one folder each

Each must end in diagnostics: soon, in little memory, and with nothing read or run that does not
belong to it. `test_hostile.py` sees to that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from pathlib import Path

#: by path: the content of a file; None for a pipe, which nobody ever writes to
Files = Mapping[str, str | bytes | None]

MODULE = "id: house/hostile\nkind: house\ntitle: Hostile\nrequires: {base: c2/base}\n"


#: steps of a turn
STEPS = ("draw_tile", "lay_tile", "deploy_figure", "score_features", "pass_turn")


def rules(*texts: str) -> dict[str, str]:
    return {"module.yaml": MODULE, "rules/all.yaml": "rules:\n" + "".join(texts)}


def step_rule(id_: str, do: str, step: str = "score_features", after: str = "") -> str:
    body = "".join(f"      {line}\n" for line in do.splitlines())
    order = f"    after: [{after}]\n" if after else ""
    return f"  - id: {id_}\n    on: step {step}\n{order}    do: |\n{body}"


def amendment(id_: str, value: str, when: str = "x is city") -> str:
    head = f"  - id: {id_}\n    amend: points(x)\n    when: {when}\n"
    return head + f"    item: {id_}\n    value: {value}\n"


def tiles(text: str) -> dict[str, str]:
    return {"module.yaml": MODULE, "tiles.yaml": text}


def declared(*texts: str) -> Files:
    return {"module.yaml": MODULE, "rules/all.yaml": "".join(texts)}


def tangle(number: int) -> str:
    """A condition with sixty-four cases."""
    return " and ".join(
        f"(count(figures) > {number * 7 + k} or count(tiles) > {k})" for k in range(6)
    )


def grows(value: str) -> Files:
    """A number from which a rule computes another one, sixty times."""
    return rules(
        step_rule("hostile.grow", f"let n = 3\nrepeat 60 {{ set n = {value} }}\naward n to active")
    )


def nested_loops(depth: int, inner: str) -> str:
    lines = [f"for v{n} in tiles {{" for n in range(depth)]
    return "\n".join([*lines, inner, "}" * depth])


def long_lists(many: int) -> str:
    """Lists of ten thousand members, one after another."""
    return "".join(f"let many{n} = cycle(players, 10000)\n" for n in range(many))


def chain_of_definitions(many: int) -> Files:
    """Each asks the next one twice: 2 to the power of their number, if it were done."""
    declared = [
        f"  ask_{n}: {{parameters: {{x: feature}}, type: number, combine: one,"
        " default: 0, says: one}\n"
        for n in range(many)
    ]
    amendments = [
        f"  - id: hostile.a{n}\n    amend: ask_{n}(x)\n    value: ask_{n + 1}(x) + ask_{n + 1}(x)\n"
        for n in range(many - 1)
    ]
    last = f"  - id: hostile.last\n    amend: ask_{many - 1}(x)\n    value: 1\n"
    used = amendment("hostile.used", "ask_0(x)")
    text = "definitions:\n" + "".join(declared) + "rules:\n" + "".join([*amendments, last, used])
    return {"module.yaml": MODULE, "rules/all.yaml": text}


def kept(type_: str, do: str) -> Files:
    """A rule that keeps something in memory from turn to turn."""
    return {
        "module.yaml": MODULE,
        "rules/memory.yaml": "memory:\n  grown.one: {type: number, per: game}\n"
        f"  grown.many: {{type: set of {type_}, per: game}}\n",
        "rules/all.yaml": "rules:\n" + step_rule("hostile.kept", do),
    }


def doubled(call: str, last: str, first: str) -> Files:
    """Procedures or events that each call the next one twice: `call` has their numbers."""
    on = "procedure: p{0}()" if call.startswith("p{") else "on: p{0}()"
    rows = [
        f"  - id: hostile.p{n}\n    {on.format(n)}\n    do: |\n"
        f"      {call.format(n + 1)}\n      {call.format(n + 1)}\n"
        for n in range(60)
    ]
    rows.append(f"  - id: hostile.p60\n    {on.format(60)}\n    do: {last}\n")
    rows.append(step_rule("hostile.first", first))
    events = "".join(f"  p{n}: {{says: x}}\n" for n in range(61))
    declared = "" if call.startswith("p{") else f"events:\n{events}"
    return {"module.yaml": MODULE, "rules/all.yaml": declared + "rules:\n" + "".join(rows)}


def listeners(events: int, many: int) -> Files:
    """Events in a row: each has so many reactions, and each of them announces the next event."""
    rows = []
    for n in range(events):
        do = f"announce e{n + 1}()" if n + 1 < events else "award 1 to active"
        for k in range(many):
            after = f"hostile.e{n}r{k - 1}" if k else ""
            rows.append(f"  - {{id: hostile.e{n}r{k}, on: e{n}(), after: [{after}], do: {do}}}\n")
    rows.append(step_rule("hostile.first", "announce e0()"))
    declared = "".join(f"  e{n}: {{says: x}}\n" for n in range(events))
    text = f"events:\n{declared}rules:\n" + "".join(rows)
    return {"module.yaml": MODULE, "rules/all.yaml": text}


def squares(combine: str, value: str) -> Files:
    """Definitions in a row that each return a greater number than the next one."""
    declared = [
        f"  a{n}: {{parameters: {{x: player}}, type: number, combine: {combine}, says: x}}\n"
        for n in range(61)
    ]
    rows = [
        f"  - {{id: hostile.a{n}, amend: a{n}(x), value: {value.format(f'a{n + 1}(x)')}}}\n"
        for n in range(60)
    ]
    rows.append("  - {id: hostile.a60, amend: a60(x), value: 7}\n")
    rows.append(step_rule("hostile.first", "award a0(active) to active"))
    text = "definitions:\n" + "".join(declared) + "rules:\n" + "".join(rows)
    return {"module.yaml": MODULE, "rules/all.yaml": text}


def long_sets(do: str, more: str = "", definitions: str = "") -> Files:
    """A rule with a set of ten thousand numbers, kept in memory."""
    tens = "".join(
        f"  - {{id: hostile.tens{n}, amend: tens(), value: {n * 1000 + 1}..{n * 1000 + 1000}}}\n"
        for n in range(10)
    )
    head = "definitions:\n  tens: {type: set of number, combine: union, says: x}\n" + definitions
    memory = "".join(f"  grown.kept{n}: {{type: set of number, per: game}}\n" for n in range(200))
    return {
        "module.yaml": MODULE,
        "rules/memory.yaml": f"memory:\n  grown.big: {{type: set of number, per: game}}\n{memory}",
        "rules/all.yaml": f"{head}rules:\n{tens}{more}"
        + step_rule("hostile.sets", f"if grown.big is empty {{ set grown.big = tens() }}\n{do}"),
    }


def large_numbers(many: int, kept: str) -> str:
    """Sets of large numbers, one in each line."""
    line = kept + " = collect a in grown.big: a * 1000000 + {0} * turn\n"
    return "".join(line.format(n) for n in range(many))


def chain_of_calls(count: int) -> Files:
    """Procedures in a row that each call the next one."""
    rows = [f"  - {{id: hostile.p{n}, procedure: p{n}(), do: p{n + 1}()}}\n" for n in range(count)]
    rows.append(f"  - {{id: hostile.p{count}, procedure: p{count}(), do: award 1 to active}}\n")
    rows.append(step_rule("hostile.first", "p0()"))
    return {"module.yaml": MODULE, "rules/all.yaml": "rules:\n" + "".join(rows)}


FIFTY_OPTIONS = "options:\n" + "".join(
    f"  o{n}: {{choices: [a, b], default: a, says: x}}\n" for n in range(50)
)
RULESETS = (
    *("c2/princess-and-dragon", "c2/river", "c2/traders-and-builders", "c2/inns-and-cathedrals"),
    *("c2/abbot", "c2/farmers", "c3/base", "c3.1/dragon-and-fairy", "house/princess-must"),
)


def heard(number: int, more: str) -> str:
    """An amendment of one line with more keys."""
    head = f"  - {{id: hostile.c{number}, amend: points(x), item: i{number}, value: {number}"
    return f"{head}, {more}}}\n"


def under_options(conditions: Iterable[tuple[int, ...]]) -> Files:
    """Answers, each of them under several of fifty options."""
    found = (", ".join(f"o{n}: b" for n in condition) for condition in conditions)
    texts = [heard(n, f"option: {{{options}}}") for n, options in enumerate(found)]
    return {**rules(*texts[:50]), "module.yaml": MODULE + FIFTY_OPTIONS}


LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

AGAIN = """
definitions:
  again: {parameters: {x: feature}, type: number, combine: one, default: 0, says: again}
rules:
  - {id: hostile.again, amend: again(x), value: again(x) + 1}
"""

#: by name: the files of a folder, made when they are asked for
CORPUS: dict[str, Callable[[], Files]] = {
    # the form of YAML
    "a billion laughs": lambda: {"module.yaml": LAUGHS},
    "an alias of itself": lambda: {"module.yaml": "a: &a [*a]\n"},
    "a merge key": lambda: {"module.yaml": MODULE + "x: &x {a: 1}\ny: {<<: *x}\n"},
    "a tag that makes objects": lambda: {
        "module.yaml": "id: !!python/object/apply:os.system ['touch hostile-was-here']\n"
    },
    "lists in lists": lambda: {"module.yaml": "a: " + "[" * 50_000 + "]" * 50_000},
    "maps in maps": lambda: {"module.yaml": "".join("  " * n + "a:\n" for n in range(5_000))},
    "a file without end": lambda: {"module.yaml": "x: " + "y" * 3_000_000},
    "a million keys": lambda: {"module.yaml": "".join(f"k{n}: 1\n" for n in range(120_000))},
    "one key again and again": lambda: {"module.yaml": "a: 1\n" * 100_000},
    "a long text in one line": lambda: {
        "module.yaml": MODULE + "title2: '" + "é" * 300_000 + "'\n"
    },
    "bytes that are not text": lambda: {"module.yaml": b"\xff\xfe\x00i\x00d"},
    "nothing but zeros": lambda: {"module.yaml": b"\0" * 100_000},
    "escapes in every text": lambda: {
        "module.yaml": MODULE.replace("Hostile", '"\\e]0;owned\\a\\e[31mred\\u202eneddih"'),
        "rules/all.yaml": "values:\n  hostile.v: {type: number, is: 1, says: '\\e[2J'}\nrules:\n"
        + '  - {id: hostile.x, on: step score_features, do: "let a = 1 # \\e[2J\\u202e"}\n',
        "statements.yaml": "statements:\n  - {id: hostile-s, topic: turn, authority: house-rule,"
        ' says: "\\e[31m\\u202e"}\n',
    },
    "pipes where files should be": lambda: {
        "module.yaml": MODULE,
        "notes/a.yaml": None,
        "statements.yaml": None,
        "rules/a.yaml": None,
        "scenarios/a.yaml": None,
    },
    "signs that turn the line": lambda: {"module.yaml": MODULE + "# \u202e neddih\n"},
    "letters that look the same": lambda: {"module.yaml": "іd: house/hostile\nkind: house\n"},
    "half a surrogate": lambda: {"module.yaml": b"id: \xed\xa0\x80\n"},
    "dates, floats and octals": lambda: {"module.yaml": MODULE + "year: 012\nwhen: 2020-01-01\n"},
    "many documents": lambda: {"module.yaml": MODULE + "---\n" * 20_000},
    "zeros and escapes in a text": lambda: {"module.yaml": MODULE + 'x: "a\\0b \\e[2J"\n'},
    "a sign of order in the middle": lambda: {"module.yaml": MODULE + "\ufeffx: 1\n"},
    "sixteen bits a letter": lambda: {"module.yaml": MODULE.encode("utf-16")},
    "lines that only return": lambda: {"module.yaml": MODULE.replace("\n", "\r")},
    "keys that look the same": lambda: {"module.yaml": MODULE + "caf\u00e9: 1\ncafe\u0301: 2\n"},
    "a key of half the file": lambda: {"module.yaml": MODULE + "k" * 500_000 + ": 1\n"},
    "keys with question marks": lambda: {"module.yaml": MODULE + "? " * 100_000},
    "a map as a key": lambda: {"module.yaml": MODULE + "? {a: 1}\n: 2\n"},
    "anchors before keys": lambda: {"module.yaml": MODULE + "&k a: 1\n*k : 2\n"},
    "a quote that is never closed": lambda: {"module.yaml": MODULE + "x: '" + "a\n" * 300_000},
    "a list that is never closed": lambda: {"module.yaml": MODULE + "x: [" + "a, " * 300_000},
    "a text of many lines": lambda: rules(
        "  - id: hostile.x\n    amend: points(x)\n    value: |\n" + "      1\n" * 100_000
    ),
    "a version from far away": lambda: {"module.yaml": "%YAML 9.9\n---\n" + MODULE},
    # names and places
    "an id that climbs": lambda: {
        "module.yaml": "id: ../../../etc/passwd\nkind: house\ntitle: Up\n"
    },
    "an id with everything in it": lambda: {"module.yaml": 'id: "a/b\\0c/./..//d"\ntitle: Odd\n'},
    "an id like a device": lambda: {"module.yaml": MODULE.replace("house/hostile", "aux/nul.txt")},
    "ten thousand files": lambda: {
        "module.yaml": MODULE,
        **{f"rules/r{n}.yaml": "rules: []\n" for n in range(10_000)},
    },
    "company without end": lambda: declared(
        "with: [" + ", ".join(f"house/r{n}" for n in range(5_000)) + "]\nvalues: {}\n"
    ),
    "a requirement that climbs": lambda: {
        "module.yaml": MODULE.replace("c2/base", "../../../../etc/passwd")
    },
    "a requirement of itself": lambda: {
        "module.yaml": MODULE.replace("base: c2/base", "hostile: house/hostile")
    },
    "a takeover of itself": lambda: {"module.yaml": MODULE + "takes_over: house/hostile\n"},
    # numbers
    "a number that never ends": lambda: tiles(f"tiles:\n  - {{id: t, count: {'9' * 5_000}}}\n"),
    "a billion tiles": lambda: tiles(
        "tiles:\n  - {id: t, count: 1000000000, edges: [field, field, field, field],"
        " segments: []}\n"
    ),
    "a billion figures": lambda: {
        "module.yaml": MODULE,
        "components.yaml": "figures:\n  giant: {owned: true, count: 1000000000}\n",
    },
    "a number too large to remember": lambda: rules(
        step_rule("hostile.large", "award " + " * ".join(["999999999999"] * 60) + " to active")
    ),
    "more than any number": lambda: tiles(
        "tiles:\n  - {id: t, count: 1e999}\n  - {id: u, count: .inf}\n  - {id: v, count: 1:30:00}\n"
    ),
    # very many of one sort
    "thousands of values": lambda: declared(
        "values:\n", *(f"  v.n{n}: {{type: number, is: {n}}}\n" for n in range(10_000))
    ),
    "steps in a chain": lambda: declared(
        "steps:\n",
        *(f"  s{n}: {{phase: turn, after: [s{n - 1}], label: {{en: a}}}}\n" for n in range(3_000)),
    ),
    "steps in a circle": lambda: declared(
        "steps:\n",
        *(
            f"  s{n}: {{phase: turn, after: [s{(n + 1) % 3_000}], label: {{en: a}}}}\n"
            for n in range(3_000)
        ),
    ),
    "thousands of patches": lambda: declared(
        "patches:\n",
        *(f"  - {{id: hostile.p{n}, remove: none.n{n}, why: because}}\n" for n in range(5_000)),
    ),
    "patches that all adjust one value": lambda: declared(
        "patches:\n",
        *(
            f"  - {{id: hostile.p{n}, adjust: city.tile_points, by: {n}, why: because}}\n"
            for n in range(400)
        ),
    ),
    "thousands of options": lambda: {
        "module.yaml": MODULE
        + "options:\n"
        + "".join(f"  o{n}: {{choices: [a, b], default: a, says: x}}\n" for n in range(2_000))
    },
    "an option of thousands of choices": lambda: {
        "module.yaml": MODULE
        + "options:\n  o: {default: c0, says: x, choices: ["
        + ", ".join(f"c{n}" for n in range(5_000))
        + "]}\n"
    },
    "statements about statements that are nowhere": lambda: {
        "module.yaml": MODULE,
        "statements.yaml": "statements:\n"
        + "".join(
            f"  - {{id: s-{n}, topic: a, says: x, authority: house-rule, compares: [zz-y{n}]}}\n"
            for n in range(1_500)
        ),
    },
    "a thousand statements that follow from rules nowhere": lambda: {
        "module.yaml": MODULE,
        "statements.yaml": "statements:\n"
        + "".join(
            f"  - {{id: zz-s{n}, topic: a, says: x, authority: house-rule,"
            f" follows_from: [zz.y{n}]}}\n"
            for n in range(1_000)
        ),
    },
    "thousands of players": lambda: {
        "module.yaml": MODULE,
        "scenarios/a.yaml": "scenarios:\n  - {id: a, says: x, board: [], play: [pass], players: ["
        + ", ".join(f"p{n}" for n in range(5_000))
        + "]}\n",
    },
    "a tile of thousands of segments": lambda: tiles(
        "tiles:\n  - {id: t, count: 1, edges: [field, field, field, field], segments: {"
        + ", ".join(f"s{n}: {{kind: city}}" for n in range(5_000))
        + "}}\n"
    ),
    # effects
    "brackets in brackets": lambda: rules(
        amendment("hostile.deep", "(" * 5_000 + "1" + ")" * 5_000)
    ),
    "not not not": lambda: rules(amendment("hostile.not", "1", "not " * 6_000 + "true")),
    "one plus one plus one": lambda: rules(amendment("hostile.sum", " + ".join(["1"] * 4_900))),
    "an effect without end": lambda: rules(step_rule("hostile.long", "let a = 1\n" * 50_000)),
    "signs of another language": lambda: rules(
        amendment("hostile.python", "__import__('os').system('touch hostile-was-here')")
    ),
    "attributes with underscores": lambda: rules(
        amendment("hostile.dunder", "x.__class__.__mro__[1].__subclasses__()")
    ),
    "text that closes the function": lambda: rules(
        amendment("hostile.close", '"1)\\nimport os\\nos.system(\\"touch hostile-was-here\\")\\n("')
    ),
    "names of Python": lambda: rules(
        *(
            amendment(f"hostile.{name}", f"{name}(x)")
            for name in ("eval", "exec", "open", "m", "r_")
        )
    ),
    "a definition that calls itself": lambda: {
        "module.yaml": MODULE,
        "rules/all.yaml": AGAIN,
    },
    "a chain of doublings": lambda: chain_of_definitions(60),
    "three thousand rules": lambda: rules(*(amendment(f"hostile.r{n}", "1") for n in range(3_000))),
    "many answers that may clash": lambda: rules(
        *(
            f"  - {{id: hostile.c{n}, amend: next_player(), when: count(figures) > {n},"
            " value: active}\n"
            for n in range(400)
        )
    ),
    "many answers under tangled conditions": lambda: rules(
        *(
            f"  - {{id: hostile.c{n}, amend: next_player(), when: '{tangle(n)}', value: active}}\n"
            for n in range(200)
        )
    ),
    "conditions of pairs of options": lambda: under_options(combinations(range(50), 2)),
    "conditions that lie in one another": lambda: under_options(combinations(range(10), 5)),
    "answers with one option each": lambda: under_options((n,) for n in range(50)),
    "answers that only the last word parts": lambda: rules(
        *(
            f"  - {{id: hostile.c{n}, amend: next_player(), value: active,"
            f" when: '{tangle(n)} and count(tokens) = {n}'}}\n"
            for n in range(50)
        )
    ),
    "companies of all sorts": lambda: rules(
        *(
            heard(n, f"with: [{', '.join(company)}]")
            for n, company in enumerate(list(combinations(RULESETS, 4))[:50])
        )
    ),
    "quarrels about many questions": lambda: declared(
        "definitions:\n",
        *(
            f"  ask_{n}: {{parameters: {{x: feature}}, type: number, combine: one, default: 0,"
            " says: one}\n"
            for n in range(10)
        ),
        "rules:\n",
        *(
            f"  - {{id: hostile.a{n}, amend: ask_{n % 10}(x), when: x.size > {n}, value: 1}}\n"
            for n in range(490)
        ),
    ),
    "tiles that are all like a huge one": lambda: tiles(
        "tiles:\n  - {id: t, count: 1, edges: [field, field, field, field], segments: {f1: {"
        + ", ".join(["kind: field", *(f"a{k}: 1" for k in range(10_000))])
        + "}}}\n"
        + "".join(f"  - {{id: t{n}, like: t, count: 1}}\n" for n in range(299))
    ),
    "pieces that are all like a huge one": lambda: tiles(
        "tiles:\n  - id: t\n    count: 1\n    faces:\n      - - "
        + "        - ".join(
            f"{{at: [{k}, 0], edges: [field, field, field, field]}}\n" for k in range(3_000)
        )
        + "".join(f"  - {{id: t{n}, like: t, count: 1}}\n" for n in range(299))
    ),
    "a circle of thousands of tiles": lambda: tiles(
        "tiles:\n"
        + "".join(f"  - {{id: t{n}, like: t{(n + 1) % 6_000}, count: 1}}\n" for n in range(6_000))
    ),
    "thousands of tiles like unknown ones": lambda: tiles(
        "tiles:\n"
        + "".join(f"  - {{id: tile_{n}, like: tail_{n}, count: 1}}\n" for n in range(6_000))
    ),
    "tiles with the same slip everywhere": lambda: tiles(
        "tiles:\n"
        + "".join(
            f"  - {{id: t{n}, count: 1, edges: [field, field, field, field], segments: {{"
            + ", ".join(f"s{k}: {{kind: field, edges: []}}" for k in range(30))
            + "}}\n"
            for n in range(299)
        )
    ),
    "rules that all change one memory": lambda: declared(
        "memory:\n  m: {type: number, per: game}\nrules:\n",
        *(
            f"  - {{id: hostile.c{n}, on: step score_features, do: set m = m + 1}}\n"
            for n in range(400)
        ),
    ),
    "hundreds of rules of ninety terms": lambda: rules(
        *(amendment(f"hostile.r{n}", " + ".join(["x.size"] * 90)) for n in range(500))
    ),
    "a hundred large files": lambda: {
        "module.yaml": MODULE,
        **{f"scenarios/s{n}.yaml": "scenarios: [" + "a, " * 300_000 + "]\n" for n in range(100)},
    },
    "a name of sixty thousand letters": lambda: rules(amendment("hostile.name", "a" * 60_000)),
    "a number of ten thousand digits": lambda: rules(amendment("hostile.digits", "9" * 10_000)),
    "one and one and one": lambda: rules(
        amendment("hostile.and", "1", " and ".join(["x is city"] * 2_000))
    ),
    "if in if in if": lambda: rules(
        step_rule("hostile.if", "if active.points = 0 {\n" * 1_000 + "let a = 1\n" + "}\n" * 1_000)
    ),
    "texts that look like formats": lambda: rules(
        amendment("hostile.format", "{0.__class__} %s%n {x!r}")
    ),
    # rules that run away while they are played
    "loops in loops in loops": lambda: rules(
        step_rule("hostile.loops", nested_loops(9, "let a = 1"))
    ),
    "quantifiers in quantifiers": lambda: rules(
        step_rule(
            "hostile.any",
            "if "
            + "".join(f"any v{n} in segments(tiles): " for n in range(8))
            + "1 = 2 { let a = 1 }",
        )
    ),
    "boards copied in loops": lambda: rules(
        step_rule(
            "hostile.copies",
            "repeat 2000 { repeat 100 { if completed_by(city1, origin) is empty { let a = 1 } } }",
        )
    ),
    "repeats in repeats": lambda: rules(
        step_rule("hostile.repeat", "repeat 10000 { repeat 10000 { repeat 10000 { let a = 1 } } }")
    ),
    "awards in repeats": lambda: rules(
        step_rule("hostile.awards", "repeat 10000 { repeat 10000 { award 1 to active } }")
    ),
    "a list that goes round ten thousand times": lambda: rules(
        step_rule(
            "hostile.round",
            "let many = cycle(players, 10000)\n"
            "for a in many { for b in many { for c in many { let d = 1 } } }",
        )
    ),
    "places in places": lambda: rules(
        step_rule(
            "hostile.places",
            "".join(f"for a{n} in placements(city1) {{ " for n in range(6))
            + "let x = 1"
            + " }" * 6,
        )
    ),
    "a set of numbers that grows": lambda: kept(
        "number",
        "repeat 3000 { repeat 3000 { add grown.one to grown.many\n"
        "set grown.one = grown.one + 1 } }",
    ),
    "a set of cells that grows": lambda: kept(
        "cell",
        "for t in tiles { add t.cell to grown.many }\n"
        "repeat 10000 { for c in grown.many { for d in neighbours(c) { add d to grown.many } } }",
    ),
    "a long list, made again and again": lambda: rules(
        step_rule("hostile.cycle", "repeat 10000 { let many = cycle(players, 10000) }")
    ),
    "long lists in rules without loops": lambda: rules(
        *(step_rule(f"hostile.list{n}", long_lists(40), step) for n, step in enumerate(STEPS * 10))
    ),
    "rules that each do little": lambda: rules(
        *(
            step_rule(
                f"hostile.little{n}",
                "repeat 10000 { let a = count(players)\nlet b = a * a mod 7 }",
                step,
            )
            for n, step in enumerate(STEPS * 45)
        )
    ),
    "awards again and again": lambda: rules(
        step_rule("hostile.awards", "repeat 10000 { award 1 to active }")
    ),
    "quiet awards, fewer than stop a turn": lambda: rules(
        step_rule("hostile.awards", "repeat 3000 { award 1 to active quietly }")
    ),
    "awards after a choice of a thousand numbers": lambda: rules(
        step_rule(
            "hostile.awards",
            "may choose n in 1..1000 by active { repeat 10000 { award n to active } }",
        )
    ),
    "choices for each tile and tile": lambda: rules(
        step_rule(
            "hostile.choices",
            "for a in tiles { for b in tiles { may choose p in players by active {"
            " award 1 to p } } }",
        )
    ),
    "choices without end": lambda: rules(
        step_rule(
            "hostile.choices", "repeat 10000 { repeat 10000 { choose n in 1..1000 by active {} } }"
        )
    ),
    "sets that are made of sets": lambda: rules(
        step_rule(
            "hostile.sets",
            "repeat 10000 { for f in features { let s = those x in features:"
            " x in (collect s in segments(x.tiles): s.feature) } }",
        )
    ),
    "sets of the best": lambda: rules(
        step_rule(
            "hostile.sets",
            "repeat 10000 { let s = most c in (collect t in tiles: t.cell):"
            " count(least d in around(c): count(around(d))) }",
        )
    ),
    "rules that listen to each other": lambda: listeners(6, 20),
    "draws that are put back": lambda: rules(
        step_rule(
            "hostile.draws",
            "repeat 10000 { repeat 100 { if land is not empty {\n"
            "draw p from land\nput p into land } } }",
        )
    ),
    "stacks that are moved to and fro": lambda: rules(
        step_rule(
            "hostile.stacks",
            "repeat 10000 { repeat 100 { move all of land into box\nmove all of box into land } }",
        )
    ),
    "figures that move all the time": lambda: rules(
        step_rule(
            "hostile.moves",
            "repeat 10000 { for s in segments(tiles) { for f in all_figures { move f to s } } }",
            after="scoring.completed",
        )
    ),
    "figures that come home all the time": lambda: rules(
        step_rule(
            "hostile.moves",
            "repeat 10000 { for f in all_figures { return f\nreturn f quietly } }",
            after="scoring.completed",
        )
    ),
    "segments that are joined and parted": lambda: rules(
        step_rule(
            "hostile.joins",
            "repeat 10000 { for s in segments(tiles) { for r in segments(tiles) {"
            " if s.kind = r.kind and s != r { join s to r\npart s from r } } } }",
            after="scoring.completed",
        )
    ),
    "memory of every feature": lambda: {
        "module.yaml": MODULE,
        "rules/memory.yaml": "memory:\n"
        "  toll: {type: number, of: feature, combine: sum, per: game}\n"
        "  dug: {type: truth, of: tile, per: game}\n",
        "rules/all.yaml": "rules:\n"
        + step_rule(
            "hostile.memory",
            "repeat 10000 { for s in segments(tiles) {"
            " set s.feature.toll = 1 - s.feature.toll\nset s.tile.dug = not s.tile.dug } }",
        ),
    },
    "placements that are hard to test": lambda: rules(
        "  - id: hostile.may_lay\n    amend: may_lay(p, spot)\n    value: |\n      all s in"
        " segments(tiles): all r in segments(tiles): all t in tiles: t.cell = t.cell\n"
    ),
    "actions with three long lists": lambda: rules(
        "  - id: hostile.act\n    action: act at step deploy_figure\n"
        "    offer: {c: 'collect t in tiles: t.cell', d: 'collect t in tiles: t.cell',"
        " e: 'collect t in tiles: t.cell'}\n    where: c = d and d = e and count(around(c)) > 9\n"
        "    do: award 1 to active\n"
    ),
    "actions with two lists of numbers": lambda: rules(
        "  - id: hostile.act\n    action: act at step deploy_figure\n"
        "    offer: {a: 1..1000, b: 1..1000}\n    where: a * b = 1\n    do: award 1 to active\n"
    ),
    "a choice among a million": lambda: rules(
        "  - id: hostile.act\n    action: act at step deploy_figure\n"
        "    offer: {a: 1..1000, b: 1..1000}\n    do: award 1 to active\n"
    ),
    "pieces that would complete something": lambda: rules(
        step_rule(
            "hostile.fits",
            "repeat 10000 { for s in placements(city1) {"
            " let a = completed_by(city1, s)\nlet b = joined(city1, s)"
            "\nlet c = count(prints(city1, s)) } }",
        )
    ),
    "procedures that double": lambda: doubled("p{0}()", "award 1 to active", "p0()"),
    "events that double": lambda: doubled("announce p{0}()", "award 1 to active", "announce p0()"),
    "sets of large numbers": lambda: long_sets(large_numbers(200, "set grown.kept{0}")),
    "long sets that names keep in each choice": lambda: long_sets(
        large_numbers(50, "let kept{0}")
        + "repeat 10000 { choose n in 1..2 by active {} }\n"
        + "".join(f"if 7 in kept{n} {{ stop }}\n" for n in range(50))
    ),
    "members of a long set": lambda: long_sets(
        "repeat 10000 { repeat 10000 { if 20000 in grown.big { stop } } }"
    ),
    "a default about a long set": lambda: long_sets(
        "repeat 10000 { repeat 10000 { if seen() { stop } } }",
        definitions="  seen: {type: truth, combine: one, says: x,"
        " default: 'any a in grown.big: a > 20000'}\n",
    ),
    "unions of long sets": lambda: long_sets(
        "repeat 10000 { if 20000 in all_of_them() { stop } }",
        "".join(
            f"  - {{id: hostile.all{n}, amend: all_of_them(), value: grown.big}}\n"
            for n in range(50)
        ),
        "  all_of_them: {type: set of number, combine: union, says: x}\n",
    ),
    "sets that double": lambda: long_sets(
        "repeat 20 { set grown.big = doubled() }",
        "".join(
            f"  - {{id: hostile.more{n}, amend: doubled(),"
            f" value: 'collect a in grown.big: a + {7 ** (n + 1)}'}}\n"
            for n in range(8)
        ),
        "  doubled: {type: set of number, combine: union, says: x}\n",
    ),
    "cells that no tile is near": lambda: kept(
        "cell",
        "for t in tiles { add t.cell to grown.many }\n"
        "repeat 10000 { for c in grown.many { for d in directions {"
        " add beyond(c, d) to grown.many } } }",
    ),
    "figures that go round ten thousand times": lambda: rules(
        step_rule(
            "hostile.round",
            "repeat 10000 { repeat 10000 { let q = count(cycle(all_figures, 10000)) } }",
        )
    ),
    "draws under a long condition": lambda: rules(
        step_rule(
            "hostile.draws",
            "repeat 10000 { repeat 100 { if land is not empty {\n"
            "draw p from land where any t in tiles: t.piece = p\nput p into land } } }",
        )
    ),
    "numbers of every figure": lambda: {
        "module.yaml": MODULE,
        "rules/memory.yaml": "memory:\n  visits: {type: number, of: figure, per: game}\n",
        "rules/all.yaml": "rules:\n"
        + step_rule(
            "hostile.memory",
            "for f in all_figures { repeat 10000 { set f.visits = f.visits + 1 } }",
        ),
    },
    "a range of a billion numbers": lambda: rules(
        step_rule("hostile.range", "choose n in 1..1000000000 by active { stop }")
    ),
    "a range of numbers that grow": lambda: kept(
        "number",
        "add count(grown.many) + 1 to grown.many\nset grown.one = (grown.one + 2) * (grown.one + 2)"
        "\nfor n in 1..grown.one { add n to grown.many }",
    ),
    "a billion draws": lambda: rules(
        step_rule("hostile.draws", "draw from land into box times 999999999999")
    ),
    "the first billion of a set": lambda: rules(
        step_rule("hostile.first", "for f in first 1000000000 of all_figures { return f }")
    ),
    "procedures in a row of three hundred": lambda: chain_of_calls(300),
    # numbers that grow without end
    "squares in a greatest": lambda: grows("max(n * n, 2)"),
    "squares in a condition": lambda: grows("if n > 0 then n * n else 0"),
    "squares under a minus": lambda: grows("-(n * n)"),
    "squares in a sum": lambda: grows("sum p in players: n * n"),
    "squares that are arguments": lambda: squares("max", "if true then {0} * {0} else 0"),
    "answers that add up": lambda: squares("sum", "{0} * {0}"),
    "squares in a set": lambda: rules(
        step_rule(
            "hostile.grow",
            "let s = {3}\nrepeat 60 { set s = collect n in s: n * n }\naward count(s) to active",
        )
    ),
}

#: played to the end rather than checked: each must be stopped by the name of its rule
RUNAWAYS = {
    "loops in loops in loops": "hostile.loops",
    "quantifiers in quantifiers": "hostile.any",
    "boards copied in loops": "hostile.copies",
    "repeats in repeats": "hostile.repeat",
    "awards in repeats": "hostile.awards",
    "a list that goes round ten thousand times": "hostile.round",
    "places in places": "hostile.places",
    "a set of numbers that grows": "hostile.kept",
    "a set of cells that grows": "hostile.kept",
    "procedures that double": r"hostile.p\d+",
    "events that double": r"hostile.p\d+",
    "a long list, made again and again": "hostile.cycle",
    "long lists in rules without loops": r"hostile.list\d+",
    "rules that each do little": r"hostile.little\d+",
    "awards again and again": "hostile.awards",
    "quiet awards, fewer than stop a turn": "hostile.awards",
    "awards after a choice of a thousand numbers": "hostile.awards",
    "choices for each tile and tile": "hostile.choices",
    "choices without end": "hostile.choices",
    "sets that are made of sets": "hostile.sets",
    "sets of the best": "hostile.sets",
    "rules that listen to each other": r"hostile.e\dr\d+",
    "draws that are put back": "hostile.draws",
    "stacks that are moved to and fro": "hostile.stacks",
    "figures that move all the time": "hostile.moves",
    "figures that come home all the time": "hostile.moves",
    "segments that are joined and parted": "hostile.joins",
    "memory of every feature": "hostile.memory",
    "placements that are hard to test": "hostile.may_lay",
    "actions with three long lists": "hostile.act",
    "actions with two lists of numbers": "hostile.act",
    "pieces that would complete something": "hostile.fits",
    "cells that no tile is near": "hostile.kept",
    "sets of large numbers": "hostile.sets",
    "long sets that names keep in each choice": "hostile.sets",
    "members of a long set": "hostile.sets",
    "a default about a long set": "hostile.sets",
    "unions of long sets": r"(all_of_them|hostile.all\d+)",
    "figures that go round ten thousand times": "hostile.round",
    "draws under a long condition": "hostile.draws",
    "numbers of every figure": "hostile.memory",
}

_NUMBER, _SET = "a number of a rule is beyond 1000000000000", "a set grows beyond 10000 members"
#: played as well: each must be stopped at a limit, in a rule of its own
GROWING = {
    "squares in a greatest": _NUMBER,
    "squares in a condition": _NUMBER,
    "squares under a minus": _NUMBER,
    "squares in a sum": _NUMBER,
    "squares that are arguments": _NUMBER,
    "answers that add up": _NUMBER,
    "squares in a set": _NUMBER,
    "sets that double": _SET,
}


def write(files: Files, folder: Path) -> None:
    """The files of one folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            os.mkfifo(path)
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))


if __name__ == "__main__":
    for name, make in CORPUS.items():
        write(make(), Path(sys.argv[1]) / name.replace(" ", "-"))
