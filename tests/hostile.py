"""A corpus of rulesets that mean no good: each a folder of files that somebody might be sent.

    python hostile.py FOLDER      # writes them all, one folder each

Every one must end in complaints that say what is wrong: soon, in little memory, and with nothing
read or run that does not belong to it. `test_hostile.py` sees to that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

Files = Mapping[str, str | bytes]

MODULE = "id: house/hostile\nkind: house\ntitle: Hostile\nrequires: {base: c2/base}\n"


def rules(*texts: str) -> dict[str, str]:
    return {"module.yaml": MODULE, "rules/all.yaml": "rules:\n" + "".join(texts)}


def step_rule(id_: str, do: str) -> str:
    body = "".join(f"      {line}\n" for line in do.splitlines())
    return f"  - id: {id_}\n    on: step score_features\n    do: |\n{body}"


def answer(id_: str, value: str, when: str = "x is city") -> str:
    return f"  - id: {id_}\n    amend: points(x)\n    when: {when}\n    item: {id_}\n    value: {value}\n"


def tiles(text: str) -> dict[str, str]:
    return {"module.yaml": MODULE, "tiles.yaml": text}


def nested_loops(depth: int, inner: str) -> str:
    lines = [f"for v{n} in tiles {{" for n in range(depth)]
    return "\n".join([*lines, inner, "}" * depth])


def chain_of_definitions(many: int) -> Files:
    """Each asks the next one twice: 2 to the power of their number, if it were done."""
    declared = [
        f"  ask_{n}: {{parameters: {{x: feature}}, type: number, law: one, says: one of many}}\n"
        for n in range(many)
    ]
    answers = [
        f"  - id: hostile.a{n}\n    amend: ask_{n}(x)\n    value: ask_{n + 1}(x) + ask_{n + 1}(x)\n"
        for n in range(many - 1)
    ]
    last = f"  - id: hostile.last\n    amend: ask_{many - 1}(x)\n    value: 1\n"
    used = answer("hostile.used", "ask_0(x)")
    text = "definitions:\n" + "".join(declared) + "rules:\n" + "".join([*answers, last, used])
    return {"module.yaml": MODULE, "rules/all.yaml": text}


LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

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
    "a long text in one line": lambda: {"module.yaml": MODULE + "title2: '" + "é" * 300_000 + "'\n"},
    "bytes that are no text": lambda: {"module.yaml": b"\xff\xfe\x00i\x00d"},
    "nothing but zeros": lambda: {"module.yaml": b"\0" * 100_000},
    "signs that turn the line": lambda: {"module.yaml": MODULE + "# \u202e neddih\n"},
    "letters that look alike": lambda: {"module.yaml": "іd: house/hostile\nkind: house\n"},
    "half a surrogate": lambda: {"module.yaml": b"id: \xed\xa0\x80\n"},
    "dates, floats and octals": lambda: {"module.yaml": MODULE + "year: 012\nwhen: 2020-01-01\n"},
    "many documents": lambda: {"module.yaml": MODULE + "---\n" * 20_000},
    # names and places
    "an id that climbs": lambda: {
        "module.yaml": "id: ../../../etc/passwd\nkind: house\ntitle: Up\n"
    },
    "an id with everything in it": lambda: {"module.yaml": 'id: "a/b\\0c/./..//d"\ntitle: Odd\n'},
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
        "pieces.yaml": "figures:\n  giant: {owned: true, count: 1000000000}\n",
    },
    "a number too large to remember": lambda: rules(
        step_rule("hostile.large", "award " + " * ".join(["999999999999"] * 60) + " to active")
    ),
    # effects
    "brackets in brackets": lambda: rules(
        answer("hostile.deep", "(" * 5_000 + "1" + ")" * 5_000)
    ),
    "not not not": lambda: rules(answer("hostile.not", "1", "not " * 6_000 + "true")),
    "one plus one plus one": lambda: rules(answer("hostile.sum", " + ".join(["1"] * 4_900))),
    "an effect without end": lambda: rules(step_rule("hostile.long", "let a = 1\n" * 50_000)),
    "signs of another language": lambda: rules(
        answer("hostile.python", "__import__('os').system('touch hostile-was-here')")
    ),
    "attributes with underscores": lambda: rules(
        answer("hostile.dunder", "x.__class__.__mro__[1].__subclasses__()")
    ),
    "text that closes the function": lambda: rules(
        answer("hostile.close", '"1)\\nimport os\\nos.system(\\"touch hostile-was-here\\")\\n("')
    ),
    "names of Python": lambda: rules(
        *(answer(f"hostile.{name}", f"{name}(x)") for name in ("eval", "exec", "open", "m", "r_"))
    ),
    "a definition that asks itself": lambda: {
        "module.yaml": MODULE,
        "rules/all.yaml": "definitions:\n  again: {parameters: {x: feature}, type: number, law: one,"
        " says: again}\nrules:\n  - {id: hostile.again, amend: again(x), value: again(x) + 1}\n",
    },
    "a chain of doublings": lambda: chain_of_definitions(60),
    "three thousand rules": lambda: rules(*(answer(f"hostile.r{n}", "1") for n in range(3_000))),
    "a thousand answers that may clash": lambda: rules(
        *(
            f"  - {{id: hostile.c{n}, amend: next_player(), when: turn.number = {n}, value: active}}\n"
            for n in range(1_000)
        )
    ),
    # what runs away while it is played
    "loops in loops in loops": lambda: rules(step_rule("hostile.loops", nested_loops(9, "let a = 1"))),
    "quantifiers in quantifiers": lambda: rules(
        step_rule(
            "hostile.any",
            "if " + "".join(f"any v{n} in segments: " for n in range(8)) + "1 = 2 { end game }",
        )
    ),
    "repeats in repeats": lambda: rules(
        step_rule("hostile.repeat", "repeat 10000 { repeat 10000 { repeat 10000 { let a = 1 } } }")
    ),
}

#: played to the end rather than checked: each must be stopped by the name of its rule
RUNAWAYS = {
    "loops in loops in loops": "hostile.loops",
    "quantifiers in quantifiers": "hostile.any",
    "repeats in repeats": "hostile.repeat",
}


def write(files: Files, folder: Path) -> None:
    """The files of one folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))


if __name__ == "__main__":
    for name, make in CORPUS.items():
        write(make(), Path(sys.argv[1]) / name.replace(" ", "-"))
