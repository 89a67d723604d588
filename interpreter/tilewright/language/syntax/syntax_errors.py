"""Words the diagnostics of syntax errors: expected and found, with hints for common slips."""

from __future__ import annotations

import re
from string import ascii_letters, digits
from typing import Any

from tilewright.language.builtins import VERB
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code
from tilewright.language.syntax.habits import habit, in_small_letters, missing_preposition

_IN_NAMES = f"{ascii_letters}{digits}_"


def report_character(code: Code, error: Any, reporter: Reporter) -> None:
    """Report Lark's error for a character that begins no token."""
    at = error.pos_in_stream or 0
    start, found, hint = at, code.text[at : at + 1], ""
    if found.isascii() and found.isupper():
        rest = code.text[at:].lstrip(_IN_NAMES)
        start = len(code.text[:at].rstrip(_IN_NAMES))
        found = code.text[start : len(code.text) - len(rest)]
        hint = f"names are in small letters: `{in_small_letters(found)}`"
    elif code.text.startswith(("//", "/*"), at):
        hint = "a comment begins with `#`"
    column = error.column - (at - start)
    span = code.span(error.line, column, error.line, column + len(found))
    message = f"`{_shown(found)}` has no meaning in an effect"
    reporter.error("TW401", message, span, hint=hint or _ADVICE.get(found, ""))


def _shown(text: str) -> str:
    return text if text.isprintable() else f"U+{ord(text):04X}"


