"""The table of limits in the reference, with the numbers that the program itself uses."""

from __future__ import annotations

from tilewright.language.builtins import MAX_RANGE
from tilewright.language.syntax.parser import MAX_LENGTH
from tilewright.play.compiling.facts.cost_bounds import AWARDED
from tilewright.play.limits import (
    CHOICE_STEPS,
    MAX_LIFTED,
    MAX_MEMBERS,
    MAX_NUMBER,
    MAX_OFFERED,
    MAX_ROUNDS,
    MAX_STEPS,
    TURN_STEPS,
)
from tilewright.play.match import MAX_TURNS
from tilewright.rules.analysis.termination import MAX_DEPTH as MAX_CALLS
from tilewright.rules.model.geometry import MAX_SEGMENTS
from tilewright.rules.reading.files.components import MAX_FIGURES, MAX_ITEMS, MAX_TOKENS
from tilewright.rules.reading.files.module import MAX_SETS
from tilewright.rules.reading.files.shapes import MAX_WORDS
from tilewright.rules.reading.files.tiles import MAX_COPIES
from tilewright.rules.reading.limits import (
    MAX_DECLARATIONS,
    MAX_OPTIONS,
    MAX_PATCHES,
    MAX_RULES,
    MAX_RULES_AT_PLACE,
    MAX_STATEMENTS,
)

#: limits that `check` tests, each with its bounds
CHECKED: tuple[tuple[str, str], ...] = (
    ("copies of a tile (`count`)", f"1 to {MAX_COPIES:,}"),
    ("figures of a kind, for each player or in all (`count`)", f"0 to {MAX_FIGURES:,}"),
    ("tokens of a kind (`count`)", f"0 to {MAX_TOKENS:,}"),
    ("items of a kind (`count`)", f"0 to {MAX_ITEMS:,}"),
    ("sets of the tiles of a ruleset (`copies`)", f"1 to {MAX_SETS:,}"),
    ("segments of a cell", f"at most {MAX_SEGMENTS:,}"),
    ("names in a list", f"at most {MAX_WORDS:,}"),
    ("members of a range (`a..b`)", f"at most {MAX_RANGE:,}"),
    ("characters of an effect text", f"at most {MAX_LENGTH:,}"),
    ("calls and loops inside one another", f"at most {MAX_CALLS:,}"),
    ("rules of a ruleset", f"at most {MAX_RULES:,}"),
    ("rules at one step, on one event, or for one definition", f"at most {MAX_RULES_AT_PLACE:,}"),
    ("patches of a ruleset", f"at most {MAX_PATCHES:,}"),
    ("options of a ruleset", f"at most {MAX_OPTIONS:,}"),
    ("statements, and scenarios, of a ruleset", f"at most {MAX_STATEMENTS:,}"),
    ("other declarations of a ruleset, of each sort", f"at most {MAX_DECLARATIONS:,}"),
)

#: limits that stop a running game, with an error that names the rule
RUNNING: tuple[tuple[str, str], ...] = (
    ("a number", f"-{MAX_NUMBER:,} to {MAX_NUMBER:,}"),
    ("rounds of one `repeat`, members of one `cycle`", f"at most {MAX_ROUNDS:,}"),
    (
        "members of a set of numbers, cells or placements that rules make",
        f"at most {MAX_MEMBERS:,}",
    ),
    ("numbers from which a player chooses (`choose n in a..b`)", f"at most {MAX_RANGE:,}"),
    ("options of a decision", f"at most {MAX_OFFERED:,}"),
    ("tiles lifted and replaced in a game", f"at most {MAX_LIFTED:,}"),
    (
        "steps of rules",
        f"{TURN_STEPS:,} for each turn in which somebody chooses, and once {MAX_STEPS:,} more; an"
        f" award counts {AWARDED:,} and a choice {CHOICE_STEPS:,}",
    ),
    ("turns of a game", f"at most {MAX_TURNS:,}"),
)