_QUANTIFIER = r"\b(any|all|sum|count|those|most|least|collect)"
_ADVICE = {
    "'": 'write text in double quotes: "like this"',
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` between two values",
    ";": "no mark is needed between effects",
    "?": "write `if A then B else C`",
    "/": "whole numbers are divided with `div`",
    "%": "the remainder of a division is `mod`",
    "[": "sets are written `{a, b}`",
}


#: terminals of the grammar as messages name them
_TERMINALS = {
    "NAME": "a name",
    "CALLED": "a call",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "RBRACE": "`}`",
    "LBRACE": "`{`",
    "RPAR": "`)`",
    "LPAR": "`(`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "COMPARISON": "a comparison",
    "SIGN": "`+` or `-`",
    "FACTOR": "`*`, `div` or `mod`",
    "QUANTIFIER": "`any`, `those` ...",
    "PREPOSITION": "`on` or `at`",
    "FIRST": "`first`",
    "MOVE_ALL": "`move all of`",
    "WORD": "`empty`",
    "NOTHING": "`nothing`",
    "__ANON_0": "`..`",
    "TRUTH": "`true` or `false`",
    "AS_": "`as`",
    "$END": "the end of the text",
}
#: sets of terminals that messages summarize
_EXPRESSION = {"NAME", "CALLED", "NUMBER", "TRUTH", "NOTHING", "LPAR", "LBRACE"}
#: a noun after a number, which the language does not have
_COUNTED = re.compile(r"\b(?P<verb>[a-z_]+)\s+(\d+)\s+(?P<noun>[a-z_]+)\s+(to|by)\s+([\w.]+)")
#: a verb of several words with a comment inside
_PARTED = re.compile(r"\bmove\b(?:\s|#[^\n]*\n)+all\b(?:\s|#[^\n]*\n)+of\b")
_NO_CODE = re.compile(r'"[^"\n]*"|#[^\n]*')
_EFFECT = {"LET", "SET", "IF", "REPEAT", "CHOOSE", "DRAW", "NAME", "CALLED", "MOVE_ALL"}


def report_token(code: Code, error: Any, reporter: Reporter) -> None:
    """Report Lark's error for a token in a wrong place."""
    token = error.token
    if _counted_noun(code, None if token.type == "$END" else token.start_pos, reporter):
        return
    # after a whole expression Lark lists no terminal: only the end is expected
    wanted = set(error.accepts or error.expected or ("$END",))
    if token.type == "STRING" and "AS_" in wanted:
        wanted = {"AS_"}
    if token.type == "$END":
        lines = code.text.rstrip().split("\n")
        span = code.span(len(lines), max(1, len(lines[-1])), len(lines), len(lines[-1]) + 1)
        found = "the text ends here"
    else:
        end_line = token.end_line or token.line
        end_column = token.end_column or token.column + 1
        span = code.span(token.line, token.column, end_line, end_column)
        found = f"found `{token}`"
    hint = _habit(code, token, wanted) or _out_of_place(token, wanted)
    reporter.error("TW401", f"expected {_expected(wanted)}, {found}", span, hint=hint)


def _counted_noun(code: Code, end: int | None, reporter: Reporter) -> bool:
    """Report a noun between a number and what follows it, as in `award 2 points to active`: the
    parser takes it for another effect. Whether there is one in the text before `end`.
    """
    text = _NO_CODE.sub(lambda found: " " * len(found[0]), code.text[:end])
    found = next((each for each in _COUNTED.finditer(text) if each["verb"] in VERB), None)
    if found is None:
        return False
    verb, number, noun, word, operand = found.groups()
    if noun in ("point", "points"):
        hint = f"points are given with `award {number} to {operand}`"
    elif verb == "give":
        hint = f"write `give {number} of {noun} {word} {operand}`"
    else:
        hint = f"write `repeat {number} {{ {verb} {noun} {word} {operand} }}`: one at a time"
    line = text.count("\n", 0, found.start("noun")) + 1
    column = found.start("noun") - text.rfind("\n", 0, found.start("noun"))
    span = code.span(line, column, line, column + len(noun))
    reporter.error("TW401", f"expected `{word}`, found `{noun}`", span, hint=hint)
    return True


def _out_of_place(token: Any, wanted: set[str]) -> str:
    """A hint for a token in a wrong place; empty when there is none."""
    if wanted == {"$END"} and token.type in ("NAME", "CALLED", "NUMBER", "QUANTIFIER"):
        return "write an operator between two expressions, such as `and`, `is` or `+`"
    if token.type == "EQUAL" or str(token) == "=":
        return "write `set name = value` to change something, `let` to name it"
    if token.type == "LPAR" and "CALLED" not in wanted:
        return "write a definition and its arguments without a space: `may_enter(f, c)`"
    if token.type not in _TERMINALS and "NAME" in wanted:
        return f"`{token}` is a word of the language and cannot be a name"
    return ""


def _habit(code: Code, token: Any, wanted: set[str]) -> str:
    """A hint for a habit from other languages; empty when there is none."""
    if token.type == "$END":
        return _cut_off(code.text) or habit(code.text, "")
    before = code.text[: token.start_pos].rstrip()
    parted = _PARTED.search(code.text)
    if parted and parted.start() <= token.start_pos and not before[parted.end() :].strip():
        return "write `move all of` without a comment between its words"
    if wanted == {"AS_"}:
        return f"write a label after `as`: `as {token}`"
    if found := habit(before, code.text[token.start_pos :]):
        return found
    match str(token):
        case "}":
            return missing_preposition(before)
        case _ if wanted == {"INTO"} and re.search(r"\bdraw\s+from\b", before):
            return "`draw p from STACK` names what is drawn, `draw from STACK into OTHER` does not"
        case _ if token.type == "NAME" and (word := re.search(rf"\S\s*{_QUANTIFIER}$", before)):
            return f"write it in brackets after another word: `({word[1]} {token} in SET: ...)`"
        case ":" if word := re.search(rf"{_QUANTIFIER}\((\w+ in [^()]*)$", before):
            return f"write it without the bracket: `{word[1]} {word[2]}: ...`"
        case "." if "PREPOSITION" not in wanted and wanted >= {"NAME", "NUMBER"}:
            return "attributes cannot be set; verbs change them: `award 1 to p`"
        case _ if "LBRACE" in wanted and "NAME" not in wanted:
            return "write effects in braces: `{ ... }`"
    return ""


def _cut_off(text: str) -> str:
    """A hint for the end of a text that was taken for another effect."""
    if text.count("{") > text.count("}"):
        return "a `}` is missing at the end"
    if found := missing_preposition(text):
        return found
    last = re.search(r"[\w})]\s+([a-z_]+)\s*$", text)
    if last:
        return f"`{last[1]}` is taken for the verb of another effect: a word is missing before it"
    return ""


def _expected(wanted: set[str]) -> str:
    parts: list[str] = []
    if wanted >= _EFFECT:
        parts.append("an effect")
        wanted = wanted & {"RBRACE", "$END"}
    elif wanted >= _EXPRESSION:
        parts.append("an expression")
        wanted = wanted - _EXPRESSION - {"QUANTIFIER", "IF", "NOT", "SIGN", "FIRST"}
    words = sorted(_TERMINALS.get(name, f"`{name.lower().rstrip('_')}`") for name in wanted)
    if len(words) > 4:
        words = [*words[:4], "..."] if not parts else []
    parts += words
    return " or ".join(parts) if len(parts) <= 2 else ", ".join(parts[:-1]) + " or " + parts[-1]
